//! Self-play games of Go, stored as lines of moves.
//!
//! ```text
//! games of go:size=9,komi=6.5
//! 0 D4 F6 E7 ...
//! 1 C3 ...
//! 2 C3;0.512;C3:180;D4:66 D4;0.490;D4:200;E5:31 ...
//! ```
//!
//! A move may carry an annotation from its search: the win probability, and the visits of the
//! moves.
//!
//! A killed process leaves at most one incomplete line at the end, which is cut off when the file
//! is opened again.

use super::SelfPlayPlan;
use crate::{Run, TrainingError, TrainingStage, parallel::in_order};
use ludus_core::{
    Action, Choice, History, LeafEvaluator, Limits, Notation, Options, Player, Position, Random,
    Report, SearchControl, Side, TextError,
};
use ludus_games::go::{Go, GoMove};
use ludus_knowledge::go::leaf_evaluator::GoLeafEvaluator;
use ludus_players::{Resources, build_player, go::mcts_player::SCORE_SCALE};
use ludus_search::mcts::squash;
use serde_json::json;
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

/// File of the run's own games.
pub(super) const GAMES_FILE: &str = "games.txt";
const HEADING: &str = "games of ";
const FORMAT_NAME: &str = "file of games";
/// Games between two log entries.
const LOG_INTERVAL_GAMES: u64 = 100;

/// Plays the games of a run.
pub(crate) struct GoSelfPlay<'a> {
    pub plan: &'a SelfPlayPlan,
    /// Game options.
    pub options: &'a Options,
    /// Specification of the player.
    pub player: &'a str,
    /// Seed of everything random.
    pub seed: u64,
    /// Games played at once.
    pub threads: usize,
    /// Stop flag; games in progress are lost.
    pub stop: &'a AtomicBool,
}

impl GoSelfPlay<'_> {
    /// Plays the remaining games.
    pub fn play(&self, run: &mut Run<'_>) -> Result<(), TrainingError> {
        let (mut file, text) = run.folder.lines(GAMES_FILE)?;
        let path = run.folder.file(GAMES_FILE);
        let disk = |error| TrainingError::disk(&path, &error);
        let first = if text.is_empty() {
            file.append(format!("{HEADING}{}\n", self.options).as_bytes()).map_err(disk)?;
            0
        } else {
            parse_games(&text)?.games.len() as u64
        };
        let (started, mut number, total) = (Instant::now(), first, self.plan.games);
        let build = |player: &str| build_player::<Go>(player, &Resources::default());
        let make = || {
            let quick = self.plan.quick.as_deref().map(build).transpose()?;
            Ok(Players { player: build(self.player)?, quick })
        };
        let play = |players: &mut Players, number| self.game(players, number);
        in_order(first..total, self.threads, make, play, |moves: String| {
            let line = format!("{number} {moves}\n");
            number += 1;
            let seconds = started.elapsed().as_secs_f64();
            if number.is_multiple_of(LOG_INTERVAL_GAMES) || number == total {
                run.log(&json!({ "event": "games", "games": number, "seconds": seconds }))?;
            }
            file.append(line.as_bytes()).map_err(disk)?;
            let note = format!("{:.2} games/s", (number - first) as f64 / seconds.max(1e-9));
            run.progress(TrainingStage::SELF_PLAY, number, total, note);
            Ok(())
        })?;
        file.sync().map_err(disk)
    }

    /// Plays game `number` and returns its moves as text.
    fn game(&self, players: &mut Players, number: u64) -> Result<String, TrainingError> {
        let mut random = Random::new(self.seed).split(&format!("moves, game {number}"));
        players.player.new_game(random.bits());
        if let Some(quick) = &mut players.quick {
            quick.new_game(random.bits());
        }
        let mut game = History::new(Go::start(self.options)?);
        let mut texts = Vec::new();
        while Go::ending(&game).is_none() && game.moves().len() < self.plan.longest {
            let plies = game.moves().len();
            let (mv, report) = if plies < self.plan.random_plies {
                (random_move(game.last(), &mut random), Report::default())
            } else {
                let (player, is_quick) = match &mut players.quick {
                    Some(quick) if random.unit() >= self.plan.searched => (quick, true),
                    _ => (&mut players.player, false),
                };
                let Choice { action, mut report } = self.choose(player.as_mut(), &game)?;
                let mv = match action {
                    Action::Play(_) if plies < self.plan.random_plies + self.plan.varied_plies => {
                        sample_by_visits(&report, &mut random)
                    }
                    Action::Play(mv) => mv,
                    Action::Resign => break,
                };
                if is_quick {
                    report.moves.clear();
                }
                (mv, report)
            };
            let annotation =
                if self.plan.annotated { annotation(game.last(), &report) } else { String::new() };
            texts.push(game.last().move_text(mv) + &annotation);
            game.push(mv);
        }
        Ok(texts.join(" "))
    }

    fn choose(
        &self,
        player: &mut dyn Player<Go>,
        game: &History<Go>,
    ) -> Result<Choice<GoMove>, TrainingError> {
        let mut control = SearchControl { stop: self.stop, on_report: &mut |_| {} };
        let choice = player.choose(game, &Limits::default(), &mut control)?;
        // The result of a stopped search is not the one it would have come to.
        if self.stop.load(Ordering::Relaxed) { Err(TrainingError::Stopped) } else { Ok(choice) }
    }
}

