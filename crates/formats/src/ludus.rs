//! The Ludus protocol, version 1: how a program plays any game of ours from outside. Its lines as
//! types, both ways; no processes, no rules. `docs/PROTOCOL.md` describes it.
//!
//! Every line is UTF-8, a word and what belongs to it. A client sends [`Command`]s, an engine answers
//! with [`Reply`]s. An engine says `error` to a line it does not understand; a client ignores one, so
//! that both can learn more without a new version.

use ludus_core::TextError;
use std::{fmt, str::FromStr, time::Duration};

/// The version of the protocol described here.
pub const VERSION: u32 = 1;

/// The word for the usual start of a game, where a position is expected.
const START: &str = "start";
/// The word between a position and the moves made from it.
const MOVES: &str = "moves";
/// No time of the protocol is longer, in milliseconds: more than a year.
const LONGEST: u64 = 1 << 35;

/// What a client says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `ludus 1`: introduce yourself; I speak the protocol up to this version.
    Ludus(u32),
    /// `ping`: answer when all before this line is done.
    Ping,
    /// `player engine:nodes=300`: play like this from now on.
    Player(String),
    /// `game go:size=9`: from now on it is this game, at its start.
    Game(String),
    /// `newgame seed 7`: another game begins; everything random in it is decided by this number.
    NewGame {
        /// The number.
        seed: u64,
    },
    /// `position start moves a b`: think about this.
    Position {
        /// Where the moves start; the usual start if `None`.
        start: Option<String>,
        /// The moves from there.
        moves: Vec<String>,
    },
    /// `go time 500`: find a move.
    Go(Go),
    /// `stop`: find it now.
    Stop,
    /// `quit`: end.
    Quit,
}

/// How long to think. Without any limit it is up to the engine.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Plies.
    pub depth: Option<u32>,
    /// Positions or simulations.
    pub nodes: Option<u64>,
    /// For this move.
    pub time: Option<Duration>,
    /// Left for the rest of the game.
    pub clock: Option<Duration>,
    /// Comes after every move.
    pub increment: Option<Duration>,
    /// Moves until more time comes.
    pub moves: Option<u32>,
}

/// What an engine says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// `id name Ludus`: who it is; `name`, `author` and `build` have a meaning.
    Id {
        /// What is told.
        key: String,
        /// What it is.
        value: String,
    },
    /// `game go size=19 komi=7.5`: a game it plays, the options it can have and their usual values.
    Game {
        /// Its name.
        name: String,
        /// Its options.
        options: Vec<(String, String)>,
    },
    /// `ludus 1`: the end of the introduction; this version is spoken.
    Ludus(u32),
    /// `pong`: the answer to `ping`.
    Pong,
    /// `info depth 3 score 20 pv a b`: what it thinks so far.
    Info(Info),
    /// `bestmove a`: its decision, one for every `go`.
    BestMove(Decision),
    /// `error what is wrong`: it cannot do what it was told last.
    Error(String),
}

/// What an engine decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// It makes this move.
    Move(String),
    /// `resign`: it gives up.
    Resign,
    /// `none`: it has no move to give.
    None,
}

/// What an engine thinks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Plies.
    pub depth: Option<u32>,
    /// Positions or simulations so far.
    pub nodes: Option<u64>,
    /// Time so far.
    pub time: Option<Duration>,
    /// For the side to move.
    pub score: Option<Score>,
    /// The line it expects.
    pub pv: Vec<String>,
}

/// How good a position is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Score {
    /// `score 20`: so many hundredths.
    Hundredths(i32),
    /// `win 5`, `win -4`: the game is won, or with a minus lost, in so many plies.
    Win(i32),
}

