//! The players of Connect Four.

mod solver;

use crate::{PlayerRecipe, Roster, common::engine, roster::common_and};
use ludus_games::connect4::Connect4;
use ludus_knowledge::connect4::Connect4Knowledge;

impl Roster for Connect4 {
    type Knowledge = Connect4Knowledge;

    fn recipes() -> Vec<PlayerRecipe<Self>> {
        common_and([engine::recipe(), solver::recipe()])
    }
}
