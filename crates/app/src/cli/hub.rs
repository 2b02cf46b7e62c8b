//! `ludus hub`: any of our draughts players as an engine for programs that speak the Hub protocol,
//! version 2.
//!
//! As the protocol wants it, what we do not understand is ignored; what we understand but cannot do
//! is answered with `error`. Every `go` is answered with one `done`, without a move if there is
//! none to give.

mod search;

use self::search::{Mode, Search};
use super::{Common, command_lines::CommandLines};
use ludus_core::{Clock, History, Limits, Player, Position, TextError};
use ludus_formats::hub::Message;
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

/// The strongest player we have.
const STRONGEST: &str = "minimax";
/// The longest line taken: a game of several thousand moves.
const MAX_LINE_BYTES: usize = 64 << 10;

/// Be a draughts engine for other programs (Hub protocol 2)
#[derive(clap::Args)]
pub struct Args {
    /// Who plays
    #[arg(long, default_value = STRONGEST, value_name = "PLAYER")]
    player: String,
}

/// An engine between two commands.
struct Engine {
    spec: String,
    player: Box<dyn Player<Draughts>>,
    resources: Resources,
    rules: Rules,
    /// The game to think about; none after a position we could not read.
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
    let mut lines = CommandLines::of_stdin(MAX_LINE_BYTES)?;
    // Commands that came during a search and have to wait for its end.
    let mut waiting = VecDeque::new();
    while let Some(line) = waiting.pop_front().or_else(|| lines.next()) {
        let text = String::from_utf8_lossy(&line);
        let Some(message) = Message::read(&text) else {
            if !text.trim().is_empty() {
                send(out, &error("this is no command with arguments"))?;
            }
            continue;
        };
        match message.name.as_str() {
            "quit" => break,
            "go" => engine.go(&message, &mut lines, &mut waiting, out)?,
            _ => engine.obey(&message, out)?,
        }
    }
    Ok(())
}

fn send(out: &mut impl Write, message: &Message) -> io::Result<()> {
    writeln!(out, "{message}")?;
    out.flush()
}

fn error(message: &str) -> Message {
    Message::new("error").with("message", message)
}

impl Engine {
    /// Does what a command other than `go` and `quit` says.
    fn obey(&mut self, message: &Message, out: &mut impl Write) -> io::Result<()> {
        let result = match message.name.as_str() {
            "hub" => return self.introduce(out),
            "init" => return send(out, &Message::new("ready")),
            "ping" => return send(out, &Message::new("pong")),
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

    fn introduce(&self, out: &mut impl Write) -> io::Result<()> {
        let id = Message::new("id")
            .with("name", "Ludus")
            .with("version", env!("CARGO_PKG_VERSION"))
            .with("author", "The Ludus authors");
        let parameter =
            |name: &str, value: &str| Message::new("param").with("name", name).with("value", value);
        let variants = Rules::ALL.map(variant).join(" ");
        send(out, &id)?;
        let current = variant(self.rules);
        send(out, &parameter("variant", current).with("type", "enum").with("values", variants))?;
        // Some clients cut every value at `=`, quoted or not, and then give up.
        if !self.spec.contains('=') {
            send(out, &parameter("player", &self.spec).with("type", "string"))?;
        }
        send(out, &Message::new("wait"))
    }

    fn set_param(&mut self, message: &Message) -> Result<(), String> {
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

    /// A new position also clears the limits of the search before.
    fn set_position(&mut self, message: &Message) -> Result<(), String> {
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

    /// Adds to the limits. `infinite` takes all away.
    fn set_level(&mut self, message: &Message) {
        if message.value("infinite").is_some() {
            self.limits = Limits::default();
        }
        let limits = &mut self.limits;
        limits.depth = message.number("depth").or(limits.depth);
        limits.nodes = message.number("nodes").or(limits.nodes);
        limits.time = seconds(message, "move-time").or(limits.time);
        if let Some(time) = seconds(message, "time") {
            let increment = seconds(message, "inc").unwrap_or_default();
            // The protocol adds the increment before a move, we count it as there already.
            limits.clock = Some(Clock {
                remaining: time + increment,
                increment,
                moves_to_go: message.number("moves").filter(|&moves| moves > 0),
            });
        }
    }

    fn go(
        &mut self,
        message: &Message,
        lines: &mut CommandLines,
        waiting: &mut VecDeque<Vec<u8>>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let nothing = Message::new("done");
        let Some(game) = &self.game else {
            send(out, &error("there is no position to think about"))?;
            return send(out, &nothing);
        };
        if game.last().outcome().is_some() {
            send(out, &error("the game is over"))?;
            return send(out, &nothing);
        }
        let mode = if message.value("ponder").is_some() { Mode::Ponder } else { Mode::Think };
        let search = Search { game, limits: self.limits, mode, lines, waiting, out };
        search.run(&mut *self.player)
    }
}

/// Seconds with a fraction; a negative time is none left.
fn seconds(message: &Message, name: &str) -> Option<Duration> {
    // Longer than any game, and far from where sums of durations overflow.
    const LONGEST: f64 = 1e9;
    let seconds: f64 = message.number(name)?;
    (!seconds.is_nan()).then(|| Duration::from_secs_f64(seconds.clamp(0.0, LONGEST)))
}
