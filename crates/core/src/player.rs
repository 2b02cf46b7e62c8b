//! Players: whatever picks moves.

use crate::{History, Outcome, Position, Score, Side, TextError};
use std::{
    error::Error,
    fmt,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// Something that picks moves in one game.
pub trait Player<P: Position>: Send {
    /// Shown in tables and records.
    fn name(&self) -> &str;

    /// Which build of another program decides the moves, if one does: its name and a hash. Ratings
    /// tell players apart by it; `None` stands for the build of this program.
    fn external_build(&self) -> Option<String> {
        None
    }

    /// Picks a move in a game that goes on.
    fn choose(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError>;

    /// Tells what it thinks of a game that goes on when nothing hangs on the move: the `lines` best moves
    /// in [`Report::lines`], all of them searched alike. A player that only knows its best move has one.
    ///
    /// # Errors
    /// If it cannot choose, or does not tell what other moves are worth and is asked for more lines.
    fn analyze(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        lines: usize,
        watch: &mut Watch<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        if lines > 1 {
            return Err(one_line_only(self.name(), lines));
        }
        self.choose(game, limits, watch)
    }

    /// Forgets everything tied to the previous game. From here on `seed` decides everything random,
    /// so a game does not depend on which games were played before it.
    fn new_game(&mut self, _seed: u64) {}

    /// The game ended; the place for learning from it. `side` is the one this player had.
    fn game_over(&mut self, _game: &History<P>, _side: Side, _outcome: Outcome) {}
}

/// What a player says that is asked for more lines than the one it has.
pub fn one_line_only(player: &str, lines: usize) -> PlayerError {
    let expected = format!("1 for {player}, which does not tell what other moves are worth");
    TextError::whole("number of lines", &lines.to_string(), expected).into()
}

/// When to stop thinking. Plain data; `None` means no limit of that kind.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies.
    pub depth: Option<u32>,
    /// Positions or simulations.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub time: Option<Duration>,
    /// Time for the rest of the game.
    pub clock: Option<Clock>,
}

/// The player's own clock.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after every move.
    pub increment: Duration,
    /// Moves until more time comes, if the clock has such periods.
    pub moves_to_go: Option<u32>,
}

/// What a player does.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Action<M> {
    /// It makes this move.
    Play(M),
    /// It gives up.
    Resign,
}

/// A player's decision, with what it has to say for it.
#[derive(Clone, Debug)]
pub struct Choice<M> {
    /// What it does.
    pub action: Action<M>,
    /// What it found.
    pub report: Report<M>,
}

impl<M> Choice<M> {
    /// Plays `mv`.
    pub fn play(mv: M, report: Report<M>) -> Choice<M> {
        Choice { action: Action::Play(mv), report }
    }
}

/// What a search found, so far or finally.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// Score of the best line, seen by the side to move; `None` if the player does not judge.
    pub score: Option<Score>,
    /// Whether a proof was looked for, and found. See [`is_proven`](Report::is_proven).
    pub proof: Proof,
    /// The final count, if it is proved.
    pub margin: Option<Margin>,
    /// Completed depth in plies.
    pub depth: u32,
    /// Positions or simulations visited.
    pub nodes: u64,
    /// Positions evaluated or found finished at the horizon.
    pub leaves: u64,
    /// The line it expects, its own move first.
    pub line: Vec<M>,
    /// The best moves with the lines expected after them, best first, if several were asked for.
    pub lines: Vec<RankedLine<M>>,
    /// What it thinks of each root move it looked at, if it knows.
    pub moves: Vec<MoveReport<M>>,
    /// What its transposition table did, if it has one.
    pub table: Option<TableReport>,
    /// What its playouts took, if it plays games out.
    pub playouts: Option<PlayoutReport>,
    /// The time it is charged for the move, if that is not all the time the caller waited: another
    /// program is not charged for the way there and back.
    pub time: Option<Duration>,
}

/// Whether a player looked for the value of the game itself, and found it.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Proof {
    /// It estimates; only wins and losses with a distance are certain.
    #[default]
    NotSought,
    /// It did not find the value of the position within its limits. Scores are estimates, if there are any.
    NotFound,
    /// Every score it tells is exact.
    Found,
}

/// One of the best moves, and how the game is expected to go on after it.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedLine<M> {
    /// Score of the line for the side to move, if it was judged.
    pub score: Option<Score>,
    /// The final count, if it is proved.
    pub margin: Option<Margin>,
    /// The line, never empty.
    pub line: Vec<M>,
}

/// By how much the first side is ahead at the end of the game.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Margin {
    /// On the board alone.
    pub board: f32,
    /// With all that the rules add, such as komi.
    pub total: f32,
}

