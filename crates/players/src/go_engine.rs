//! `engine` of Go: all that makes our Monte-Carlo search stronger.

use crate::{
    Recipe, Resources,
    go_book::{BOOK, Booked},
    go_guide::{Learned, LearnedGuide, Likely, Weight, Word},
    go_knowledge::Knowledge,
    go_net::{self, NET},
    go_search::{self, GoPlayer},
    mcts::number,
    move_strengths::{MoveStrengths, WEIGHTS},
    playout_habits::{HABITS, PlayoutHabits},
    settings::{switch, text},
};
use ludus_core::{OptionSpec, Options, TextError};
use ludus_engine::mcts::{Mcts, Rave, Settings};
use ludus_games::go::{Go, priors::Priors};

const WINNER: OptionSpec = text(
    "winner",
    "auto",
    "how much the network's word on the winner counts beside a playout, from 0 to 1; auto: 0.5, and \
     0.8 on boards beyond 11x11",
);

/// Boards of this size and larger have ladders that are longer than the search looks ahead.
const LADDERS_FROM: usize = 14;

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
        Some(net) => Likely::Net { net, word: word(options)? },
        None if options.switch("moves") => Likely::Strengths(MoveStrengths::of_options(options)?),
        None => return Ok(None),
    };
    Ok(Some(Learned { likely, visits }))
}

fn word(options: &Options) -> Result<Word, TextError> {
    let weight = match options.text(WINNER.name) {
        "auto" => Weight::BySize,
        text => {
            let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
            let wrong = || TextError::whole(WINNER.name, text, "auto or a number from 0 to 1");
            Weight::Fixed(number.ok_or_else(wrong)?)
        }
    };
    Ok(Word { weight, fades: options.switch("fading") })
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
    let base = Knowledge::new(PlayoutHabits::policy_of(options)?, search(options));
    let knowledge = Knowledge { priors, ladders_from: LADDERS_FROM, ..base };
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
