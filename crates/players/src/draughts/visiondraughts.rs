//! `visiondraughts`: the network of NeuroDraughts with fail-soft alpha-beta, a two-level transposition
//! table, iterative deepening by two plies and endgame tables (Caixeta and Julia 2008).

use crate::{
    PlayerRecipe, Resources,
    common::endgame_database,
    draughts::neural::{
        self, DEPTH, NODES, NeuralFamily, NeuralPlayer, SearchConfig, TIME, WEIGHTS,
    },
    settings::switch,
};
use ludus_core::{OptionSpec, Options, PlayerError};
use ludus_games::draughts::Draughts;
use ludus_knowledge::draughts::DraughtsKnowledge;
use ludus_search::alphabeta::{Reuse, SearchSettings};

const OPTIONS: &[OptionSpec] = &[
    DEPTH,
    NODES,
    TIME,
    WEIGHTS,
    neural::table("16MB"),
    switch("ordering", "off", "try the best move of the previous iteration first, as iiga does"),
    OptionSpec {
        default: "on",
        about: "endgame tables: on (built on first use; not used without a data directory or in \
                training), off, auto (if there are any) or a folder",
        ..endgame_database::OPTION
    },
];

pub const FAMILY: NeuralFamily = NeuralFamily {
    id: "visiondraughts",
    features: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    search_config,
    model: ludus_data::learners::VISIONDRAUGHTS,
    recipe,
};

/// Fail-soft alpha-beta without move ordering.
pub const SETTINGS: SearchSettings = SearchSettings {
    step: 2,
    ordering: false,
    hash_move_first: false,
    reuse: Reuse::Deeper,
    table_cuts_open_windows: true,
    ..SearchSettings::ALPHA_BETA
};

fn search_config(options: &Options) -> SearchConfig {
    let settings = SearchSettings { hash_move_first: options.switch("ordering"), ..SETTINGS };
    SearchConfig { settings, table_bytes: options.bytes("table") }
}

fn build(options: &Options, resources: &Resources) -> Result<Box<NeuralPlayer>, PlayerError> {
    // The tables are the default here, so a missing data directory is no error.
    let unavailable =
        options.text(endgame_database::OPTION.name) == "on" && resources.data.is_none();
    let oracle = if unavailable {
        None
    } else {
        endgame_database::oracle::<DraughtsKnowledge>(options, resources)?
    };
    neural::build_with_oracle(&FAMILY, options, resources, oracle)
}

fn recipe() -> PlayerRecipe<Draughts> {
    PlayerRecipe {
        id: FAMILY.id,
        about: "network of NeuroDraughts, alpha-beta, endgame tables (Caixeta and Julia 2008)",
        options: OPTIONS,
        build: |options, resources| Ok(build(options, resources)?),
        build_traced: Some(|options, resources| Ok(build(options, resources)?)),
    }
}
