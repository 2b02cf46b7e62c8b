//! Knowledge of Reversi: evaluation, search hints, and a solver of endgames.

pub mod endgame;
mod eval;
mod search_hints;

/// Knowledge of Reversi for players: evaluation and search hints.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct ReversiKnowledge;
