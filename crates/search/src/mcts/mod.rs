//! Monte-Carlo tree search.
//!
//! [`Mcts`] is the search, [`Settings`] what makes it flat Monte Carlo, UCT or RAVE; what it asks at
//! a leaf is a [`LeafEvaluator`](ludus_core::LeafEvaluator). `tree` is the arena the threads share, `worker` one
//! thread, `tallies` what it counts by itself, `select` and `rave` the figures a descent goes by,
//! `solver` what is proven, `report` the way from counts to a move. docs/MCTS.md describes all of it.

mod guides;
mod quota;
mod rave;
mod report;
mod searcher;
mod select;
mod settings;
mod solver;
mod tallies;
#[cfg(test)]
mod tests;
mod trace;
mod tree;
mod worker;

pub use guides::{Biased, Either, Evaluated, Rollouts, squash, stretch};
pub use searcher::Mcts;
pub use settings::{FinalChoice, Rave, Schedule, Selection, Settings, Widening};
pub use trace::{Grown, Growth, Simulation};
pub use tree::Proof;
