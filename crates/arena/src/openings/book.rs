//! The opening book of a contest: the given openings, selected and shuffled by the seed, followed by
//! generated ones.

use super::{BalanceCheck, set_up};
use crate::{game::Opening, parallel::ContestError};
use ludus_core::{Limits, Options, Random};
use ludus_players::{Board, Game};
use serde::{Deserialize, Serialize};
use std::{
    collections::HashSet,
    sync::{Mutex, PoisonError},
};

/// Openings of a contest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredOpenings")]
pub struct Openings {
    /// The given openings; the start position if there are none.
    pub first: Vec<Opening>,
    /// Continuation when the list is exhausted.
    pub then: WhenExhausted,
}

/// Continuation after the last opening of a list.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WhenExhausted {
    /// The same openings again. The list is not shuffled.
    #[default]
    Repeat,
    /// New openings: random plies from the start position.
    FromStart,
    /// New openings: random plies added to those of the list.
    FromThese,
}

/// The two stored forms: earlier versions had a plain list, repeated in order.
#[derive(Deserialize)]
#[serde(untagged)]
enum StoredOpenings {
    List(Vec<Opening>),
    Openings { first: Vec<Opening>, then: WhenExhausted },
}

impl From<StoredOpenings> for Openings {
    fn from(stored: StoredOpenings) -> Openings {
        match stored {
            StoredOpenings::List(first) => Openings { first, then: WhenExhausted::Repeat },
            StoredOpenings::Openings { first, then } => Openings { first, then },
        }
    }
}

impl Openings {
    /// The start position for every game.
    pub fn start_position() -> Openings {
        Openings::default()
    }

    /// One half of the built-in suite, selected by the seed, then new openings; `None` if the game has
    /// no suite.
    pub fn suite(game: &str) -> Option<Openings> {
        Some(Openings { first: super::suite(game)?, then: WhenExhausted::FromStart })
    }

    /// Default of a game: the suite, or the start position followed by new openings. Go always starts
    /// from the empty board: random stones make unnatural positions, and its players vary their games
    /// by chance.
    pub fn default_for(game: &str) -> Openings {
        let is_go = ludus_core::options::split_name(game).0 == "go";
        Openings::suite(game).unwrap_or_else(|| match is_go {
            true => Openings::start_position(),
            false => Openings { first: vec![Opening::default()], then: WhenExhausted::FromStart },
        })
    }

    /// The openings of a file, then extensions of them.
    pub fn from_file(first: Vec<Opening>) -> Openings {
        Openings { first, then: WhenExhausted::FromThese }
    }
}

/// Settings for generating openings of a game.
struct OpeningGenerator {
    /// Random plies from the start position.
    plies: usize,
    /// Largest absolute score, in hundredths, that counts as balanced; `None` in games without
    /// balanced positions.
    balance: Option<i32>,
    check: BalanceCheck<'static>,
}

/// Random plies added to an opening of a file.
const EXTENSION_PLIES: usize = 2;
/// Positions tried for one opening before its random plies are increased.
const MAX_TRIES: usize = 300;
/// Increases of the random plies before a game is out of openings.
const MAX_EXTRA_PLIES: usize = 4;

fn generator(game: &str) -> OpeningGenerator {
    let check =
        |player, nodes| BalanceCheck { player, limits: Limits { nodes, ..Limits::default() } };
    let engine = || check("engine:table=1MB", Some(2_000));
    match game {
        "chess" => OpeningGenerator { plies: 8, balance: Some(50), check: engine() },
        "draughts" => OpeningGenerator { plies: 8, balance: Some(30), check: engine() },
        "reversi" => OpeningGenerator { plies: 8, balance: Some(200), check: engine() },
        "connect4" => OpeningGenerator { plies: 6, balance: Some(50), check: engine() },
        "tictactoe" => {
            OpeningGenerator { plies: 2, balance: Some(0), check: check("alphabeta:depth=9", None) }
        }
        "go" => OpeningGenerator { plies: 4, balance: Some(200), check: check("mcts", Some(300)) },
        _ => OpeningGenerator { plies: 2, balance: None, check: engine() },
    }
}

/// The openings of a contest by number: a pure function of game, [`Openings`] and seed.
///
/// New openings are generated in order and on demand, so that a contest of any length starts at once.
/// No two openings lead to the same position; when a small game runs out of them, they repeat.
pub struct OpeningBook<'a> {
    game: &'static dyn Game,
    options: &'a Options,
    source: &'a Openings,
    seed: u64,
    state: Mutex<Option<BookState>>,
}

