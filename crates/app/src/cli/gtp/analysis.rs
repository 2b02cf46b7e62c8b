//! Analysis that streams: lines come while the player thinks, and any input ends it.
//!
//! The lines are those of Leela Zero's `lz-analyze`: `info move D4 visits 10 winrate 5210 order 0
//! pv D4 Q16 info move …`, all on one line, best move first.

use super::{Engine, commands::color, one_line};
use crate::cli::command_lines::{CommandLines, Heard};
use ludus_core::{Choice, MoveReport, Player, PlayerError, Position, Report, Score, Side, Watch};
use ludus_formats::gtp::{Vertex, open_response};
use ludus_games::go::{Go, Move};
use ludus_players::go_search::SCALE;
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

/// What an analysis is for.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Purpose {
    /// To look at; it ends with the next input.
    Look,
    /// To make the move it finds; input only hurries it.
    Move,
}

/// How often the input is looked at.
const GLANCE: Duration = Duration::from_millis(10);
/// Moves reported, best first.
const SHOWN: usize = 20;

/// One analysis and where it goes.
pub struct Analyst<'a, W> {
    pub id: Option<u32>,
    pub purpose: Purpose,
    pub lines: &'a mut CommandLines,
    pub out: &'a mut W,
}

/// What the arguments ask for.
struct Request {
    side: Side,
    interval: Duration,
    /// Moves to tell of at most.
    moves: usize,
}

/// Reads a colour, an interval in hundredths of a second and `maxmoves` in any order; what else other
/// engines understand is ignored.
fn read_request(arguments: &[String], turn: Side) -> Result<Request, String> {
    let mut request = Request { side: turn, interval: Duration::from_secs(1), moves: SHOWN };
    let mut before = "";
    for (index, word) in arguments.iter().enumerate() {
        let option = std::mem::replace(&mut before, word);
        if option == "maxmoves" {
            let moves = word.parse().ok().filter(|moves| *moves > 0);
            request.moves = moves.ok_or("maxmoves wants a number from 1 on")?;
        } else if option == "minmoves" {
            // All that are known are told of.
        } else if let Ok(side) = color(arguments, index) {
            request.side = side;
        } else if let Ok(hundredths) = word.parse::<u32>() {
            request.interval = Duration::from_millis(10 * u64::from(hundredths));
        } else if index == 0 && !["interval", "maxmoves", "minmoves"].contains(&word.as_str()) {
            return Err("syntax error".to_owned());
        }
    }
    Ok(request)
}

