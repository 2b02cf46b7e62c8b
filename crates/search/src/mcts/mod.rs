//! Monte-Carlo tree search.
//!
//! [`Mcts`] is the search, [`MctsSettings`] make it flat Monte Carlo, UCT or RAVE; leaves are evaluated
//! by a [`LeafEvaluator`](ludus_core::LeafEvaluator). `tree` is the arena the threads share, `worker`
//! one thread, `local_stats` its own counts, `select` and `rave` the selection of a child, `solver` the
//! proven values, `report` the way from counts to a move. docs/MCTS.md describes all of it.

mod budget;
mod leaf_evaluators;
mod local_stats;
mod rave;
mod report;
mod searcher;
mod select;
mod settings;
mod solver;
#[cfg(test)]
mod tests;
mod trace;
mod tree;
mod worker;

pub use leaf_evaluators::{
    EitherLeaf, ProgressiveBias, Rollouts, TruncatedRollouts, squash, stretch,
};
pub use searcher::Mcts;
pub use settings::{
    FinalChoice, MctsSettings, RaveSchedule, RaveSettings, SelectionPolicy, Widening,
};
pub use trace::{MctsTrace, RawScale, Simulation, TracedNode};
pub use tree::ProvenValue;
