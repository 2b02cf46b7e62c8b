//! Knowledge of split-nim: its evaluation.

mod eval;

/// Knowledge of split-nim for players: its evaluation.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct SplitNimKnowledge;