impl Command {
    /// Reads a line; `None` if it is empty.
    ///
    /// # Errors
    /// If it is no command.
    pub fn parse(line: &str) -> Result<Option<Command>, TextError> {
        let (word, rest) = split(line);
        let command = match word {
            "" => return Ok(None),
            "ludus" => Command::Ludus(number(line, rest, "the version, a whole number")?),
            "ping" => Command::Ping,
            "player" => Command::Player(text(line, rest, "a player such as engine:nodes=300")?),
            "game" => Command::Game(text(line, rest, "a game such as go:size=9")?),
            "newgame" => match split(rest) {
                ("seed", seed) => Command::NewGame { seed: number(line, seed, SEED)? },
                _ => return Err(wrong(line, rest, SEED)),
            },
            "position" => position(line, rest)?,
            "go" => Command::Go(go(line, rest)?),
            "stop" => Command::Stop,
            "quit" => Command::Quit,
            _ => {
                let expected = "one of the commands ludus, ping, player, game, newgame, position, go, \
                                stop, quit";
                return Err(TextError::whole("command", word, expected));
            }
        };
        Ok(Some(command))
    }
}

const SEED: &str = "newgame seed and a whole number";

/// The first word and what follows it.
fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (word, rest.trim_start())
}

/// That something else was expected where `found` is in `line`, or at its end.
fn wrong(line: &str, found: &str, expected: impl Into<String>) -> TextError {
    let at = if found.is_empty() { line.len() } else { offset(line, found) };
    TextError::at("line", line, at, expected.into())
}

/// Where `part` of `line` begins.
fn offset(line: &str, part: &str) -> usize {
    part.as_ptr() as usize - line.as_ptr() as usize
}

fn text(line: &str, rest: &str, expected: &str) -> Result<String, TextError> {
    if rest.is_empty() { Err(wrong(line, rest, expected)) } else { Ok(rest.to_owned()) }
}

fn number<T: FromStr>(line: &str, word: &str, expected: &str) -> Result<T, TextError> {
    word.parse().map_err(|_| wrong(line, word, expected))
}

fn position(line: &str, rest: &str) -> Result<Command, TextError> {
    let mut words = rest.split_whitespace();
    let end =
        words.by_ref().find(|&word| word == MOVES).map_or(rest.len(), |word| offset(rest, word));
    let start = rest[..end].trim_end();
    if start.is_empty() {
        return Err(wrong(line, rest, "start or a position, then moves and the moves"));
    }
    let start = (start != START).then(|| start.to_owned());
    Ok(Command::Position { start, moves: words.map(str::to_owned).collect() })
}

fn go(line: &str, rest: &str) -> Result<Go, TextError> {
    let mut go = Go::default();
    let mut words = rest.split_whitespace();
    while let Some(key) = words.next() {
        let value = words.next().unwrap_or_default();
        match key {
            "depth" => go.depth = Some(number(line, value, "plies, a whole number")?),
            "nodes" => go.nodes = Some(number(line, value, "nodes, a whole number")?),
            "time" => go.time = Some(milliseconds(line, value)?),
            "clock" => go.clock = Some(milliseconds(line, value)?),
            "increment" => go.increment = Some(milliseconds(line, value)?),
            "moves" => go.moves = Some(number(line, value, "moves, a whole number")?),
            _ => {
                let expected = "one of depth, nodes, time, clock, increment, moves";
                return Err(wrong(line, key, expected));
            }
        }
    }
    Ok(go)
}

fn milliseconds(line: &str, word: &str) -> Result<Duration, TextError> {
    let milliseconds: u64 = number(line, word, "milliseconds, a whole number")?;
    Ok(Duration::from_millis(milliseconds.min(LONGEST)))
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Ludus(version) => write!(f, "ludus {version}"),
            Command::Ping => f.write_str("ping"),
            Command::Player(player) => write!(f, "player {player}"),
            Command::Game(game) => write!(f, "game {game}"),
            Command::NewGame { seed } => write!(f, "newgame seed {seed}"),
            Command::Position { start, moves } => {
                write!(f, "position {}", start.as_deref().unwrap_or(START))?;
                write_list(f, MOVES, moves)
            }
            Command::Go(go) => go.fmt(f),
            Command::Stop => f.write_str("stop"),
            Command::Quit => f.write_str("quit"),
        }
    }
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = |time: Option<Duration>| time.map(|time| time.as_millis());
        f.write_str("go")?;
        write_value(f, "depth", self.depth)?;
        write_value(f, "nodes", self.nodes)?;
        write_value(f, "time", time(self.time))?;
        write_value(f, "clock", time(self.clock))?;
        write_value(f, "increment", time(self.increment))?;
        write_value(f, "moves", self.moves)
    }
}

