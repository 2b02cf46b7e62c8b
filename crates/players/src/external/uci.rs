//! `uci`: any chess engine that speaks the Universal Chess Interface.
//!
//! The engine starts and shakes hands when the player is built, so that a wrong path or option is
//! found before the first game. Whatever it does wrong later is a [`Fault`]: the process is ended,
//! and started again for the next game or move.

use super::process::{Engine, Program};
use crate::{
    Recipe,
    settings::{self, text, whole},
};
use ludus_core::{
    Action, Choice, Fault, History, Limits, MoveReport, Notation, OptionSpec, Options, Player,
    PlayerError, Position, Report, Score, TextError, Watch,
};
use ludus_formats::uci::{
    Command, EngineOption, Go, Info, Message, OptionKind, ScoreValue, UciScore,
};
use ludus_games::chess::{Chess, Move};
use std::time::{Duration, Instant};

const OPTIONS: &[OptionSpec] = &[
    text("path", "stockfish", "the engine's program"),
    text("args", "", "its arguments, split at spaces"),
    whole("elo", 10_000, "its strength; 0: full"),
    whole("depth", 1000, "plies a move; 0: as the caller says"),
    whole("nodes", 1_000_000_000_000, "nodes a move; 0: as the caller says"),
    text("time", "", "time a move, such as 100ms; none: as the caller says"),
    whole("threads", 1024, "its threads; 0: as it likes"),
    whole("hash", 1 << 20, "its table in megabytes; 0: as it likes"),
    text("set", "", "its own options, Name=Value;Name=Value"),
    text(
        "overhead",
        "0ms",
        "taken off the times it is told; none: its own Move Overhead is set to 0",
    ),
    text("handshake", "10s", "how long it may take to get ready"),
    text("grace", "2s", "how long past its time it may answer"),
    text("patience", "60s", "how long a move without time limit may take"),
    text("log", "", "a file for all that is said"),
];

/// What engines call the time they keep back for the way of their moves.
const MOVE_OVERHEAD: &str = "Move Overhead";
/// What an engine gets if nobody sets a limit.
const USUAL_TIME: Duration = Duration::from_secs(1);

pub fn recipe() -> Recipe<Chess> {
    Recipe {
        id: "uci",
        about: "another program: any engine that speaks UCI",
        options: OPTIONS,
        build_traced: None,
        build: |options, _| Ok(Box::new(UciPlayer::new(options)?)),
    }
}

struct UciPlayer {
    engine: Engine,
    settings: Settings,
    /// What it calls itself.
    name: String,
    /// What went wrong between two moves, to be told at the next.
    trouble: Option<PlayerError>,
}

/// What the spec of the player asks for.
struct Settings {
    limits: Limits,
    /// Options of the engine as they were given.
    own: String,
    /// Options of the engine to set.
    wishes: Vec<Wish>,
    overhead: Duration,
    handshake: Duration,
    grace: Duration,
    patience: Duration,
}

struct Wish {
    name: String,
    value: Option<String>,
}

impl Settings {
    fn new(options: &Options) -> Result<Settings, TextError> {
        let time = |name| Ok(settings::time(options, name)?.unwrap_or_default());
        Ok(Settings {
            limits: settings::limits(options)?,
            own: options.text("set").to_owned(),
            wishes: wishes(options),
            overhead: time("overhead")?,
            handshake: time("handshake")?,
            grace: time("grace")?,
            patience: time("patience")?,
        })
    }
}

impl Settings {
    /// Takes from the engine the reserve for a slow way to us, which it is not charged for: it has
    /// the time it is told. Whoever sets it, or an overhead of ours, has the last word.
    fn no_overhead(&self, options: &[EngineOption]) -> Option<Command> {
        let is_meant = |name: &str| name.eq_ignore_ascii_case(MOVE_OVERHEAD);
        if !self.overhead.is_zero() || self.wishes.iter().any(|wish| is_meant(&wish.name)) {
            return None;
        }
        let option = options.iter().find(|option| is_meant(&option.name))?;
        let OptionKind::Spin { default, min, .. } = option.kind else { return None };
        let least = min.max(0);
        let value = Some(least.to_string());
        (default > least).then(|| Command::SetOption { name: option.name.clone(), value })
    }
}

