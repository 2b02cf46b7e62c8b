//! The list of games, with their types erased.

use crate::{
    Endgames, Identity, Resources, Roster, Session, identity, records, roster, session::GameSession,
};
use ludus_core::{
    Evaluator, HandcraftedEval, HasEval, History, Limits, OptionSpec, Options, PlayerError, Random,
    Score, SearchControl, Side, TextError,
    options::split_name,
    perft::{divide, perft, perft_paths},
};
use ludus_formats::{Format, Record};
use ludus_games::{
    chess::Chess, connect4::Connect4, draughts::Draughts, go::Go, reversi::Reversi,
    split_nim::SplitNim, tictactoe::TicTacToe,
};
use std::{
    marker::PhantomData,
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

/// Every game in the system. Adding a game adds one line here.
pub const GAMES: &[&dyn Game] = &[
    &ErasedGame::<TicTacToe>::NEW,
    &ErasedGame::<SplitNim>::NEW,
    &ErasedGame::<Connect4>::NEW,
    &ErasedGame::<Reversi>::NEW,
    &ErasedGame::<Draughts>::NEW,
    &ErasedGame::<Chess>::NEW,
    &ErasedGame::<Go>::NEW,
];

/// A game with its type erased.
pub trait Game: Sync {
    /// The name on the command line.
    fn id(&self) -> &'static str;
    /// The display name.
    fn name(&self) -> &'static str;
    /// A one-line description.
    fn about(&self) -> &'static str;
    /// Its options.
    fn options(&self) -> &'static [OptionSpec];
    /// Its players: name, one-line description, options.
    fn players(&self) -> Vec<(&'static str, &'static str, &'static [OptionSpec])>;
    /// The players whose search can be traced.
    fn traced_players(&self) -> Vec<&'static str>;
    /// Sets up the board, at the start or at the position given as text.
    fn open(
        &self,
        options: &Options,
        position: Option<&str>,
    ) -> Result<Box<dyn Session>, TextError>;
    /// The file format of its records.
    fn record_format(&self) -> Format;
    /// The options of a record in the game's own format; `None` if it is of another game.
    fn options_of_record(&self, record: &Record) -> Result<Option<Options>, TextError>;
    /// Sets up the board as the main line of `record` leaves it, every move checked.
    fn open_record(
        &self,
        options: &Options,
        record: &Record,
    ) -> Result<Box<dyn Session>, TextError>;
    /// `record` with every move of every line checked, rewritten for `format` (`None`: JSON), and the
    /// side that makes the first move.
    fn translate(
        &self,
        options: &Options,
        record: &Record,
        format: Option<Format>,
    ) -> Result<(Record, Side), TextError>;
    /// Checks that `player` names a player of this game with valid options by building it, so that
    /// data it builds on first use is there afterwards.
    fn check_player(&self, player: &str, resources: &Resources) -> Result<(), PlayerError>;
    /// The identity of `player`. An external engine is started once, to ask its name.
    ///
    /// # Errors
    /// If `player` names no player of this game, or a file that cannot be read.
    fn identify(&self, player: &str, resources: &Resources) -> Result<Identity, PlayerError>;
    /// Perft, the leaf count of the move tree: one entry for each root move, or a single one without a
    /// name if the depth is 0 or the game is over.
    fn perft(&self, options: &Options, job: &PerftJob<'_>)
    -> Result<Vec<(String, u64)>, TextError>;
    /// Plays random games from the start for about `time`: their number and the time it took.
    fn rollouts(
        &self,
        options: &Options,
        seed: u64,
        time: Duration,
    ) -> Result<(u64, Duration), TextError>;
    /// Bench signature: the nodes `player` visits in the first `positions` of one random game, a number
    /// that changes only with the player's behaviour.
    fn signature(
        &self,
        options: &Options,
        player: &str,
        limits: Limits,
        positions: usize,
    ) -> Result<u64, PlayerError>;
    /// The terms of the handcrafted evaluation of a position.
    fn explain(
        &self,
        options: &Options,
        position: Option<&str>,
    ) -> Result<EvalExplanation, TextError>;
    /// Its endgame tables, if the game can have them.
    fn endgames(&self) -> Option<&'static dyn Endgames>;
}

/// A handcrafted evaluation in parts.
pub struct EvalExplanation {
    /// The parts, outermost first.
    pub parts: Vec<ludus_core::eval::EvalPart>,
    /// The total, for the side to move.
    pub score: Score,
}

/// A perft to run.
pub struct PerftJob<'a> {
    /// The root position; the start if `None`.
    pub position: Option<&'a str>,
    /// Depth in plies.
    pub depth: u32,
    /// Threads to count on.
    pub threads: usize,
    /// Whether a move counts once for every capture path that makes it.
    pub keep_duplicates: bool,
}

/// The game that `game:options` names, and its options.
pub fn find_game(text: &str) -> Result<(&'static dyn Game, Options), TextError> {
    let (name, _) = split_name(text);
    let Some(&game) = GAMES.iter().find(|game| game.id() == name) else {
        let names: Vec<&str> = GAMES.iter().map(|game| game.id()).collect();
        return Err(TextError::whole("game", name, format!("one of {}", names.join(", "))));
    };
    Ok((game, Options::parse(text, game.options())?))
}

/// The one implementation of [`Game`], for every type that is a game.
pub struct ErasedGame<P>(PhantomData<fn() -> P>);

impl<P: Roster> ErasedGame<P> {
    /// The game `P`, erased.
    pub const NEW: ErasedGame<P> = ErasedGame(PhantomData);
}

impl<P: Roster> Game for ErasedGame<P> {
    fn id(&self) -> &'static str {
        P::ID
    }

    fn name(&self) -> &'static str {
        P::NAME
    }

    fn about(&self) -> &'static str {
        P::ABOUT
    }

    fn options(&self) -> &'static [OptionSpec] {
        P::OPTIONS
    }

    fn players(&self) -> Vec<(&'static str, &'static str, &'static [OptionSpec])> {
        P::recipes().iter().map(|recipe| (recipe.id, recipe.about, recipe.options)).collect()
    }

    fn traced_players(&self) -> Vec<&'static str> {
        let recipes = P::recipes().into_iter();
        recipes.filter(|recipe| recipe.build_traced.is_some()).map(|recipe| recipe.id).collect()
    }

    fn open(
        &self,
        options: &Options,
        position: Option<&str>,
    ) -> Result<Box<dyn Session>, TextError> {
        let start: P = records::position(options, position)?;
        Ok(Box::new(GameSession::new(options.clone(), History::new(start))))
    }

    fn record_format(&self) -> Format {
        P::RECORD.into()
    }

    fn options_of_record(&self, record: &Record) -> Result<Option<Options>, TextError> {
        P::options_of_record(&|name| record.tag(name))
    }

    fn open_record(
        &self,
        options: &Options,
        record: &Record,
    ) -> Result<Box<dyn Session>, TextError> {
        Ok(Box::new(GameSession::<P>::new(options.clone(), records::replay(options, record)?)))
    }

    fn translate(
        &self,
        options: &Options,
        record: &Record,
        format: Option<Format>,
    ) -> Result<(Record, Side), TextError> {
        records::translate::<P>(options, record, format)
    }

    fn check_player(&self, player: &str, resources: &Resources) -> Result<(), PlayerError> {
        roster::build::<P>(player, resources).map(drop)
    }

    fn identify(&self, player: &str, resources: &Resources) -> Result<Identity, PlayerError> {
        identity::of::<P>(player, resources)
    }

    fn perft(
        &self,
        options: &Options,
        job: &PerftJob<'_>,
    ) -> Result<Vec<(String, u64)>, TextError> {
        let position: P = records::position(options, job.position)?;
        let mut moves = Vec::new();
        let count = if job.keep_duplicates {
            position.legal_paths(&mut moves);
            perft_paths
        } else {
            position.legal_moves(&mut moves);
            perft
        };
        if job.depth == 0 || moves.is_empty() {
            return Ok(vec![(String::new(), count(&position, job.depth))]);
        }
        let counts = divide(&position, &moves, job.depth, job.threads, count);
        Ok(moves.iter().map(|&mv| position.move_text(mv)).zip(counts).collect())
    }

    fn rollouts(
        &self,
        options: &Options,
        seed: u64,
        time: Duration,
    ) -> Result<(u64, Duration), TextError> {
        /// Rollouts between two readings of the clock.
        const BATCH: u64 = 16;
        let position = P::start(options)?;
        let (mut random, mut moves) = (Random::new(seed), Vec::new());
        let started = Instant::now();
        let mut played = 0;
        while played == 0 || started.elapsed() < time {
            for _ in 0..BATCH {
                std::hint::black_box(position.rollout(&mut random, &mut moves));
            }
            played += BATCH;
        }
        Ok((played, started.elapsed()))
    }

    fn signature(
        &self,
        options: &Options,
        player: &str,
        limits: Limits,
        positions: usize,
    ) -> Result<u64, PlayerError> {
        let mut player = roster::build::<P>(player, &Resources::default())?;
        let mut game = History::new(P::start(options)?);
        let (mut random, mut moves, mut nodes) = (Random::new(1), Vec::new(), 0);
        let stop = AtomicBool::new(false);
        for _ in 0..positions {
            if P::ending(&game).is_some() {
                break;
            }
            let control = &mut SearchControl { stop: &stop, on_report: &mut |_| {} };
            nodes += player.choose(&game, &limits, control)?.report.nodes;
            moves.clear();
            game.last().legal_moves(&mut moves);
            game.push(random.pick(&moves).expect("an unfinished game has moves"));
        }
        Ok(nodes)
    }

    fn explain(
        &self,
        options: &Options,
        position: Option<&str>,
    ) -> Result<EvalExplanation, TextError> {
        let position: P = records::position(options, position)?;
        let mut evaluation = P::Knowledge::handcrafted();
        Ok(EvalExplanation {
            parts: evaluation.explain(&position),
            score: evaluation.evaluate(&position),
        })
    }

    fn endgames(&self) -> Option<&'static dyn Endgames> {
        P::endgames()
    }
}
