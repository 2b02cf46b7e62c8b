//! `gtp`: any Go engine that speaks the Go Text Protocol, such as GNU Go.
//!
//! The engine starts when the player is built, so that a wrong path is found before the first game.
//! It keeps the game on its own board: before every move only new moves are sent, moves are undone, or
//! the board is cleared. Stones set up before the first move are played one by one.
//!
//! Rules: an engine with `kata-set-rules` is sent ours. Others take them from their arguments; for
//! GNU Go our default rules are `args=--mode gtp --chinese-rules --positional-superko
//! --capture-all-dead`, the last because we count all stones as alive: dead ones must be captured
//! before the passes. A move that breaks our rules is a fault, whatever rules the engine uses.
//!
//! Randomness: an engine with `set_random_seed`, as GNU Go has, is sent the seed of every game, so
//! that games are reproducible and still differ from each other.
//!
//! Time: the protocol counts whole seconds and has no increment, so a time a move, a clock with an
//! increment and the last seconds of one without are sent as Canadian periods: a number of stones in a
//! number of seconds, a stone never less than its fair share and at most a hundredth more (`gtp_time`).
//! An engine with `kata-time_settings` is sent fractions and increments. In every case our clock
//! decides.

use super::timing::{EngineTimes, GRACE, LOG, PATIENCE};
use super::{
    gtp_time::{TimeDialect, TimeKind, time_commands},
    process::{EngineProcess, SendTime},
    program::Program,
};
use crate::{
    PlayerRecipe,
    settings::{self, text},
};
use ludus_core::{
    Action, Choice, Clock, Fault, History, Limits, Notation, OptionSpec, Options, Player,
    PlayerError, Position, Report, SearchControl, Side, TextError,
};
use ludus_formats::gtp::{GtpResponse, GtpResponseReader, Vertex};
use ludus_games::go::{
    Go, GoMove,
    rules::{GoRules, Ko, Scoring},
};
use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

const OPTIONS: &[OptionSpec] = &[
    text("path", "gnugo", "the program of the engine"),
    text("args", "--mode gtp", "its arguments, split at spaces"),
    text("time", "", "time a move, such as 2s, instead of the caller's limit"),
    text(
        "overhead",
        "0ms",
        "subtracted from the time it is given; the communication time is not charged",
    ),
    text("handshake", "10s", "time limit for starting and for every command but a move"),
    GRACE,
    PATIENCE,
    LOG,
];

/// Largest number of moves to undo; beyond it the board is cleared.
const MAX_UNDONE_MOVES: usize = 4;

pub fn recipe() -> PlayerRecipe<Go> {
    PlayerRecipe {
        id: "gtp",
        about: "an external Go engine, by the Go Text Protocol (GTP)",
        options: OPTIONS,
        build_traced: None,
        build: |options, _| Ok(Box::new(GtpPlayer::new(options)?)),
    }
}

struct GtpPlayer {
    engine: EngineProcess,
    settings: Settings,
    /// Its name, as it reports it.
    name: String,
    /// The commands it supports.
    commands: Vec<String>,
    /// The id of the last command.
    id: u32,
    /// The random seed of this game.
    seed: Option<u64>,
    /// The game on its board, if known.
    board: Option<EngineBoard>,
    /// An error between two moves, to be returned at the next.
    pending_error: Option<PlayerError>,
}

struct Settings {
    time: Option<Duration>,
    times: EngineTimes,
}

/// The game on the board of an engine.
struct EngineBoard {
    start: Go,
    moves: Vec<GoMove>,
    /// The kind of time limit it was sent.
    time: Option<TimeKind>,
}

impl GtpPlayer {
    fn new(options: &Options) -> Result<GtpPlayer, PlayerError> {
        let program = Program::new(options.text("path"), options.text("args"), options.text("log"));
        let settings =
            Settings { time: settings::time(options, "time")?, times: EngineTimes::new(options)? };
        let mut player = GtpPlayer {
            name: program.name().to_owned(),
            engine: EngineProcess::new(program),
            settings,
            commands: Vec::new(),
            id: 0,
            seed: None,
            board: None,
            pending_error: None,
        };
        player.make_ready()?;
        Ok(player)
    }

