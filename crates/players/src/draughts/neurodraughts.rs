//! `neurodraughts`: twelve features, a network that learned by temporal differences, minimax (Lynch
//! 1997).

use crate::{
    PlayerRecipe,
    draughts::neural::{self, DEPTH, NODES, NeuralFamily, SearchConfig, TIME, WEIGHTS},
    settings::switch,
};
use ludus_core::{OptionSpec, Options};
use ludus_games::draughts::Draughts;
use ludus_search::alphabeta::SearchSettings;

pub const OPTIONS: &[OptionSpec] = &[
    DEPTH,
    NODES,
    TIME,
    WEIGHTS,
    switch("pruning", "off", "alpha-beta pruning: the same moves, sooner"),
];

pub const FAMILY: NeuralFamily = NeuralFamily {
    id: "neurodraughts",
    features: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    search_config,
    model: ludus_data::learners::NEURODRAUGHTS,
    recipe,
};

pub fn search_config(options: &Options) -> SearchConfig {
    let kind = if options.switch("pruning") {
        SearchSettings::ALPHA_BETA
    } else {
        SearchSettings::NEGAMAX
    };
    let settings = SearchSettings { ordering: false, hash_move_first: false, ..kind };
    SearchConfig { settings, table_bytes: 0 }
}

fn recipe() -> PlayerRecipe<Draughts> {
    PlayerRecipe {
        id: FAMILY.id,
        about: "minimax and a network on 12 features that learned by playing itself (Lynch 1997)",
        options: OPTIONS,
        build: |options, resources| Ok(neural::build(&FAMILY, options, resources)?),
        build_traced: Some(|options, resources| Ok(neural::build(&FAMILY, options, resources)?)),
    }
}
