//! The Ludus protocol, version 1, for engines of every game of Ludus: its lines as types, in both
//! directions; no processes, no rules. `docs/PROTOCOL.md` describes it.
//!
//! Every line is UTF-8: a keyword and its arguments. A client sends [`LudusCommand`]s, an engine
//! answers with [`LudusReply`]s. An engine answers `error` to a line it does not understand; a client
//! ignores such lines, so that both can be extended without a new version.

use ludus_core::TextError;
use std::{fmt, str::FromStr, time::Duration};

/// The version of the protocol described here.
pub const VERSION: u32 = 1;

/// Keyword for the usual starting position.
const START: &str = "start";
/// Keyword between a position and the moves played from it.
const MOVES: &str = "moves";
/// Longer times are clamped to this: more than a year, in milliseconds.
const MAX_TIME_MS: u64 = 1 << 35;

/// A line sent by a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LudusCommand {
    /// `ludus 1`: handshake; the highest protocol version the client supports.
    Ludus(u32),
    /// `ping`: answer once all previous commands are processed.
    Ping,
    /// `player engine:nodes=300`: select the player.
    Player(String),
    /// `game go:size=9`: select the game, at its starting position.
    Game(String),
    /// `newgame seed 7`: start a new game; the seed determines all its randomness.
    NewGame {
        /// The seed.
        seed: u64,
    },
    /// `position start moves a b`: set the position.
    Position {
        /// Position before the moves; the usual starting position if `None`.
        start: Option<String>,
        /// The moves played from there.
        moves: Vec<String>,
    },
    /// `go time 500`: start searching.
    Go(LudusGo),
    /// `stop`: stop searching and answer.
    Stop,
    /// `quit`: exit.
    Quit,
}

/// Search limits. Without any, the engine decides.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct LudusGo {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Positions or simulations.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub time: Option<Duration>,
    /// Time left for the rest of the game.
    pub clock: Option<Duration>,
    /// Time added after every move.
    pub increment: Option<Duration>,
    /// Moves to the next time control.
    pub moves: Option<u32>,
}

/// A line sent by an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LudusReply {
    /// `id name Ludus`: identification; the keys in use are `name`, `author` and `build`.
    Id {
        /// The key.
        key: String,
        /// The value.
        value: String,
    },
    /// `game go size=19 komi=7.5`: a supported game with its options and their default values.
    Game {
        /// Its name.
        name: String,
        /// Its options.
        options: Vec<(String, String)>,
    },
    /// `ludus 1`: end of the handshake, with the protocol version in use.
    Ludus(u32),
    /// `pong`: answer to `ping`.
    Pong,
    /// `info depth 3 score 20 pv a b`: intermediate search result.
    Info(LudusInfo),
    /// `bestmove a`: final decision, one for every `go`.
    BestMove(Decision),
    /// `error MESSAGE`: the last command failed.
    Error(String),
}

/// Decision of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Play this move.
    Move(String),
    /// `resign`: resignation.
    Resign,
    /// `none`: no move available.
    None,
}

/// Intermediate result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LudusInfo {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Positions or simulations so far.
    pub nodes: Option<u64>,
    /// Time used so far.
    pub time: Option<Duration>,
    /// Score for the side to move.
    pub score: Option<LudusScore>,
    /// Principal variation.
    pub pv: Vec<String>,
}

/// Score of a position for the side to move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum LudusScore {
    /// `score 20`: hundredths of the game's unit.
    Hundredths(i32),
    /// `win 5`, `win -4`: a win, or with a minus a loss, in this many plies.
    Win(i32),
}