    /// Starts the engine if it is not running.
    fn make_ready(&mut self) -> Result<(), PlayerError> {
        if self.engine.is_running() {
            return Ok(());
        }
        self.board = None;
        self.engine.start()?;
        let result = self.handshake();
        if result.is_err() {
            self.engine.stop();
        }
        result
    }

    fn handshake(&mut self) -> Result<(), PlayerError> {
        let version = self.expect_success("protocol_version")?;
        if version.trim() != "2" {
            let what = format!("it speaks version {version:?} of the protocol, not 2");
            return Err(self.engine.fault(Fault::Protocol, &what));
        }
        let name = format!("{} {}", self.expect_success("name")?, self.expect_success("version")?);
        self.name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        self.commands =
            self.expect_success("list_commands")?.split_whitespace().map(str::to_owned).collect();
        Ok(())
    }

    fn supports(&self, command: &str) -> bool {
        self.commands.iter().any(|known| known == command)
    }

    /// Sends a command.
    fn send(&mut self, command: &str) -> Result<SendTime, PlayerError> {
        self.id = (self.id + 1) % (1 << 31);
        self.engine.ask(&format!("{} {command}", self.id))?;
        Ok(self.engine.last_send_time())
    }

    /// Waits for the response to the last command; `None` as soon as `stop` is set.
    fn read_response(
        &mut self,
        deadline: Instant,
        stop: &AtomicBool,
    ) -> Result<Option<Result<String, String>>, PlayerError> {
        let mut reader = GtpResponseReader::new();
        loop {
            let Some(line) = self.engine.read_line_unless(Some(deadline), stop)? else {
                return Ok(None);
            };
            if let Some(GtpResponse { id, result }) = reader.line(&line)
                && id == Some(self.id)
            {
                return Ok(Some(result));
            }
        }
    }

    /// The response to a command that needs no thinking.
    fn request(&mut self, command: &str) -> Result<Result<String, String>, PlayerError> {
        self.send(command)?;
        let deadline = Instant::now() + self.settings.times.handshake_timeout;
        let never = AtomicBool::new(false);
        let response = self.read_response(deadline, &never)?;
        Ok(response.unwrap_or_else(|| Err("interrupted".to_owned())))
    }

    /// The response to a command that may not fail.
    fn expect_success(&mut self, command: &str) -> Result<String, PlayerError> {
        self.request(command)?.map_err(|error| {
            let what = format!("it refused {command:?}: {error}");
            self.engine.fault(Fault::Protocol, &what)
        })
    }

    /// Brings the engine's board to the last position of `game`.
    fn set_up(&mut self, game: &History<Go>) -> Result<(), PlayerError> {
        let undone = self
            .board
            .take()
            .and_then(|board| self.moves_to_undo(&board, game).map(|n| (board, n)));
        let mut board = match undone {
            Some((mut board, undone)) => {
                for _ in 0..undone {
                    self.expect_success("undo")?;
                    board.moves.pop();
                }
                board
            }
            None => self.clear_board(game.start())?,
        };
        let known = board.moves.len();
        for (position, &mv) in game.positions().iter().zip(game.moves()).skip(known) {
            self.expect_success(&play_command(position, position.turn(), mv))?;
            board.moves.push(mv);
        }
        self.board = Some(board);
        Ok(())
    }

    /// The number of moves to undo until the engine's game is a part of `game`; `None` if its board has to
    /// be cleared.
    fn moves_to_undo(&self, board: &EngineBoard, game: &History<Go>) -> Option<usize> {
        let common =
            board.moves.iter().zip(game.moves()).take_while(|(old, new)| old == new).count();
        let undone = board.moves.len() - common;
        let can_undo = undone == 0 || undone <= MAX_UNDONE_MOVES && self.supports("undo");
        (board.start == *game.start() && can_undo).then_some(undone)
    }

