//! The algorithms against plain versions of them and against known facts.

mod alphabeta;
mod endgame;
mod endgame_faults;
mod known;
mod leaf_evaluators;
mod mcts;
mod minimax;
mod oracle;
