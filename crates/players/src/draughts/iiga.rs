//! `iiga`: the search of VisionDraughts with the best move of the previous iteration first, and a
//! network on fourteen features (Duarte 2009).

use crate::{
    PlayerRecipe,
    draughts::{
        neural::{self, DEPTH, NODES, NeuralFamily, SearchConfig, TIME, WEIGHTS},
        visiondraughts,
    },
    settings::switch,
};
use ludus_core::{OptionSpec, Options};
use ludus_games::draughts::Draughts;
use ludus_search::alphabeta::SearchSettings;

const OPTIONS: &[OptionSpec] = &[DEPTH, NODES, TIME, WEIGHTS, neural::table("16MB"), ORDERING];

/// The option for move ordering.
pub(crate) const ORDERING: OptionSpec =
    switch("ordering", "on", "try the best move of the previous iteration first");

pub const FAMILY: NeuralFamily = NeuralFamily {
    id: "iiga",
    features: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
    search_config,
    model: ludus_data::learners::IIGA,
    recipe,
};

pub(crate) fn search_config(options: &Options) -> SearchConfig {
    let settings = visiondraughts::SETTINGS;
    let settings = SearchSettings { hash_move_first: options.switch("ordering"), ..settings };
    SearchConfig { settings, table_bytes: options.bytes("table") }
}

fn recipe() -> PlayerRecipe<Draughts> {
    PlayerRecipe {
        id: FAMILY.id,
        about: "search of VisionDraughts, best move first, 14 features (Duarte 2009)",
        options: OPTIONS,
        build: |options, resources| Ok(neural::build(&FAMILY, options, resources)?),
        build_traced: Some(|options, resources| Ok(neural::build(&FAMILY, options, resources)?)),
    }
}
