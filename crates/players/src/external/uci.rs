//! `uci`: any chess engine that speaks the Universal Chess Interface.
//!
//! The engine starts and shakes hands when the player is built, so that a wrong path or option is
//! found before the first game. Later errors of the engine are [`Fault`]s: the process is ended, and
//! started again for the next game or move.

use super::timing::{EngineTimes, LOG, PATIENCE};
use super::{process::EngineProcess, program::Program, uci_report::ReportBuilder};
use crate::{
    PlayerRecipe,
    settings::{self, integer, text},
};
use ludus_core::{
    Action, Choice, Fault, History, Limits, Notation, OptionSpec, Options, Player, PlayerError,
    Report, SearchControl, TextError, player::multi_pv_unsupported,
};
use ludus_formats::uci::{UciCommand, UciGo, UciMessage, UciOption, UciOptionKind};
use ludus_games::chess::{Chess, Move};
use std::time::{Duration, Instant};

const OPTIONS: &[OptionSpec] = &[
    text("path", "stockfish", "the program of the engine"),
    text("args", "", "its arguments, split at spaces"),
    integer("elo", 10_000, "playing strength (UCI_Elo); 0: full"),
    integer("depth", 1000, "depth of a move in plies; 0: the caller's limit"),
    integer("nodes", 1_000_000_000_000, "nodes of a move; 0: the caller's limit"),
    text("time", "", "time of a move, such as 100ms; empty: the caller's limit"),
    integer("threads", 1024, "its threads; 0: its default"),
    integer("hash", 1 << 20, "its hash table in megabytes; 0: its default"),
    text("set", "", "its own options, Name=Value;Name=Value"),
    text(
        "overhead",
        "0ms",
        "subtracted from the times it is given; if 0, its own Move Overhead is set to 0",
    ),
    text("handshake", "10s", "time limit for getting ready"),
    text("grace", "2s", "time past its limit within which a late move counts"),
    PATIENCE,
    LOG,
];

/// The usual name of the option for the time an engine reserves for communication.
const MOVE_OVERHEAD: &str = "Move Overhead";
/// Time for a move when nothing limits it.
const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(1);

pub fn recipe() -> PlayerRecipe<Chess> {
    PlayerRecipe {
        id: "uci",
        about: "an external chess engine, by the UCI protocol",
        options: OPTIONS,
        build_traced: None,
        build: |options, _| Ok(Box::new(UciPlayer::new(options)?)),
    }
}

struct UciPlayer {
    engine: EngineProcess,
    settings: Settings,
    /// Its name, as it reports it.
    name: String,
    multi_pv: MultiPv,
    /// An error between two moves, to be returned at the next.
    pending_error: Option<PlayerError>,
}

/// The option of the engine for the number of lines it reports.
#[derive(Default)]
struct MultiPv {
    /// The most lines it can report; 0 without such an option.
    max: usize,
    /// Its value between searches.
    usual: usize,
}

/// The settings in the options of the player.
struct Settings {
    limits: Limits,
    /// Options of the engine, as given.
    engine_options: String,
    /// Options of the engine to set, in order.
    option_values: Vec<OptionValue>,
    times: EngineTimes,
}

/// An option of the engine and the value to set.
struct OptionValue {
    name: String,
    value: Option<String>,
}

impl Settings {
    fn new(options: &Options) -> Result<Settings, TextError> {
        Ok(Settings {
            limits: settings::limits(options)?,
            engine_options: options.text("set").to_owned(),
            option_values: option_values(options),
            times: EngineTimes::new(options)?,
        })
    }
}

