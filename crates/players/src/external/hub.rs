//! `hub`: any draughts engine that speaks the Hub protocol, such as Scan.
//!
//! The engine starts and says what it can when the player is built. Which variant is played must be
//! said before it gets ready, so that happens at the first move; another rule set later starts it
//! again. Its names of our rule sets: `normal` is international; `brazilian`, `russian` and
//! `english` are what engines for 8x8 call theirs.

use super::process::{Engine, Program};
use crate::{
    Recipe,
    settings::{self, text, whole},
};
use ludus_core::{
    Choice, Fault, History, Limits, Notation, OptionSpec, Options, Player, PlayerError, Position,
    Report, Score, TextError, Watch,
};
use ludus_formats::{
    Color,
    hub::{self, Message},
};
use ludus_games::draughts::{Colour, Draughts, Move, MoveSquares, Rules};
use std::time::{Duration, Instant};

const OPTIONS: &[OptionSpec] = &[
    text("path", "scan", "the engine's program"),
    text("args", "hub", "its arguments, split at spaces"),
    text("variant", "", "its name of the rules, if not normal, brazilian, russian or english"),
    whole("depth", 1000, "plies; goes before the caller's limit; 0: none"),
    whole("nodes", 1_000_000_000_000, "positions; goes before the caller's limit; 0: none"),
    text("time", "", "time a move, such as 100ms; goes before the caller's limit"),
    text("set", "", "its parameters: name=value;name=value"),
    text("overhead", "0ms", "taken off the time it is told; the way there and back is not charged"),
    text("handshake", "10s", "how long it may take to start and to get ready"),
    text("grace", "2s", "how long past its time it counts as late, and then as hanging"),
    text("patience", "60s", "how long it may take for a move without a time limit"),
    text("log", "", "a file to append all that is said to"),
];

/// What an engine gets if nobody sets a limit.
const USUAL_TIME: Duration = Duration::from_secs(1);

pub fn recipe() -> Recipe<Draughts> {
    Recipe {
        id: "hub",
        about: "another program's draughts engine, by the Hub protocol",
        options: OPTIONS,
        build_traced: None,
        build: |options, _| Ok(Box::new(HubPlayer::new(options)?)),
    }
}

/// The Hub protocol's name of a rule set.
pub fn variant(rules: Rules) -> &'static str {
    match rules {
        Rules::International => "normal",
        Rules::Brazilian => "brazilian",
        Rules::Russian => "russian",
        Rules::English => "english",
    }
}

/// The rule set of a variant, if it is one of ours.
pub fn rules(name: &str) -> Option<Rules> {
    Rules::ALL.into_iter().find(|&rules| variant(rules) == name)
}

/// A position as Hub writes it.
pub fn position_text(position: &Draughts) -> String {
    let turn = match position.colour() {
        Colour::White => Color::White,
        Colour::Black => Color::Black,
    };
    hub::Position::of_view(turn, &position.view()).to_string()
}

/// The position that a Hub text means under `rules`.
pub fn read_position(rules: Rules, text: &str) -> Result<Draughts, TextError> {
    let position = hub::Position::read(text, rules.squares() as usize)?;
    let options =
        Options::parse(&format!("{}:rules={}", Draughts::ID, rules.name()), Draughts::OPTIONS)?;
    Draughts::parse(&options, &position.fen())
}

/// A move as Hub writes it.
pub fn move_text(position: &Draughts, mv: Move) -> String {
    let MoveSquares { from, to, captured } = position.move_squares(mv);
    hub::Move { from, to, captured }.to_string()
}

/// The legal move that a Hub text means.
pub fn read_move(position: &Draughts, text: &str) -> Option<Move> {
    let hub::Move { from, to, captured } = hub::Move::read(text)?;
    position.move_by_squares(&MoveSquares { from, to, captured })
}

struct HubPlayer {
    engine: Engine,
    settings: Settings,
    /// What it calls itself.
    name: String,
    /// Its parameters.
    parameters: Vec<Message>,
    /// The rules it got ready for.
    ready_for: Option<Rules>,
    /// What went wrong between two moves, to be told at the next.
    trouble: Option<PlayerError>,
}

struct Settings {
    limits: Limits,
    variant: String,
    /// Parameters as they were given.
    own: String,
    /// Parameters to set.
    wishes: Vec<(String, String)>,
    overhead: Duration,
    handshake: Duration,
    grace: Duration,
    patience: Duration,
}

