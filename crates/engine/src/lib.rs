//! Game-tree algorithms that know no game: generic over `Position`, `Evaluator` and `Guide`.

pub mod knowledge;
pub mod mcts;
pub mod search;
