//! Game-tree algorithms that know no game: generic over `Position` and `Evaluator`.

pub mod knowledge;
pub mod search;
