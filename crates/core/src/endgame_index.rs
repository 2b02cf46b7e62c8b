//! Endings few enough to be solved once and for all and kept in tables.
//!
//! The endings of a game fall into slices, such as all positions with two kings against a man and a
//! king. A slice numbers its positions. Some numbers may stand for no position.

use crate::Position;
use std::ops::Range;

/// The place of a position in the tables.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// The slice, below [`EndgameIndex::SLICES`].
    pub slice: usize,
    /// The number within the slice.
    pub index: u64,
}

/// A game whose endings can be tabulated.
///
/// A position and its mirror image for the other side may share a cell: what is tabulated is the
/// value for the side to move.
pub trait EndgameIndex: Position {
    /// Slices are numbered below this.
    const SLICES: usize;
    /// No slice has more pieces.
    const MOST_PIECES: usize;

    /// Slices with exactly `pieces` pieces of both sides, in groups to be solved together, in an
    /// order in which every move leads to the own group, to an earlier one, or to fewer pieces.
    fn groups(pieces: usize) -> Vec<Vec<usize>>;

    /// Other slices with as many pieces that a move from this one may lead to, the mirror image's
    /// included.
    fn next_slices(slice: usize) -> Vec<usize>;

    /// How many numbers a slice uses.
    fn numbers(slice: usize) -> u64;

    /// How many of them stand for a position.
    fn positions(slice: usize) -> u64;

    /// Boards with exactly `pieces` pieces, those with pieces of one side only included; whose turn
    /// it is does not count.
    fn boards(pieces: usize) -> u64;

    /// A short name for a slice, fit for a file.
    fn slice_name(slice: usize) -> String;

    /// How many pieces the positions of a slice have.
    fn slice_pieces(slice: usize) -> usize;

    /// How many pieces there are.
    fn pieces(&self) -> usize;

    /// Whether the game is played by the rules that the tables are for.
    #[inline]
    fn is_tabulated(&self) -> bool {
        true
    }

    /// The place of this position; `None` if no slice has it, as when one side has nothing left.
    fn cell(&self) -> Option<Cell>;

    /// The position at `cell`; `None` if the number stands for none.
    fn at(cell: Cell) -> Option<Self>;

    /// Calls `each` with the positions of a part of a slice, by rising number.
    fn each_in(slice: usize, part: Range<u64>, mut each: impl FnMut(u64, &Self)) {
        for index in part {
            if let Some(position) = Self::at(Cell { slice, index }) {
                each(index, &position);
            }
        }
    }

    /// Whether every move leads to fewer pieces. Such positions are not stored: a look at the moves
    /// tells their value.
    fn is_converting(&self) -> bool;

    /// Calls `each` with the cells of all positions that a move within the group may have led here
    /// from, and perhaps of some from which it was not legal.
    fn each_predecessor(&self, each: impl FnMut(Cell));
}
