//! `fuego-like`: Monte-Carlo tree search with the playouts, priors and RAVE of Fuego (Enzenberger and
//! others 2010), the base program of BTT-Go.

use crate::{
    PlayerRecipe, Resources,
    go::{
        book::{BOOK, WithBook},
        mcts_player::{self, GoMctsPlayer, GoSearch},
        player_config::GoPlayerConfig,
    },
};
use ludus_core::{OptionSpec, Options, TextError};
use ludus_games::go::Go;
use ludus_knowledge::go::{
    leaf_evaluator::GoLeafEvaluator, policy::PlayoutPolicy, priors::GoPriors,
};
use ludus_search::mcts::Mcts;

/// Its name.
pub const ID: &str = "fuego-like";

/// Ataris after which an escape is caught in the shortest ladder that Fuego leaves out of its tree, of six
/// moves.
const MIN_LADDER_ATARIS: u32 = 2;

const OPTIONS: &[OptionSpec] = mcts_player::options_with![BOOK];

/// Its knowledge.
pub fn knowledge(options: &Options) -> Result<GoPlayerConfig, TextError> {
    let base = GoPlayerConfig::new(PlayoutPolicy::fuego(), mcts_player::fuego_search(options));
    let knowledge = GoPlayerConfig {
        priors: GoPriors::fuego(),
        min_ladder_size: 0,
        min_ladder_ataris: MIN_LADDER_ATARIS,
        empty_edges: false,
        ..base
    };
    knowledge.changed(options)
}

fn build(
    options: &Options,
    resources: &Resources,
) -> Result<GoMctsPlayer<GoLeafEvaluator>, TextError> {
    let knowledge = knowledge(options)?;
    let evaluator = || knowledge.leaf_evaluator();
    let mcts = Mcts::new(knowledge.search, resources.threads, resources.seed, evaluator);
    GoSearch::new(options, mcts).player(ID, options)
}

fn build_with_book(
    options: &Options,
    resources: &Resources,
) -> Result<WithBook<GoMctsPlayer<GoLeafEvaluator>>, TextError> {
    WithBook::new(build(options, resources)?, options, resources)
}

pub fn recipe() -> PlayerRecipe<Go> {
    PlayerRecipe {
        id: ID,
        about: "Monte-Carlo tree search with the knowledge of Fuego (2010), the base of BTT-Go",
        options: OPTIONS,
        build: |options, resources| Ok(Box::new(build_with_book(options, resources)?)),
        build_traced: Some(|options, resources| Ok(Box::new(build_with_book(options, resources)?))),
    }
}
