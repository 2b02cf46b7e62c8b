//! `iiga`: VisionDraughts' search, which tries the best move of the iteration before first, and a
//! network on fourteen features (Duarte 2009).

use crate::{
    Recipe,
    neural::{self, DEPTH, Family, NODES, TIME, Thinking, WEIGHTS},
    settings::switch,
    visiondraughts,
};
use ludus_core::{OptionSpec, Options};
use ludus_games::draughts::Draughts;
use ludus_search::alphabeta::Settings;

const OPTIONS: &[OptionSpec] = &[DEPTH, NODES, TIME, WEIGHTS, neural::table("16MB"), ORDERING];

/// See [`DEPTH`].
pub(crate) const ORDERING: OptionSpec =
    switch("ordering", "on", "try the best move of the iteration before first");

pub const FAMILY: Family = Family {
    id: "iiga",
    features: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
    thinking,
    mind: include_str!("../../../data/learners/iiga.txt"),
    recipe,
};

pub(crate) fn thinking(options: &Options) -> Thinking {
    let settings = visiondraughts::SETTINGS;
    let settings = Settings { remembered_first: options.switch("ordering"), ..settings };
    Thinking { settings, table: options.bytes("table") }
}

fn recipe() -> Recipe<Draughts> {
    Recipe {
        id: FAMILY.id,
        about: "VisionDraughts' search, its best move first, and 14 features (Duarte 2009)",
        options: OPTIONS,
        build: |options, resources| Ok(neural::build(&FAMILY, options, resources)?),
        build_traced: Some(|options, resources| Ok(neural::build(&FAMILY, options, resources)?)),
    }
}
