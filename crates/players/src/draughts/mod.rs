//! The players of draughts: programs of the literature that learned the English game, and our engine.

pub mod anaconda;
pub mod by_side;
mod iiga;
mod ls_draughts;
pub mod mp_draughts;
pub mod neural;
mod neurodraughts;
mod visiondraughts;

use crate::{
    Endgames, PlayerRecipe, Resources, Roster,
    common::{
        endgame_database,
        engine::{self, Networked},
    },
    endgames::EndgameTables,
    external,
    roster::{Handcrafted, common_and, linear_eval, parse_net},
};
use ludus_core::{Options, PlayerError, TextError};
use ludus_games::draughts::Draughts;
use ludus_knowledge::draughts::DraughtsKnowledge;
use ludus_models::nnue::Net;
use ludus_search::alphabeta::{EndgameOracle, Pruning, SearchSettings};
use std::sync::{Arc, LazyLock};

impl Roster for Draughts {
    type Knowledge = DraughtsKnowledge;

    fn endgames() -> Option<&'static dyn Endgames> {
        Some(&EndgameTables::<DraughtsKnowledge>::NEW)
    }

    fn recipes() -> Vec<PlayerRecipe<Self>> {
        let mut recipes = common_and([]);
        recipes.extend(neural::FAMILIES.iter().map(|family| (family.recipe)()));
        recipes.extend([
            mp_draughts::recipe(),
            anaconda::recipe(),
            engine::recipe_with_net_and_tables(),
            external::hub::recipe(),
        ]);
        // External engines come last.
        recipes.sort_by_key(|recipe| recipe.id == "ludus");
        recipes
    }

    fn endgame_oracle(
        options: &Options,
        resources: &Resources,
    ) -> Result<Option<Arc<dyn EndgameOracle<Self>>>, PlayerError> {
        endgame_database::oracle::<DraughtsKnowledge>(options, resources)
    }

    fn eval_from_weights(weights: &str) -> Result<Handcrafted<Self>, TextError> {
        linear_eval::<Self>(weights)
    }

    fn engine_settings() -> SearchSettings {
        let pruning = Pruning { late_move_reductions: true, futility: true, ..Pruning::OFF };
        SearchSettings { pruning, min_table_depth: 2, extensions: false, ..SearchSettings::STRONG }
    }
}
impl Networked for Draughts {
    fn net() -> Arc<Net> {
        static PARSED: LazyLock<Arc<Net>> =
            LazyLock::new(|| parse_net::<Draughts>(ludus_data::net::DRAUGHTS));
        Arc::clone(&PARSED)
    }
}
