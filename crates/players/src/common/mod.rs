//! The players every game has, and the parts they share with the players of one game.

pub mod endgame_database;
pub mod engine;
pub(crate) mod evaluation;
pub(crate) mod flat;
pub(crate) mod greedy;
pub mod mcts;
pub(crate) mod minimax;
pub(crate) mod random;
pub mod search_player;
pub(crate) mod textbook;
