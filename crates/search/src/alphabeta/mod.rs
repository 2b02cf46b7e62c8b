//! Depth-first searches.
//!
//! [`Minimax`] is the plain oracle. Every other search is a [`Searcher`] with its [`Settings`]:
//! `node` is the body they share, `worker` what it works with, `deepening` the ways from a node's
//! value to a move, `pruning` the figures of the strong search.

mod budget;
mod clock;
mod deepening;
mod evaluators;
mod lineup;
mod minimax;
mod multi_pv;
mod node;
mod oracle;
mod ordering;
mod path;
mod ponder;
mod pruning;
mod quiescence;
mod searcher;
mod settings;
mod table;
mod trace;
mod worker;

pub use budget::Budget;
pub use clock::Allowance;
pub use evaluators::{Mobility, OnlyEnds, RandomTree};
pub use minimax::Minimax;
pub use oracle::Oracle;
pub use ponder::Ponder;
pub use searcher::Searcher;
pub use settings::{Driver, Fail, Guess, Pruning, Reuse, Settings, Windows};
pub use table::{Bound, Scheme, Table};
pub use trace::{Cause, Pass, Trace, Visit};
pub use worker::Window;
