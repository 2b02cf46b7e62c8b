//! The games there are, with their types erased.

use crate::{
    Endgames, Identity, Resources, Roster, Session, identity, records, roster, session::Table,
};
use ludus_core::{
    Evaluator, HandcraftedEval, HasEval, History, Limits, OptionSpec, Options, PlayerError, Random,
    Score, Side, TextError, Watch,
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
    &Entry::<TicTacToe>::NEW,
    &Entry::<SplitNim>::NEW,
    &Entry::<Connect4>::NEW,
    &Entry::<Reversi>::NEW,
    &Entry::<Draughts>::NEW,
    &Entry::<Chess>::NEW,
    &Entry::<Go>::NEW,
];

/// A game whose type nobody needs to know.
pub trait Game: Sync {
    /// The name on the command line.
    fn id(&self) -> &'static str;
    /// The name people use.
    fn name(&self) -> &'static str;
    /// One line on what it is.
    fn about(&self) -> &'static str;
    /// What can be set.
    fn options(&self) -> &'static [OptionSpec];
    /// Its players: name, one line, options.
    fn players(&self) -> Vec<(&'static str, &'static str, &'static [OptionSpec])>;
    /// Those of them that can show how they search.
    fn traced_players(&self) -> Vec<&'static str>;
    /// Sets up the board, at the start or at the position given as text.
    fn open(
        &self,
        options: &Options,
        position: Option<&str>,
    ) -> Result<Box<dyn Session>, TextError>;
    /// How games are saved.
    fn record_format(&self) -> Format;
    /// The options a record in the game's own format asks for; `None` if it is of another game.
    fn options_of_record(&self, record: &Record) -> Result<Option<Options>, TextError>;
    /// Sets up the board as the main line of `record` leaves it, every move checked.
    fn open_record(
        &self,
        options: &Options,
        record: &Record,
    ) -> Result<Box<dyn Session>, TextError>;
    /// `record` with every move of every line checked, written as `format` wants it (`None`: JSON),
    /// and the side that makes the first move.
    fn translate(
        &self,
        options: &Options,
        record: &Record,
        format: Option<Format>,
    ) -> Result<(Record, Side), TextError>;
    /// Checks that `player` names a player of this game with valid options, and makes what it needs
    /// and builds but once.
    fn check_player(&self, player: &str, resources: &Resources) -> Result<(), PlayerError>;
    /// Who `player` is. A player of another program is started once, to hear its name.
    ///
    /// # Errors
    /// If `player` names no player of this game, or a file that cannot be read.
    fn identify(&self, player: &str, resources: &Resources) -> Result<Identity, PlayerError>;
    /// Counts the move tree: one entry for each root move, or a single one without a name if the
    /// depth is 0 or the game is over.
    fn perft(&self, options: &Options, job: &PerftJob<'_>)
    -> Result<Vec<(String, u64)>, TextError>;
    /// Plays random games from the start for about `time`: how many, and how long it really took.
    fn rollouts(
        &self,
        options: &Options,
        seed: u64,
        time: Duration,
    ) -> Result<(u64, Duration), TextError>;
    /// Nodes that `player` visits over `positions` of one random game: a number that changes only
    /// with what the player does.
    fn signature(
        &self,
        options: &Options,
        player: &str,
        limits: Limits,
        positions: usize,
    ) -> Result<u64, PlayerError>;
    /// What the hand evaluation of a position is made of.
    fn explain(&self, options: &Options, position: Option<&str>) -> Result<Explanation, TextError>;
    /// The tables of its endings, if there can be any.
    fn endgames(&self) -> Option<&'static dyn Endgames>;
}

/// The parts of a hand evaluation with their values, and what they come to.
pub struct Explanation {
    /// The parts, outermost first.
    pub parts: Vec<ludus_core::eval::Part>,
    /// The whole, for the side to move.
    pub score: Score,
}

/// What to count.
pub struct PerftJob<'a> {
    /// Where from; the start if `None`.
    pub position: Option<&'a str>,
    /// How deep.
    pub depth: u32,
    /// On how many threads.
    pub threads: usize,
    /// Whether a move counts once for every path it can be made by.
    pub keep_duplicates: bool,
}

/// Reads `game:options` and finds the game.
pub fn find_game(text: &str) -> Result<(&'static dyn Game, Options), TextError> {
    let (name, _) = split_name(text);
    let Some(&game) = GAMES.iter().find(|game| game.id() == name) else {
        let names: Vec<&str> = GAMES.iter().map(|game| game.id()).collect();
        return Err(TextError::whole("game", name, format!("one of {}", names.join(", "))));
    };
    Ok((game, Options::parse(text, game.options())?))
}

/// The one implementation of [`Game`], for every type that is a game.
pub struct Entry<P>(PhantomData<fn() -> P>);

impl<P: Roster> Entry<P> {
    /// The entry of the game `P`.
    pub const NEW: Entry<P> = Entry(PhantomData);
}

impl<P: Roster> Game for Entry<P> {
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
        Ok(Box::new(Table::of_game(options.clone(), History::new(start))))
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
        Ok(Box::new(Table::<P>::of_game(options.clone(), records::replay(options, record)?)))
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
        /// Rollouts between two looks at the clock.
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
            let watch = &mut Watch { stop: &stop, on_report: &mut |_| {} };
            nodes += player.choose(&game, &limits, watch)?.report.nodes;
            moves.clear();
            game.last().legal_moves(&mut moves);
            game.push(random.pick(&moves).expect("a game that goes on has moves"));
        }
        Ok(nodes)
    }

    fn explain(&self, options: &Options, position: Option<&str>) -> Result<Explanation, TextError> {
        let position: P = records::position(options, position)?;
        let mut evaluation = <P as HasEval>::hand();
        Ok(Explanation {
            parts: evaluation.explain(&position),
            score: evaluation.evaluate(&position),
        })
    }

    fn endgames(&self) -> Option<&'static dyn Endgames> {
        P::endgames()
    }
}
