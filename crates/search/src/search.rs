//! The interface of searches that keep state from move to move, and recordings of what they did.

use crate::{alphabeta::Trace, mcts::MctsTrace};
use ludus_core::{History, Limits, Position, Report, SearchControl};

/// A search with the state it keeps from move to move of one game.
pub trait Search<P: Position>: Send {
    /// Forgets everything learned in the game before; `seed` determines all randomness from here on.
    fn new_game(&mut self, seed: u64);

    /// Searches the last position of `game`, in which there must be a move, for the `lines` best moves
    /// (MultiPV).
    fn search(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        lines: usize,
        control: &mut SearchControl<'_, P::Move>,
    ) -> Report<P::Move>;

    /// Searches for the best move on one thread, and records at most `size` nodes or simulations.
    fn trace(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        size: usize,
        control: &mut SearchControl<'_, P::Move>,
    ) -> (Report<P::Move>, Recording<P::Move>);
}

/// A recorded search.
pub enum Recording<M> {
    /// A depth-first search: nodes in the order of visits.
    Visits(Trace<M>),
    /// A Monte-Carlo tree search: the growth of the tree.
    Growth(MctsTrace<M>),
}
