//! `gtp`: any Go engine that speaks the Go Text Protocol, such as GNU Go.
//!
//! The engine starts when the player is built, so that a wrong path is found before the first game.
//! It keeps the game on its own board: before every move it hears only what is new, or takes back
//! what was taken back, or starts over. Stones set up before the first move are played one by one.
//!
//! Rules: an engine that knows `kata-set-rules` is told ours. Others take them from their
//! arguments; for GNU Go our default rules are `args=--mode gtp --chinese-rules
//! --positional-superko --capture-all-dead`, the last because the stones we count are alive: dead
//! ones must be captured before the passes. A move that breaks our rules is a fault, whatever rules
//! the engine uses.
//!
//! Chance: an engine that knows `set_random_seed`, as GNU Go does, is told the seed of every game, so
//! that games can be played again and still differ from each other.
//!
//! Time: the protocol counts whole seconds and knows no increment, so a time a move, a clock with an
//! increment and the last seconds of one without are said as Canadian periods: so many stones in so
//! many seconds, never less a stone than a fair share and at most a hundredth more (`gtp_time`). An
//! engine that knows `kata-time_settings` is told fractions and increments as they are. Whatever an
//! engine makes of it, our clock decides.

use super::{
    gtp_time::{TimeKind, Words, time_commands},
    process::{Departure, Engine, Program},
};
use crate::{
    Recipe,
    settings::{self, text},
};
use ludus_core::{
    Action, Choice, Clock, Fault, History, Limits, Notation, OptionSpec, Options, Player,
    PlayerError, Position, Report, Side, TextError, Watch,
};
use ludus_formats::gtp::{Response, ResponseReader, Vertex};
use ludus_games::go::{
    Go, Move,
    rules::{Ko, Rules, Scoring},
};
use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

const OPTIONS: &[OptionSpec] = &[
    text("path", "gnugo", "the engine's program"),
    text("args", "--mode gtp", "its arguments, split at spaces"),
    text("time", "", "time a move, such as 2s; goes before the caller's limit"),
    text("overhead", "0ms", "taken off the time it is told; the way there and back is not charged"),
    text("handshake", "10s", "how long it may take to start and for everything but a move"),
    text("grace", "2s", "how long past its time it counts as late, and then as hanging"),
    text("patience", "60s", "how long it may take for a move without a time limit"),
    text("log", "", "a file to append all that is said to"),
];

/// Beyond so many moves to take back, starting over is as good.
const MOST_UNDONE: usize = 4;

pub fn recipe() -> Recipe<Go> {
    Recipe {
        id: "gtp",
        about: "another program's Go engine, by the Go Text Protocol",
        options: OPTIONS,
        build_traced: None,
        build: |options, _| Ok(Box::new(GtpPlayer::new(options)?)),
    }
}

struct GtpPlayer {
    engine: Engine,
    settings: Settings,
    /// What it calls itself.
    name: String,
    /// The commands it knows.
    commands: Vec<String>,
    /// The number of the last command.
    id: u32,
    /// Decides what it leaves to chance in this game.
    seed: Option<u64>,
    /// The game on its board, if we know it.
    told: Option<Told>,
    /// What went wrong between two moves, to be told at the next.
    trouble: Option<PlayerError>,
}

struct Settings {
    time: Option<Duration>,
    overhead: Duration,
    handshake: Duration,
    grace: Duration,
    patience: Duration,
}

/// The game an engine has on its board.
struct Told {
    start: Go,
    moves: Vec<Move>,
    /// The kind of time limit it was told of.
    time: Option<TimeKind>,
}

impl GtpPlayer {
    fn new(options: &Options) -> Result<GtpPlayer, PlayerError> {
        let program = Program::new(options.text("path"), options.text("args"), options.text("log"));
        let time = |name| Ok::<_, TextError>(settings::time(options, name)?.unwrap_or_default());
        let settings = Settings {
            time: settings::time(options, "time")?,
            overhead: time("overhead")?,
            handshake: time("handshake")?,
            grace: time("grace")?,
            patience: time("patience")?,
        };
        let mut player = GtpPlayer {
            name: program.name().to_owned(),
            engine: Engine::new(program),
            settings,
            commands: Vec::new(),
            id: 0,
            seed: None,
            told: None,
            trouble: None,
        };
        player.make_ready()?;
        Ok(player)
    }

    /// Starts the engine if it is not running.
    fn make_ready(&mut self) -> Result<(), PlayerError> {
        if self.engine.is_running() {
            return Ok(());
        }
        self.told = None;
        self.engine.start()?;
        let result = self.shake_hands();
        if result.is_err() {
            self.engine.stop();
        }
        result
    }

