//! The players of chess: the engine, other people's engines, and those of a 2021 study of algorithms
//! (docs/SEARCH.md, "The chess study").

pub mod study_cnn;
pub mod study_logreg;
pub mod study_mcts;
pub mod study_minimax;
pub mod study_models;
pub mod study_sight;
pub mod study_values;

use crate::{
    PlayerRecipe, Roster,
    common::engine::{self, Networked},
    external,
    roster::{Handcrafted, common_and, linear_eval, parse_net},
};
use ludus_core::TextError;
use ludus_games::chess::Chess;
use ludus_knowledge::chess::ChessKnowledge;
use ludus_models::nnue::Net;
use ludus_search::alphabeta::SearchSettings;
use std::sync::{Arc, LazyLock};

impl Roster for Chess {
    type Knowledge = ChessKnowledge;

    fn recipes() -> Vec<PlayerRecipe<Self>> {
        common_and([
            study_logreg::recipe(),
            study_cnn::recipe(),
            study_mcts::recipe(),
            study_minimax::recipe(),
            study_minimax::cnn_recipe(),
            engine::recipe_with_net(),
            external::uci::recipe(),
        ])
    }

    fn eval_from_weights(weights: &str) -> Result<Handcrafted<Self>, TextError> {
        linear_eval::<Self>(weights)
    }

    fn engine_settings() -> SearchSettings {
        SearchSettings { eval_cache: true, min_table_depth: 2, ..SearchSettings::STRONG }
    }
}
impl Networked for Chess {
    fn net() -> Arc<Net> {
        static PARSED: LazyLock<Arc<Net>> =
            LazyLock::new(|| parse_net::<Chess>(ludus_data::net::CHESS));
        Arc::clone(&PARSED)
    }
}