impl Settings {
    /// The command that sets the engine's reserve for communication to the least, as we do not charge
    /// communication; `None` if the user set it, or an overhead of ours.
    fn reset_move_overhead(&self, options: &[UciOption]) -> Option<UciCommand> {
        let is_overhead = |name: &str| name.eq_ignore_ascii_case(MOVE_OVERHEAD);
        if !self.times.overhead.is_zero()
            || self.option_values.iter().any(|set| is_overhead(&set.name))
        {
            return None;
        }
        let option = options.iter().find(|option| is_overhead(&option.name))?;
        let UciOptionKind::Spin { default, min, .. } = option.kind else { return None };
        let least = min.max(0);
        let value = Some(least.to_string());
        (default > least).then(|| UciCommand::SetOption { name: option.name.clone(), value })
    }

    fn multi_pv(&self, options: &[UciOption]) -> MultiPv {
        let Some(UciOptionKind::Spin { default, max, .. }) =
            options.iter().find(|option| is_multi_pv(&option.name)).map(|option| &option.kind)
        else {
            return MultiPv::default();
        };
        let set = self.option_values.iter().rfind(|set| is_multi_pv(&set.name));
        let set = set.and_then(|set| set.value.as_deref()?.parse().ok());
        let count = |number: i64| usize::try_from(number).unwrap_or_default();
        MultiPv { max: count(*max), usual: set.unwrap_or(count(*default)) }
    }
}

/// Whether a name is that of the option for the number of lines.
fn is_multi_pv(name: &str) -> bool {
    name.eq_ignore_ascii_case("MultiPV")
}

/// The options to set, in order.
fn option_values(options: &Options) -> Vec<OptionValue> {
    let mut values = Vec::new();
    let mut set = |name: &str, value: Option<String>| {
        values.push(OptionValue { name: name.trim().to_owned(), value });
    };
    for (name, option) in [("threads", "Threads"), ("hash", "Hash")] {
        if let Some(number) = settings::nonzero::<i64>(options, name) {
            set(option, Some(number.to_string()));
        }
    }
    if let Some(elo) = settings::nonzero::<i64>(options, "elo") {
        set("UCI_LimitStrength", Some("true".to_owned()));
        set("UCI_Elo", Some(elo.to_string()));
    }
    for setting in options.text("set").split(';').filter(|setting| !setting.trim().is_empty()) {
        match setting.split_once('=') {
            Some((name, value)) => set(name, Some(value.trim().to_owned())),
            None => set(setting, None),
        }
    }
    values
}

impl OptionValue {
    /// The command that fulfils it, if one of the engine's options is meant and the value fits.
    fn command(&self, options: &[UciOption]) -> Result<UciCommand, TextError> {
        let same = |option: &&UciOption| option.name.eq_ignore_ascii_case(&self.name);
        let Some(option) = options.iter().find(same) else {
            let names: Vec<&str> = options.iter().map(|option| option.name.as_str()).collect();
            let expected = match names[..] {
                [] => "no options: it has none".to_owned(),
                _ => format!("one of the engine's options {}", names.join(", ")),
            };
            return Err(TextError::whole("engine option", &self.name, expected));
        };
        let value = self.value.as_deref();
        let (fits, expected) = match &option.kind {
            UciOptionKind::Check { .. } => {
                (matches!(value, Some("true" | "false")), "true or false".to_owned())
            }
            UciOptionKind::Spin { min, max, .. } => {
                let number = value.and_then(|value| value.parse::<i64>().ok());
                let fits = number.is_some_and(|number| (*min..=*max).contains(&number));
                (fits, format!("a whole number from {min} to {max}"))
            }
            UciOptionKind::Combo { choices, .. } => {
                let same = |choice: &String| Some(choice.as_str()) == value;
                (choices.iter().any(same), format!("one of {}", choices.join(", ")))
            }
            UciOptionKind::Button => (value.is_none(), "no value: it is a button".to_owned()),
            UciOptionKind::Text { .. } => (value.is_some(), "a value".to_owned()),
        };
        if fits {
            return Ok(UciCommand::SetOption {
                name: option.name.clone(),
                value: self.value.clone(),
            });
        }
        let what = format!("value of the engine's option {}", option.name);
        Err(TextError::whole(&what, value.unwrap_or_default(), expected))
    }
}

