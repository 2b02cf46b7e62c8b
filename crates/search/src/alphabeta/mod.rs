//! Depth-first searches.
//!
//! [`Minimax`] is the plain oracle. Every other search is a [`Searcher`] with its
//! [`SearchSettings`]: `node` and `move_loop` are the body they share, `worker` the state of one
//! thread, `deepening` the ways from a node's value to a move, `pruning` the conditions of the
//! selective search by its [`SearchParams`].

mod budget;
mod clock;
mod deepening;
mod evaluators;
mod minimax;
mod move_loop;
mod move_picker;
mod multi_pv;
mod node;
mod oracle;
mod ordering;
mod params;
mod path;
mod ponder;
mod pruning;
mod quiescence;
mod reductions;
mod searcher;
mod settings;
mod table;
mod trace;
mod worker;

pub use budget::Budget;
pub use clock::TimeLimits;
pub use evaluators::{Mobility, OnlyEnds, RandomTree};
pub use minimax::Minimax;
pub use oracle::EndgameOracle;
pub use params::{ParamSpec, SearchParams};
pub use ponder::Ponder;
pub use searcher::Searcher;
pub use settings::{Fail, FirstGuess, Pruning, Reuse, RootSearch, SearchSettings, Windows};
pub use table::{Bound, ReplacementScheme, TranspositionTable};
pub use trace::{Cause, RootPass, Trace, Visit};
pub(crate) use worker::NodeContext;
pub use worker::Window;
