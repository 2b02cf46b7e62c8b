//! `hub`: any draughts engine that speaks the Hub protocol, such as Scan.
//!
//! The engine starts and lists its parameters when the player is built. The variant has to be set
//! before initialisation, so that happens at the first move; another rule set later restarts the
//! engine. Its names of our rule sets: `normal` is international; the others are called as we call
//! them, `brazilian` and `russian` by other engines too.

use super::timing::{EngineTimes, GRACE, HANDSHAKE, LOG, PATIENCE};
use super::{process::EngineProcess, program::Program};
use crate::{
    PlayerRecipe,
    settings::{self, integer, text},
};
use ludus_core::{
    Choice, Fault, History, Limits, Notation, OptionSpec, Options, Player, PlayerError, Position,
    Report, Score, SearchControl, TextError,
};
use ludus_formats::{
    PieceColour,
    hub::{self, HubMessage},
};
use ludus_games::draughts::{Colour, Draughts, DraughtsMove, MoveSquares, Rules};
use std::time::{Duration, Instant};

const OPTIONS: &[OptionSpec] = &[
    text("path", "scan", "the program of the engine"),
    text("args", "hub", "its arguments, split at spaces"),
    text("variant", "", "its name of the variant, if not normal or ours of the rule set"),
    integer("depth", 1000, "depth in plies, instead of the caller's limit; 0: none"),
    integer("nodes", 1_000_000_000_000, "nodes, instead of the caller's limit; 0: none"),
    text("time", "", "time a move, such as 100ms, instead of the caller's limit"),
    text("set", "", "its parameters: name=value;name=value"),
    text(
        "overhead",
        "0ms",
        "subtracted from the time it is given; the communication time is not charged",
    ),
    HANDSHAKE,
    GRACE,
    PATIENCE,
    LOG,
];

/// Time for a move when nothing limits it.
const DEFAULT_MOVE_TIME: Duration = Duration::from_secs(1);

pub fn recipe() -> PlayerRecipe<Draughts> {
    PlayerRecipe {
        id: "hub",
        about: "an external draughts engine, by the Hub protocol",
        options: OPTIONS,
        build_traced: None,
        build: |options, _| Ok(Box::new(HubPlayer::new(options)?)),
    }
}

/// The Hub protocol's name of a rule set.
pub fn variant(rules: Rules) -> &'static str {
    rules.set().hub_variant
}

/// The rule set of a variant, if it is one of ours.
pub fn rules(name: &str) -> Option<Rules> {
    Rules::ALL.into_iter().find(|&rules| variant(rules) == name)
}

/// A position in the notation of Hub.
pub fn position_text(position: &Draughts) -> String {
    let turn = match position.colour() {
        Colour::White => PieceColour::White,
        Colour::Black => PieceColour::Black,
    };
    let mut text = hub::HubPosition::of_view(turn, &position.view());
    if position.rules().set().squares.from_below {
        text.squares.reverse();
    }
    text.to_string()
}

/// The position of a Hub text under `rules`.
pub fn read_position(rules: Rules, text: &str) -> Result<Draughts, TextError> {
    let position = hub::HubPosition::read(text, rules.squares() as usize)?;
    let options =
        Options::parse(&format!("{}:rules={}", Draughts::ID, rules.name()), Draughts::OPTIONS)?;
    Draughts::parse(&options, &position.fen())
}

/// A move in the notation of Hub.
pub fn move_text(position: &Draughts, mv: DraughtsMove) -> String {
    let MoveSquares { from, to, captured } = position.move_squares(mv);
    hub::HubMove { from, to, captured }.to_string()
}

/// The legal move of a Hub text.
pub fn read_move(position: &Draughts, text: &str) -> Option<DraughtsMove> {
    let hub::HubMove { from, to, captured } = hub::HubMove::read(text)?;
    position.move_by_squares(&MoveSquares { from, to, captured })
}

struct HubPlayer {
    engine: EngineProcess,
    settings: Settings,
    /// Its name, as it reports it.
    name: String,
    /// Its declared parameters.
    parameters: Vec<HubMessage>,
    /// The rules it is initialised for.
    ready_for: Option<Rules>,
    /// An error between two moves, to be returned at the next.
    pending_error: Option<PlayerError>,
}

struct Settings {
    limits: Limits,
    variant: String,
    /// Parameters, as given.
    engine_parameters: String,
    /// Parameters to set.
    parameter_values: Vec<(String, String)>,
    times: EngineTimes,
}

