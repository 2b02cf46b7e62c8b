//! `engine` of Go: all that makes our Monte-Carlo search stronger.

use crate::{
    Recipe, Resources,
    go_book::{BOOK_ON, Booked},
    go_search::{self, GoPlayer, Knowledge},
    mcts::number,
    move_strengths::{Learned, LearnedGuide, MoveStrengths, WEIGHTS},
    settings::switch,
};
use ludus_core::{OptionSpec, Options, TextError};
use ludus_engine::mcts::{Mcts, Settings};
use ludus_games::go::{Go, policy::Policy, priors::Priors};

const OPTIONS: [OptionSpec; 10] = go_search::with_own([
    switch("moves", "off", "learned strengths of moves as priors"),
    number("visits", "10", 0.0, 1e6, "visits that learned strengths count for"),
    WEIGHTS,
    BOOK_ON,
]);

fn learned(options: &Options) -> Result<Option<Learned>, TextError> {
    if !options.switch("moves") {
        return Ok(None);
    }
    let visits = options.number("visits") as f32;
    Ok(Some(Learned { strengths: MoveStrengths::of_options(options)?, visits }))
}

fn build(options: &Options, resources: &Resources) -> Result<GoPlayer<LearnedGuide>, TextError> {
    let search = Settings { solver: true, expand: 1, ..go_search::fuego_search(options) };
    let knowledge = Knowledge { policy: Policy::strong(), priors: Priors::strong(), search };
    let knowledge = knowledge.reduced(options)?;
    let learned = learned(options)?;
    let guide = || LearnedGuide::new(knowledge.guide(), learned.clone());
    let mcts = Mcts::new(knowledge.search, resources.threads, resources.seed, guide);
    GoPlayer::new("engine", options, mcts)
}

fn booked(
    options: &Options,
    resources: &Resources,
) -> Result<Booked<GoPlayer<LearnedGuide>>, TextError> {
    Booked::new(build(options, resources)?, options, resources)
}

pub fn recipe() -> Recipe<Go> {
    Recipe {
        id: "engine",
        about: "our strongest Monte-Carlo search of Go",
        options: &OPTIONS,
        build: |options, resources| Ok(Box::new(booked(options, resources)?)),
        build_traced: Some(|options, resources| Ok(Box::new(booked(options, resources)?))),
    }
}
