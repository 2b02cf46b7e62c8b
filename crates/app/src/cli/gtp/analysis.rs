//! Streaming analysis: lines are written during the search, and any input stops it.
//!
//! The lines are those of Leela Zero's `lz-analyze`: `info move D4 visits 10 winrate 5210 order 0
//! pv D4 Q16 info move …`, all on one line, best move first.

use super::{Engine, commands::colour, one_line};
use crate::cli::stdin_lines::{NextLine, StdinLines};
use ludus_core::{
    Choice, MoveReport, Player, PlayerError, Position, Report, Score, SearchControl, Side,
};
use ludus_formats::gtp::{Vertex, open_response};
use ludus_games::go::{Go, GoMove};
use ludus_players::go::mcts_player::SCORE_SCALE;
use ludus_search::mcts::squash;
use std::{
    cmp::Reverse,
    io::{self, Write},
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

/// Purpose of an analysis.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Purpose {
    /// Analysis only; ends with the next input.
    Analyze,
    /// Search for a move, which is then played; input only stops the search.
    GenMove,
}

/// Interval at which input is polled.
const POLL_INTERVAL: Duration = Duration::from_millis(10);
/// Default number of moves to report, best first.
const DEFAULT_MAX_MOVES: usize = 20;

/// One analysis with its input and output.
pub struct AnalysisStream<'a, W> {
    pub id: Option<u32>,
    pub purpose: Purpose,
    pub lines: &'a mut StdinLines,
    pub out: &'a mut W,
}

/// Arguments of an analysis command.
struct AnalysisRequest {
    side: Side,
    interval: Duration,
    /// Maximum number of moves to report.
    moves: usize,
}

/// Parses a colour, an interval in hundredths of a second and `maxmoves` in any order; other known
/// arguments are ignored.
fn read_request(arguments: &[String], turn: Side) -> Result<AnalysisRequest, String> {
    let mut request =
        AnalysisRequest { side: turn, interval: Duration::from_secs(1), moves: DEFAULT_MAX_MOVES };
    let mut before = "";
    for (index, word) in arguments.iter().enumerate() {
        let option = std::mem::replace(&mut before, word);
        if option == "maxmoves" {
            let moves = word.parse().ok().filter(|moves| *moves > 0);
            request.moves = moves.ok_or("maxmoves needs a number of at least 1")?;
        } else if option == "minmoves" {
            // Ignored: all known moves are reported.
        } else if let Ok(side) = colour(arguments, index) {
            request.side = side;
        } else if let Ok(hundredths) = word.parse::<u32>() {
            request.interval = Duration::from_millis(10 * u64::from(hundredths));
        } else if index == 0 && !["interval", "maxmoves", "minmoves"].contains(&word.as_str()) {
            return Err("syntax error".to_owned());
        }
    }
    Ok(request)
}