/// The options to set, in the order they are set.
fn wishes(options: &Options) -> Vec<Wish> {
    let mut wishes = Vec::new();
    let mut wish = |name: &str, value: Option<String>| {
        wishes.push(Wish { name: name.trim().to_owned(), value });
    };
    for (name, option) in [("threads", "Threads"), ("hash", "Hash")] {
        if let Some(number) = settings::number::<i64>(options, name) {
            wish(option, Some(number.to_string()));
        }
    }
    if let Some(elo) = settings::number::<i64>(options, "elo") {
        wish("UCI_LimitStrength", Some("true".to_owned()));
        wish("UCI_Elo", Some(elo.to_string()));
    }
    for setting in options.text("set").split(';').filter(|setting| !setting.trim().is_empty()) {
        match setting.split_once('=') {
            Some((name, value)) => wish(name, Some(value.trim().to_owned())),
            None => wish(setting, None),
        }
    }
    wishes
}

impl Wish {
    /// The command that fulfils it, if one of the engine's options is meant and the value fits.
    fn command(&self, options: &[EngineOption]) -> Result<Command, TextError> {
        let same = |option: &&EngineOption| option.name.eq_ignore_ascii_case(&self.name);
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
            OptionKind::Check { .. } => {
                (matches!(value, Some("true" | "false")), "true or false".to_owned())
            }
            OptionKind::Spin { min, max, .. } => {
                let number = value.and_then(|value| value.parse::<i64>().ok());
                let fits = number.is_some_and(|number| (*min..=*max).contains(&number));
                (fits, format!("a whole number from {min} to {max}"))
            }
            OptionKind::Combo { choices, .. } => {
                let same = |choice: &String| Some(choice.as_str()) == value;
                (choices.iter().any(same), format!("one of {}", choices.join(", ")))
            }
            OptionKind::Button => (value.is_none(), "no value: it is a button".to_owned()),
            OptionKind::Text { .. } => (value.is_some(), "a value".to_owned()),
        };
        if fits {
            return Ok(Command::SetOption { name: option.name.clone(), value: self.value.clone() });
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
        let mut player = UciPlayer { engine: Engine::new(program), settings, name, trouble: None };
        player.make_ready()?;
        Ok(player)
    }

    /// Starts the engine if it is not running, and waits until it is ready.
    fn make_ready(&mut self) -> Result<(), PlayerError> {
        if self.engine.is_running() {
            return self.wait_until_ready();
        }
        self.engine.start()?;
        let result = self.shake_hands();
        if result.is_err() {
            self.engine.stop();
        }
        result
    }

    fn shake_hands(&mut self) -> Result<(), PlayerError> {
        let deadline = Some(Instant::now() + self.settings.handshake);
        let mut options = Vec::new();
        self.engine.ask(&Command::Uci.to_string())?;
        loop {
            match Message::parse(&self.engine.read_line(deadline)?) {
                Some(Message::Name(name)) if !name.is_empty() => self.name = name,
                Some(Message::Option(option)) => options.push(option),
                Some(Message::UciOk) => break,
                _ => {}
            }
        }
        for wish in &self.settings.wishes {
            self.engine.send(&wish.command(&options)?.to_string())?;
        }
        if let Some(command) = self.settings.no_overhead(&options) {
            self.engine.send(&command.to_string())?;
        }
        self.engine.send(&Command::NewGame.to_string())?;
        self.wait_until_ready()
    }

    fn wait_until_ready(&mut self) -> Result<(), PlayerError> {
        self.engine.ask(&Command::IsReady.to_string())?;
        self.hear_ready()
    }

    /// Waits for the answer to `isready`, which shows how long the way there and back is.
    fn hear_ready(&mut self) -> Result<(), PlayerError> {
        let deadline = Some(Instant::now() + self.settings.handshake);
        let departure = self.engine.departure();
        while Message::parse(&self.engine.read_line(deadline)?) != Some(Message::ReadyOk) {}
        self.engine.note_round_trip(&departure);
        Ok(())
    }

