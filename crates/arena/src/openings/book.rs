//! The openings of one contest: those it was given, chosen and shuffled by the seed, then new ones
//! without end.

use super::{Judge, set_up};
use crate::{game::Opening, run::RunError};
use ludus_core::{Limits, Options, Random};
use ludus_players::{Game, Session};
use serde::{Deserialize, Serialize};
use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
};

/// Where the games of a contest start.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredOpenings")]
pub struct Openings {
    /// The openings given; the usual position if there are none.
    pub first: Vec<Opening>,
    /// What follows them.
    pub then: Then,
}

/// What follows the last opening of a list.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Then {
    /// The same openings again. The list is not shuffled.
    #[default]
    Repeat,
    /// New openings: random plies from the usual position.
    FromStart,
    /// New openings: random plies from those of the list.
    FromThese,
}

/// The two forms in which contests are stored: earlier versions had a list that was played in its
/// order, again and again.
#[derive(Deserialize)]
#[serde(untagged)]
enum StoredOpenings {
    List(Vec<Opening>),
    Openings { first: Vec<Opening>, then: Then },
}

impl From<StoredOpenings> for Openings {
    fn from(stored: StoredOpenings) -> Openings {
        match stored {
            StoredOpenings::List(first) => Openings { first, then: Then::Repeat },
            StoredOpenings::Openings { first, then } => Openings { first, then },
        }
    }
}

impl Openings {
    /// The usual position for every game.
    pub fn usual() -> Openings {
        Openings::default()
    }

    /// One half of the suite of a game, chosen by the seed, then new openings; `None` if it has no
    /// suite.
    pub fn suite(game: &str) -> Option<Openings> {
        Some(Openings { first: super::suite(game)?, then: Then::FromStart })
    }

    /// What a contest uses that was told nothing: the suite, or the usual position and then new
    /// openings. Go always starts from the empty board: random stones are no Go, and its players
    /// draw by chance in every game.
    pub fn of_game(game: &str) -> Openings {
        let is_go = ludus_core::options::split_name(game).0 == "go";
        Openings::suite(game).unwrap_or_else(|| match is_go {
            true => Openings::usual(),
            false => Openings { first: vec![Opening::default()], then: Then::FromStart },
        })
    }

    /// The openings of a file, then longer ones.
    pub fn of_file(first: Vec<Opening>) -> Openings {
        Openings { first, then: Then::FromThese }
    }
}

/// How new openings of a game are made.
struct Maker {
    /// Random plies from the usual position.
    plies: usize,
    /// The largest score, in hundredths, that counts as balanced; `None` where every position is
    /// won for somebody.
    balance: Option<i32>,
    judge: Judge<'static>,
}

/// Random plies behind an opening of a file.
const EXTENSION_PLIES: usize = 2;
/// Positions tried for one opening before its random plies become more.
const MAX_TRIES: usize = 300;
/// Random plies are increased so many times before a game is out of openings.
const MAX_EXTRA_PLIES: usize = 4;

fn maker(game: &str) -> Maker {
    let judge = |player, nodes| Judge { player, limits: Limits { nodes, ..Limits::default() } };
    let engine = || judge("engine:table=1MB", Some(2_000));
    match game {
        "chess" => Maker { plies: 8, balance: Some(50), judge: engine() },
        "draughts" => Maker { plies: 8, balance: Some(30), judge: engine() },
        "reversi" => Maker { plies: 8, balance: Some(200), judge: engine() },
        "connect4" => Maker { plies: 6, balance: Some(50), judge: engine() },
        "tictactoe" => {
            Maker { plies: 2, balance: Some(0), judge: judge("alphabeta:depth=9", None) }
        }
        "go" => Maker { plies: 4, balance: Some(200), judge: judge("mcts", Some(300)) },
        _ => Maker { plies: 2, balance: None, judge: engine() },
    }
}

/// The openings of a contest by number, a pure function of the game, the [`Openings`] and the seed.
///
/// New openings are made in their order and only once they are asked for, so that a contest of any
/// length begins at once. Two openings never lead to the same position, until a small game has no
/// more of them: then the openings begin again.
pub struct OpeningBook<'a> {
    game: &'static dyn Game,
    options: &'a Options,
    source: &'a Openings,
    seed: u64,
    growth: Mutex<Option<Growth>>,
}