impl Settings {
    fn new(options: &Options) -> Result<Settings, TextError> {
        let settings = options.text("set").split(';').filter(|setting| !setting.trim().is_empty());
        let parameter = |setting: &str| match setting.split_once('=') {
            Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
            None => Err(TextError::whole("engine parameter", setting, "name=value")),
        };
        Ok(Settings {
            limits: settings::limits(options)?,
            variant: options.text("variant").to_owned(),
            engine_parameters: options.text("set").to_owned(),
            parameter_values: settings.map(parameter).collect::<Result<_, _>>()?,
            times: EngineTimes::new(options)?,
        })
    }
}

impl HubPlayer {
    fn new(options: &Options) -> Result<HubPlayer, PlayerError> {
        let program = Program::new(options.text("path"), options.text("args"), options.text("log"));
        let mut player = HubPlayer {
            name: program.name().to_owned(),
            engine: EngineProcess::new(program),
            settings: Settings::new(options)?,
            parameters: Vec::new(),
            ready_for: None,
            pending_error: None,
        };
        player.handshake()?;
        Ok(player)
    }

    fn deadline(&self) -> Option<Instant> {
        Some(Instant::now() + self.settings.times.handshake_timeout)
    }

    /// Starts the engine and reads its parameters.
    fn handshake(&mut self) -> Result<(), PlayerError> {
        self.engine.stop();
        (self.ready_for, self.parameters) = (None, Vec::new());
        self.engine.start()?;
        let deadline = self.deadline();
        self.engine.ask("hub")?;
        loop {
            let Some(message) = HubMessage::read(&self.engine.read_line(deadline)?) else {
                continue;
            };
            match message.name.as_str() {
                "id" => self.name = name_of(&message).unwrap_or_else(|| self.name.clone()),
                "param" => self.parameters.push(message),
                "wait" => return Ok(()),
                _ => {}
            }
        }
    }

    /// Initialises the engine for a rule set.
    fn make_ready(&mut self, rules: Rules) -> Result<(), PlayerError> {
        if !self.engine.is_running() || self.ready_for.is_some_and(|ready| ready != rules) {
            self.handshake()?;
        }
        if self.ready_for == Some(rules) {
            return Ok(());
        }
        let name = match self.settings.variant.as_str() {
            "" => variant(rules),
            name => name,
        };
        let name = name.to_owned();
        let mut values = self.settings.parameter_values.clone();
        let declared = self.parameters.iter().any(|known| known.value("name") == Some("variant"));
        if declared || rules != Rules::International {
            values.insert(0, ("variant".to_owned(), name));
        }
        for (name, value) in &values {
            if let Some(message) = set_param(&self.parameters, name, value)? {
                self.engine.send(&message.to_string())?;
            }
        }
        let deadline = self.deadline();
        self.engine.ask("init")?;
        self.wait_for("ready", deadline)?;
        self.ready_for = Some(rules);
        Ok(())
    }

    fn wait_for(&mut self, name: &str, deadline: Option<Instant>) -> Result<(), PlayerError> {
        loop {
            let line = self.engine.read_line(deadline)?;
            if HubMessage::read(&line).is_some_and(|message| message.name == name) {
                return Ok(());
            }
        }
    }

    /// Requests a move and reads until it comes; `stop` makes the engine move at once.
    fn think(
        &mut self,
        game: &History<Draughts>,
        limits: &Limits,
        control: &mut SearchControl<'_, DraughtsMove>,
    ) -> Result<Choice<DraughtsMove>, PlayerError> {
        let limits = settings::merge_limits(&self.settings.limits, limits);
        self.engine.ask(&position_message(game).to_string())?;
        for level in level_messages(&limits, self.settings.times.overhead) {
            self.engine.send(&level.to_string())?;
        }
        if limits.time.is_some() || limits.clock.is_some() {
            self.engine.send("ping")?;
            self.read_pong()?;
        }
        let mut deadline = Instant::now() + self.settings.times.max_wait(&limits);
        self.engine.send("go think")?;
        let sent = self.engine.last_send_time();
        let mut report = Report::default();
        let mut stop_sent = false;
        loop {
            let line = if stop_sent {
                Some(self.engine.read_line(Some(deadline))?)
            } else {
                self.engine.read_line_unless(Some(deadline), control.stop)?
            };
            let Some(line) = line else {
                stop_sent = true;
                deadline = Instant::now() + self.settings.times.grace;
                self.engine.send("stop")?;
                continue;
            };
            let Some(message) = HubMessage::read(&line) else { continue };
            match message.name.as_str() {
                "info" if read_info(game.last(), &message, &mut report) => {
                    (control.on_report)(&report);
                }
                "done" => {
                    report.time = Some(self.engine.charged_time(&sent));
                    return self.choice(game.last(), &message, report);
                }
                _ => {}
            }
        }
    }