/// Players of a game.
struct Players {
    player: Box<dyn Player<Go>>,
    quick: Option<Box<dyn Player<Go>>>,
}

/// Draws a move in proportion to its visits.
fn sample_by_visits(report: &Report<GoMove>, random: &mut Random) -> GoMove {
    let tries: u64 = report.moves.iter().map(|entry| entry.visits).sum();
    let mut left = random.below(tries.max(1) as usize) as u64;
    let drawn = report.moves.iter().find(|entry| match left.checked_sub(entry.visits) {
        Some(rest) => {
            left = rest;
            false
        }
        None => true,
    });
    drawn.map_or(report.line[0], |entry| entry.mv)
}

/// Annotation of a move by the search; empty without a score.
fn annotation(position: &Go, report: &Report<GoMove>) -> String {
    let Some(score) = report.score else { return String::new() };
    let chance = (squash(score, SCORE_SCALE) + 1.0) / 2.0;
    let mut text = format!(";{chance:.3}");
    for entry in report.moves.iter().filter(|entry| entry.visits > 0) {
        text += &format!(";{}:{}", position.move_text(entry.mv), entry.visits);
    }
    text
}

fn random_move(position: &Go, random: &mut Random) -> GoMove {
    let mut moves = Vec::new();
    GoLeafEvaluator::strong().moves(position, &mut moves);
    random.pick(&moves).unwrap_or(GoMove::Pass)
}

/// A file of games, their moves not parsed yet.
pub(crate) struct GoGameFile<'a> {
    /// Game options.
    pub options: Options,
    /// Moves of each game.
    pub games: Vec<&'a str>,
}

/// Splits a file into games.
pub(crate) fn parse_games(text: &str) -> Result<GoGameFile<'_>, TextError> {
    let heading = text.lines().next().and_then(|line| line.strip_prefix(HEADING));
    let Some(game) = heading else {
        return Err(TextError::at(FORMAT_NAME, text, 0, "games of go:size=9 or the like"));
    };
    let mut file = GoGameFile { options: Options::parse(game, Go::OPTIONS)?, games: Vec::new() };
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        if offset > 0 {
            let number = file.games.len();
            let (found, moves) = line.trim_end().split_once(' ').unwrap_or((line.trim_end(), ""));
            if found != number.to_string() {
                return Err(TextError::at(FORMAT_NAME, text, offset, format!("game {number}")));
            }
            file.games.push(moves);
        }
        offset += line.len();
    }
    Ok(file)
}

/// Whether the game of this number is held out, if this share of the games is; they are evenly
/// spread.
pub(crate) fn held_out(number: u64, part: f64) -> bool {
    let before = |number: u64| (number as f64 * part).floor();
    before(number + 1) > before(number)
}

/// Splits a move from its annotation, if it has one.
pub(crate) fn split_annotation(word: &str) -> (&str, &str) {
    word.split_once(';').unwrap_or((word, ""))
}

/// Winner of a finished game, by the board or by resignation of the side to move; `None` if the
/// game was stopped for its length.
pub(crate) fn winner(end: &Go, plies: usize, longest: usize) -> Option<Side> {
    match end.outcome() {
        Some(outcome) => outcome.winner(),
        None if plies < longest => Some(!end.turn()),
        None => None,
    }
}

/// Replays a game: calls `each` with the position before every move, the move and its ply.
pub(crate) fn replay(
    options: &Options,
    moves: &str,
    mut each: impl FnMut(&Go, GoMove, usize),
) -> Result<(), TextError> {
    let mut position = Go::start(options)?;
    for (ply, text) in moves.split_whitespace().enumerate() {
        let mv = position.parse_move(split_annotation(text).0)?;
        each(&position, mv, ply);
        position.play(mv);
    }
    Ok(())
}