impl<W: Write> AnalysisStream<'_, W> {
    /// Writes the whole response, or returns an error message instead.
    pub fn run(mut self, engine: &mut Engine, arguments: &[String]) -> io::Result<Option<String>> {
        let request = match read_request(arguments, engine.game.position().turn()) {
            Ok(request) => request,
            Err(error) => return Ok(Some(error)),
        };
        let started = Instant::now();
        write!(self.out, "{}", open_response(self.id))?;
        self.out.flush()?;
        let choice = self.run_search(engine, &request)?;
        match choice {
            // The response has started, so it cannot become a failure.
            Err(error) => writeln!(self.out, "error {}", one_line(&error))?,
            Ok(choice) if self.purpose == Purpose::GenMove => {
                match engine.play_choice(request.side, choice.action, started) {
                    Ok(vertex) => writeln!(self.out, "play {vertex}")?,
                    Err(error) => writeln!(self.out, "error {error}")?,
                }
            }
            Ok(_) => {}
        }
        writeln!(self.out)?;
        Ok(None)
    }

    /// Searches in a thread while this one writes the reports and polls the input.
    fn run_search(
        &mut self,
        engine: &mut Engine,
        request: &AnalysisRequest,
    ) -> io::Result<Result<Choice<GoMove>, PlayerError>> {
        let limits = engine.limits(request.side);
        let game = engine.game.history_for(request.side);
        let size = game.last().board().size();
        let formatter = InfoFormatter { size, root: game.last(), moves: request.moves };
        // A move is searched as in any game; an analysis has as many lines as requested.
        let lines = if self.purpose == Purpose::GenMove { 1 } else { request.moves };
        let player: &mut dyn Player<Go> = &mut *engine.player;
        let stop = AtomicBool::new(false);
        let (sender, reports) = mpsc::channel();
        thread::scope(|scope| {
            let (stop_flag, game) = (&stop, &*game);
            let search = scope.spawn(move || {
                let mut send = |report: &Report<GoMove>| drop(sender.send(report.clone()));
                let mut control = SearchControl { stop: stop_flag, on_report: &mut send };
                match player.analyze(game, &limits, lines, &mut control) {
                    Err(PlayerError::Input(_)) if lines > 1 => {
                        player.choose(game, &limits, &mut control)
                    }
                    choice => choice,
                }
            });
            let followed = self.follow(&reports, request.interval, &stop, &formatter);
            stop.store(true, Ordering::Relaxed);
            let choice = search
                .join()
                .unwrap_or_else(|_| Err(PlayerError::failed("the player stopped working")));
            let shown = followed?;
            if let (false, Ok(choice)) = (shown, &choice) {
                self.write_info(&formatter, &choice.report)?;
            }
            if self.purpose == Purpose::Analyze && choice.is_ok() {
                self.await_input();
            }
            Ok(choice)
        })
    }

    /// Writes a report at most every `interval` until the search ends or input arrives. Returns whether
    /// anything was written.
    fn follow(
        &mut self,
        reports: &Receiver<Report<GoMove>>,
        interval: Duration,
        stop: &AtomicBool,
        formatter: &InfoFormatter<'_>,
    ) -> io::Result<bool> {
        let (mut latest, mut written, mut shown) = (None, Instant::now(), false);
        loop {
            match reports.recv_timeout(POLL_INTERVAL) {
                Ok(report) => latest = Some(report),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if written.elapsed() >= interval
                && let Some(report) = latest.take()
            {
                self.write_info(formatter, &report)?;
                (written, shown) = (Instant::now(), true);
            }
            if self.has_input() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        if let Some(report) = latest {
            self.write_info(formatter, &report)?;
            shown = true;
        }
        Ok(shown)
    }

    fn has_input(&mut self) -> bool {
        match self.lines.next_within(Duration::ZERO) {
            NextLine::Pending => false,
            NextLine::End => true,
            NextLine::Line(line) => {
                self.lines.push_back(line);
                true
            }
        }
    }

    /// After the end of a search, the response stays open until the next input.
    fn await_input(&mut self) {
        if let Some(line) = self.lines.next() {
            self.lines.push_back(line);
        }
    }

    fn write_info(
        &mut self,
        formatter: &InfoFormatter<'_>,
        report: &Report<GoMove>,
    ) -> io::Result<()> {
        writeln!(self.out, "{}", formatter.info(report))?;
        self.out.flush()
    }
}

/// Formats reports as `info` lines.
struct InfoFormatter<'a> {
    size: usize,
    root: &'a Go,
    /// Maximum number of moves.
    moves: usize,
}