impl Settings {
    fn new(options: &Options) -> Result<Settings, TextError> {
        let time = |name| Ok::<_, TextError>(settings::time(options, name)?.unwrap_or_default());
        let wishes = options.text("set").split(';').filter(|wish| !wish.trim().is_empty());
        let wish = |wish: &str| match wish.split_once('=') {
            Some((name, value)) => Ok((name.trim().to_owned(), value.trim().to_owned())),
            None => Err(TextError::whole("engine parameter", wish, "name=value")),
        };
        Ok(Settings {
            limits: settings::limits(options)?,
            variant: options.text("variant").to_owned(),
            own: options.text("set").to_owned(),
            wishes: wishes.map(wish).collect::<Result<_, _>>()?,
            overhead: time("overhead")?,
            handshake: time("handshake")?,
            grace: time("grace")?,
            patience: time("patience")?,
        })
    }
}

impl HubPlayer {
    fn new(options: &Options) -> Result<HubPlayer, PlayerError> {
        let program = Program::new(options.text("path"), options.text("args"), options.text("log"));
        let mut player = HubPlayer {
            name: program.name().to_owned(),
            engine: Engine::new(program),
            settings: Settings::new(options)?,
            parameters: Vec::new(),
            ready_for: None,
            trouble: None,
        };
        player.shake_hands()?;
        Ok(player)
    }

    fn deadline(&self) -> Option<Instant> {
        Some(Instant::now() + self.settings.handshake)
    }

    /// Starts the engine and hears what it can.
    fn shake_hands(&mut self) -> Result<(), PlayerError> {
        self.engine.stop();
        (self.ready_for, self.parameters) = (None, Vec::new());
        self.engine.start()?;
        let deadline = self.deadline();
        self.engine.ask("hub")?;
        loop {
            let Some(message) = Message::read(&self.engine.read_line(deadline)?) else { continue };
            match message.name.as_str() {
                "id" => self.name = name_of(&message).unwrap_or_else(|| self.name.clone()),
                "param" => self.parameters.push(message),
                "wait" => return Ok(()),
                _ => {}
            }
        }
    }

    /// Gets the engine ready for a rule set.
    fn make_ready(&mut self, rules: Rules) -> Result<(), PlayerError> {
        if !self.engine.is_running() || self.ready_for.is_some_and(|ready| ready != rules) {
            self.shake_hands()?;
        }
        if self.ready_for == Some(rules) {
            return Ok(());
        }
        let name = match self.settings.variant.as_str() {
            "" => variant(rules),
            name => name,
        };
        let name = name.to_owned();
        let mut wishes = self.settings.wishes.clone();
        let declared = self.parameters.iter().any(|known| known.value("name") == Some("variant"));
        if declared || rules != Rules::International {
            wishes.insert(0, ("variant".to_owned(), name));
        }
        for (name, value) in &wishes {
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
            if Message::read(&line).is_some_and(|message| message.name == name) {
                return Ok(());
            }
        }
    }

    /// Asks for a move and listens until it comes; `stop` makes it come sooner.
    fn think(
        &mut self,
        game: &History<Draughts>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
    ) -> Result<Choice<Move>, PlayerError> {
        let limits = settings::before(&self.settings.limits, limits);
        self.engine.ask(&position_message(game).to_string())?;
        for level in level_messages(&limits, self.settings.overhead) {
            self.engine.send(&level.to_string())?;
        }
        if limits.time.is_some() || limits.clock.is_some() {
            self.engine.send("ping")?;
            self.hear_pong()?;
        }
        let mut deadline = Instant::now() + self.allowance(&limits);
        self.engine.send("go think")?;
        let departure = self.engine.departure();
        let mut report = Report::default();
        let mut told_to_stop = false;
        loop {
            let line = if told_to_stop {
                Some(self.engine.read_line(Some(deadline))?)
            } else {
                self.engine.read_line_unless(Some(deadline), watch.stop)?
            };
            let Some(line) = line else {
                told_to_stop = true;
                deadline = Instant::now() + self.settings.grace;
                self.engine.send("stop")?;
                continue;
            };
            let Some(message) = Message::read(&line) else { continue };
            match message.name.as_str() {
                "info" if hear(game.last(), &message, &mut report) => (watch.on_report)(&report),
                "done" => {
                    report.time = Some(self.engine.charge(&departure));
                    return self.choice(game.last(), &message, report);
                }
                _ => {}
            }
        }
    }

