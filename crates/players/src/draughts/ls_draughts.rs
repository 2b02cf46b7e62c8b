//! `ls-draughts`: NeuroDraughts with features that a genetic algorithm chose from Samuel's 28 (Neto
//! and Julia 2007).

use crate::{
    PlayerRecipe,
    draughts::{
        neural::{self, NeuralFamily},
        neurodraughts,
    },
};
use ludus_games::draughts::Draughts;

pub const FAMILY: NeuralFamily = NeuralFamily {
    id: "ls-draughts",
    // Found by the genetic algorithm: the model gives them.
    features: &[],
    search_config: neurodraughts::search_config,
    model: ludus_data::learners::LS_DRAUGHTS,
    recipe,
};

fn recipe() -> PlayerRecipe<Draughts> {
    PlayerRecipe {
        id: FAMILY.id,
        about: "NeuroDraughts with features chosen by a genetic algorithm (Neto and Julia 2007)",
        options: neurodraughts::OPTIONS,
        build: |options, resources| Ok(neural::build(&FAMILY, options, resources)?),
        build_traced: Some(|options, resources| Ok(neural::build(&FAMILY, options, resources)?)),
    }
}
