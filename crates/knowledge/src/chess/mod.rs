//! Knowledge of chess: evaluation, search hints with static exchange evaluation, network inputs.

mod eval;
mod nnue_inputs;
mod search_hints;
mod see;

pub use eval::ChessEval;

/// Knowledge of chess for players: evaluation, search hints and network inputs.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct ChessKnowledge;
