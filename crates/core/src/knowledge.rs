//! Knowledge of a game beyond its rules, as a value that is handed to searches.

use crate::{HasEval, Position, SearchHints};

/// Everything that players of every game know of the game `P`: its handcrafted evaluation and its
/// search hints. A type without data implements both; `()` knows nothing.
///
/// Rules and knowledge are different types, so that they can live in different crates.
pub trait Knowledge<P: Position>: HasEval<P> + SearchHints<P> + Default {}

impl<P: Position, K: HasEval<P> + SearchHints<P> + Default> Knowledge<P> for K {}
