//! What a search should know: the middle belongs to more lines of four, so it is tried first.

use super::position::{COLUMNS, Connect4, STRIDE};
use ludus_core::SearchHints;

impl SearchHints for Connect4 {
    const SLOTS: usize = COLUMNS * STRIDE;

    /// The cell the disc falls to.
    #[inline]
    fn slot(&self, column: u8) -> usize {
        let bottom = usize::from(column) * STRIDE;
        bottom + (self.all >> bottom & 0x3F).count_ones() as usize
    }

    #[inline]
    fn preference(&self, column: u8) -> i32 {
        -40 * (i32::from(column) - 3).abs()
    }
}