    /// Asks for a move and listens until it comes; `stop` makes it come sooner.
    fn think(
        &mut self,
        game: &History<Chess>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
    ) -> Result<Choice<Move>, PlayerError> {
        let limits = settings::before(&self.settings.limits, limits);
        let go = go_command(&limits, self.settings.overhead);
        self.engine.ask(&position_command(game).to_string())?;
        if limits.time.is_some() || limits.clock.is_some() {
            // Reading a long game is not thinking, and the way is measured where it matters.
            self.engine.send(&Command::IsReady.to_string())?;
            self.hear_ready()?;
        }
        let mut deadline = Instant::now() + self.allowance(&limits, &go);
        self.engine.send(&Command::Go(go).to_string())?;
        let departure = self.engine.departure();
        let mut listener = Listener::new(game.last());
        let mut told_to_stop = false;
        loop {
            let line = if told_to_stop {
                Some(self.engine.read_line(Some(deadline))?)
            } else {
                self.engine.read_line_unless(Some(deadline), watch.stop)?
            };
            match line.as_deref().map(Message::parse) {
                None => {
                    told_to_stop = true;
                    deadline = Instant::now() + self.settings.grace;
                    self.engine.send(&Command::Stop.to_string())?;
                }
                Some(Some(Message::Info(info))) => {
                    if listener.hear(&info) {
                        (watch.on_report)(&listener.report);
                    }
                }
                Some(Some(Message::BestMove { mv, .. })) => {
                    let time = Some(self.engine.charge(&departure));
                    let report = Report { time, ..listener.report };
                    return self.choice(game.last(), mv.as_deref(), report);
                }
                Some(_) => {}
            }
        }
    }

    /// How long to wait for the move before the engine counts as hanging.
    fn allowance(&self, limits: &Limits, go: &Go) -> Duration {
        let time = limits.time.or(go.move_time);
        match (time, limits.clock.map(|clock| clock.remaining)) {
            (None, None) => self.settings.patience,
            (Some(time), None) | (None, Some(time)) => time + self.settings.grace,
            (Some(time), Some(clock)) => time.min(clock) + self.settings.grace,
        }
    }

    /// What the engine decided, its move checked.
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
        Some(self.engine.program().build(&self.name, &self.settings.own))
    }

    fn new_game(&mut self, _: u64) {
        // Here and not at the first move, whose time is the engine's own.
        let told = match self.engine.is_running() {
            true => self.engine.send(&Command::NewGame.to_string()),
            false => Ok(()),
        };
        // An engine that ended since its last move has not done so in this game: start another.
        self.trouble = match told.and_then(|()| self.make_ready()) {
            Err(PlayerError::Fault(Fault::Crash, _)) => self.make_ready().err(),
            other => other.err(),
        };
    }

    fn choose(
        &mut self,
        game: &History<Chess>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
    ) -> Result<Choice<Move>, PlayerError> {
        if let Some(trouble) = self.trouble.take() {
            return Err(trouble);
        }
        if !self.engine.is_running() {
            self.make_ready()?;
        }
        self.think(game, limits, watch)
    }
}

fn position_command(game: &History<Chess>) -> Command {
    let start = game.start().text();
    let fen = (start != Chess::default().text()).then_some(start);
    let positions = game.positions().iter();
    let moves = positions.zip(game.moves()).map(|(position, &mv)| position.move_text(mv));
    Command::Position { fen, moves: moves.collect() }
}

/// The limits as the protocol says them. We know only the engine's own clock, so both sides get it.
fn go_command(limits: &Limits, overhead: Duration) -> Go {
    // A time of zero means no limit to some engines.
    let told = |time: Duration| time.saturating_sub(overhead).max(Duration::from_millis(1));
    let Limits { depth, nodes, time, clock } = *limits;
    let free = depth.is_none() && nodes.is_none() && time.is_none() && clock.is_none();
    let increment = clock.map(|clock| clock.increment);
    let remaining = clock.map(|clock| told(clock.remaining));
    Go {
        time: [remaining; 2],
        increment: [increment; 2],
        moves_to_go: clock.and_then(|clock| clock.moves_to_go),
        depth,
        nodes,
        move_time: time.map(told).or(free.then_some(USUAL_TIME)),
        ..Go::default()
    }
}

