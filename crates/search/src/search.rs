//! The interface of searches that keep state from move to move, and recordings of what they did.

use crate::{alphabeta::Trace, mcts::MctsTrace};
use ludus_core::{History, Limits, Position, Report, SearchControl};

/// A search with the state it keeps from move to move of one game.
pub trait Search<P: Position>: Send {
    /// A record of the search.
    type Trace: LimitedTrace<P::Move>;

    /// Forgets everything learned in the game before; `seed` determines all randomness from here on.
    fn new_game(&mut self, seed: u64);

    /// Searches the last position of `game`, in which there must be a move.
    fn run(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        output: SearchOutput<'_, Self::Trace>,
        control: &mut SearchControl<'_, P::Move>,
    ) -> Report<P::Move>;

    /// [`run`](Search::run) for the best move.
    fn search(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        control: &mut SearchControl<'_, P::Move>,
    ) -> Report<P::Move> {
        self.run(game, limits, SearchOutput::Lines(1), control)
    }
}

/// The output of a search besides its best move.
pub enum SearchOutput<'t, T> {
    /// The best moves with their lines, so many of them (MultiPV).
    Lines(usize),
    /// A record of the search, which runs on one thread.
    Trace(&'t mut T),
}

impl<'t, T> SearchOutput<'t, T> {
    /// The number of lines, and the record.
    pub fn split(self) -> (usize, Option<&'t mut T>) {
        match self {
            SearchOutput::Lines(lines) => (lines, None),
            SearchOutput::Trace(trace) => (1, Some(trace)),
        }
    }
}

/// A record of a search, of limited size.
pub trait LimitedTrace<M>: Into<Recording<M>> {
    /// An empty record of at most `limit` nodes or simulations.
    fn with_limit(limit: usize) -> Self;
}

impl<M: Copy> LimitedTrace<M> for Trace<M> {
    fn with_limit(limit: usize) -> Trace<M> {
        Trace::new(limit)
    }
}

impl<M: Copy> LimitedTrace<M> for MctsTrace<M> {
    fn with_limit(limit: usize) -> MctsTrace<M> {
        MctsTrace::new(limit)
    }
}

/// A recorded search.
pub enum Recording<M> {
    /// A depth-first search: nodes in the order of visits.
    Visits(Trace<M>),
    /// A Monte-Carlo tree search: the growth of the tree.
    Growth(MctsTrace<M>),
}

impl<M> From<Trace<M>> for Recording<M> {
    fn from(trace: Trace<M>) -> Recording<M> {
        Recording::Visits(trace)
    }
}

impl<M> From<MctsTrace<M>> for Recording<M> {
    fn from(trace: MctsTrace<M>) -> Recording<M> {
        Recording::Growth(trace)
    }
}
