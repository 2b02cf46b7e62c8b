//! `ludus hub`: any draughts player as an engine for programs with the Hub protocol, version 2.
//!
//! As the protocol requires, unknown commands are ignored; known commands that fail are answered with
//! `error`. Every `go` is answered with one `done`, without a move if there is none.

mod search;

use self::search::{HubSearch, Mode};
use super::{Common, stdin_lines::StdinLines};
use ludus_core::{Clock, History, Limits, Player, Position, TextError};
use ludus_formats::hub::HubMessage;
use ludus_games::draughts::{Draughts, Rules};
use ludus_players::{
    Resources, build_player,
    external::hub::{read_move, read_position, rules, variant},
};
use std::{
    collections::VecDeque,
    io::{self, Write},
    time::Duration,
};

/// Default player.
const DEFAULT_PLAYER: &str = "minimax";
/// Maximum length of a line, enough for a game of several thousand moves.
const MAX_LINE_BYTES: usize = 64 << 10;

/// Run as a draughts engine (Hub protocol 2)
#[derive(clap::Args)]
pub struct Args {
    /// Player
    #[arg(long, default_value = DEFAULT_PLAYER, value_name = "PLAYER")]
    player: String,
}

/// State of the engine between commands.
struct Engine {
    spec: String,
    player: Box<dyn Player<Draughts>>,
    resources: Resources,
    rules: Rules,
    /// The game to analyse; `None` after an invalid position.
    game: Option<History<Draughts>>,
    limits: Limits,
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let rules = Rules::International;
    let mut engine = Engine {
        spec: args.player.clone(),
        player: build_player(&args.player, &common.resources())?,
        resources: common.resources(),
        rules,
        game: Some(History::new(Draughts::new(rules))),
        limits: Limits::default(),
    };
    let mut lines = StdinLines::new(MAX_LINE_BYTES)?;
    // Commands received during a search, to be processed after it.
    let mut queued = VecDeque::new();
    while let Some(line) = queued.pop_front().or_else(|| lines.next()) {
        let text = String::from_utf8_lossy(&line);
        let Some(message) = HubMessage::read(&text) else {
            if !text.trim().is_empty() {
                send(out, &error("expected a command with arguments"))?;
            }
            continue;
        };
        match message.name.as_str() {
            "quit" => break,
            "go" => engine.go(&message, &mut lines, &mut queued, out)?,
            _ => engine.execute(&message, out)?,
        }
    }
    Ok(())
}

fn send(out: &mut impl Write, message: &HubMessage) -> io::Result<()> {
    writeln!(out, "{message}")?;
    out.flush()
}

fn error(message: &str) -> HubMessage {
    HubMessage::new("error").with("message", message)
}

impl Engine {
    /// Executes a command other than `go` and `quit`.
    fn execute(&mut self, message: &HubMessage, out: &mut impl Write) -> io::Result<()> {
        let result = match message.name.as_str() {
            "hub" => return self.send_id(out),
            "init" => return send(out, &HubMessage::new("ready")),
            "ping" => return send(out, &HubMessage::new("pong")),
            "set-param" => self.set_param(message),
            "new-game" => {
                self.player.new_game(self.resources.seed);
                Ok(())
            }
            "pos" => self.set_position(message),
            "level" => {
                self.set_level(message);
                Ok(())
            }
            _ => Ok(()),
        };
        result.or_else(|text| send(out, &error(&text)))
    }

    fn send_id(&self, out: &mut impl Write) -> io::Result<()> {
        let id = HubMessage::new("id")
            .with("name", "Ludus")
            .with("version", env!("CARGO_PKG_VERSION"))
            .with("author", "The Ludus authors");
        let parameter = |name: &str, value: &str| {
            HubMessage::new("param").with("name", name).with("value", value)
        };
        let variants = Rules::ALL.map(variant).join(" ");
        send(out, &id)?;
        let current = variant(self.rules);
        send(out, &parameter("variant", current).with("type", "enum").with("values", variants))?;
        // Some clients split values at `=` even in quotes, and then fail.
        if !self.spec.contains('=') {
            send(out, &parameter("player", &self.spec).with("type", "string"))?;
        }
        send(out, &HubMessage::new("wait"))
    }

    fn set_param(&mut self, message: &HubMessage) -> Result<(), String> {
        let value = message.value("value").unwrap_or_default();
        match message.value("name").unwrap_or_default() {
            "variant" => {
                self.rules = rules(value).ok_or_else(|| {
                    let variants = Rules::ALL.map(variant).join(", ");
                    TextError::whole("variant", value, format!("one of {variants}")).to_string()
                })?;
                self.game = Some(History::new(Draughts::new(self.rules)));
            }
            "player" => {
                let player = build_player(value, &self.resources);
                self.player = player.map_err(|error| error.to_string())?;
                self.spec = value.to_owned();
            }
            name => {
                let error = TextError::whole("parameter", name, "one of variant, player");
                return Err(error.to_string());
            }
        }
        Ok(())
    }

    /// A new position also resets the limits of the previous search.
    fn set_position(&mut self, message: &HubMessage) -> Result<(), String> {
        self.game = None;
        self.limits = Limits::default();
        let start = message.value("pos").unwrap_or_default();
        let start = read_position(self.rules, start).map_err(|error| error.to_string())?;
        let mut game = History::new(start);
        for text in message.value("moves").unwrap_or_default().split_whitespace() {
            let mv = read_move(game.last(), text).ok_or_else(|| format!("illegal move {text}"))?;
            game.push(mv);
        }
        self.game = Some(game);
        Ok(())
    }

    /// Adds to the limits; `infinite` removes them all.
    fn set_level(&mut self, message: &HubMessage) {
        if message.value("infinite").is_some() {
            self.limits = Limits::default();
        }
        let limits = &mut self.limits;
        limits.depth = message.number("depth").or(limits.depth);
        limits.nodes = message.number("nodes").or(limits.nodes);
        limits.time = seconds(message, "move-time").or(limits.time);
        if let Some(time) = seconds(message, "time") {
            let increment = seconds(message, "inc").unwrap_or_default();
            // The protocol adds the increment before a move, `Clock` has it added already.
            limits.clock = Some(Clock {
                remaining: time + increment,
                increment,
                moves_to_go: message.number("moves").filter(|&moves| moves > 0),
            });
        }
    }

    fn go(
        &mut self,
        message: &HubMessage,
        lines: &mut StdinLines,
        queued: &mut VecDeque<Vec<u8>>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let nothing = HubMessage::new("done");
        let Some(game) = &self.game else {
            send(out, &error("there is no position to search"))?;
            return send(out, &nothing);
        };
        if game.last().outcome().is_some() {
            send(out, &error("the game is over"))?;
            return send(out, &nothing);
        }
        let mode = if message.value("ponder").is_some() { Mode::Ponder } else { Mode::Think };
        let search = HubSearch { game, limits: self.limits, mode, lines, queued, out };
        search.run(&mut *self.player)
    }
}

/// Seconds with a fraction; a negative time is none left.
fn seconds(message: &HubMessage, name: &str) -> Option<Duration> {
    // Longer than any game, and safe from overflow in sums of durations.
    const MAX_SECONDS: f64 = 1e9;
    let seconds: f64 = message.number(name)?;
    (!seconds.is_nan()).then(|| Duration::from_secs_f64(seconds.clamp(0.0, MAX_SECONDS)))
}
