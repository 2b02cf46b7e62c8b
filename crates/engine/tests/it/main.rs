//! The algorithms against plain versions of them and against known facts.

mod endgame;
mod mcts;
mod minimax;
mod oracle;
mod search;
