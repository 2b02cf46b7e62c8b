//! `visiondraughts`: NeuroDraughts' network with a better search: fail-soft alpha-beta, a table of
//! two levels, deepening by two plies (Caixeta and Julia 2008).

use crate::{
    Recipe,
    neural::{self, DEPTH, Family, NODES, TIME, Thinking, WEIGHTS},
};
use ludus_core::{OptionSpec, Options};
use ludus_engine::search::{Reuse, Settings};
use ludus_games::draughts::Draughts;

const OPTIONS: &[OptionSpec] = &[DEPTH, NODES, TIME, WEIGHTS, neural::table("16MB")];

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
    ..Settings::ALPHA_BETA
};

fn thinking(options: &Options) -> Thinking {
    Thinking { settings: SETTINGS, table: options.bytes("table") }
}

fn recipe() -> Recipe<Draughts> {
    Recipe {
        id: FAMILY.id,
        about: "NeuroDraughts' network, alpha-beta, a table, deepening (Caixeta and Julia 2008)",
        options: OPTIONS,
        build: |options, resources| Ok(neural::build(&FAMILY, options, resources)?),
        build_traced: Some(|options, resources| Ok(neural::build(&FAMILY, options, resources)?)),
    }
}
