//! Endgame solvers, which take over from the search when a game nears its end.

use crate::{History, Limits, Position, Report, SearchControl};

/// A solver that plays the end of a game perfectly.
pub trait EndgameSolver<P: Position>: Send {
    /// The proven value of the last position of `game` and the line to the end; `None` if they cannot be
    /// found within a share of the limits.
    fn solve(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        control: &mut SearchControl<'_, P::Move>,
    ) -> Option<Report<P::Move>>;

    /// The same for every move: [`Report::moves`] in the order of the game, [`Report::lines`] best first.
    fn solve_moves(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        control: &mut SearchControl<'_, P::Move>,
    ) -> Option<Report<P::Move>>;

    /// Clears what it remembers of the game before.
    fn new_game(&mut self);
}
