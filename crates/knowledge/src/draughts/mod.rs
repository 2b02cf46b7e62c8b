//! Knowledge of draughts: evaluation, search hints, network inputs, the features of Samuel and his
//! successors, and the numbering of English endings.

mod endgame_index;
mod eval;
pub mod features;
mod nnue_inputs;
mod search_hints;

/// Knowledge of draughts for players: evaluation, search hints, network inputs and endgame index.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct DraughtsKnowledge;