    /// The engine's choice, its move checked.
    fn choice(
        &mut self,
        position: &Draughts,
        done: &HubMessage,
        mut report: Report<DraughtsMove>,
    ) -> Result<Choice<DraughtsMove>, PlayerError> {
        let text = done.value("move").unwrap_or_default();
        let Some(mv) = read_move(position, text) else {
            let what = match text {
                "" => "it gave no move".to_owned(),
                _ => format!("it played {text:?} in {}", position.text()),
            };
            return Err(self.engine.fault(Fault::IllegalMove, &what));
        };
        if report.line.first() != Some(&mv) {
            report.line = vec![mv];
        }
        Ok(Choice::play(mv, report))
    }

    /// Prepares for another game; fails if the engine has ended.
    fn announce_game(&mut self) -> Result<(), PlayerError> {
        if self.ready_for.is_some() {
            self.engine.send("new-game")?;
        }
        self.engine.ask("ping")?;
        self.read_pong()
    }

    /// Waits for the answer to `ping`, and records the round trip.
    fn read_pong(&mut self) -> Result<(), PlayerError> {
        let sent = self.engine.last_send_time();
        self.wait_for("pong", self.deadline())?;
        self.engine.record_round_trip(&sent);
        Ok(())
    }
}

impl Player<Draughts> for HubPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn external_build(&self) -> Option<String> {
        Some(self.engine.program().build(&self.name, &self.settings.engine_parameters))
    }

    fn new_game(&mut self, _: u64) {
        // An engine that exited after its last move did not crash in this game: start it again.
        if self.engine.is_running() && self.announce_game().is_ok() {
            return;
        }
        self.pending_error = self.handshake().err();
    }

    fn choose(
        &mut self,
        game: &History<Draughts>,
        limits: &Limits,
        control: &mut SearchControl<'_, DraughtsMove>,
    ) -> Result<Choice<DraughtsMove>, PlayerError> {
        if let Some(pending_error) = self.pending_error.take() {
            return Err(pending_error);
        }
        self.make_ready(game.last().rules())?;
        self.think(game, limits, control)
    }
}

fn name_of(id: &HubMessage) -> Option<String> {
    let name = id.value("name").filter(|name| !name.is_empty())?;
    let version = id.value("version").unwrap_or_default();
    Some(format!("{name} {version}").trim().to_owned())
}

/// The message that sets a parameter; none if it has the value already.
fn set_param(
    parameters: &[HubMessage],
    name: &str,
    value: &str,
) -> Result<Option<HubMessage>, TextError> {
    let Some(known) = parameters.iter().find(|known| known.value("name") == Some(name)) else {
        let names: Vec<&str> = parameters.iter().filter_map(|known| known.value("name")).collect();
        let expected = format!("one of the engine's parameters: {}", names.join(", "));
        return Err(TextError::whole("engine parameter", name, expected));
    };
    if let Some(values) = known.value("values")
        && !values.split_whitespace().any(|possible| possible == value)
    {
        let expected = format!("one of the values the engine knows: {values}");
        return Err(TextError::whole(&format!("engine parameter {name}"), value, expected));
    }
    let message = HubMessage::new("set-param").with("name", name).with("value", value);
    Ok((known.value("value") != Some(value)).then_some(message))
}

/// The start position and all moves, so that the engine sees repetitions.
fn position_message(game: &History<Draughts>) -> HubMessage {
    let message = HubMessage::new("pos").with("pos", position_text(game.start()));
    let positions = game.positions().iter();
    let moves = positions.zip(game.moves()).map(|(position, &mv)| move_text(position, mv));
    let moves: Vec<String> = moves.collect();
    if moves.is_empty() { message } else { message.with("moves", moves.join(" ")) }
}

