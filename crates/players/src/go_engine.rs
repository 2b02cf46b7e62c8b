//! `engine` of Go: all that makes our Monte-Carlo search stronger, at ten levels.

use crate::{
    Recipe, Resources,
    engine::LEVEL,
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
use ludus_games::go::{Go, priors::Priors};
use ludus_search::mcts::{Mcts, Rave, Settings};

const WINNER: OptionSpec = text(
    "winner",
    "auto",
    "how much the network's word on the winner counts beside a playout, from 0 to 1; auto: 0.5, and \
     0.8 on boards beyond 11x11",
);

/// Boards of this size and larger have ladders that are longer than the search looks ahead.
const LADDERS_FROM: usize = 14;

const OPTIONS: [OptionSpec; 16] = go_search::with_own([
    LEVEL,
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

/// How a level below the top plays.
struct Weakness {
    /// Playouts a move.
    playouts: u64,
    knows: Knows,
}

/// What a level knows besides the rules.
#[derive(Copy, Clone, PartialEq)]
enum Knows {
    /// How the rest of a game goes, in playouts.
    Playouts,
    /// And what Fuego and Pachi know of moves.
    Shapes,
    /// All that was learned.
    Everything,
}

impl Weakness {
    /// People see more moves ahead as they learn, and know shapes before they judge whole boards: a level
    /// plays out two to four times as many games as the one below, or knows more. With few
    /// playouts the network is worth ten times as many (9x9, 20 games).
    fn of(level: i64) -> Option<Weakness> {
        let (playouts, knows) = match level {
            1 => (10, Knows::Playouts),
            2 => (20, Knows::Playouts),
            3 => (45, Knows::Playouts),
            4 => (100, Knows::Playouts),
            5 => (100, Knows::Shapes),
            6 => (400, Knows::Shapes),
            7 => (100, Knows::Everything),
            8 => (400, Knows::Everything),
            9 => (1_600, Knows::Everything),
            _ => return None,
        };
        Some(Weakness { playouts, knows })
    }
}

fn learned(options: &Options, knows: Knows) -> Result<Option<Learned>, TextError> {
    if knows != Knows::Everything {
        return Ok(None);
    }
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
    // What a weak level saw moves ago would make it stronger than it is meant to be.
    let reuse = base.reuse && Weakness::of(options.integer(LEVEL.name)).is_none();
    Settings { solver: true, rave, reuse, ..base }
}

fn build(options: &Options, resources: &Resources) -> Result<GoPlayer<LearnedGuide>, TextError> {
    let weakness = Weakness::of(options.integer(LEVEL.name));
    let knows = weakness.as_ref().map_or(Knows::Everything, |weakness| weakness.knows);
    let learned = learned(options, knows)?;
    let knows_shapes = learned.is_none() && knows != Knows::Playouts;
    let priors = if knows_shapes { Priors::strong() } else { Priors::even() };
    let base = Knowledge::new(PlayoutHabits::policy_of(options)?, search(options));
    let knowledge = Knowledge { priors, ladders_from: LADDERS_FROM, ..base };
    let knowledge = knowledge.changed(options)?;
    let guide = || LearnedGuide::new(knowledge.guide(), learned.clone());
    let threads = if knows == Knows::Everything { resources.threads } else { 1 };
    let mcts = Mcts::new(knowledge.search, threads, resources.seed, guide);
    let player = GoPlayer::new("engine", options, mcts)?;
    Ok(match weakness {
        Some(weakness) => player.with_at_most(weakness.playouts),
        None => player,
    })
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
        about: "our strongest Monte-Carlo search of Go, at levels from beginner to all it can",
        options: &OPTIONS,
        build: |options, resources| Ok(Box::new(booked(options, resources)?)),
        build_traced: Some(|options, resources| Ok(Box::new(booked(options, resources)?))),
    }
}

#[cfg(test)]
mod tests {
    use crate::{Analysis, Progress, Resources, find_game};
    use ludus_core::Limits;
    use std::sync::atomic::AtomicBool;

    fn analysis(game: &str, player: &str) -> Analysis {
        let (game, options) = find_game(game).unwrap();
        let session = game.open(&options, None).unwrap();
        let stop = AtomicBool::new(false);
        let mut progress =
            Progress { limits: Limits::default(), stop: &stop, on_report: &mut |_| {} };
        session.analyze(player, &Resources::default(), &mut progress).unwrap()
    }

    #[test]
    fn levels_look_at_more_and_more() {
        let nodes = |player| analysis("go:size=5", player).nodes;
        assert!((1..=10).contains(&nodes("engine:level=1")));
        assert!((11..=45).contains(&nodes("engine:level=3")));
        assert!((1..=20).contains(&nodes("engine:level=9,playouts=20")), "the fewer count");
    }

    #[test]
    fn beginners_are_quick_on_large_boards() {
        let analysis = analysis("go", "engine:level=3");
        assert!(analysis.best.is_some());
        assert!((1..=45).contains(&analysis.nodes), "{} playouts", analysis.nodes);
    }
}
