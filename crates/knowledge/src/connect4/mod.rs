//! Knowledge of Connect Four: evaluation, search hints, and a solver of all positions.

mod eval;
mod search_hints;
pub mod solver;

/// Knowledge of Connect Four for players: evaluation and search hints.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Connect4Knowledge;
