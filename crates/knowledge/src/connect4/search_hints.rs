//! Search hints: centre columns first, because they are part of more lines of four.

use super::Connect4Knowledge;
use ludus_core::SearchHints;
use ludus_games::connect4::{COLUMNS, Connect4, STRIDE};

impl SearchHints<Connect4> for Connect4Knowledge {
    const HISTORY_SIZE: usize = COLUMNS * STRIDE;

    /// The cell that the disc falls to.
    #[inline]
    fn history_index(self, position: &Connect4, column: u8) -> usize {
        let bottom = usize::from(column) * STRIDE;
        bottom + (position.all() >> bottom & 0x3F).count_ones() as usize
    }

    #[inline]
    fn quiet_bonus(self, _: &Connect4, column: u8) -> i32 {
        -40 * (i32::from(column) - 3).abs()
    }
}