/// Turns what an engine says while it thinks into a report.
struct Listener<'a> {
    position: &'a Chess,
    report: Report<Move>,
}

impl Listener<'_> {
    fn new(position: &Chess) -> Listener<'_> {
        Listener { position, report: Report::default() }
    }

    /// Takes in one line; whether the report got better by it.
    fn hear(&mut self, info: &Info) -> bool {
        self.report.nodes = info.nodes.unwrap_or(self.report.nodes);
        let Some(UciScore { value, bound: false }) = info.score else { return false };
        let line = legal_line(self.position, &info.pv);
        let score = score(value);
        let rank = info.multipv.unwrap_or(1);
        let better = (rank as usize).saturating_sub(1);
        if let Some(&mv) = line.first()
            && better <= self.report.moves.len()
        {
            // A new line of this rank makes the old ones from there on worthless.
            self.report.moves.truncate(better);
            self.report.moves.push(MoveReport { mv, score: Some(score), visits: 0 });
        }
        if rank != 1 {
            return false;
        }
        self.report.score = Some(score);
        self.report.depth = info.depth.unwrap_or(self.report.depth);
        self.report.line = line;
        true
    }
}

/// The moves of `line` up to the first that is not legal.
fn legal_line(position: &Chess, line: &[String]) -> Vec<Move> {
    let mut position = position.clone();
    let legal = line.iter().map_while(|text| {
        let mv = position.parse_move(text).ok()?;
        position.play(mv);
        Some(mv)
    });
    legal.collect()
}

fn score(value: ScoreValue) -> Score {
    // The distance of any mate found fits below; a wild number must not leave the scale.
    const FARTHEST: i32 = Score::WIN.0 - Score::EVAL_MAX.0 - 1;
    match value {
        ScoreValue::Centipawns(hundredths) => Score::evaluation(hundredths),
        ScoreValue::Mate(moves) if moves > 0 => {
            Score(Score::WIN.0 - moves.saturating_mul(2).saturating_sub(1).min(FARTHEST))
        }
        ScoreValue::Mate(moves) => {
            Score(moves.saturating_neg().saturating_mul(2).min(FARTHEST) - Score::WIN.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::Clock;

    #[test]
    fn limits_are_said_as_they_are_less_an_overhead_if_one_is_wanted() {
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
    fn the_engines_own_reserve_is_taken_back() {
        let overhead = |name: &str, default, min| EngineOption {
            name: name.to_owned(),
            kind: OptionKind::Spin { default, min, max: 5000 },
        };
        let said = |spec: &str, option| {
            let settings = Settings::new(&Options::parse(spec, OPTIONS).unwrap()).unwrap();
            settings.no_overhead(&[option]).map(|command| command.to_string())
        };
        let expected = "setoption name Move Overhead value 0";
        assert_eq!(said("uci", overhead("Move Overhead", 10, 0)).as_deref(), Some(expected));
        assert_eq!(said("uci", overhead("Move Overhead", 0, 0)), None);
        assert_eq!(said("uci", overhead("Skill Level", 10, 0)), None);
        assert_eq!(said("uci:overhead=20ms", overhead("Move Overhead", 10, 0)), None);
        assert_eq!(said("uci:set=move overhead=5", overhead("Move Overhead", 10, 0)), None);
    }

    #[test]
    fn mates_are_counted_in_plies() {
        let plies = |moves| score(ScoreValue::Mate(moves)).win_in();
        assert_eq!((plies(1), plies(3), plies(-2)), (Some(1), Some(5), Some(-4)));
        for wild in [i32::MAX, i32::MIN, 0] {
            assert!(plies(wild).is_some(), "{wild}");
        }
        assert_eq!(score(ScoreValue::Centipawns(i32::MIN)), Score(-20_000));
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
