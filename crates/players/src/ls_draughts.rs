//! `ls-draughts`: NeuroDraughts with features that a genetic algorithm chose from Samuel's 28 (Neto
//! and Julia 2007).

use crate::{
    Recipe,
    neural::{self, Family},
    neurodraughts,
};
use ludus_games::draughts::Draughts;

pub const FAMILY: Family = Family {
    id: "ls-draughts",
    // What was found, not what was decided: see the mind.
    features: &[],
    thinking: neurodraughts::thinking,
    mind: include_str!("../../../data/learners/ls-draughts.txt"),
    recipe,
};

fn recipe() -> Recipe<Draughts> {
    Recipe {
        id: FAMILY.id,
        about: "NeuroDraughts with features chosen by a genetic algorithm (Neto and Julia 2007)",
        options: neurodraughts::OPTIONS,
        build: |options, resources| Ok(neural::build(&FAMILY, options, resources)?),
        build_traced: Some(|options, resources| Ok(neural::build(&FAMILY, options, resources)?)),
    }
}