    fn clear_board(&mut self, start: &Go) -> Result<EngineBoard, PlayerError> {
        let size = start.board().size();
        self.request_setting(&format!("boardsize {size}"), "board size", &size.to_string())?;
        self.expect_success("clear_board")?;
        if let Some(seed) = self.seed.filter(|_| self.supports("set_random_seed")) {
            // Positive, and small enough for the integers of any engine.
            self.expect_success(&format!("set_random_seed {}", seed % (1 << 31)))?;
        }
        let komi = start.rules().komi().to_string();
        self.request_setting(&format!("komi {komi}"), "komi", &komi)?;
        if self.supports("kata-set-rules") {
            let rules = rules_text(start.rules());
            self.request_setting(&format!("kata-set-rules {rules}"), "rules", &rules)?;
        }
        for side in Side::BOTH {
            let board = start.board();
            for point in board.points().filter(|&point| board.stone(point) == Some(side)) {
                self.expect_success(&play_command(start, side, GoMove::Play(point)))?;
            }
        }
        Ok(EngineBoard { start: start.clone(), moves: Vec::new(), time: None })
    }

    /// Sends a command that an engine may refuse, which is then an error in the user's input.
    fn request_setting(
        &mut self,
        command: &str,
        what: &str,
        value: &str,
    ) -> Result<(), PlayerError> {
        match self.request(command)? {
            Ok(_) => Ok(()),
            Err(error) => {
                let what = format!("{what} for {}", self.name);
                let expected = format!("one the engine accepts; it says {error:?}");
                Err(TextError::whole(&what, value, expected).into())
            }
        }
    }

    /// Sends the time limit; returns the longest time the engine may take for one move.
    fn send_time(&mut self, side: Side, limits: &Limits) -> Result<Option<Duration>, PlayerError> {
        let dialect = match self.supports("kata-time_settings") {
            true => TimeDialect::Kata,
            false => TimeDialect::Standard,
        };
        let given = Limits {
            time: limits.time.map(|time| time.saturating_sub(self.settings.times.overhead)),
            clock: limits.clock.map(|clock| Clock {
                remaining: clock.remaining.saturating_sub(self.settings.times.overhead),
                ..clock
            }),
            ..*limits
        };
        let Some(time) = time_commands(colour(side), &given, dialect) else { return Ok(None) };
        let sent_kind = self.board.as_ref().and_then(|board| board.time);
        let has_time_left = self.supports("time_left");
        if (sent_kind != Some(time.kind) || !has_time_left)
            && self.supports(dialect.settings_command())
        {
            // Some engines refuse it in the middle of a game, but still accept `time_left`.
            let _ = self.request(&time.settings)?;
            if let Some(board) = &mut self.board {
                board.time = Some(time.kind);
            }
        }
        if has_time_left {
            let _ = self.request(&time.left)?;
        }
        // A command that needs no thinking, to measure the round trip.
        let sent = self.send("protocol_version")?;
        let never = AtomicBool::new(false);
        self.read_response(Instant::now() + self.settings.times.handshake_timeout, &never)?;
        self.engine.record_round_trip(&sent);
        Ok(Some(time.max_for_move))
    }

    /// Requests a move and waits for it.
    fn think(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        control: &SearchControl<'_, GoMove>,
    ) -> Result<Choice<GoMove>, PlayerError> {
        let limits = Limits { time: self.settings.time.or(limits.time), ..*limits };
        let side = game.last().turn();
        self.set_up(game)?;
        let max_for_move = self.send_time(side, &limits)?;
        let deadline = Instant::now() + self.max_wait(&limits, max_for_move);
        let sent = self.send(&format!("genmove {}", colour(side)))?;
        match self.read_response(deadline, control.stop)? {
            Some(Ok(text)) => {
                let time = Some(self.engine.charged_time(&sent));
                let mut choice = self.choice(game.last(), text.trim())?;
                choice.report.time = time;
                Ok(choice)
            }
            Some(Err(error)) => {
                let what = format!("it did not move: {error}");
                Err(self.engine.fault(Fault::Protocol, &what))
            }
            None => {
                // The protocol cannot interrupt a move, so the engine is ended; this is not its fault.
                self.engine.stop();
                Err(PlayerError::failed(format!("{} was stopped while it thought", self.name)))
            }
        }
    }