impl UciPlayer {
    fn new(options: &Options) -> Result<UciPlayer, PlayerError> {
        let program = Program::new(options.text("path"), options.text("args"), options.text("log"));
        let name = program.name().to_owned();
        let settings = Settings::new(options)?;
        let mut player = UciPlayer {
            engine: EngineProcess::new(program),
            settings,
            name,
            multi_pv: MultiPv::default(),
            pending_error: None,
        };
        player.make_ready()?;
        Ok(player)
    }

    /// Starts the engine if it is not running, and waits until it is ready.
    fn make_ready(&mut self) -> Result<(), PlayerError> {
        if self.engine.is_running() {
            return self.wait_until_ready();
        }
        self.engine.start()?;
        let result = self.handshake();
        if result.is_err() {
            self.engine.stop();
        }
        result
    }

    fn handshake(&mut self) -> Result<(), PlayerError> {
        let deadline = Some(Instant::now() + self.settings.times.handshake_timeout);
        let mut options = Vec::new();
        self.engine.ask(&UciCommand::Uci.to_string())?;
        loop {
            match UciMessage::parse(&self.engine.read_line(deadline)?) {
                Some(UciMessage::Name(name)) if !name.is_empty() => self.name = name,
                Some(UciMessage::Option(option)) => options.push(option),
                Some(UciMessage::UciOk) => break,
                _ => {}
            }
        }
        for value in &self.settings.option_values {
            self.engine.send(&value.command(&options)?.to_string())?;
        }
        if let Some(command) = self.settings.reset_move_overhead(&options) {
            self.engine.send(&command.to_string())?;
        }
        self.multi_pv = self.settings.multi_pv(&options);
        self.engine.send(&UciCommand::NewGame.to_string())?;
        self.wait_until_ready()
    }

    fn wait_until_ready(&mut self) -> Result<(), PlayerError> {
        self.engine.ask(&UciCommand::IsReady.to_string())?;
        self.read_ready()
    }

    /// Waits for the answer to `isready`, and records the round trip.
    fn read_ready(&mut self) -> Result<(), PlayerError> {
        let deadline = Some(Instant::now() + self.settings.times.handshake_timeout);
        let sent = self.engine.last_send_time();
        while UciMessage::parse(&self.engine.read_line(deadline)?) != Some(UciMessage::ReadyOk) {}
        self.engine.record_round_trip(&sent);
        Ok(())
    }

    /// Requests a move and reads until it comes; `stop` makes the engine move at once.
    fn think(
        &mut self,
        game: &History<Chess>,
        limits: &Limits,
        lines: usize,
        control: &mut SearchControl<'_, Move>,
    ) -> Result<Choice<Move>, PlayerError> {
        let limits = settings::merge_limits(&self.settings.limits, limits);
        let go = go_command(&limits, self.settings.times.overhead);
        self.engine.ask(&position_command(game).to_string())?;
        if limits.time.is_some() || limits.clock.is_some() {
            // Reading a long game does not count as thinking time; this also measures the round trip.
            self.engine.send(&UciCommand::IsReady.to_string())?;
            self.read_ready()?;
        }
        let mut deadline = Instant::now() + self.max_wait(&limits, &go);
        self.engine.send(&UciCommand::Go(go).to_string())?;
        let sent = self.engine.last_send_time();
        let mut builder = ReportBuilder::new(game.last(), lines);
        let mut stop_sent = false;
        loop {
            let line = if stop_sent {
                Some(self.engine.read_line(Some(deadline))?)
            } else {
                self.engine.read_line_unless(Some(deadline), control.stop)?
            };
            match line.as_deref().map(UciMessage::parse) {
                None => {
                    stop_sent = true;
                    deadline = Instant::now() + self.settings.times.grace;
                    self.engine.send(&UciCommand::Stop.to_string())?;
                }
                Some(Some(UciMessage::Info(info))) => {
                    if builder.add(&info) {
                        (control.on_report)(&builder.report);
                    }
                }
                Some(Some(UciMessage::BestMove { mv, .. })) => {
                    let time = Some(self.engine.charged_time(&sent));
                    let report = Report { time, ..builder.report };
                    return self.choice(game.last(), mv.as_deref(), report);
                }
                Some(_) => {}
            }
        }
    }