impl LudusCommand {
    /// Parses a line; `None` if it is empty.
    ///
    /// # Errors
    /// If it is not a command.
    pub fn parse(line: &str) -> Result<Option<LudusCommand>, TextError> {
        let (word, rest) = split(line);
        let command = match word {
            "" => return Ok(None),
            "ludus" => LudusCommand::Ludus(number(line, rest, "the version, a whole number")?),
            "ping" => LudusCommand::Ping,
            "player" => {
                LudusCommand::Player(text(line, rest, "a player such as engine:nodes=300")?)
            }
            "game" => LudusCommand::Game(text(line, rest, "a game such as go:size=9")?),
            "newgame" => match split(rest) {
                ("seed", seed) => LudusCommand::NewGame { seed: number(line, seed, SEED)? },
                _ => return Err(wrong(line, rest, SEED)),
            },
            "position" => position(line, rest)?,
            "go" => LudusCommand::Go(go(line, rest)?),
            "stop" => LudusCommand::Stop,
            "quit" => LudusCommand::Quit,
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

/// The error that `expected` should stand at `found` in `line`, or at its end.
fn wrong(line: &str, found: &str, expected: impl Into<String>) -> TextError {
    let at = if found.is_empty() { line.len() } else { offset(line, found) };
    TextError::at("line", line, at, expected.into())
}

/// Byte offset of `part` in `line`.
fn offset(line: &str, part: &str) -> usize {
    part.as_ptr() as usize - line.as_ptr() as usize
}

fn text(line: &str, rest: &str, expected: &str) -> Result<String, TextError> {
    if rest.is_empty() { Err(wrong(line, rest, expected)) } else { Ok(rest.to_owned()) }
}

fn number<T: FromStr>(line: &str, word: &str, expected: &str) -> Result<T, TextError> {
    word.parse().map_err(|_| wrong(line, word, expected))
}

fn position(line: &str, rest: &str) -> Result<LudusCommand, TextError> {
    let mut words = rest.split_whitespace();
    let end =
        words.by_ref().find(|&word| word == MOVES).map_or(rest.len(), |word| offset(rest, word));
    let start = rest[..end].trim_end();
    if start.is_empty() {
        return Err(wrong(line, rest, "start or a position, then moves and the moves"));
    }
    let start = (start != START).then(|| start.to_owned());
    Ok(LudusCommand::Position { start, moves: words.map(str::to_owned).collect() })
}

fn go(line: &str, rest: &str) -> Result<LudusGo, TextError> {
    let mut go = LudusGo::default();
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
    Ok(Duration::from_millis(milliseconds.min(MAX_TIME_MS)))
}

impl fmt::Display for LudusCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LudusCommand::Ludus(version) => write!(f, "ludus {version}"),
            LudusCommand::Ping => f.write_str("ping"),
            LudusCommand::Player(player) => write!(f, "player {player}"),
            LudusCommand::Game(game) => write!(f, "game {game}"),
            LudusCommand::NewGame { seed } => write!(f, "newgame seed {seed}"),
            LudusCommand::Position { start, moves } => {
                write!(f, "position {}", start.as_deref().unwrap_or(START))?;
                write_list(f, MOVES, moves)
            }
            LudusCommand::Go(go) => go.fmt(f),
            LudusCommand::Stop => f.write_str("stop"),
            LudusCommand::Quit => f.write_str("quit"),
        }
    }
}

impl fmt::Display for LudusGo {
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

/// Writes `key` and the words to the end of the line; nothing if there are no words.
fn write_list(f: &mut fmt::Formatter<'_>, key: &str, words: &[String]) -> fmt::Result {
    if words.is_empty() { Ok(()) } else { write!(f, " {key} {}", words.join(" ")) }
}

impl LudusReply {
    /// Parses a line; `None` if it is not a reply.
    pub fn parse(line: &str) -> Option<LudusReply> {
        let (word, rest) = split(line);
        Some(match word {
            "id" => {
                let (key, value) = split(rest);
                LudusReply::Id { key: key.to_owned(), value: value.to_owned() }
            }
            "game" => {
                let mut words = rest.split_whitespace();
                let name = words.next()?.to_owned();
                let option = |word: &str| {
                    let (key, value) = word.split_once('=')?;
                    Some((key.to_owned(), value.to_owned()))
                };
                LudusReply::Game { name, options: words.filter_map(option).collect() }
            }
            "ludus" => LudusReply::Ludus(rest.parse().ok()?),
            "pong" => LudusReply::Pong,
            "info" => LudusReply::Info(LudusInfo::parse(rest)),
            "bestmove" => LudusReply::BestMove(match rest.split_whitespace().next() {
                None | Some("none") => Decision::None,
                Some("resign") => Decision::Resign,
                Some(mv) => Decision::Move(mv.to_owned()),
            }),
            "error" => LudusReply::Error(rest.to_owned()),
            _ => return None,
        })
    }
}

impl LudusInfo {
    /// Skips unknown and malformed words.
    fn parse(rest: &str) -> LudusInfo {
        let mut info = LudusInfo::default();
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
                    Duration::from_millis(milliseconds.min(MAX_TIME_MS))
                }),
                "score" => read_into(value, &mut info.score, LudusScore::Hundredths),
                "win" => read_into(value, &mut info.score, LudusScore::Win),
                _ => false,
            };
            if understood {
                words.next();
            }
        }
        info
    }
}

/// Parses a number into `place`; whether `word` is a number.
fn read_into<N: FromStr, T>(word: &str, place: &mut Option<T>, make: impl Fn(N) -> T) -> bool {
    let Ok(number) = word.parse() else { return false };
    *place = Some(make(number));
    true
}

