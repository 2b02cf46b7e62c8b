//! Search hints: corners first.

use super::ReversiKnowledge;
use ludus_core::{Position, SearchHints};
use ludus_games::reversi::Reversi;

impl SearchHints<Reversi> for ReversiKnowledge {
    const HISTORY_SIZE: usize = 65;

    #[inline]
    fn history_index(self, position: &Reversi, mv: u8) -> usize {
        position.move_index(mv)
    }

    /// Square values: 200 for a corner, down to −200 beside one on the diagonal.
    #[inline]
    fn quiet_bonus(self, _: &Reversi, mv: u8) -> i32 {
        const QUADRANT: [[i32; 4]; 4] =
            [[200, -80, 60, 40], [-80, -200, -20, -10], [60, -20, 20, 10], [40, -10, 10, 0]];
        let from_edge = |line: u8| usize::from(line.min(7 - line));
        if mv < 64 { QUADRANT[from_edge(mv / 8)][from_edge(mv % 8)] } else { 0 }
    }
}