/// How a transposition table served a search.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct TableReport {
    /// Places for positions.
    pub capacity: u64,
    /// Places in use.
    pub used: u64,
    /// Lookups.
    pub probes: u64,
    /// Lookups that found the position.
    pub hits: u64,
    /// Lookups that made a search needless.
    pub cutoffs: u64,
    /// Entries written.
    pub stores: u64,
    /// Entries written over those of other positions.
    pub overwrites: u64,
    /// Entries not kept, because others were worth more.
    pub lost: u64,
}

/// What the playouts of a search took.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayoutReport {
    /// Playouts that were begun.
    pub begun: u64,
    /// Those of them that ended before the game did, because the rest was known.
    pub interrupted: u64,
    /// Moves made in all of them.
    pub moves: u64,
}

impl PlayoutReport {
    /// Adds what others took.
    pub fn add(&mut self, other: &PlayoutReport) {
        self.begun += other.begun;
        self.interrupted += other.interrupted;
        self.moves += other.moves;
    }
}

impl<M> Report<M> {
    /// Whether `score`, one of those told here, is the value of the game and no estimate.
    pub fn is_proven(&self, score: Option<Score>) -> bool {
        score.is_some_and(|score| self.proof == Proof::Found || score.win_in().is_some())
    }

    /// Makes lines of the `count` best moves by their scores, the one of the line first among equals: for
    /// players that judge every move but expect no answers.
    pub fn rank_moves(&mut self, count: usize)
    where
        M: Copy + PartialEq,
    {
        let expected = self.line.first().copied();
        let mut moves: Vec<&MoveReport<M>> =
            self.moves.iter().filter(|entry| entry.score.is_some()).collect();
        moves.sort_by_key(|entry| std::cmp::Reverse((entry.score, Some(entry.mv) == expected)));
        let line = |mv| if Some(mv) == expected { self.line.clone() } else { vec![mv] };
        let ranked = moves.into_iter().take(count).map(|entry| RankedLine {
            score: entry.score,
            margin: None,
            line: line(entry.mv),
        });
        self.lines = ranked.collect();
    }
}

impl<M> Default for Report<M> {
    fn default() -> Report<M> {
        Report {
            score: None,
            proof: Proof::default(),
            margin: None,
            depth: 0,
            nodes: 0,
            leaves: 0,
            line: Vec::new(),
            lines: Vec::new(),
            moves: Vec::new(),
            table: None,
            playouts: None,
            time: None,
        }
    }
}

/// What a player thinks of one root move.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct MoveReport<M> {
    /// The move.
    pub mv: M,
    /// Its score for the side to move, if it was judged.
    pub score: Option<Score>,
    /// How often it was tried, in searches that count.
    pub visits: u64,
}

/// The caller's end of a running search: a flag that stops it and an ear for its reports.
pub struct Watch<'a, M> {
    /// Raised by another thread to stop now.
    pub stop: &'a AtomicBool,
    /// Called after every improvement.
    pub on_report: &'a mut dyn FnMut(&Report<M>),
}

impl<M> Watch<'_, M> {
    /// Whether the caller wants the search to end.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Why a player could not choose or could not be made.
#[derive(Debug)]
pub enum PlayerError {
    /// Its name or options are wrong.
    Input(TextError),
    /// It broke the rules of the game or of its protocol, and has lost the game for it.
    Fault(Fault, String),
    /// Something failed on its side.
    Failed(Box<dyn Error + Send + Sync>),
}

/// What a player from outside did wrong.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// It made a move that is not legal, or none at all.
    IllegalMove,
    /// Its program ended.
    Crash,
    /// It did not answer in time.
    Hang,
    /// It wrote more than anybody could want to read.
    Flood,
    /// It said something its protocol does not know at a place where that matters.
    Protocol,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Fault::IllegalMove => "illegal move",
            Fault::Crash => "crash",
            Fault::Hang => "hang",
            Fault::Flood => "flood",
            Fault::Protocol => "protocol error",
        })
    }
}

impl PlayerError {
    /// A failure with this message or cause.
    pub fn failed(cause: impl Into<Box<dyn Error + Send + Sync>>) -> PlayerError {
        PlayerError::Failed(cause.into())
    }
}

impl From<TextError> for PlayerError {
    fn from(error: TextError) -> PlayerError {
        PlayerError::Input(error)
    }
}

impl fmt::Display for PlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PlayerError::Input(error) => error.fmt(f),
            PlayerError::Fault(fault, detail) => write!(f, "{fault}: {detail}"),
            PlayerError::Failed(cause) => cause.fmt(f),
        }
    }
}

impl Error for PlayerError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            PlayerError::Input(_) | PlayerError::Fault(..) => None,
            PlayerError::Failed(cause) => cause.source(),
        }
    }
}