fn write_value(
    f: &mut fmt::Formatter<'_>,
    key: &str,
    value: Option<impl fmt::Display>,
) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {key} {value}"))
}

/// A word and all that follows it, to the end of the line; nothing if nothing does.
fn write_list(f: &mut fmt::Formatter<'_>, key: &str, words: &[String]) -> fmt::Result {
    if words.is_empty() { Ok(()) } else { write!(f, " {key} {}", words.join(" ")) }
}

impl Reply {
    /// Reads a line; `None` if it is none of these.
    pub fn parse(line: &str) -> Option<Reply> {
        let (word, rest) = split(line);
        Some(match word {
            "id" => {
                let (key, value) = split(rest);
                Reply::Id { key: key.to_owned(), value: value.to_owned() }
            }
            "game" => {
                let mut words = rest.split_whitespace();
                let name = words.next()?.to_owned();
                let option = |word: &str| {
                    let (key, value) = word.split_once('=')?;
                    Some((key.to_owned(), value.to_owned()))
                };
                Reply::Game { name, options: words.filter_map(option).collect() }
            }
            "ludus" => Reply::Ludus(rest.parse().ok()?),
            "pong" => Reply::Pong,
            "info" => Reply::Info(Info::parse(rest)),
            "bestmove" => Reply::BestMove(match rest.split_whitespace().next() {
                None | Some("none") => Decision::None,
                Some("resign") => Decision::Resign,
                Some(mv) => Decision::Move(mv.to_owned()),
            }),
            "error" => Reply::Error(rest.to_owned()),
            _ => return None,
        })
    }
}

impl Info {
    /// Unknown and broken words are skipped.
    fn parse(rest: &str) -> Info {
        let mut info = Info::default();
        let mut words = rest.split_whitespace();
        while let Some(key) = words.next() {
            if key == "pv" {
                info.pv = words.map(str::to_owned).collect();
                break;
            }
            let Some(value) = words.clone().next() else { break };
            let understood = match key {
                "depth" => read_into(value, &mut info.depth, |depth| depth),
                "nodes" => read_into(value, &mut info.nodes, |nodes| nodes),
                "time" => read_into(value, &mut info.time, |milliseconds: u64| {
                    Duration::from_millis(milliseconds.min(LONGEST))
                }),
                "score" => read_into(value, &mut info.score, Score::Hundredths),
                "win" => read_into(value, &mut info.score, Score::Win),
                _ => false,
            };
            if understood {
                words.next();
            }
        }
        info
    }
}