/// Openings generated so far.
struct BookState {
    openings: Vec<Opening>,
    /// Number of given openings, which come first.
    given: usize,
    /// Positions of all openings, and rejected ones.
    seen: HashSet<String>,
    random: Random,
    extra_plies: usize,
    exhausted: bool,
}

impl<'a> OpeningBook<'a> {
    /// Creates the book of a contest.
    pub fn new(
        game: &'static dyn Game,
        options: &'a Options,
        source: &'a Openings,
        seed: u64,
    ) -> OpeningBook<'a> {
        OpeningBook { game, options, source, seed, state: Mutex::new(None) }
    }

    /// The opening with this number, from 0.
    ///
    /// # Errors
    /// If a given opening is illegal, or the evaluating player fails.
    pub fn opening(&self, number: usize) -> Result<Opening, ContestError> {
        if self.source.then == WhenExhausted::Repeat {
            let count = self.source.first.len();
            let given = number.checked_rem(count).map(|number| self.source.first[number].clone());
            return Ok(given.unwrap_or_default());
        }
        // After a panic of the player the state is still consistent.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.is_none() {
            *state = Some(self.initial_state()?);
        }
        let state = state.as_mut().expect("initialised above");
        while state.openings.len() <= number && !state.exhausted {
            match self.generate(state)? {
                Some(opening) => state.openings.push(opening),
                None => state.exhausted = true,
            }
        }
        Ok(state.openings[number % state.openings.len()].clone())
    }

    /// The given openings, shuffled and without duplicates: all of a file, one half of a suite.
    fn initial_state(&self) -> Result<BookState, ContestError> {
        let random = Random::new(self.seed);
        let mut given = self.source.first.clone();
        random.split("openings").shuffle(&mut given);
        if self.source.then == WhenExhausted::FromStart {
            given.truncate(given.len().div_ceil(2)); // the whole suite would be equal for all seeds
        }
        if given.is_empty() {
            given.push(Opening::default());
        }
        let mut seen = HashSet::new();
        let mut openings = Vec::with_capacity(given.len());
        for opening in given {
            if seen.insert(self.position_key(&*set_up(self.game, self.options, &opening)?)) {
                openings.push(opening);
            }
        }
        Ok(BookState {
            given: openings.len(),
            openings,
            seen,
            random: random.split("new openings"),
            extra_plies: 0,
            exhausted: false,
        })
    }

    /// Generates a balanced opening; `None` if none is found.
    fn generate(&self, state: &mut BookState) -> Result<Option<Opening>, ContestError> {
        let generator = generator(self.game.id());
        loop {
            for _ in 0..MAX_TRIES {
                if let Some(opening) = self.try_generate(&generator, state)? {
                    return Ok(Some(opening));
                }
            }
            if state.extra_plies == MAX_EXTRA_PLIES {
                return Ok(None);
            }
            state.extra_plies += 1;
        }
    }

    fn try_generate(
        &self,
        generator: &OpeningGenerator,
        state: &mut BookState,
    ) -> Result<Option<Opening>, ContestError> {
        let (root, plies) = match self.source.then {
            WhenExhausted::FromThese => {
                let root = state.openings[state.random.below(state.given)].clone();
                (root, EXTENSION_PLIES)
            }
            _ => (Opening::default(), generator.plies),
        };
        let mut board = set_up(self.game, self.options, &root)?;
        let at_root = set_up(self.game, self.options, &root)?;
        for _ in 0..plies + state.extra_plies {
            let moves = board.legal_moves();
            if board.ending().is_some() || moves.is_empty() {
                return Ok(None);
            }
            board.play(&moves[state.random.below(moves.len())])?;
        }
        if board.ending().is_some() || !state.seen.insert(self.position_key(&*board)) {
            return Ok(None);
        }
        if let Some(balance) = generator.balance {
            // Extensions need not be more balanced than the openings of the file.
            let score = |board: &dyn Board| generator.check.score(board, self.seed);
            let allowed = match self.source.then {
                WhenExhausted::FromThese => score(&*at_root)?.unwrap_or(0).max(balance),
                _ => balance,
            };
            if score(&*board)?.is_none_or(|score| score > allowed) {
                return Ok(None);
            }
        }
        Ok(Some(Opening { position: root.position, moves: board.moves() }))
    }

    /// The position text without move counters.
    fn position_key(&self, board: &dyn Board) -> String {
        let text = board.position();
        match self.game.id() {
            "chess" => text.split(' ').take(4).collect::<Vec<_>>().join(" "),
            _ => text,
        }
    }
}
