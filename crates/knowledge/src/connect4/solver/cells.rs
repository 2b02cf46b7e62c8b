//! Sets of cells, as bits of the board.

use ludus_games::connect4::{BOTTOM, COLUMNS, DIRECTIONS, FULL, STRIDE};

/// Rows 1, 3 and 5, counted from the floor: the cells the first player gets when each player in
/// turn fills a column from the floor.
pub(super) const ODD_ROWS: u64 = BOTTOM * 0b01_0101;
/// Rows 2, 4 and 6.
pub(super) const EVEN_ROWS: u64 = BOTTOM * 0b10_1010;

/// The columns, those in more lines first.
pub(super) const CENTRE_FIRST: [usize; COLUMNS] = [3, 2, 4, 1, 5, 0, 6];

/// One column of `cells`.
#[inline]
pub(super) const fn column_mask(column: usize) -> u64 {
    ((1 << STRIDE) - 1) << (column * STRIDE)
}

/// The column of the lowest of `cells`.
#[inline]
pub(super) fn column_of(cells: u64) -> usize {
    cells.trailing_zeros() as usize / STRIDE
}

/// The lowest of `cells` alone.
#[inline]
pub(super) fn lowest(cells: u64) -> u64 {
    cells & cells.wrapping_neg()
}

/// The cells that stand in one line with three of `discs`. Cells already taken may be among them.
#[inline(always)]
pub(super) fn completing_cells(discs: u64) -> u64 {
    let mut cells = (discs << 1) & (discs << 2) & (discs << 3);
    for distance in [STRIDE - 1, STRIDE, STRIDE + 1] {
        let below = (discs << distance) & (discs << (2 * distance));
        cells |= below & ((discs << (3 * distance)) | (discs >> distance));
        let above = (discs >> distance) & (discs >> (2 * distance));
        cells |= above & ((discs << distance) | (discs >> (3 * distance)));
    }
    cells
}

/// [`completing_cells`] for the discs `own` and one more in each column, where `landings` has a
/// cell there. Eight lanes without a branch: the compiler turns the loop into vector instructions.
#[inline(always)]
pub(super) fn completing_cells_after_each(own: u64, landings: u64) -> [u64; COLUMNS + 1] {
    let mut boards = [own; COLUMNS + 1];
    for (column, board) in boards.iter_mut().enumerate() {
        *board |= landings & column_mask(column);
    }
    boards.map(completing_cells)
}

/// The cells of every line of four that lies in `open`.
#[inline(always)]
pub(super) fn in_open_lines(open: u64) -> u64 {
    let mut cells = 0;
    for distance in DIRECTIONS {
        let pairs = open & (open >> distance);
        let lines = pairs & (pairs >> (2 * distance));
        let halves = lines | (lines << distance);
        cells |= halves | (halves << (2 * distance));
    }
    cells & FULL
}
