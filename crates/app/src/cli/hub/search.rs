//! One search, from `go` to `done`: the player searches in a thread while this one writes its reports
//! and handles `stop`, `ponder-hit` and `ping`.

use super::{error, send};
use crate::cli::stdin_lines::{NextLine, StdinLines};
use ludus_core::{
    Action, Choice, History, Limits, Player, PlayerError, Position, Report, Score, SearchControl,
    ending::moves_to_end,
};
use ludus_formats::hub::HubMessage;
use ludus_games::draughts::{Draughts, DraughtsMove};
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

/// Mode of a search.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Mode {
    /// For a move or an analysis; ends by itself or at `stop`.
    Think,
    /// Pondering on the opponent's time; the clock starts at `ponder-hit`.
    Ponder,
}

/// Interval at which reports and input are polled.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// Maximum number of queued commands; beyond that the client's writes block.
const MAX_QUEUED_COMMANDS: usize = 256;
/// Assumed number of moves left on a clock without move limit, after `ponder-hit`.
const EXPECTED_MOVES_LEFT: u32 = 30;

pub struct HubSearch<'a, W> {
    pub game: &'a History<Draughts>,
    pub limits: Limits,
    pub mode: Mode,
    pub lines: &'a mut StdinLines,
    /// Commands to be processed after the search.
    pub queued: &'a mut VecDeque<Vec<u8>>,
    pub out: &'a mut W,
}

impl<W: Write> HubSearch<'_, W> {
    /// Searches with `player` and writes everything up to `done`.
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
                let mut send = |report: &Report<DraughtsMove>| drop(sender.send(report.clone()));
                player.choose(
                    game,
                    &limits,
                    &mut SearchControl { stop: stop_flag, on_report: &mut send },
                )
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

    /// Writes reports and handles input until the search ends.
    fn follow(
        &mut self,
        reports: &Receiver<Report<DraughtsMove>>,
        stop: &AtomicBool,
        started: Instant,
    ) -> io::Result<()> {
        let mut deadline = None;
        loop {
            // Also wakes up at the end of the search, so that the move is sent at once.
            match reports.recv_timeout(POLL_INTERVAL) {
                Ok(report) => send(self.out, &self.info(&report, started))?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                stop.store(true, Ordering::Relaxed);
            }
            if self.queued.len() >= MAX_QUEUED_COMMANDS || stop.load(Ordering::Relaxed) {
                continue;
            }
            match self.lines.next_within(Duration::ZERO) {
                NextLine::Pending => {}
                NextLine::End => stop.store(true, Ordering::Relaxed),
                NextLine::Line(line) => {
                    let message = HubMessage::read(&String::from_utf8_lossy(&line));
                    match message.as_ref().map(|message| message.name.as_str()) {
                        Some("stop") => stop.store(true, Ordering::Relaxed),
                        Some("ping") => send(self.out, &HubMessage::new("pong"))?,
                        Some("ponder-hit") => deadline = self.move_deadline(),
                        Some("quit") => {
                            stop.store(true, Ordering::Relaxed);
                            self.queued.push_back(line);
                        }
                        _ => self.queued.push_back(line),
                    }
                }
            }
        }
    }

    /// Deadline of a ponder search that just became a normal one.
    fn move_deadline(&self) -> Option<Instant> {
        let share = self.limits.clock.map(|clock| {
            clock.remaining
                / clock.moves_to_go.unwrap_or(EXPECTED_MOVES_LEFT).clamp(1, EXPECTED_MOVES_LEFT)
        });
        self.limits.time.or(share).map(|time| Instant::now() + time)
    }

    fn finish(
        &mut self,
        choice: Result<Choice<DraughtsMove>, PlayerError>,
        started: Instant,
    ) -> io::Result<()> {
        let choice = match choice {
            Ok(choice) => choice,
            Err(failure) => {
                send(self.out, &error(&failure.to_string()))?;
                return send(self.out, &HubMessage::new("done"));
            }
        };
        send(self.out, &self.info(&choice.report, started))?;
        // The protocol has no resignation: reply without a move.
        let mut done = HubMessage::new("done");
        if let Action::Play(mv) = choice.action {
            done = done.with("move", move_text(self.game.last(), mv));
            let expected = self.line(&choice.report).into_iter().nth(1);
            if let (Some(reply), true) = (expected, choice.report.line.first() == Some(&mv)) {
                done = done.with("ponder", reply);
            }
        }
        send(self.out, &done)
    }

    fn info(&self, report: &Report<DraughtsMove>, started: Instant) -> HubMessage {
        let seconds = started.elapsed().as_secs_f64();
        let mut info = HubMessage::new("info").with("depth", report.depth);
        if let Some(score) = report.score {
            info = info.with("score", format!("{:.2}", men(score)));
        }
        let millions = report.nodes as f64 / seconds.max(1e-6) / 1e6;
        info.with("nodes", report.nodes)
            .with("time", format!("{seconds:.3}"))
            .with("nps", format!("{millions:.3}"))
            .with("pv", self.line(report).join(" "))
    }

    fn line(&self, report: &Report<DraughtsMove>) -> Vec<String> {
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

/// A score in men. As in Scan, a proven win in `n` plies is 100 minus `n` hundredths, and other scores
/// stay well below.
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
