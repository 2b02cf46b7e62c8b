//! The exact value of positions near the end of the game.
//!
//! A margin is the final disc difference for the side to move, the empty squares counted for the
//! winner as the rules do: always even, from -64 to 64, positive exactly if the side to move wins.
//!
//! The ideas are those of the strong Othello programs, as their authors describe them: null-window
//! searches, fastest-first and parity ordering, specialised code for the last squares (Gunnar
//! Andersson's notes on writing an Othello program and the solver he published with Warren Smith
//! and Jean-Christophe Weill; Joel Feinstein's on solving 6 by 6), stability bounds, enhanced
//! transposition cutoffs, and shallow searches for ordering (Michael Buro, "The evolution of strong
//! Othello programs", 2003; Richard Delorme's Edax).

mod board;
mod last_squares;
mod move_ordering;
mod search;
mod stability;
mod table;
#[cfg(test)]
mod tests;

use board::SolverBoard;
use ludus_core::Position;
use ludus_games::reversi::{PASS, Reversi};
use search::EndgameSearch;
use table::BoundsTable;

/// A search window of margins: those inside are exact, those outside only known to be outside.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct MarginWindow {
    /// Lower bound: margins up to here are not distinguished.
    pub alpha: i32,
    /// Upper bound: margins from here on are not distinguished.
    pub beta: i32,
}

impl MarginWindow {
    /// The exact margin.
    pub const EXACT: MarginWindow = MarginWindow { alpha: -65, beta: 65 };
    /// Win, draw or loss: only the sign of the margin is exact.
    pub const RESULT: MarginWindow = MarginWindow { alpha: -1, beta: 1 };
}

/// The result of solving a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExactResult {
    /// The margin for the side to move; outside of the window a bound on the same side of it as the
    /// exact value.
    pub margin: i32,
    /// A move that reaches it; `None` if the game is over.
    pub best: Option<u8>,
    /// Best play to the end from both sides; only its first move if the margin is not exact.
    pub line: Vec<u8>,
    /// Positions visited.
    pub nodes: u64,
}

/// Solves positions with few empty squares; its table is kept between calls.
pub struct ExactSolver {
    table: BoundsTable,
}

impl ExactSolver {
    /// A solver with a table of at most `bytes`.
    pub fn new(bytes: usize) -> ExactSolver {
        ExactSolver { table: BoundsTable::new(bytes) }
    }

    /// Clears the table.
    pub fn clear(&mut self) {
        self.table.clear();
    }

    /// The margin of `position` and a best move. `stop` is called every few thousand nodes with the
    /// number of nodes so far; once it returns `true`, the result is `None`.
    pub fn solve(
        &mut self,
        position: &Reversi,
        window: MarginWindow,
        stop: &mut dyn FnMut(u64) -> bool,
    ) -> Option<ExactResult> {
        self.table.next_generation();
        let mut search = EndgameSearch::new(&mut self.table, stop);
        let alpha = window.alpha.clamp(-65, 64);
        let beta = window.beta.clamp(alpha + 1, 65);
        let (best, margin) = step(&mut search, position, alpha, beta)?;
        let mut line: Vec<u8> = best.into_iter().collect();
        if alpha < margin && margin < beta {
            extend_line(&mut search, position, &mut line, margin)?;
        }
        Some(ExactResult { margin, best, line, nodes: search.nodes })
    }
}

/// The best move and the margin; `None` if stopped.
fn step(
    search: &mut EndgameSearch<'_>,
    position: &Reversi,
    alpha: i32,
    beta: i32,
) -> Option<(Option<u8>, i32)> {
    let board = SolverBoard::new(position.own(), position.other());
    let found = if let Some(best) = search.root(board, alpha, beta) {
        (Some(best.square), best.score)
    } else if let Some(answer) = search.root(board.passed(), -beta, -alpha) {
        (Some(PASS), -answer.score)
    } else {
        (None, board.final_margin())
    };
    (!search.stopped).then_some(found)
}

/// Follows best play after the first move of `line` to the end. `None` if stopped.
fn extend_line(
    search: &mut EndgameSearch<'_>,
    position: &Reversi,
    line: &mut Vec<u8>,
    mut margin: i32,
) -> Option<()> {
    let mut position = *position;
    while let Some(&last) = line.last() {
        position.play(last);
        margin = -margin;
        // The value is known: a narrow window around it suffices.
        match step(search, &position, margin - 1, margin + 1)? {
            (Some(next), _) => line.push(next),
            (None, _) => break,
        }
    }
    Some(())
}
