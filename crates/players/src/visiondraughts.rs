//! `visiondraughts`: NeuroDraughts' network with a better search: fail-soft alpha-beta, a table of
//! two levels, deepening by two plies, tables of endings (Caixeta and Julia 2008).

use crate::{
    Recipe, Resources, database,
    neural::{self, DEPTH, Family, NODES, NeuralPlayer, TIME, Thinking, WEIGHTS},
    settings::switch,
};
use ludus_core::{OptionSpec, Options, PlayerError};
use ludus_games::draughts::Draughts;
use ludus_search::alphabeta::{Reuse, Settings};

const OPTIONS: &[OptionSpec] = &[
    DEPTH,
    NODES,
    TIME,
    WEIGHTS,
    neural::table("16MB"),
    switch("ordering", "off", "try the best move of the iteration before first, as iiga does"),
    OptionSpec {
        default: "on",
        about: "tables of endings: on (built on first use; does without where there is no data \
                directory, and while it learns), off, auto (if there are any) or a folder",
        ..database::OPTION
    },
];

pub const FAMILY: Family = Family {
    id: "visiondraughts",
    features: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    thinking,
    mind: include_str!("../../../data/learners/visiondraughts.txt"),
    recipe,
};

/// Alpha-beta that tries moves as they are listed.
pub const SETTINGS: Settings = Settings {
    step: 2,
    ordering: false,
    remembered_first: false,
    reuse: Reuse::Deeper,
    cuts_open_windows: true,
    ..Settings::ALPHA_BETA
};

fn thinking(options: &Options) -> Thinking {
    let settings = Settings { remembered_first: options.switch("ordering"), ..SETTINGS };
    Thinking { settings, table: options.bytes("table") }
}

fn build(options: &Options, resources: &Resources) -> Result<Box<NeuralPlayer>, PlayerError> {
    // Here the tables are the default: a place without a data directory is no mistake.
    let nowhere = options.text(database::OPTION.name) == "on" && resources.data.is_none();
    let oracle = if nowhere { None } else { database::oracle(options, resources)? };
    let player = neural::build(&FAMILY, options, resources)?;
    Ok(Box::new(player.with_oracle(oracle)))
}

fn recipe() -> Recipe<Draughts> {
    Recipe {
        id: FAMILY.id,
        about: "NeuroDraughts' network, alpha-beta, a table, endings (Caixeta and Julia 2008)",
        options: OPTIONS,
        build: |options, resources| Ok(build(options, resources)?),
        build_traced: Some(|options, resources| Ok(build(options, resources)?)),
    }
}
