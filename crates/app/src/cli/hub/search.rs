//! One search, from `go` to `done`: the player thinks in a thread while this one writes its reports
//! and listens for `stop`, `ponder-hit` and `ping`.

use super::{error, send};
use crate::cli::command_lines::{CommandLines, Heard};
use ludus_core::{
    Action, Choice, History, Limits, Player, PlayerError, Position, Report, Score, Watch,
    ending::moves_to_end,
};
use ludus_formats::hub::Message;
use ludus_games::draughts::{Draughts, Move};
use ludus_players::external::hub::move_text;
use std::{
    collections::VecDeque,
    io::{self, Write},
    sync::{
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

/// What a search is for.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Mode {
    /// A move, or an analysis; both end by themselves or at `stop`.
    Think,
    /// The opponent is to move; time counts only from `ponder-hit` on.
    Ponder,
}

/// How often reports and input are looked at.
const GLANCE: Duration = Duration::from_millis(5);
/// Commands kept for later; beyond that the other program waits for us.
const MOST_WAITING: usize = 256;
/// The share of a clock that is left for a move after `ponder-hit`.
const MOVES_AHEAD: u32 = 30;

pub struct Search<'a, W> {
    pub game: &'a History<Draughts>,
    pub limits: Limits,
    pub mode: Mode,
    pub lines: &'a mut CommandLines,
    /// Where commands go that have to wait for the end of the search.
    pub waiting: &'a mut VecDeque<Vec<u8>>,
    pub out: &'a mut W,
}

impl<W: Write> Search<'_, W> {
    /// Lets `player` think and writes everything up to `done`.
    pub fn run(mut self, player: &mut dyn Player<Draughts>) -> io::Result<()> {
        let limits = match self.mode {
            Mode::Think => self.limits,
            Mode::Ponder => Limits { time: None, clock: None, ..self.limits },
        };
        let started = Instant::now();
        let stop = AtomicBool::new(false);
        let (sender, reports) = mpsc::channel();
        let game = self.game;
        let choice = thread::scope(|scope| {
            let stop_flag = &stop;
            let search = scope.spawn(move || {
                let mut send = |report: &Report<Move>| drop(sender.send(report.clone()));
                player.choose(game, &limits, &mut Watch { stop: stop_flag, on_report: &mut send })
            });
            let followed = self.follow(&reports, &stop, started);
            stop.store(true, Ordering::Relaxed);
            let choice = search
                .join()
                .unwrap_or_else(|_| Err(PlayerError::failed("the player stopped working")));
            followed.map(|()| choice)
        })?;
        self.finish(choice, started)
    }

    /// Writes reports and listens until the search ends.
    fn follow(
        &mut self,
        reports: &Receiver<Report<Move>>,
        stop: &AtomicBool,
        started: Instant,
    ) -> io::Result<()> {
        let mut deadline = None;
        loop {
            // The end of the search comes this way too: the move must not wait for the next look.
            match reports.recv_timeout(GLANCE) {
                Ok(report) => send(self.out, &self.info(&report, started))?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                stop.store(true, Ordering::Relaxed);
            }
            if self.waiting.len() >= MOST_WAITING || stop.load(Ordering::Relaxed) {
                continue;
            }
            match self.lines.wait(Duration::ZERO) {
                Heard::Nothing => {}
                Heard::End => stop.store(true, Ordering::Relaxed),
                Heard::Line(line) => {
                    let message = Message::read(&String::from_utf8_lossy(&line));
                    match message.as_ref().map(|message| message.name.as_str()) {
                        Some("stop") => stop.store(true, Ordering::Relaxed),
                        Some("ping") => send(self.out, &Message::new("pong"))?,
                        Some("ponder-hit") => deadline = self.time_for_move(),
                        Some("quit") => {
                            stop.store(true, Ordering::Relaxed);
                            self.waiting.push_back(line);
                        }
                        _ => self.waiting.push_back(line),
                    }
                }
            }
        }
    }

    /// When a search has to end that became a move of ours just now.
    fn time_for_move(&self) -> Option<Instant> {
        let share = self.limits.clock.map(|clock| {
            clock.remaining / clock.moves_to_go.unwrap_or(MOVES_AHEAD).clamp(1, MOVES_AHEAD)
        });
        self.limits.time.or(share).map(|time| Instant::now() + time)
    }

    fn finish(
        &mut self,
        choice: Result<Choice<Move>, PlayerError>,
        started: Instant,
    ) -> io::Result<()> {
        let choice = match choice {
            Ok(choice) => choice,
            Err(failure) => {
                send(self.out, &error(&failure.to_string()))?;
                return send(self.out, &Message::new("done"));
            }
        };
        send(self.out, &self.info(&choice.report, started))?;
        // The protocol knows no resignation: who gives up makes no move.
        let mut done = Message::new("done");
        if let Action::Play(mv) = choice.action {
            done = done.with("move", move_text(self.game.last(), mv));
            let expected = self.line(&choice.report).into_iter().nth(1);
            if let (Some(reply), true) = (expected, choice.report.line.first() == Some(&mv)) {
                done = done.with("ponder", reply);
            }
        }
        send(self.out, &done)
    }

    fn info(&self, report: &Report<Move>, started: Instant) -> Message {
        let seconds = started.elapsed().as_secs_f64();
        let mut info = Message::new("info").with("depth", report.depth);
        if let Some(score) = report.score {
            info = info.with("score", format!("{:.2}", men(score)));
        }
        let millions = report.nodes as f64 / seconds.max(1e-6) / 1e6;
        info.with("nodes", report.nodes)
            .with("time", format!("{seconds:.3}"))
            .with("nps", format!("{millions:.3}"))
            .with("pv", self.line(report).join(" "))
    }

    fn line(&self, report: &Report<Move>) -> Vec<String> {
        let mut position = *self.game.last();
        let length = moves_to_end(&mut self.game.clone(), &report.line);
        let moves = report.line[..length].iter().map(|&mv| {
            let text = move_text(&position, mv);
            position.play(mv);
            text
        });
        moves.collect()
    }
}

/// A score in men. As in Scan, a proven end in `n` plies is 100 less `n` hundredths, and nothing
/// else comes near it.
fn men(score: Score) -> f64 {
    match score.win_in() {
        Some(plies) if plies > 0 => 100.0 - f64::from(plies) / 100.0,
        Some(plies) => -100.0 - f64::from(plies) / 100.0,
        None => (f64::from(score.0) / 100.0).clamp(-89.0, 89.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_men_or_close_to_a_hundred() {
        assert_eq!(men(Score(150)), 1.5);
        assert_eq!(men(Score(Score::WIN.0 - 5)), 99.95);
        assert_eq!(men(Score(5 - Score::WIN.0)), -99.95);
        assert_eq!(men(Score::EVAL_MAX), 89.0);
    }
}