    /// Returns the error of the time between moves, if any, and restarts an engine that has ended.
    fn recover(&mut self) -> Result<(), PlayerError> {
        match self.pending_error.take() {
            Some(pending_error) => Err(pending_error),
            None if self.engine.is_running() => Ok(()),
            None => self.make_ready(),
        }
    }

    fn set_multi_pv(&mut self, lines: usize) -> Result<(), PlayerError> {
        let (name, value) = ("MultiPV".to_owned(), Some(lines.to_string()));
        self.engine.send(&UciCommand::SetOption { name, value }.to_string())
    }

    fn too_many_lines(&self, lines: usize) -> PlayerError {
        match self.multi_pv.max {
            0 | 1 => multi_pv_unsupported(&self.name, lines),
            max => {
                let expected = format!("at most {max}, the limit of {}", self.name);
                TextError::whole("number of lines", &lines.to_string(), expected).into()
            }
        }
    }

    /// Time to wait for the move before the engine counts as hanging.
    fn max_wait(&self, limits: &Limits, go: &UciGo) -> Duration {
        self.settings.times.max_wait(&Limits { time: limits.time.or(go.move_time), ..*limits })
    }

    /// The engine's choice, its move checked.
    fn choice(
        &mut self,
        position: &Chess,
        mv: Option<&str>,
        mut report: Report<Move>,
    ) -> Result<Choice<Move>, PlayerError> {
        let fault = match mv {
            None => "it gave no move".to_owned(),
            Some("resign") => return Ok(Choice { action: Action::Resign, report }),
            Some(text) => match position.parse_move(text) {
                Ok(mv) => {
                    if report.line.first() != Some(&mv) {
                        report.line = vec![mv];
                    }
                    return Ok(Choice::play(mv, report));
                }
                Err(_) => format!("it played {text:?} in {}", position.text()),
            },
        };
        Err(self.engine.fault(Fault::IllegalMove, &fault))
    }
}

impl Player<Chess> for UciPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn external_build(&self) -> Option<String> {
        Some(self.engine.program().build(&self.name, &self.settings.engine_options))
    }

    fn new_game(&mut self, _: u64) {
        // Here and not at the first move, where it would use the engine's time.
        let result = match self.engine.is_running() {
            true => self.engine.send(&UciCommand::NewGame.to_string()),
            false => Ok(()),
        };
        // An engine that exited after its last move did not crash in this game: start it again.
        self.pending_error = match result.and_then(|()| self.make_ready()) {
            Err(PlayerError::Fault(Fault::Crash, _)) => self.make_ready().err(),
            other => other.err(),
        };
    }

    fn choose(
        &mut self,
        game: &History<Chess>,
        limits: &Limits,
        control: &mut SearchControl<'_, Move>,
    ) -> Result<Choice<Move>, PlayerError> {
        self.recover()?;
        self.think(game, limits, 1, control)
    }

    fn analyze(
        &mut self,
        game: &History<Chess>,
        limits: &Limits,
        lines: usize,
        control: &mut SearchControl<'_, Move>,
    ) -> Result<Choice<Move>, PlayerError> {
        self.recover()?;
        if lines <= 1 {
            return self.think(game, limits, lines, control);
        }
        if lines > self.multi_pv.max {
            return Err(self.too_many_lines(lines));
        }
        self.set_multi_pv(lines)?;
        let choice = self.think(game, limits, lines, control);
        if self.engine.is_running() {
            self.set_multi_pv(self.multi_pv.usual)?;
        }
        choice
    }
}