impl InfoFormatter<'_> {
    fn vertex(&self, mv: GoMove) -> Vertex {
        match mv {
            GoMove::Pass => Vertex::Pass,
            GoMove::Play(point) => {
                let (row, column) = self.root.board().row_column(point);
                Vertex::Point { column, row: self.size - 1 - row }
            }
        }
    }

    fn info(&self, report: &Report<GoMove>) -> String {
        let mut moves: Vec<MoveReport<GoMove>> = report.moves.clone();
        let best = report.line.first().copied();
        moves.sort_by_key(|entry| {
            let rank = ranked_line(report, entry.mv).map_or(usize::MAX, |(rank, _)| rank);
            (rank, Reverse((Some(entry.mv) == best, entry.visits, entry.score)))
        });
        if let (Some(mv), true) = (best, moves.is_empty()) {
            moves.push(MoveReport { mv, score: report.score, visits: 0 });
        }
        // In Go only players with playouts count visits.
        let plays_out = report.moves.iter().any(|entry| entry.visits > 0);
        let entries = moves.iter().take(self.moves).enumerate().map(|(order, entry)| {
            let line = match ranked_line(report, entry.mv) {
                Some((_, line)) => line,
                None if order == 0 => &report.line,
                None => std::slice::from_ref(&entry.mv),
            };
            let line: Vec<String> = line.iter().map(|&mv| self.vertex(mv).to_string()).collect();
            let score = entry.score.unwrap_or_default();
            let (winrate, lead) = if plays_out {
                (chance(score), String::new())
            } else {
                (winrate(score), format!(" scoreLead {:.2}", f64::from(score.0) / 100.0))
            };
            format!(
                "info move {} visits {} winrate {winrate}{lead} order {order} pv {}",
                self.vertex(entry.mv),
                entry.visits,
                line.join(" ")
            )
        });
        entries.collect::<Vec<_>>().join(" ")
    }
}

/// The rank and the line that starts with `mv`, if there are several lines.
fn ranked_line(report: &Report<GoMove>, mv: GoMove) -> Option<(usize, &[GoMove])> {
    let rank = report.lines.iter().position(|ranked| ranked.line.first() == Some(&mv))?;
    Some((rank, &report.lines[rank].line))
}

/// Win rate in hundredths of a percent, from the score of a player with playouts, which is a mean
/// result.
fn chance(score: Score) -> i32 {
    per_ten_thousand(score, |score| f64::from(squash(score, SCORE_SCALE)))
}

/// Win rate from a score in points. Points are no probabilities: this only maps them to the range, with
/// a lead of ten points at 75 %.
fn winrate(score: Score) -> i32 {
    per_ten_thousand(score, |score| {
        let points = f64::from(score.0) / 100.0;
        points / (10.0 + points.abs())
    })
}

fn per_ten_thousand(score: Score, value: impl Fn(Score) -> f64) -> i32 {
    match score.win_in() {
        Some(plies) if plies > 0 => 10_000,
        Some(_) => 0,
        None => (5000.0 + 5000.0 * value(score)).round() as i32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_search::mcts::stretch;

    #[test]
    fn scores_become_chances_in_order() {
        let scores = [Score(-Score::WIN.0 + 3), Score(-1000), Score(0), Score(1000), Score(30_997)];
        assert_eq!(scores.map(winrate), [0, 2500, 5000, 7500, 10_000]);
        // Scores are whole hundredths, which costs one digit of precision.
        for (mean, expected) in [(-0.9, 500), (0.0, 5000), (0.5, 7500), (0.9, 9500_i32)] {
            let found = chance(stretch(mean, SCORE_SCALE));
            assert!(found.abs_diff(expected) < 5, "{found}");
        }
    }

    #[test]
    fn requests_are_read_in_any_order() {
        let request = |text: &str| {
            let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            read_request(&words, Side::First)
        };
        let both = request("W 50").ok().unwrap();
        assert_eq!((both.side, both.interval), (Side::Second, Duration::from_millis(500)));
        assert_eq!(request("interval 20").ok().unwrap().interval, Duration::from_millis(200));
        assert_eq!(request("").ok().unwrap().side, Side::First);
        let few = request("b 20 minmoves 2 maxmoves 5").ok().unwrap();
        assert_eq!((few.moves, few.interval), (5, Duration::from_millis(200)));
        assert_eq!(request("maxmoves 3").ok().unwrap().interval, Duration::from_secs(1));
        assert!(request("maxmoves none").is_err() && request("maxmoves 0").is_err());
        assert!(request("nonsense").is_err());
    }
}
