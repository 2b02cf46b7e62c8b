//! The players of Go: Monte-Carlo tree searches with different knowledge, and a solver of small boards.

pub mod book;
pub mod btt_go;
mod crazystone_like;
mod engine;
mod fuego_like;
mod leaf_evaluator;
pub mod mcts_player;
mod migos;
pub mod move_strengths;
pub mod net;
mod player_config;
pub mod playout_weights;

use crate::{PlayerRecipe, Roster, external, roster::common_and};
use ludus_games::go::Go;
use ludus_knowledge::go::GoKnowledge;

impl Roster for Go {
    type Knowledge = GoKnowledge;

    fn recipes() -> Vec<PlayerRecipe<Self>> {
        common_and([
            migos::recipe(),
            fuego_like::recipe(),
            btt_go::recipe(),
            crazystone_like::recipe(),
            engine::recipe(),
            external::gtp::recipe(),
        ])
    }
}