/// The limits as messages, one for each kind.
fn level_messages(limits: &Limits, overhead: Duration) -> Vec<HubMessage> {
    let given = |time: Duration| {
        let time = time.saturating_sub(overhead).max(Duration::from_millis(1));
        format!("{:.3}", time.as_secs_f64())
    };
    let level = || HubMessage::new("level");
    let Limits { depth, nodes, time, clock } = *limits;
    let mut levels = Vec::new();
    levels.extend(depth.map(|depth| level().with("depth", depth)));
    levels.extend(nodes.map(|nodes| level().with("nodes", nodes)));
    levels.extend(time.map(|time| level().with("move-time", given(time))));
    if let Some(clock) = clock.filter(|_| time.is_none()) {
        let mut message = level();
        if let Some(moves) = clock.moves_to_go {
            message = message.with("moves", moves);
        }
        // Hub engines add the increment themselves before they think.
        message = message.with("time", given(clock.remaining.saturating_sub(clock.increment)));
        if !clock.increment.is_zero() {
            message = message.with("inc", format!("{:.3}", clock.increment.as_secs_f64()));
        }
        levels.push(message);
    }
    if levels.is_empty() {
        levels.push(level().with("move-time", given(DEFAULT_MOVE_TIME)));
    }
    levels
}

/// Adds an `info` line to the report; true if it has a score.
fn read_info(position: &Draughts, info: &HubMessage, report: &mut Report<DraughtsMove>) -> bool {
    report.nodes = info.number("nodes").unwrap_or(report.nodes);
    let Some(score) = info.number::<f64>("score").filter(|score| score.is_finite()) else {
        return false;
    };
    report.score = Some(score_of(score));
    report.depth = info.number("depth").unwrap_or(report.depth);
    let mut position = *position;
    let line = info.value("pv").unwrap_or_default().split_whitespace().map_while(|text| {
        let mv = read_move(&position, text)?;
        position.play(mv);
        Some(mv)
    });
    report.line = line.collect();
    true
}

/// Scan's scores are in men; from 90 on they count the hundredths below 100 as plies to a win.
fn score_of(men: f64) -> Score {
    let hundredths = (men.clamp(-100.0, 100.0) * 100.0).round() as i32;
    match hundredths {
        9000.. => Score(Score::WIN.0 - (10_000 - hundredths)),
        ..=-9000 => Score((10_000 + hundredths) - Score::WIN.0),
        _ => Score::evaluation(hundredths),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::Clock;

    #[test]
    fn positions_and_moves_round_trip() {
        for rules in Rules::ALL {
            let mut position = Draughts::new(rules);
            let mut moves = Vec::new();
            for ply in 0..60 {
                let text = position_text(&position);
                assert_eq!(read_position(rules, &text).as_ref(), Ok(&position), "{text}");
                moves.clear();
                position.legal_moves(&mut moves);
                for &mv in &moves {
                    assert_eq!(read_move(&position, &move_text(&position, mv)), Some(mv));
                }
                let Some(&mv) = moves.get(ply * 7 % moves.len().max(1)) else { break };
                position.play(mv);
            }
        }
        let spanish = position_text(&Draughts::new(Rules::Spanish));
        let men = ["w".repeat(12), "e".repeat(8), "b".repeat(12)].concat();
        assert_eq!(spanish, format!("W{men}"), "in the order of the numbers");
        let start = position_text(&Draughts::new(Rules::International));
        assert_eq!(start, format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20)));
        assert!(read_position(Rules::Russian, &start).is_err());
        assert_eq!(rules("normal"), Some(Rules::International));
        assert_eq!(rules("frisian"), None);
    }

    #[test]
    fn levels_contain_every_limit() {
        let said = |limits: Limits| {
            let levels = level_messages(&limits, Duration::ZERO);
            levels.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        };
        assert_eq!(said(Limits::default()), "level move-time=1.000");
        let clock = Some(Clock {
            remaining: Duration::from_secs(10),
            increment: Duration::from_secs(1),
            moves_to_go: None,
        });
        let limits = Limits { depth: Some(4), nodes: Some(9), clock, ..Limits::default() };
        assert_eq!(said(limits), "level depth=4; level nodes=9; level time=9.000 inc=1.000");
    }

    #[test]
    fn proven_scores_keep_their_distance() {
        assert_eq!(score_of(99.95).win_in(), Some(5));
        assert_eq!(score_of(-99.9).win_in(), Some(-10));
        assert_eq!(score_of(-0.01), Score(-1));
        assert!(score_of(1e300).win_in().is_some());
    }
}