/// What was made so far.
struct Growth {
    openings: Vec<Opening>,
    /// How many of them were given.
    given: usize,
    /// Positions of all openings, and those that were not balanced.
    seen: HashSet<String>,
    random: Random,
    extra_plies: usize,
    exhausted: bool,
}

impl<'a> OpeningBook<'a> {
    /// The book of a contest.
    pub fn new(
        game: &'static dyn Game,
        options: &'a Options,
        source: &'a Openings,
        seed: u64,
    ) -> OpeningBook<'a> {
        OpeningBook { game, options, source, seed, growth: Mutex::new(None) }
    }

    /// The opening of this number, counted from 0.
    ///
    /// # Errors
    /// If an opening given is not legal, or the judge of new ones fails.
    pub fn opening(&self, number: usize) -> Result<Opening, RunError> {
        if self.source.then == Then::Repeat {
            let count = self.source.first.len();
            let given = number.checked_rem(count).map(|number| self.source.first[number].clone());
            return Ok(given.unwrap_or_default());
        }
        // After a panic of the judge, what was made before it is still whole.
        let mut growth = self.growth.lock().unwrap_or_else(PoisonError::into_inner);
        if growth.is_none() {
            *growth = Some(self.begin()?);
        }
        let growth = growth.as_mut().expect("just begun");
        while growth.openings.len() <= number && !growth.exhausted {
            match self.next(growth)? {
                Some(opening) => growth.openings.push(opening),
                None => growth.exhausted = true,
            }
        }
        Ok(growth.openings[number % growth.openings.len()].clone())
    }

    /// The openings given, shuffled, each position once: of a file all, of a suite one half.
    fn begin(&self) -> Result<Growth, RunError> {
        let random = Random::new(self.seed);
        let mut given = self.source.first.clone();
        random.split("openings").shuffle(&mut given);
        if self.source.then == Then::FromStart {
            given.truncate(given.len().div_ceil(2)); // all of them would be the same for every seed
        }
        if given.is_empty() {
            given.push(Opening::default());
        }
        let mut seen = HashSet::new();
        let mut openings = Vec::with_capacity(given.len());
        for opening in given {
            if seen.insert(self.placement(&*set_up(self.game, self.options, &opening)?)) {
                openings.push(opening);
            }
        }
        Ok(Growth {
            given: openings.len(),
            openings,
            seen,
            random: random.split("new openings"),
            extra_plies: 0,
            exhausted: false,
        })
    }

    /// A new balanced opening; `None` if none is found.
    fn next(&self, growth: &mut Growth) -> Result<Option<Opening>, RunError> {
        let maker = maker(self.game.id());
        loop {
            for _ in 0..MAX_TRIES {
                if let Some(opening) = self.try_one(&maker, growth)? {
                    return Ok(Some(opening));
                }
            }
            if growth.extra_plies == MAX_EXTRA_PLIES {
                return Ok(None);
            }
            growth.extra_plies += 1;
        }
    }

    fn try_one(&self, maker: &Maker, growth: &mut Growth) -> Result<Option<Opening>, RunError> {
        let (root, plies) = match self.source.then {
            Then::FromThese => {
                let root = growth.openings[growth.random.below(growth.given)].clone();
                (root, EXTENSION_PLIES)
            }
            _ => (Opening::default(), maker.plies),
        };
        let mut session = set_up(self.game, self.options, &root)?;
        let at_root = set_up(self.game, self.options, &root)?;
        for _ in 0..plies + growth.extra_plies {
            let moves = session.legal_moves();
            if session.ending().is_some() || moves.is_empty() {
                return Ok(None);
            }
            session.play(&moves[growth.random.below(moves.len())])?;
        }
        if session.ending().is_some() || !growth.seen.insert(self.placement(&*session)) {
            return Ok(None);
        }
        if let Some(balance) = maker.balance {
            // Longer openings need not be more balanced than those of the file.
            let score = |session: &dyn Session| maker.judge.score(session, self.seed);
            let allowed = match self.source.then {
                Then::FromThese => score(&*at_root)?.unwrap_or(0).max(balance),
                _ => balance,
            };
            if score(&*session)?.is_none_or(|score| score > allowed) {
                return Ok(None);
            }
        }
        Ok(Some(Opening { position: root.position, moves: session.moves() }))
    }

    /// The position without what only counts moves.
    fn placement(&self, session: &dyn Session) -> String {
        let text = session.position();
        match self.game.id() {
            "chess" => text.split(' ').take(4).collect::<Vec<_>>().join(" "),
            _ => text,
        }
    }
}