impl<W: Write> Analyst<'_, W> {
    /// Writes the whole response, or returns why there is none to write.
    pub fn run(mut self, engine: &mut Engine, arguments: &[String]) -> io::Result<Option<String>> {
        let request = match read_request(arguments, engine.game.position().turn()) {
            Ok(request) => request,
            Err(error) => return Ok(Some(error)),
        };
        let started = Instant::now();
        write!(self.out, "{}", open_response(self.id))?;
        self.out.flush()?;
        let choice = self.think(engine, &request)?;
        match choice {
            // The response has begun, so it cannot turn into a failure any more.
            Err(error) => writeln!(self.out, "error {}", one_line(&error))?,
            Ok(choice) if self.purpose == Purpose::Move => {
                match engine.perform(request.side, choice.action, started) {
                    Ok(vertex) => writeln!(self.out, "play {vertex}")?,
                    Err(error) => writeln!(self.out, "error {error}")?,
                }
            }
            Ok(_) => {}
        }
        writeln!(self.out)?;
        Ok(None)
    }

    /// Lets the player think in a thread while this one writes its reports and watches the input.
    fn think(
        &mut self,
        engine: &mut Engine,
        request: &Request,
    ) -> io::Result<Result<Choice<Move>, PlayerError>> {
        let limits = engine.limits(request.side);
        let game = engine.game.seen_by(request.side);
        let size = game.last().board().size();
        let words = Words { size, root: game.last(), moves: request.moves };
        // Whoever makes a move decides as in any game; a look tells of as many moves as wanted.
        let lines = if self.purpose == Purpose::Move { 1 } else { request.moves };
        let player: &mut dyn Player<Go> = &mut *engine.player;
        let stop = AtomicBool::new(false);
        let (sender, reports) = mpsc::channel();
        thread::scope(|scope| {
            let (stop_flag, game) = (&stop, &*game);
            let search = scope.spawn(move || {
                let mut send = |report: &Report<Move>| drop(sender.send(report.clone()));
                let mut watch = Watch { stop: stop_flag, on_report: &mut send };
                match player.analyze(game, &limits, lines, &mut watch) {
                    Err(PlayerError::Input(_)) if lines > 1 => {
                        player.choose(game, &limits, &mut watch)
                    }
                    choice => choice,
                }
            });
            let followed = self.follow(&reports, request.interval, &stop, &words);
            stop.store(true, Ordering::Relaxed);
            let choice = search
                .join()
                .unwrap_or_else(|_| Err(PlayerError::failed("the player stopped working")));
            let shown = followed?;
            if let (false, Ok(choice)) = (shown, &choice) {
                self.write_info(&words, &choice.report)?;
            }
            if self.purpose == Purpose::Look && choice.is_ok() {
                self.await_input();
            }
            Ok(choice)
        })
    }

    /// Writes a report at most every `interval` until the search ends or input comes. Whether
    /// anything was written.
    fn follow(
        &mut self,
        reports: &Receiver<Report<Move>>,
        interval: Duration,
        stop: &AtomicBool,
        words: &Words<'_>,
    ) -> io::Result<bool> {
        let (mut latest, mut written, mut shown) = (None, Instant::now(), false);
        loop {
            match reports.recv_timeout(GLANCE) {
                Ok(report) => latest = Some(report),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if written.elapsed() >= interval
                && let Some(report) = latest.take()
            {
                self.write_info(words, &report)?;
                (written, shown) = (Instant::now(), true);
            }
            if self.has_input() {
                stop.store(true, Ordering::Relaxed);
            }
        }
        if let Some(report) = latest {
            self.write_info(words, &report)?;
            shown = true;
        }
        Ok(shown)
    }

    fn has_input(&mut self) -> bool {
        match self.lines.wait(Duration::ZERO) {
            Heard::Nothing => false,
            Heard::End => true,
            Heard::Line(line) => {
                self.lines.give_back(line);
                true
            }
        }
    }

    /// A search that ended by itself leaves its last word standing until somebody speaks.
    fn await_input(&mut self) {
        if let Some(line) = self.lines.next() {
            self.lines.give_back(line);
        }
    }

    fn write_info(&mut self, words: &Words<'_>, report: &Report<Move>) -> io::Result<()> {
        writeln!(self.out, "{}", words.info(report))?;
        self.out.flush()
    }
}

/// Puts reports into words.
struct Words<'a> {
    size: usize,
    root: &'a Go,
    /// Moves told of at most.
    moves: usize,
}

impl Words<'_> {
    fn vertex(&self, mv: Move) -> Vertex {
        match mv {
            Move::Pass => Vertex::Pass,
            Move::Play(point) => {
                let (row, column) = self.root.board().row_column(point);
                Vertex::Point { column, row: self.size - 1 - row }
            }
        }
    }

    fn info(&self, report: &Report<Move>) -> String {
        let mut moves: Vec<MoveReport<Move>> = report.moves.clone();
        let best = report.line.first().copied();
        moves.sort_by_key(|entry| {
            let rank = line_of(report, entry.mv).map_or(usize::MAX, |(rank, _)| rank);
            (rank, Reverse((Some(entry.mv) == best, entry.visits, entry.score)))
        });
        if let (Some(mv), true) = (best, moves.is_empty()) {
            moves.push(MoveReport { mv, score: report.score, visits: 0 });
        }
        // Only who plays games out counts visits in Go.
        let plays_out = report.moves.iter().any(|entry| entry.visits > 0);
        let entries = moves.iter().take(self.moves).enumerate().map(|(order, entry)| {
            let line = match line_of(report, entry.mv) {
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

/// The line that begins with `mv`, and its rank, if it is one of several.
fn line_of(report: &Report<Move>, mv: Move) -> Option<(usize, &[Move])> {
    let rank = report.lines.iter().position(|ranked| ranked.line.first() == Some(&mv))?;
    Some((rank, &report.lines[rank].line))
}

/// The chance to win in hundredths of a percent, from the score of a player that plays games out:
/// its mean result.
fn chance(score: Score) -> i32 {
    of_score(score, |score| f64::from(squash(score, SCALE)))
}

/// The same from a score in points. Points are not chances: this only brings them into the range a
/// display wants, half of the way to a win at ten points ahead.
fn winrate(score: Score) -> i32 {
    of_score(score, |score| {
        let points = f64::from(score.0) / 100.0;
        points / (10.0 + points.abs())
    })
}

fn of_score(score: Score, value: impl Fn(Score) -> f64) -> i32 {
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
        // Scores are whole hundredths, which costs a chance a digit.
        for (mean, expected) in [(-0.9, 500), (0.0, 5000), (0.5, 7500), (0.9, 9500_i32)] {
            let found = chance(stretch(mean, SCALE));
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