impl fmt::Display for LudusReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LudusReply::Id { key, value } => write!(f, "id {key} {value}"),
            LudusReply::Game { name, options } => {
                write!(f, "game {name}")?;
                options.iter().try_for_each(|(key, value)| write!(f, " {key}={value}"))
            }
            LudusReply::Ludus(version) => write!(f, "ludus {version}"),
            LudusReply::Pong => f.write_str("pong"),
            LudusReply::Info(info) => info.fmt(f),
            LudusReply::BestMove(Decision::Move(mv)) => write!(f, "bestmove {mv}"),
            LudusReply::BestMove(Decision::Resign) => f.write_str("bestmove resign"),
            LudusReply::BestMove(Decision::None) => f.write_str("bestmove none"),
            // Messages are reduced to one line.
            LudusReply::Error(text) => {
                let words: Vec<&str> = text.split_whitespace().collect();
                write!(f, "error {}", words.join(" "))
            }
        }
    }
}

impl fmt::Display for LudusInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        write_value(f, "depth", self.depth)?;
        match self.score {
            Some(LudusScore::Hundredths(hundredths)) => write!(f, " score {hundredths}")?,
            Some(LudusScore::Win(plies)) => write!(f, " win {plies}")?,
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
    fn command(line: &str) -> LudusCommand {
        LudusCommand::parse(line).unwrap().unwrap()
    }

    #[test]
    fn commands_round_trip() {
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
        assert_eq!(LudusCommand::parse(" \t"), Ok(None));
        assert_eq!(
            command("  position\t a b  moves  c "),
            LudusCommand::Position { start: Some("a b".to_owned()), moves: vec!["c".to_owned()] }
        );
    }

    #[test]
    fn malformed_commands_are_refused_with_the_expected_text() {
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
            let error = LudusCommand::parse(line).unwrap_err().to_string();
            assert!(error.contains(expected), "{line}: {error}");
        }
    }

    #[test]
    fn replies_round_trip() {
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
            assert_eq!(LudusReply::parse(line).unwrap().to_string(), line);
        }
        assert_eq!(LudusReply::parse("bestmove"), Some(LudusReply::BestMove(Decision::None)));
        assert_eq!(LudusReply::Error("two\nlines".to_owned()).to_string(), "error two lines");
        for nonsense in ["", "game", "ludus", "ludus x", "Traceback (most recent call last):"] {
            assert_eq!(LudusReply::parse(nonsense), None, "{nonsense:?}");
        }
    }

    #[test]
    fn malformed_words_in_an_info_line_are_skipped() {
        let Some(LudusReply::Info(info)) =
            LudusReply::parse("info depth x score 5 wdl 1 2 3 nodes pv a b")
        else {
            panic!("no report")
        };
        let pv = vec!["a".to_owned(), "b".to_owned()];
        let score = Some(LudusScore::Hundredths(5));
        assert_eq!(info, LudusInfo { score, pv, ..LudusInfo::default() });
        let wild = LudusReply::parse("info win 99999999999 time 18446744073709551615");
        let Some(LudusReply::Info(LudusInfo { score: None, time: Some(_), .. })) = wild else {
            panic!("{wild:?}")
        };
    }

    proptest! {
        #[test]
        fn no_line_is_too_strange(line in "\\PC*") {
            if let Ok(Some(command)) = LudusCommand::parse(&line) {
                prop_assert_eq!(LudusCommand::parse(&command.to_string()), Ok(Some(command)));
            }
            if let Some(reply) = LudusReply::parse(&line) {
                let written = reply.to_string();
                prop_assert_eq!(LudusReply::parse(&written).map(|reply| reply.to_string()), Some(written));
            }
        }

        #[test]
        fn nearly_right_lines_are_read_or_refused(
            word in "ludus|ping|player|game|newgame|position|go|stop|quit|id|info|bestmove|error",
            rest in "( (seed|start|moves|time|clock|depth|score|win|pv|=|-?[0-9]{1,24}|\u{e9}|\t)){0,8}",
        ) {
            let line = format!("{word}{rest}");
            if let Ok(Some(command)) = LudusCommand::parse(&line) {
                prop_assert_eq!(LudusCommand::parse(&command.to_string()), Ok(Some(command)));
            }
            if let Some(reply) = LudusReply::parse(&line) {
                let written = reply.to_string();
                prop_assert_eq!(LudusReply::parse(&written).map(|reply| reply.to_string()), Some(written));
            }
        }
    }
}