    fn shake_hands(&mut self) -> Result<(), PlayerError> {
        let version = self.demand("protocol_version")?;
        if version.trim() != "2" {
            let what = format!("it speaks version {version:?} of the protocol, not 2");
            return Err(self.engine.fault(Fault::Protocol, &what));
        }
        let name = format!("{} {}", self.demand("name")?, self.demand("version")?);
        self.name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        self.commands =
            self.demand("list_commands")?.split_whitespace().map(str::to_owned).collect();
        Ok(())
    }

    fn knows(&self, command: &str) -> bool {
        self.commands.iter().any(|known| known == command)
    }

    /// Sends a command.
    fn say(&mut self, command: &str) -> Result<Departure, PlayerError> {
        self.id = (self.id + 1) % (1 << 31);
        self.engine.ask(&format!("{} {command}", self.id))?;
        Ok(self.engine.departure())
    }

    /// Waits for the response to the last command; `None` as soon as `stop` is raised.
    fn hear(
        &mut self,
        deadline: Instant,
        stop: &AtomicBool,
    ) -> Result<Option<Result<String, String>>, PlayerError> {
        let mut reader = ResponseReader::new();
        loop {
            let Some(line) = self.engine.read_line_unless(Some(deadline), stop)? else {
                return Ok(None);
            };
            if let Some(Response { id, result }) = reader.line(&line)
                && id == Some(self.id)
            {
                return Ok(Some(result));
            }
        }
    }

    /// The response to a command that takes no time to speak of.
    fn request(&mut self, command: &str) -> Result<Result<String, String>, PlayerError> {
        self.say(command)?;
        let deadline = Instant::now() + self.settings.handshake;
        let never = AtomicBool::new(false);
        let response = self.hear(deadline, &never)?;
        Ok(response.unwrap_or_else(|| Err("interrupted".to_owned())))
    }

    /// The response to a command that may not fail.
    fn demand(&mut self, command: &str) -> Result<String, PlayerError> {
        self.request(command)?.map_err(|error| {
            let what = format!("it refused {command:?}: {error}");
            self.engine.fault(Fault::Protocol, &what)
        })
    }

    /// Puts `game` on the engine's board.
    fn set_up(&mut self, game: &History<Go>) -> Result<(), PlayerError> {
        let undone =
            self.told.take().and_then(|told| self.moves_to_undo(&told, game).map(|n| (told, n)));
        let mut told = match undone {
            Some((mut told, undone)) => {
                for _ in 0..undone {
                    self.demand("undo")?;
                    told.moves.pop();
                }
                told
            }
            None => self.start_over(game.start())?,
        };
        let known = told.moves.len();
        for (position, &mv) in game.positions().iter().zip(game.moves()).skip(known) {
            self.demand(&play_command(position, position.turn(), mv))?;
            told.moves.push(mv);
        }
        self.told = Some(told);
        Ok(())
    }

    /// How many moves to take back until what the engine knows is a part of `game`; `None` if it
    /// has to start over.
    fn moves_to_undo(&self, told: &Told, game: &History<Go>) -> Option<usize> {
        let common =
            told.moves.iter().zip(game.moves()).take_while(|(old, new)| old == new).count();
        let undone = told.moves.len() - common;
        let can_undo = undone == 0 || undone <= MOST_UNDONE && self.knows("undo");
        (told.start == *game.start() && can_undo).then_some(undone)
    }

    fn start_over(&mut self, start: &Go) -> Result<Told, PlayerError> {
        let size = start.board().size();
        self.wish(&format!("boardsize {size}"), "board size", &size.to_string())?;
        self.demand("clear_board")?;
        if let Some(seed) = self.seed.filter(|_| self.knows("set_random_seed")) {
            // A positive number of the engine's own kind, whatever that is.
            self.demand(&format!("set_random_seed {}", seed % (1 << 31)))?;
        }
        let komi = start.rules().komi().to_string();
        self.wish(&format!("komi {komi}"), "komi", &komi)?;
        if self.knows("kata-set-rules") {
            let rules = rules_text(start.rules());
            self.wish(&format!("kata-set-rules {rules}"), "rules", &rules)?;
        }
        for side in Side::BOTH {
            let board = start.board();
            for point in board.points().filter(|&point| board.stone(point) == Some(side)) {
                self.demand(&play_command(start, side, Move::Play(point)))?;
            }
        }
        Ok(Told { start: start.clone(), moves: Vec::new(), time: None })
    }

    /// Asks for what an engine may refuse: the user then wants another engine or another game.
    fn wish(&mut self, command: &str, what: &str, value: &str) -> Result<(), PlayerError> {
        match self.request(command)? {
            Ok(_) => Ok(()),
            Err(error) => {
                let what = format!("{what} for {}", self.name);
                let expected = format!("one the engine accepts; it says {error:?}");
                Err(TextError::whole(&what, value, expected).into())
            }
        }
    }

