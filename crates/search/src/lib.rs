//! Game-tree algorithms that know no game: generic over `Position`, `Evaluator` and `LeafEvaluator`.

pub mod alphabeta;
pub mod mcts;
pub mod plain;
pub mod tables;

mod search;

pub use search::{LimitedTrace, Recording, Search, SearchOutput};