fn position_command(game: &History<Chess>) -> UciCommand {
    let start = game.start().text();
    let fen = (start != Chess::default().text()).then_some(start);
    let positions = game.positions().iter();
    let moves = positions.zip(game.moves()).map(|(position, &mv)| position.move_text(mv));
    UciCommand::Position { fen, moves: moves.collect() }
}

/// The limits as the protocol expresses them. Only the engine's own clock is known, so both sides get it.
fn go_command(limits: &Limits, overhead: Duration) -> UciGo {
    // Some engines take a time of zero for no limit.
    let given = |time: Duration| time.saturating_sub(overhead).max(Duration::from_millis(1));
    let Limits { depth, nodes, time, clock } = *limits;
    let free = depth.is_none() && nodes.is_none() && time.is_none() && clock.is_none();
    let increment = clock.map(|clock| clock.increment);
    let remaining = clock.map(|clock| given(clock.remaining));
    UciGo {
        time: [remaining; 2],
        increment: [increment; 2],
        moves_to_go: clock.and_then(|clock| clock.moves_to_go),
        depth,
        nodes,
        move_time: time.map(given).or(free.then_some(DEFAULT_MOVE_TIME)),
        ..UciGo::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::Clock;

    #[test]
    fn limits_are_sent_less_the_overhead() {
        let said = |limits: Limits, overhead| {
            go_command(&limits, Duration::from_millis(overhead)).to_string()
        };
        assert_eq!(said(Limits::default(), 0), "go movetime 1000");
        assert_eq!(said(Limits { depth: Some(3), ..Limits::default() }, 0), "go depth 3");
        let time = Some(Duration::from_millis(100));
        assert_eq!(said(Limits { time, ..Limits::default() }, 0), "go movetime 100");
        assert_eq!(said(Limits { time, ..Limits::default() }, 30), "go movetime 70");
        let clock = Some(Clock {
            remaining: Duration::from_secs(1),
            increment: Duration::from_millis(20),
            moves_to_go: Some(4),
        });
        assert_eq!(
            said(Limits { clock, nodes: Some(9), ..Limits::default() }, 0),
            "go wtime 1000 btime 1000 winc 20 binc 20 movestogo 4 nodes 9"
        );
    }

    #[test]
    fn the_engines_own_overhead_is_set_to_zero() {
        let overhead = |name: &str, default, min| UciOption {
            name: name.to_owned(),
            kind: UciOptionKind::Spin { default, min, max: 5000 },
        };
        let said = |spec: &str, option| {
            let settings = Settings::new(&Options::parse(spec, OPTIONS).unwrap()).unwrap();
            settings.reset_move_overhead(&[option]).map(|command| command.to_string())
        };
        let expected = "setoption name Move Overhead value 0";
        assert_eq!(said("uci", overhead("Move Overhead", 10, 0)).as_deref(), Some(expected));
        assert_eq!(said("uci", overhead("Move Overhead", 0, 0)), None);
        assert_eq!(said("uci", overhead("Skill Level", 10, 0)), None);
        assert_eq!(said("uci:overhead=20ms", overhead("Move Overhead", 10, 0)), None);
        assert_eq!(said("uci:set=move overhead=5", overhead("Move Overhead", 10, 0)), None);
    }

    #[test]
    fn a_position_is_the_start_and_the_moves() {
        let mut game = History::new(Chess::default());
        game.push(game.last().parse_move("e2e4").unwrap());
        assert_eq!(position_command(&game).to_string(), "position startpos moves e2e4");
        let game = History::new(game.last().clone());
        let said = position_command(&game).to_string();
        assert!(said.starts_with("position fen rnbqkbnr/pppppppp/8/8/4P3/"), "{said}");
    }
}
