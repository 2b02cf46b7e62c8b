//! `engine` of Go: all that makes our Monte-Carlo search stronger.

use crate::{
    Recipe, Resources,
    go_search::{self, GoPlayer, Knowledge},
};
use ludus_core::{Options, TextError};
use ludus_engine::mcts::{Mcts, Settings};
use ludus_games::go::{Go, guide::GoGuide, policy::Policy, priors::Priors};

fn build(options: &Options, resources: &Resources) -> Result<GoPlayer<GoGuide>, TextError> {
    let search = Settings { solver: true, expand: 1, ..go_search::fuego_search(options) };
    let knowledge = Knowledge { policy: Policy::strong(), priors: Priors::strong(), search };
    let knowledge = knowledge.reduced(options)?;
    let guide = || knowledge.guide();
    let mcts = Mcts::new(knowledge.search, resources.threads, resources.seed, guide);
    GoPlayer::new("engine", options, mcts)
}

pub fn recipe() -> Recipe<Go> {
    Recipe {
        id: "engine",
        about: "our strongest Monte-Carlo search of Go",
        options: &go_search::OPTIONS,
        build: |options, resources| Ok(Box::new(build(options, resources)?)),
        build_traced: Some(|options, resources| Ok(Box::new(build(options, resources)?))),
    }
}