/// Reads a number into its place; whether it is one.
fn read_into<N: FromStr, T>(word: &str, place: &mut Option<T>, make: impl Fn(N) -> T) -> bool {
    let Ok(number) = word.parse() else { return false };
    *place = Some(make(number));
    true
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Id { key, value } => write!(f, "id {key} {value}"),
            Reply::Game { name, options } => {
                write!(f, "game {name}")?;
                options.iter().try_for_each(|(key, value)| write!(f, " {key}={value}"))
            }
            Reply::Ludus(version) => write!(f, "ludus {version}"),
            Reply::Pong => f.write_str("pong"),
            Reply::Info(info) => info.fmt(f),
            Reply::BestMove(Decision::Move(mv)) => write!(f, "bestmove {mv}"),
            Reply::BestMove(Decision::Resign) => f.write_str("bestmove resign"),
            Reply::BestMove(Decision::None) => f.write_str("bestmove none"),
            // Whatever is wrong, it is one line.
            Reply::Error(text) => {
                let words: Vec<&str> = text.split_whitespace().collect();
                write!(f, "error {}", words.join(" "))
            }
        }
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        write_value(f, "depth", self.depth)?;
        match self.score {
            Some(Score::Hundredths(hundredths)) => write!(f, " score {hundredths}")?,
            Some(Score::Win(plies)) => write!(f, " win {plies}")?,
            None => {}
        }
        write_value(f, "nodes", self.nodes)?;
        write_value(f, "time", self.time.map(|time| time.as_millis()))?;
        write_list(f, "pv", &self.pv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn command(line: &str) -> Command {
        Command::parse(line).unwrap().unwrap()
    }

    #[test]
    fn commands_survive_the_journey() {
        for line in [
            "ludus 1",
            "ping",
            "player engine:nodes=300,table=4MB",
            "game go:size=9,komi=6.5",
            "newgame seed 18446744073709551615",
            "position start",
            "position start moves d3 c5",
            "position 7/7/7/7/3o3/3x3 x moves d e",
            "go",
            "go depth 3 nodes 300 time 50 clock 60000 increment 1000 moves 40",
            "stop",
            "quit",
        ] {
            assert_eq!(command(line).to_string(), line);
        }
        assert_eq!(Command::parse(" \t"), Ok(None));
        assert_eq!(
            command("  position\t a b  moves  c "),
            Command::Position { start: Some("a b".to_owned()), moves: vec!["c".to_owned()] }
        );
    }

    #[test]
    fn broken_commands_are_refused_with_what_would_be_right() {
        for (line, expected) in [
            ("fly", "bad command \"fly\": expected one of the commands ludus, ping"),
            ("ludus one", "the version, a whole number"),
            ("newgame", "newgame seed and a whole number"),
            ("newgame seed -1", "newgame seed and a whole number"),
            ("position", "start or a position"),
            ("position moves a", "start or a position"),
            ("go time", "milliseconds, a whole number"),
            ("go time 1.5", "milliseconds, a whole number"),
            ("go fast", "one of depth, nodes, time, clock, increment, moves"),
            ("game", "a game such as go:size=9"),
            ("player ", "a player such as engine:nodes=300"),
        ] {
            let error = Command::parse(line).unwrap_err().to_string();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }

    #[test]
    fn replies_survive_the_journey() {
        for line in [
            "id name Ludus 0.1.0",
            "game connect4",
            "game go size=19 komi=auto",
            "ludus 1",
            "pong",
            "info",
            "info depth 3 score -20 nodes 300 time 5 pv d3 c5",
            "info win -4",
            "bestmove d3",
            "bestmove resign",
            "bestmove none",
            "error no such game",
        ] {
            assert_eq!(Reply::parse(line).unwrap().to_string(), line);
        }
        assert_eq!(Reply::parse("bestmove"), Some(Reply::BestMove(Decision::None)));
        assert_eq!(Reply::Error("two\nlines".to_owned()).to_string(), "error two lines");
        for nonsense in ["", "game", "ludus", "ludus x", "Traceback (most recent call last):"] {
            assert_eq!(Reply::parse(nonsense), None, "{nonsense:?}");
        }
    }

    #[test]
    fn what_is_broken_in_a_report_is_skipped() {
        let Some(Reply::Info(info)) = Reply::parse("info depth x score 5 wdl 1 2 3 nodes pv a b")
        else {
            panic!("no report")
        };
        let pv = vec!["a".to_owned(), "b".to_owned()];
        let score = Some(Score::Hundredths(5));
        assert_eq!(info, Info { score, pv, ..Info::default() });
        let wild = Reply::parse("info win 99999999999 time 18446744073709551615");
        let Some(Reply::Info(Info { score: None, time: Some(_), .. })) = wild else {
            panic!("{wild:?}")
        };
    }

    proptest! {
        #[test]
        fn no_line_is_too_strange(line in "\\PC*") {
            if let Ok(Some(command)) = Command::parse(&line) {
                prop_assert_eq!(Command::parse(&command.to_string()), Ok(Some(command)));
            }
            if let Some(reply) = Reply::parse(&line) {
                let written = reply.to_string();
                prop_assert_eq!(Reply::parse(&written).map(|reply| reply.to_string()), Some(written));
            }
        }

        #[test]
        fn nearly_right_lines_are_read_or_refused(
            word in "ludus|ping|player|game|newgame|position|go|stop|quit|id|info|bestmove|error",
            rest in "( (seed|start|moves|time|clock|depth|score|win|pv|=|-?[0-9]{1,24}|\u{e9}|\t)){0,8}",
        ) {
            let line = format!("{word}{rest}");
            if let Ok(Some(command)) = Command::parse(&line) {
                prop_assert_eq!(Command::parse(&command.to_string()), Ok(Some(command)));
            }
            if let Some(reply) = Reply::parse(&line) {
                let written = reply.to_string();
                prop_assert_eq!(Reply::parse(&written).map(|reply| reply.to_string()), Some(written));
            }
        }
    }
}
