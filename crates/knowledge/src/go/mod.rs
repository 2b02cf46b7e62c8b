//! Knowledge of Go: evaluation, playout policy, priors and features of moves, ownership, and a solver
//! of small boards.
//!
//! [`policy`] is the playout policy, [`leaf_evaluator`] and [`priors`] serve the tree search, and
//! [`ownership`] estimates final ownership, dead stones and the score.

mod common_fate;
mod eval;
pub mod leaf_evaluator;
pub mod move_features;
pub mod ownership;
pub mod planes;
pub mod policy;
pub mod priors;
mod shapes;
pub mod solver;
mod tactical_features;

/// Knowledge of Go for players: its evaluation.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct GoKnowledge;