    /// Tells the engine how much time it has; how much it may take for one move at most.
    fn tell_time(&mut self, side: Side, limits: &Limits) -> Result<Option<Duration>, PlayerError> {
        let words = match self.knows("kata-time_settings") {
            true => Words::Kata,
            false => Words::Standard,
        };
        let told = Limits {
            time: limits.time.map(|time| time.saturating_sub(self.settings.overhead)),
            clock: limits.clock.map(|clock| Clock {
                remaining: clock.remaining.saturating_sub(self.settings.overhead),
                ..clock
            }),
            ..*limits
        };
        let Some(time) = time_commands(color(side), &told, words) else { return Ok(None) };
        let heard = self.told.as_ref().and_then(|told| told.time);
        let knows_left = self.knows("time_left");
        if (heard != Some(time.kind) || !knows_left) && self.knows(words.settings_command()) {
            // Some refuse to hear it in the middle of a game; what is left they hear all the same.
            let _ = self.request(&time.settings)?;
            if let Some(told) = &mut self.told {
                told.time = Some(time.kind);
            }
        }
        if knows_left {
            let _ = self.request(&time.left)?;
        }
        // A question that needs no thought, to measure the way there and back.
        let departure = self.say("protocol_version")?;
        let never = AtomicBool::new(false);
        self.hear(Instant::now() + self.settings.handshake, &never)?;
        self.engine.note_round_trip(&departure);
        Ok(Some(time.most))
    }

    /// Asks for a move and waits for it.
    fn think(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        watch: &Watch<'_, Move>,
    ) -> Result<Choice<Move>, PlayerError> {
        let limits = Limits { time: self.settings.time.or(limits.time), ..*limits };
        let side = game.last().turn();
        self.set_up(game)?;
        let most = self.tell_time(side, &limits)?;
        let deadline = Instant::now() + self.allowance(&limits, most);
        let departure = self.say(&format!("genmove {}", color(side)))?;
        match self.hear(deadline, watch.stop)? {
            Some(Ok(text)) => {
                let time = Some(self.engine.charge(&departure));
                let mut choice = self.choice(game.last(), text.trim())?;
                choice.report.time = time;
                Ok(choice)
            }
            Some(Err(error)) => {
                let what = format!("it did not move: {error}");
                Err(self.engine.fault(Fault::Protocol, &what))
            }
            None => {
                // The protocol cannot interrupt a move, so the engine has to go; not its fault.
                self.engine.stop();
                Err(PlayerError::failed(format!("{} was stopped while it thought", self.name)))
            }
        }
    }

    /// How long to wait for the move before the engine counts as hanging; `most` is what it was told.
    fn allowance(&self, limits: &Limits, most: Option<Duration>) -> Duration {
        let time = limits.time.map(|time| time.max(most.unwrap_or_default()));
        let clock = limits.clock.map(|clock| clock.remaining);
        match time.into_iter().chain(clock).min() {
            Some(time) => time + self.settings.grace,
            None => self.settings.patience,
        }
    }

    /// What the engine decided, its move checked.
    fn choice(&mut self, position: &Go, text: &str) -> Result<Choice<Move>, PlayerError> {
        let size = position.board().size();
        let mv = match Vertex::read(text) {
            Some(Vertex::Resign) => {
                let report = Report::default();
                return Ok(Choice { action: Action::Resign, report });
            }
            Some(Vertex::Pass) => Some(Move::Pass),
            Some(Vertex::Point { column, row }) if column.max(row) < size => {
                let point = position.board().point(size - 1 - row, column);
                position.illegal(point).is_none().then_some(Move::Play(point))
            }
            Some(Vertex::Point { .. }) | None => None,
        };
        let Some(mv) = mv else {
            let what = format!("it played {text:?} in {}", position.text());
            return Err(self.engine.fault(Fault::IllegalMove, &what));
        };
        if let Some(told) = &mut self.told {
            told.moves.push(mv);
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
        // An engine that ended since its last move has not done so in this game: start another.
        self.told = None;
        if self.engine.is_running() && self.request("protocol_version").is_ok() {
            return;
        }
        self.trouble = self.make_ready().err();
    }

    fn choose(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
    ) -> Result<Choice<Move>, PlayerError> {
        if let Some(trouble) = self.trouble.take() {
            return Err(trouble);
        }
        self.make_ready()?;
        self.think(game, limits, watch)
    }
}

fn color(side: Side) -> &'static str {
    match side {
        Side::First => "b",
        Side::Second => "w",
    }
}

fn play_command(position: &Go, side: Side, mv: Move) -> String {
    format!("play {} {}", color(side), position.move_text(mv))
}

/// The rules as KataGo names them.
fn rules_text(rules: &Rules) -> String {
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
    fn rules_are_named_as_katago_names_them() {
        let options = Options::defaults(Go::ID, Go::OPTIONS);
        let text = rules_text(Go::start(&options).unwrap().rules());
        assert!(
            text.contains("\"ko\":\"POSITIONAL\"") && text.contains("\"suicide\":false"),
            "{text}"
        );
    }
}
