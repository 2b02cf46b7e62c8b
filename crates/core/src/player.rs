//! Players: anything that chooses moves.

use crate::{History, Outcome, Position, Score, Side, TextError};
use std::{
    error::Error,
    fmt,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

/// A player of one game.
pub trait Player<P: Position>: Send {
    /// Name shown in cross tables and game records.
    fn name(&self) -> &str;

    /// Name and hash of the external engine that chooses the moves, if one does. Ratings identify
    /// players by it; `None` stands for the build of this program.
    fn external_build(&self) -> Option<String> {
        None
    }

    /// Chooses a move in an unfinished game.
    fn choose(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        control: &mut SearchControl<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError>;

    /// Analyses an unfinished game without playing: reports the `lines` best moves in
    /// [`Report::lines`] (multi-PV), all searched equally. By default a player reports one line.
    ///
    /// # Errors
    /// If it cannot choose, or cannot report as many lines.
    fn analyze(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        lines: usize,
        control: &mut SearchControl<'_, P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError> {
        if lines > 1 {
            return Err(multi_pv_unsupported(self.name(), lines));
        }
        self.choose(game, limits, control)
    }

    /// Clears all state of the previous game. From here on `seed` determines all randomness, so a game
    /// does not depend on the games played before it.
    fn new_game(&mut self, _seed: u64) {}

    /// Called when the game has ended, so that learners can update. `side` is this player's side.
    fn game_over(&mut self, _game: &History<P>, _side: Side, _outcome: Outcome) {}
}

/// The error of a player that reports a single line only.
pub fn multi_pv_unsupported(player: &str, lines: usize) -> PlayerError {
    let expected = format!("1 for {player}, which reports its best move only");
    TextError::whole("number of lines", &lines.to_string(), expected).into()
}

/// Search limits of one move; `None` means no limit of that kind.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Depth in plies.
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
    /// Moves to the next time control, if there is one.
    pub moves_to_go: Option<u32>,
}

/// A player's action on its turn.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Action<M> {
    /// Plays this move.
    Play(M),
    /// Resigns.
    Resign,
}

/// A player's decision and the search report behind it.
#[derive(Clone, Debug)]
pub struct Choice<M> {
    /// The decision.
    pub action: Action<M>,
    /// The final report of the search.
    pub report: Report<M>,
}

impl<M> Choice<M> {
    /// Plays `mv`.
    pub fn play(mv: M, report: Report<M>) -> Choice<M> {
        Choice { action: Action::Play(mv), report }
    }
}

/// Result of a search, intermediate or final.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// Score of the best line for the side to move; `None` if the player does not evaluate.
    pub score: Option<Score>,
    /// Whether the game-theoretic value was proved. See [`is_proven`](Report::is_proven).
    pub proof: Proof,
    /// The final score margin, if it is proved.
    pub margin: Option<ScoreMargin>,
    /// Completed depth in plies.
    pub depth: u32,
    /// Positions or simulations visited.
    pub nodes: u64,
    /// Leaf positions: evaluated, or finished, at the horizon.
    pub leaves: u64,
    /// The principal variation, the player's own move first.
    pub line: Vec<M>,
    /// Multi-PV lines, best first, if several were requested.
    pub lines: Vec<RankedLine<M>>,
    /// Root moves with score and visits, if the player has them.
    pub moves: Vec<MoveReport<M>>,
    /// Statistics of the transposition table, if there is one.
    pub table: Option<TableReport>,
    /// Statistics of the playouts, if there were any.
    pub playouts: Option<PlayoutReport>,
    /// Thinking time to charge, if it differs from the time the caller waited: external engines are
    /// not charged for the communication.
    pub time: Option<Duration>,
}

/// Status of a proof of the game-theoretic value.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Proof {
    /// No proof attempted: scores are estimates, except wins and losses with a distance.
    #[default]
    NotSought,
    /// No proof within the limits: scores, if any, are estimates.
    NotFound,
    /// Proved: every reported score is exact.
    Found,
}

/// One line of a multi-PV analysis.
#[derive(Clone, Debug, PartialEq)]
pub struct RankedLine<M> {
    /// Score of the line for the side to move, if it was evaluated.
    pub score: Option<Score>,
    /// The final score margin, if it is proved.
    pub margin: Option<ScoreMargin>,
    /// The line, never empty.
    pub line: Vec<M>,
}

/// Final score difference, first side minus second side.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ScoreMargin {
    /// Counted on the board.
    pub board: f32,
    /// With compensation such as komi.
    pub total: f32,
}

/// Statistics of a transposition table in one search.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct TableReport {
    /// Number of slots.
    pub capacity: u64,
    /// Slots in use.
    pub used: u64,
    /// Number of lookups.
    pub probes: u64,
    /// Lookups that found the position.
    pub hits: u64,
    /// Lookups that produced a cutoff.
    pub cutoffs: u64,
    /// Entries written.
    pub stores: u64,
    /// Entries written over those of other positions.
    pub overwrites: u64,
    /// Entries rejected by the replacement scheme.
    pub lost: u64,
}

/// Statistics of the playouts of one search.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayoutReport {
    /// Playouts started.
    pub begun: u64,
    /// Playouts stopped before the end of the game because the result was known.
    pub interrupted: u64,
    /// Moves played in all of them.
    pub moves: u64,
}

impl PlayoutReport {
    /// Adds the statistics of `other`.
    pub fn add(&mut self, other: &PlayoutReport) {
        self.begun += other.begun;
        self.interrupted += other.interrupted;
        self.moves += other.moves;
    }
}

impl<M> Report<M> {
    /// Whether `score`, one of this report, is the game-theoretic value and not an estimate.
    pub fn is_proven(&self, score: Option<Score>) -> bool {
        score.is_some_and(|score| self.proof == Proof::Found || score.win_in().is_some())
    }

    /// Fills [`lines`](Report::lines) with the `count` best root moves by score, the move of the
    /// principal variation first among equals: for players that evaluate every move without a reply.
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

/// Statistics of one root move.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct MoveReport<M> {
    /// The move.
    pub mv: M,
    /// Its score for the side to move, if it was evaluated.
    pub score: Option<Score>,
    /// Number of visits, in searches that count them.
    pub visits: u64,
}

/// Control of a running search: stop flag and progress callback.
pub struct SearchControl<'a, M> {
    /// Set by another thread to stop the search.
    pub stop: &'a AtomicBool,
    /// Called with every intermediate report.
    pub on_report: &'a mut dyn FnMut(&Report<M>),
}

impl<M> SearchControl<'_, M> {
    /// Whether the search must stop.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// Failure to create a player or to choose a move.
#[derive(Debug)]
pub enum PlayerError {
    /// Invalid name or options.
    Input(TextError),
    /// The player broke the rules of the game or of its protocol and forfeits the game.
    Fault(Fault, String),
    /// Any other failure.
    Failed(Box<dyn Error + Send + Sync>),
}

/// Violation by an external engine.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// An illegal move, or none at all.
    IllegalMove,
    /// The process exited.
    Crash,
    /// No answer within the time allowed.
    Hang,
    /// Output beyond every reasonable limit.
    Flood,
    /// A message that violates the protocol.
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
