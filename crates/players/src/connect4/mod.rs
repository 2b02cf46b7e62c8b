//! The players of Connect Four.

mod solver;

use crate::{PlayerRecipe, Roster, common::engine, roster::common_and};
use ludus_games::connect4::Connect4;

impl Roster for Connect4 {
    fn recipes() -> Vec<PlayerRecipe<Self>> {
        common_and([engine::recipe(), solver::recipe()])
    }
}
