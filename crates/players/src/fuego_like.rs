//! `fuego-like`: Monte-Carlo tree search with the playouts, priors and RAVE of Fuego (Enzenberger and
//! others 2010), the base program of BTT-Go.

use crate::{
    Recipe, Resources,
    go_book::{BOOK, Booked},
    go_knowledge::Knowledge,
    go_search::{self, GoPlayer},
};
use ludus_core::{OptionSpec, Options, TextError};
use ludus_games::go::{Go, guide::GoGuide, policy::Policy, priors::Priors};
use ludus_search::mcts::Mcts;

/// Its name.
pub const ID: &str = "fuego-like";

/// A run that is caught with two more ataris makes a ladder of six moves, the shortest that Fuego leaves
/// out of its tree.
const FEWEST_ATARIS: u32 = 2;

const OPTIONS: [OptionSpec; 8] = go_search::with_own([BOOK]);

/// What it knows.
pub fn knowledge(options: &Options) -> Result<Knowledge, TextError> {
    let base = Knowledge::new(Policy::fuego(), go_search::fuego_search(options));
    let knowledge = Knowledge {
        priors: Priors::fuego(),
        ladders_from: 0,
        fewest_ataris: FEWEST_ATARIS,
        bare_edges: false,
        ..base
    };
    knowledge.changed(options)
}

fn build(options: &Options, resources: &Resources) -> Result<GoPlayer<GoGuide>, TextError> {
    let knowledge = knowledge(options)?;
    let guide = || knowledge.guide();
    let mcts = Mcts::new(knowledge.search, resources.threads, resources.seed, guide);
    GoPlayer::new(ID, options, mcts)
}

fn booked(
    options: &Options,
    resources: &Resources,
) -> Result<Booked<GoPlayer<GoGuide>>, TextError> {
    Booked::new(build(options, resources)?, options, resources)
}

pub fn recipe() -> Recipe<Go> {
    Recipe {
        id: ID,
        about: "Monte-Carlo tree search with the knowledge of Fuego (2010), the base of BTT-Go",
        options: &OPTIONS,
        build: |options, resources| Ok(Box::new(booked(options, resources)?)),
        build_traced: Some(|options, resources| Ok(Box::new(booked(options, resources)?))),
    }
}
