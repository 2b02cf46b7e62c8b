//! One game between two players.

use crate::adjudicate::{Adjudication, Adjudicator, ResultOracle};
use ludus_core::{Clock, EndReason, Limits, Outcome, PlayerError, Side, TextError};
use ludus_formats::{Record, WriteOptions};
use ludus_players::{AnalysisControl, Board, BoardPlayer, Finish, ReportNumbers};
use serde::{Deserialize, Serialize};
use std::{sync::atomic::AtomicBool, time::Duration};

/// Limits, adjudication and callbacks of a game.
pub struct GameRules<'a> {
    /// Limits of each move.
    pub limits: Limits,
    /// Adjudication rules.
    pub adjudication: &'a Adjudication,
    /// Source of known results, such as an endgame database.
    pub oracle: Option<&'a dyn ResultOracle>,
    /// Called at every position, the first one included.
    pub on_position: &'a dyn Fn(&dyn Board),
}

/// Start of a game: a position, and moves from it that are given to the players.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// The position; the usual start if `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<String>,
    /// Moves from there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
}

/// Draws and losses that are counted separately.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// Drawn by reaching the maximum length.
    Forced,
    /// Drawn by repetition or without progress although one side was ahead in material or had a
    /// known win.
    Loop,
    /// Lost by an illegal move, a crash, a hang or too much output.
    Forfeit,
    /// Lost on time.
    Time,
}

impl Category {
    /// All of them.
    pub const ALL: [Category; 4] =
        [Category::Forced, Category::Loop, Category::Forfeit, Category::Time];

    /// Stored id, also shown to users. It never changes.
    pub fn id(self) -> &'static str {
        match self {
            Category::Forced => "forced",
            Category::Loop => "loop",
            Category::Forfeit => "forfeit",
            Category::Time => "time",
        }
    }

    /// The category stored as `id`.
    ///
    /// # Errors
    /// If no category has this id.
    pub fn from_id(id: &str) -> Result<Category, TextError> {
        Category::ALL.into_iter().find(|category| category.id() == id).ok_or_else(|| {
            let ids: Vec<&str> = Category::ALL.into_iter().map(Category::id).collect();
            TextError::whole("category", id, format!("one of {}", ids.join(", ")))
        })
    }
}

/// Search effort of a player, summed over moves.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayerStats {
    /// Moves chosen.
    pub moves: u64,
    /// Sum of the depths reached.
    pub depth: u64,
    /// Positions or simulations visited.
    pub nodes: u64,
    /// Time used.
    pub milliseconds: f64,
}

impl PlayerStats {
    /// Adds the effort of other moves.
    pub fn add(&mut self, other: &PlayerStats) {
        self.moves += other.moves;
        self.depth += other.depth;
        self.nodes += other.nodes;
        self.milliseconds += other.milliseconds;
    }

    /// Wall-clock time per move, rounded to a tenth of a millisecond.
    pub fn milliseconds_a_move(&self) -> f64 {
        (self.milliseconds / self.moves.max(1) as f64 * 10.0).round() / 10.0
    }
}

/// A finished game.
pub struct GameReport {
    /// All moves including the opening's, in canonical text.
    pub moves: Vec<String>,
    /// Result and reason.
    pub finish: Finish,
    /// Category, if it is counted separately.
    pub category: Option<Category>,
    /// Error message of a faulty player.
    pub detail: Option<String>,
    /// Search effort of each side.
    pub player_stats: [PlayerStats; 2],
    /// The game as a record, with depth, score and time of every move as comments.
    pub record: Record,
    /// Options for writing the record.
    pub write_options: WriteOptions,
}

/// The two players of a game, the first side's first.
pub type Players = [Box<dyn BoardPlayer>; 2];

/// Plays a game from `opening` on `board`.
///
/// # Errors
/// If the opening is not legal. A faulty player merely loses the game.
pub fn play(
    board: &mut dyn Board,
    players: &mut Players,
    opening: &Opening,
    seeds: [u64; 2],
    rules: &GameRules<'_>,
    stop: &AtomicBool,
) -> Result<GameReport, TextError> {
    board.restart(opening.position.as_deref())?;
    for (player, seed) in players.iter_mut().zip(seeds) {
        player.new_game(seed);
    }
    for mv in &opening.moves {
        board.play(mv)?;
    }
    let mut state = RunningGame {
        adjudicator: Adjudicator::new(rules.adjudication, rules.oracle),
        clocks: [rules.limits.clock; 2],
        player_stats: [PlayerStats::default(); 2],
        comments: vec![String::new(); opening.moves.len()],
        detail: None,
    };
    let finish = loop {
        (rules.on_position)(board);
        if let Some(finish) = board.ending() {
            break finish;
        }
        if let Some(finish) = state.next_move(board, players, rules, stop) {
            break finish;
        }
    };
    for (player, side) in players.iter_mut().zip(Side::BOTH) {
        player.game_over(board, side, finish.outcome);
    }
    let known_win = rules.oracle.and_then(|oracle| oracle.result(board));
    let known_win_at_end = known_win.is_some_and(|outcome| outcome != Outcome::Draw);
    Ok(state.report(board, finish, known_win_at_end))
}