    /// How long to wait for the move before the engine counts as hanging.
    fn allowance(&self, limits: &Limits) -> Duration {
        let clock = limits.clock.map(|clock| clock.remaining);
        match limits.time.into_iter().chain(clock).min() {
            Some(time) => time + self.settings.grace,
            None => self.settings.patience,
        }
    }

    /// What the engine decided, its move checked.
    fn choice(
        &mut self,
        position: &Draughts,
        done: &Message,
        mut report: Report<Move>,
    ) -> Result<Choice<Move>, PlayerError> {
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
        self.hear_pong()
    }

    /// Waits for the answer to `ping`, which shows how long the way there and back is.
    fn hear_pong(&mut self) -> Result<(), PlayerError> {
        let departure = self.engine.departure();
        self.wait_for("pong", self.deadline())?;
        self.engine.note_round_trip(&departure);
        Ok(())
    }
}

impl Player<Draughts> for HubPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn external_build(&self) -> Option<String> {
        Some(self.engine.program().build(&self.name, &self.settings.own))
    }

    fn new_game(&mut self, _: u64) {
        // An engine that ended since its last move has not done so in this game: start another.
        if self.engine.is_running() && self.announce_game().is_ok() {
            return;
        }
        self.trouble = self.shake_hands().err();
    }

    fn choose(
        &mut self,
        game: &History<Draughts>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
    ) -> Result<Choice<Move>, PlayerError> {
        if let Some(trouble) = self.trouble.take() {
            return Err(trouble);
        }
        self.make_ready(game.last().rules())?;
        self.think(game, limits, watch)
    }
}

fn name_of(id: &Message) -> Option<String> {
    let name = id.value("name").filter(|name| !name.is_empty())?;
    let version = id.value("version").unwrap_or_default();
    Some(format!("{name} {version}").trim().to_owned())
}

/// The message that sets a parameter; none if it has the value already.
fn set_param(
    parameters: &[Message],
    name: &str,
    value: &str,
) -> Result<Option<Message>, TextError> {
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
    let message = Message::new("set-param").with("name", name).with("value", value);
    Ok((known.value("value") != Some(value)).then_some(message))
}

/// The start and all moves, so that the engine sees repetitions.
fn position_message(game: &History<Draughts>) -> Message {
    let message = Message::new("pos").with("pos", position_text(game.start()));
    let positions = game.positions().iter();
    let moves = positions.zip(game.moves()).map(|(position, &mv)| move_text(position, mv));
    let moves: Vec<String> = moves.collect();
    if moves.is_empty() { message } else { message.with("moves", moves.join(" ")) }
}

/// The limits as the protocol says them: one message for each kind.
fn level_messages(limits: &Limits, overhead: Duration) -> Vec<Message> {
    let told = |time: Duration| {
        let time = time.saturating_sub(overhead).max(Duration::from_millis(1));
        format!("{:.3}", time.as_secs_f64())
    };
    let level = || Message::new("level");
    let Limits { depth, nodes, time, clock } = *limits;
    let mut levels = Vec::new();
    levels.extend(depth.map(|depth| level().with("depth", depth)));
    levels.extend(nodes.map(|nodes| level().with("nodes", nodes)));
    levels.extend(time.map(|time| level().with("move-time", told(time))));
    if let Some(clock) = clock.filter(|_| time.is_none()) {
        let mut message = level();
        if let Some(moves) = clock.moves_to_go {
            message = message.with("moves", moves);
        }
        // Hub engines add the increment themselves before they think.
        message = message.with("time", told(clock.remaining.saturating_sub(clock.increment)));
        if !clock.increment.is_zero() {
            message = message.with("inc", format!("{:.3}", clock.increment.as_secs_f64()));
        }
        levels.push(message);
    }
    if levels.is_empty() {
        levels.push(level().with("move-time", told(USUAL_TIME)));
    }
    levels
}

/// Takes in an `info` line; whether the report got better by it.
fn hear(position: &Draughts, info: &Message, report: &mut Report<Move>) -> bool {
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
    fn positions_and_moves_survive_the_journey() {
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
        let start = position_text(&Draughts::new(Rules::International));
        assert_eq!(start, format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20)));
        assert!(read_position(Rules::Russian, &start).is_err());
        assert_eq!(rules("normal"), Some(Rules::International));
        assert_eq!(rules("frisian"), None);
    }

    #[test]
    fn levels_say_every_limit() {
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
