//! Games that can be trained, and the kinds of training that serve several of them.

use crate::{
    Job,
    kinds::{KINDS, PreparedTraining},
    linear_eval::TunableEval,
};
use ludus_core::{Notation, Options, TextError, options::split_name};
use ludus_games::{chess::Chess, draughts::Draughts, reversi::Reversi};
use ludus_players::common::engine::Networked;

/// A game that a kind of training serves.
pub struct TrainableGame {
    /// Name on the command line.
    pub id: &'static str,
    pub(crate) options: fn(&str) -> Result<Options, TextError>,
    pub(crate) prepare: for<'a> fn(&'a Job) -> PreparedTraining<'a>,
}

impl TrainableGame {
    /// The game `P`, with the function that prepares its trainings.
    pub const fn new<P: Notation>(
        prepare: for<'a> fn(&'a Job) -> PreparedTraining<'a>,
    ) -> TrainableGame {
        TrainableGame { id: P::ID, options: |text| Options::parse(text, P::OPTIONS), prepare }
    }
}

/// Training of every game whose handcrafted evaluation is linear.
pub trait LinearEvalTraining: Sized {
    /// Prepares the training of one game.
    fn prepare<P: TunableEval>(job: &Job) -> PreparedTraining<'_>;

    /// The games. Adding one adds an entry here.
    const GAMES: &'static [TrainableGame] = &[
        TrainableGame::new::<Chess>(Self::prepare::<Chess>),
        TrainableGame::new::<Draughts>(Self::prepare::<Draughts>),
        TrainableGame::new::<Reversi>(Self::prepare::<Reversi>),
    ];
}

/// Training of every game that has an NNUE network.
pub trait NetworkTraining: Sized {
    /// Prepares the training of one game.
    fn prepare<P: TunableEval + Networked>(job: &Job) -> PreparedTraining<'_>;

    /// The games. Adding one adds an entry here.
    const GAMES: &'static [TrainableGame] = &[
        TrainableGame::new::<Chess>(Self::prepare::<Chess>),
        TrainableGame::new::<Draughts>(Self::prepare::<Draughts>),
    ];
}

/// Parses `game:options`.
///
/// # Errors
/// If the game cannot be trained or its options are wrong.
pub(crate) fn game_options(text: &str) -> Result<Options, TextError> {
    let (name, _) = split_name(text);
    let mut games = KINDS.iter().flat_map(|kind| kind.games);
    let game = games.find(|game| game.id == name).ok_or_else(|| unknown_game(name))?;
    (game.options)(text)
}

pub(crate) fn unknown_game(name: &str) -> TextError {
    let mut names: Vec<&str> =
        KINDS.iter().flat_map(|kind| kind.games).map(|game| game.id).collect();
    names.sort_unstable();
    names.dedup();
    let expected = format!("one of the games that can be tuned: {}", names.join(", "));
    TextError::whole("game", name, expected)
}