struct RunningGame<'a> {
    adjudicator: Adjudicator<'a>,
    clocks: [Option<Clock>; 2],
    player_stats: [PlayerStats; 2],
    comments: Vec<String>,
    detail: Option<String>,
}

impl RunningGame<'_> {
    /// Asks the side to move for its move; returns the finish if that ends the game.
    fn next_move(
        &mut self,
        board: &mut dyn Board,
        players: &mut Players,
        rules: &GameRules<'_>,
        stop: &AtomicBool,
    ) -> Option<Finish> {
        let side = board.turn();
        let lost = |reason| Some(Finish { outcome: Outcome::Win(!side), reason, margin: None });
        let limits = Limits { clock: self.clocks[side.index()], ..rules.limits };
        let mut progress = AnalysisControl { limits, stop, on_report: &mut |_| {} };
        let (mv, numbers) = match players[side.index()].choose(board, &mut progress) {
            Err(error) => {
                self.record_fault(&error);
                return lost(EndReason::Forfeit);
            }
            Ok(turn) => turn.into_move(),
        };
        let Some(mv) = mv else { return lost(EndReason::Resignation) };
        if let Err(error) = board.play(&mv) {
            self.record_fault(&error.into());
            return lost(EndReason::Forfeit);
        }
        self.record_move(side, &numbers);
        if !deduct_time(&mut self.clocks[side.index()], numbers.time) {
            return lost(EndReason::Time);
        }
        let plies = board.moves_played() as u32;
        if board.ending().is_some() {
            return None;
        }
        self.adjudicator.after_move(board, side, numbers.score.map(|score| score.0), plies)
    }

    fn record_fault(&mut self, error: &PlayerError) {
        self.detail = Some(error.to_string());
    }

    fn record_move(&mut self, side: Side, numbers: &ReportNumbers) {
        // Communication with an external engine does not count as thinking time.
        let used = numbers.time;
        self.player_stats[side.index()].add(&PlayerStats {
            moves: 1,
            depth: numbers.depth.into(),
            nodes: numbers.nodes,
            milliseconds: used.as_secs_f64() * 1000.0,
        });
        let score = numbers.score.map(|score| format!("{:+.2}", f64::from(score.0) / 100.0));
        let clock = self.clocks[side.index()].map(|clock| {
            let left = clock.remaining.saturating_sub(used);
            format!(" clk {:.1}s", left.as_secs_f64())
        });
        self.comments.push(format!(
            "{}/{} {:.3}s{}",
            score.unwrap_or_else(|| "-".to_owned()),
            numbers.depth,
            used.as_secs_f64(),
            clock.unwrap_or_default()
        ));
    }

    /// The report of the game; `known_win_at_end` if the last position is a known win for a side.
    fn report(self, board: &dyn Board, finish: Finish, known_win_at_end: bool) -> GameReport {
        let mut record = board.record(Some(finish));
        let nodes: Vec<_> = record.main_line().collect();
        for (id, comment) in nodes.into_iter().zip(self.comments) {
            if !comment.is_empty() {
                record[id].comments.push(comment);
            }
        }
        let unequal = known_win_at_end || board.material().is_some_and(|material| material != 0);
        let category = match finish.reason {
            EndReason::Length => Some(Category::Forced),
            EndReason::Repetition | EndReason::NoProgress if unequal => Some(Category::Loop),
            EndReason::Time => Some(Category::Time),
            EndReason::Forfeit => Some(Category::Forfeit),
            _ => None,
        };
        GameReport {
            moves: board.moves(),
            finish,
            category,
            detail: self.detail,
            player_stats: self.player_stats,
            record,
            write_options: WriteOptions { starts: Some(board.first_turn()), first_number: None },
        }
    }
}

/// Deducts the time used from a clock; `false` if the flag fell.
fn deduct_time(clock: &mut Option<Clock>, used: Duration) -> bool {
    let Some(clock) = clock else { return true };
    match clock.remaining.checked_sub(used) {
        Some(left) => {
            clock.remaining = left + clock.increment;
            true
        }
        None => false,
    }
}
