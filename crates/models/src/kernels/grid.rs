//! The cells of a board in memory.

use super::{Channels, convolution::PADDING_CELLS};
use std::ops::Range;

/// A square board with a border of one cell all around.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PaddedGrid {
    /// Cells of a side.
    pub size: usize,
    steps: [isize; 9],
}

impl PaddedGrid {
    /// A board of `size` by `size` cells.
    pub fn new(size: usize) -> PaddedGrid {
        let stride = size as isize + 2;
        let steps = [-stride - 1, -stride, -stride + 1, -1, 0, 1, stride - 1, stride, stride + 1];
        PaddedGrid { size, steps }
    }

    /// Number of cells with the border, and with the padding that the inner loops may read behind it.
    pub fn length(&self) -> usize {
        (self.size + 2) * (self.size + 2) + PADDING_CELLS
    }

    /// The index of a cell of the board.
    #[inline]
    pub fn place(&self, row: usize, column: usize) -> usize {
        (row + 1) * (self.size + 2) + column + 1
    }

    /// From the first cell of the board to the last, with the border in between.
    pub fn span(&self) -> Range<usize> {
        self.place(0, 0)..self.place(self.size - 1, self.size - 1) + 1
    }

    /// From a cell to those of a window of one or nine taps around it.
    pub fn steps(&self, taps: usize) -> &[isize] {
        if taps == 1 { &self.steps[4..5] } else { &self.steps }
    }

    /// The rows of the board.
    pub fn rows<'a>(
        &self,
        cells: &'a [Channels],
    ) -> impl Iterator<Item = &'a [Channels]> + use<'a> {
        let (size, stride) = (self.size, self.size + 2);
        cells[self.place(0, 0)..].chunks(stride).take(size).map(move |row| &row[..size])
    }

    /// The rows of the board, to change them.
    pub fn rows_mut<'a>(
        &self,
        cells: &'a mut [Channels],
    ) -> impl Iterator<Item = &'a mut [Channels]> + use<'a> {
        let (size, stride) = (self.size, self.size + 2);
        cells[self.place(0, 0)..].chunks_mut(stride).take(size).map(move |row| &mut row[..size])
    }

    /// All cells of the board, row by row.
    pub fn cells<'a>(&self, cells: &'a [Channels]) -> impl Iterator<Item = &'a Channels> + use<'a> {
        self.rows(cells).flatten()
    }

    /// All cells of the board, row by row, to change them.
    pub fn cells_mut<'a>(
        &self,
        cells: &'a mut [Channels],
    ) -> impl Iterator<Item = &'a mut Channels> + use<'a> {
        self.rows_mut(cells).flatten()
    }

    /// The mean of each channel over the board.
    pub fn mean(&self, cells: &[Channels]) -> Channels {
        let mut sum = self.sum(cells);
        let share = 1.0 / (self.size * self.size) as f32;
        sum.0.iter_mut().for_each(|value| *value *= share);
        sum
    }

    /// The sum of each channel over the board.
    pub fn sum(&self, cells: &[Channels]) -> Channels {
        let mut sum = Channels::ZERO;
        for cell in self.cells(cells) {
            sum.add(cell);
        }
        sum
    }
}
