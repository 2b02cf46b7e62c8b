//! `engine` of Go: all that makes our Monte-Carlo search stronger.

use crate::{
    Recipe, Resources,
    go_book::{BOOK, Booked},
    go_guide::{Learned, LearnedGuide, Likely, Word},
    go_knowledge::Knowledge,
    go_net::{self, NET},
    go_search::{self, GoPlayer},
    mcts::number,
    move_strengths::{MoveStrengths, WEIGHTS},
    playout_habits::{HABITS, PlayoutHabits},
    settings::switch,
};
use ludus_core::{OptionSpec, Options, TextError};
use ludus_engine::mcts::{Mcts, Rave, Settings};
use ludus_games::go::{Go, priors::Priors};

const WINNER: OptionSpec = number(
    "winner",
    "0.5",
    0.0,
    1.0,
    "how much the network's word on the winner counts beside a playout",
);

const OPTIONS: [OptionSpec; 15] = go_search::with_own([
    switch(
        "moves",
        "on",
        "without a network: learned strengths of moves, else what Fuego and Pachi know",
    ),
    number("visits", "112", 0.0, 1e4, "won visits that a move nobody doubts has in advance"),
    WEIGHTS,
    NET,
    WINNER,
    switch("fading", "on", "whether that word counts less as the board fills"),
    HABITS,
    BOOK,
]);

fn learned(options: &Options) -> Result<Option<Learned>, TextError> {
    let visits = options.number("visits") as f32;
    let likely = match go_net::of_options(options)? {
        Some(net) => Likely::Net { net, word: word(options) },
        None if options.switch("moves") => Likely::Strengths(MoveStrengths::of_options(options)?),
        None => return Ok(None),
    };
    Ok(Some(Learned { likely, visits }))
}

fn word(options: &Options) -> Word {
    Word { weight: options.number("winner") as f32, fades: options.switch("fading") }
}

/// The search of Fuego with the RAVE of Pachi: only who plays a point first gains by it, what comes
/// soon counts more, and what is known in advance is no experience of RAVE.
fn search(options: &Options) -> Settings {
    let base = go_search::fuego_search(options);
    let rave =
        base.rave.map(|rave| Rave { first_only: true, nearness: 3.0, priors: false, ..rave });
    Settings { solver: true, rave, ..base }
}

fn build(options: &Options, resources: &Resources) -> Result<GoPlayer<LearnedGuide>, TextError> {
    let learned = learned(options)?;
    let priors = if learned.is_some() { Priors::even() } else { Priors::strong() };
    let knowledge =
        Knowledge { priors, ..Knowledge::new(PlayoutHabits::policy_of(options)?, search(options)) };
    let knowledge = knowledge.changed(options)?;
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
