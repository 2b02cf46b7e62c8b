//! `neurodraughts`: twelve features, a network that learned by temporal differences, minimax (Lynch
//! 1997).

use crate::{
    Recipe,
    neural::{self, DEPTH, Family, NODES, TIME, Thinking, WEIGHTS},
    settings::switch,
};
use ludus_core::{OptionSpec, Options};
use ludus_games::draughts::Draughts;
use ludus_search::alphabeta::Settings;

pub const OPTIONS: &[OptionSpec] = &[
    DEPTH,
    NODES,
    TIME,
    WEIGHTS,
    switch("pruning", "off", "leave out what cannot change the choice: the same moves, sooner"),
];

pub const FAMILY: Family = Family {
    id: "neurodraughts",
    features: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
    thinking,
    mind: include_str!("../../../data/learners/neurodraughts.txt"),
    recipe,
};

pub fn thinking(options: &Options) -> Thinking {
    let kind = if options.switch("pruning") { Settings::ALPHA_BETA } else { Settings::NEGAMAX };
    let settings = Settings { ordering: false, remembered_first: false, ..kind };
    Thinking { settings, table: 0 }
}

fn recipe() -> Recipe<Draughts> {
    Recipe {
        id: FAMILY.id,
        about: "minimax and a network on 12 features that learned by playing itself (Lynch 1997)",
        options: OPTIONS,
        build: |options, resources| Ok(neural::build(&FAMILY, options, resources)?),
        build_traced: Some(|options, resources| Ok(neural::build(&FAMILY, options, resources)?)),
    }
}