    /// Time to wait for the move before the engine counts as hanging; `max_for_move` is the time it was given.
    fn max_wait(&self, limits: &Limits, max_for_move: Option<Duration>) -> Duration {
        let time = limits.time.map(|time| time.max(max_for_move.unwrap_or_default()));
        self.settings.times.max_wait(&Limits { time, ..*limits })
    }

    /// The engine's choice, its move checked.
    fn choice(&mut self, position: &Go, text: &str) -> Result<Choice<GoMove>, PlayerError> {
        let size = position.board().size();
        let mv = match Vertex::read(text) {
            Some(Vertex::Resign) => {
                let report = Report::default();
                return Ok(Choice { action: Action::Resign, report });
            }
            Some(Vertex::Pass) => Some(GoMove::Pass),
            Some(Vertex::Point { column, row }) if column.max(row) < size => {
                let point = position.board().point(size - 1 - row, column);
                position.illegal(point).is_none().then_some(GoMove::Play(point))
            }
            Some(Vertex::Point { .. }) | None => None,
        };
        let Some(mv) = mv else {
            let what = format!("it played {text:?} in {}", position.text());
            return Err(self.engine.fault(Fault::IllegalMove, &what));
        };
        if let Some(board) = &mut self.board {
            board.moves.push(mv);
        }
        Ok(Choice::play(mv, Report { line: vec![mv], ..Report::default() }))
    }
}

impl Player<Go> for GtpPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn external_build(&self) -> Option<String> {
        Some(self.engine.program().build(&self.name, ""))
    }

    fn new_game(&mut self, seed: u64) {
        self.seed = Some(seed);
        // An engine that exited after its last move did not crash in this game: start it again.
        self.board = None;
        if self.engine.is_running() && self.request("protocol_version").is_ok() {
            return;
        }
        self.pending_error = self.make_ready().err();
    }

    fn choose(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        control: &mut SearchControl<'_, GoMove>,
    ) -> Result<Choice<GoMove>, PlayerError> {
        if let Some(pending_error) = self.pending_error.take() {
            return Err(pending_error);
        }
        self.make_ready()?;
        self.think(game, limits, control)
    }
}

fn colour(side: Side) -> &'static str {
    match side {
        Side::First => "b",
        Side::Second => "w",
    }
}

fn play_command(position: &Go, side: Side, mv: GoMove) -> String {
    format!("play {} {}", colour(side), position.move_text(mv))
}

/// The rules in the notation of KataGo.
fn rules_text(rules: &GoRules) -> String {
    let ko = match rules.ko {
        Ko::Simple => "SIMPLE",
        Ko::Positional => "POSITIONAL",
        Ko::Situational => "SITUATIONAL",
    };
    let scoring = match rules.scoring {
        Scoring::Area => "AREA",
        Scoring::Territory => "TERRITORY",
    };
    let suicide = rules.suicide;
    format!("{{\"ko\":\"{ko}\",\"scoring\":\"{scoring}\",\"suicide\":{suicide},\"tax\":\"NONE\"}}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_in_the_notation_of_katago() {
        let options = Options::defaults(Go::ID, Go::OPTIONS);
        let text = rules_text(Go::start(&options).unwrap().rules());
        assert!(
            text.contains("\"ko\":\"POSITIONAL\"") && text.contains("\"suicide\":false"),
            "{text}"
        );
    }
}
