//! The Universal Chess Interface (UCI): its lines as types, in both directions. No processes, no
//! rules.
//!
//! The protocol is Stefan Meyer-Kahlen's, version of April 2006. As it demands, an unknown word at the
//! start of a line is skipped and the rest of the line is read; unknown or malformed words further
//! on are skipped too.

use std::{fmt, time::Duration};

/// A line sent by a GUI to an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UciCommand {
    /// `uci`: handshake, answered by identification and options.
    Uci,
    /// `debug`: additional output on or off.
    Debug(bool),
    /// `isready`: answer once ready.
    IsReady,
    /// `setoption`; buttons have no value.
    SetOption {
        /// Name of the option.
        name: String,
        /// Its new value.
        value: Option<String>,
    },
    /// `register`, which is ignored.
    Register,
    /// `ucinewgame`: the next position is from a new game.
    NewGame,
    /// `position`.
    Position {
        /// Position before the moves; the starting position if `None`.
        fen: Option<String>,
        /// The moves played from there.
        moves: Vec<String>,
    },
    /// `go`: start searching.
    Go(UciGo),
    /// `stop`: stop searching and answer.
    Stop,
    /// `ponderhit`: the expected move was played.
    PonderHit,
    /// `quit`: exit.
    Quit,
}

/// Search parameters of `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UciGo {
    /// Root moves to search; all if empty.
    pub search_moves: Vec<String>,
    /// Ponder: search on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Time left on White's clock and on Black's.
    pub time: [Option<Duration>; 2],
    /// Increment per move of White's clock and of Black's.
    pub increment: [Option<Duration>; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Number of nodes.
    pub nodes: Option<u64>,
    /// Search for a mate in this many moves.
    pub mate: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Search until `stop`.
    pub infinite: bool,
}

/// A line sent by an engine.
#[derive(Clone, Debug, PartialEq)]
pub enum UciMessage {
    /// `id name`.
    Name(String),
    /// `id author`.
    Author(String),
    /// `option`: one of its options.
    Option(UciOption),
    /// `uciok`: end of the handshake.
    UciOk,
    /// `readyok`: answer to `isready`.
    ReadyOk,
    /// `bestmove`. `(none)`, `0000` and the like are read as `None`.
    BestMove {
        /// The move.
        mv: Option<String>,
        /// The expected reply.
        ponder: Option<String>,
    },
    /// `info`: intermediate search result.
    Info(UciInfo),
}

/// An option of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UciOption {
    /// Its name, which may contain spaces; not case-sensitive.
    pub name: String,
    /// Its type, range and default.
    pub kind: UciOptionKind,
}

/// Type, range and default of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UciOptionKind {
    /// On or off.
    Check {
        /// The value if none is set.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The value if none is set.
        default: i64,
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// One of several words.
    Combo {
        /// The value if none is set.
        default: String,
        /// The words.
        choices: Vec<String>,
    },
    /// A button, without a value.
    Button,
    /// Any text.
    Text {
        /// The value if none is set.
        default: String,
    },
}

/// Intermediate result of a search.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UciInfo {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Selective depth: plies of the longest line.
    pub selective_depth: Option<u32>,
    /// Time since the start of the search.
    pub time: Option<Duration>,
    /// Number of nodes.
    pub nodes: Option<u64>,
    /// Nodes per second.
    pub nodes_per_second: Option<u64>,
    /// Rank of this line in a multi-PV search, from 1.
    pub multipv: Option<u32>,
    /// Score of the line.
    pub score: Option<UciScore>,
    /// Principal variation.
    pub pv: Vec<String>,
    /// Free text.
    pub text: Option<String>,
}

/// A score for the side to move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct UciScore {
    /// The value.
    pub value: ScoreValue,
    /// Whether it is only a lower or upper bound.
    pub bound: bool,
}

/// Value of a score.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ScoreValue {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in this many moves, not plies; negative if the engine is mated.
    Mate(i32),
}

/// Keywords of commands, and of messages.
const COMMANDS: &[&str] = &[
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
];
const MESSAGES: &[&str] = &["id", "uciok", "readyok", "option", "info", "bestmove"];

/// The protocol's notation of an empty text.
const EMPTY: &str = "<empty>";

impl UciCommand {
    /// Reads a line; `None` if nothing in it is known.
    pub fn parse(line: &str) -> Option<UciCommand> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let start = words.iter().position(|word| COMMANDS.contains(word))?;
        UciCommand::parse_words(words[start], &words[start + 1..])
    }

    fn parse_words(first: &str, rest: &[&str]) -> Option<UciCommand> {
        Some(match first {
            "uci" => UciCommand::Uci,
            "debug" => UciCommand::Debug(rest.first() != Some(&"off")),
            "isready" => UciCommand::IsReady,
            "setoption" => parse_set_option(rest)?,
            "register" => UciCommand::Register,
            "ucinewgame" => UciCommand::NewGame,
            "position" => parse_position(rest)?,
            "go" => UciCommand::Go(UciGo::parse(rest)),
            "stop" => UciCommand::Stop,
            "ponderhit" => UciCommand::PonderHit,
            "quit" => UciCommand::Quit,
            _ => return None,
        })
    }
}

fn parse_set_option(words: &[&str]) -> Option<UciCommand> {
    let name = words.iter().position(|word| *word == "name")? + 1;
    let value = words.iter().skip(name).position(|word| *word == "value").map(|at| name + at);
    let value_text = value.map(|at| words[at + 1..].join(" ")).map(without_empty);
    let name = words[name..value.unwrap_or(words.len())].join(" ");
    (!name.is_empty()).then_some(UciCommand::SetOption { name, value: value_text })
}

fn without_empty(text: String) -> String {
    if text == EMPTY { String::new() } else { text }
}

fn parse_position(words: &[&str]) -> Option<UciCommand> {
    let moves = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let (place, moves) = words.split_at(moves);
    let fen = match place.iter().position(|word| matches!(*word, "startpos" | "fen"))? {
        at if place[at] == "fen" => Some(place[at + 1..].join(" ")),
        _ => None,
    };
    let moves = moves.iter().skip(1).map(|&mv| mv.to_owned()).collect();
    Some(UciCommand::Position { fen, moves })
}

impl UciGo {
    fn parse(words: &[&str]) -> UciGo {
        let mut go = UciGo::default();
        let mut rest = words.iter().copied().peekable();
        while let Some(word) = rest.next() {
            let mut number = || rest.next_if(|text| text.parse::<i64>().is_ok());
            match word {
                "ponder" => go.ponder = true,
                "infinite" => go.infinite = true,
                "wtime" => go.time[0] = number().and_then(milliseconds),
                "btime" => go.time[1] = number().and_then(milliseconds),
                "winc" => go.increment[0] = number().and_then(milliseconds),
                "binc" => go.increment[1] = number().and_then(milliseconds),
                "movetime" => go.move_time = number().and_then(milliseconds),
                "movestogo" => go.moves_to_go = number().and_then(|text| text.parse().ok()),
                "depth" => go.depth = number().and_then(|text| text.parse().ok()),
                "nodes" => go.nodes = number().and_then(|text| text.parse().ok()),
                "mate" => go.mate = number().and_then(|text| text.parse().ok()),
                "searchmoves" => {
                    while let Some(mv) = rest.next_if(|text| !GO_WORDS.contains(text)) {
                        go.search_moves.push(mv.to_owned());
                    }
                }
                _ => {}
            }
        }
        go
    }
}

/// Keywords of `go`, which end the moves after `searchmoves`.
const GO_WORDS: &[&str] = &[
    "searchmoves",
    "ponder",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
];

/// Longer times are clamped to this: thirty days.
const MAX_MILLISECONDS: i64 = 30 * 86_400_000;

/// A time; the time left on a clock may be negative, which is read as zero.
fn milliseconds(text: &str) -> Option<Duration> {
    let number: i64 = text.parse().ok()?;
    Some(Duration::from_millis(number.clamp(0, MAX_MILLISECONDS).unsigned_abs()))
}

impl fmt::Display for UciCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciCommand::Uci => f.write_str("uci"),
            UciCommand::Debug(on) => write!(f, "debug {}", if *on { "on" } else { "off" }),
            UciCommand::IsReady => f.write_str("isready"),
            UciCommand::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            UciCommand::SetOption { name, value: Some(value) } => {
                let value = if value.is_empty() { EMPTY } else { value };
                write!(f, "setoption name {name} value {value}")
            }
            UciCommand::Register => f.write_str("register later"),
            UciCommand::NewGame => f.write_str("ucinewgame"),
            UciCommand::Position { fen, moves } => {
                match fen {
                    Some(fen) => write!(f, "position fen {fen}")?,
                    None => f.write_str("position startpos")?,
                }
                write_list(f, "moves", moves)
            }
            UciCommand::Go(go) => go.fmt(f),
            UciCommand::Stop => f.write_str("stop"),
            UciCommand::PonderHit => f.write_str("ponderhit"),
            UciCommand::Quit => f.write_str("quit"),
        }
    }
}

impl fmt::Display for UciGo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        if self.ponder {
            f.write_str(" ponder")?;
        }
        let [white, black] = self.time;
        let [white_increment, black_increment] = self.increment;
        for (name, time) in [
            ("wtime", white),
            ("btime", black),
            ("winc", white_increment),
            ("binc", black_increment),
            ("movetime", self.move_time),
        ] {
            write_field(f, name, time.map(|time| time.as_millis()))?;
        }
        write_field(f, "movestogo", self.moves_to_go)?;
        write_field(f, "depth", self.depth)?;
        write_field(f, "nodes", self.nodes)?;
        write_field(f, "mate", self.mate)?;
        if self.infinite {
            f.write_str(" infinite")?;
        }
        write_list(f, "searchmoves", &self.search_moves)
    }
}

fn write_field(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    value: Option<impl fmt::Display>,
) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {name} {value}"))
}

fn write_list(f: &mut fmt::Formatter<'_>, name: &str, words: &[String]) -> fmt::Result {
    if words.is_empty() { Ok(()) } else { write!(f, " {name} {}", words.join(" ")) }
}

impl UciMessage {
    /// Reads a line; `None` if nothing in it is known.
    pub fn parse(line: &str) -> Option<UciMessage> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let start = words.iter().position(|word| MESSAGES.contains(word))?;
        UciMessage::parse_words(words[start], &words[start + 1..])
    }

    fn parse_words(first: &str, rest: &[&str]) -> Option<UciMessage> {
        Some(match (first, rest) {
            ("id", ["name", name @ ..]) => UciMessage::Name(name.join(" ")),
            ("id", ["author", author @ ..]) => UciMessage::Author(author.join(" ")),
            ("uciok", _) => UciMessage::UciOk,
            ("readyok", _) => UciMessage::ReadyOk,
            ("option", rest) => UciMessage::Option(UciOption::parse(rest)?),
            ("info", rest) => UciMessage::Info(UciInfo::parse(rest)),
            ("bestmove", rest) => {
                let mv = rest.first().filter(|mv| !NO_MOVE.contains(mv)).map(|&mv| mv.to_owned());
                let ponder = match rest {
                    [_, "ponder", mv, ..] => Some((*mv).to_owned()),
                    _ => None,
                };
                UciMessage::BestMove { mv, ponder }
            }
            _ => return None,
        })
    }
}

/// Spellings of "no move" that engines use.
const NO_MOVE: &[&str] = &["(none)", "0000", "NULL", "null", "none"];

impl UciOption {
    fn parse(words: &[&str]) -> Option<UciOption> {
        const FIELDS: &[&str] = &["type", "default", "min", "max", "var"];
        let start = words.iter().position(|word| *word == "name")? + 1;
        let end = words.iter().position(|word| *word == "type").filter(|at| *at > start)?;
        let field = |name: &str| -> Vec<String> {
            let places = (end..words.len()).filter(|&at| words[at] == name);
            let value = |at: usize| {
                let value = words[at + 1..].iter().take_while(|word| !FIELDS.contains(word));
                value.copied().collect::<Vec<&str>>().join(" ")
            };
            places.map(value).collect()
        };
        let first = |name: &str| field(name).into_iter().next();
        let number = |name: &str| first(name).and_then(|text| text.parse::<i64>().ok());
        let kind = match first("type")?.as_str() {
            "check" => {
                UciOptionKind::Check { default: first("default").as_deref() == Some("true") }
            }
            "spin" => UciOptionKind::Spin {
                default: number("default").unwrap_or(0),
                min: number("min").unwrap_or(i64::MIN),
                max: number("max").unwrap_or(i64::MAX),
            },
            "combo" => UciOptionKind::Combo {
                default: first("default").unwrap_or_default(),
                choices: field("var"),
            },
            "button" => UciOptionKind::Button,
            "string" => {
                UciOptionKind::Text { default: without_empty(first("default").unwrap_or_default()) }
            }
            _ => return None,
        };
        Some(UciOption { name: words[start..end].join(" "), kind })
    }
}

impl UciInfo {
    fn parse(words: &[&str]) -> UciInfo {
        let mut info = UciInfo::default();
        let mut rest = words.iter().copied().peekable();
        while let Some(word) = rest.next() {
            match word {
                "string" => {
                    info.text = Some(rest.by_ref().collect::<Vec<&str>>().join(" "));
                }
                "pv" => {
                    while let Some(mv) = rest.next_if(|text| looks_like_a_move(text)) {
                        info.pv.push(mv.to_owned());
                    }
                }
                "score" => info.score = parse_score(&mut rest).or(info.score),
                _ => {
                    if let Some(number) = rest.next_if(|text| text.parse::<u64>().is_ok()) {
                        info.set(word, number);
                    }
                }
            }
        }
        info
    }

    fn set(&mut self, name: &str, number: &str) {
        match name {
            "depth" => self.depth = number.parse().ok(),
            "seldepth" => self.selective_depth = number.parse().ok(),
            "time" => self.time = milliseconds(number),
            "nodes" => self.nodes = number.parse().ok(),
            "nps" => self.nodes_per_second = number.parse().ok(),
            "multipv" => self.multipv = number.parse().ok(),
            _ => {}
        }
    }
}

fn looks_like_a_move(text: &str) -> bool {
    matches!(text.len(), 4 | 5) && text.ends_with(|c: char| c.is_ascii_alphanumeric()) && {
        let bytes = text.as_bytes();
        bytes[0].is_ascii_alphabetic() && bytes[1].is_ascii_digit()
    }
}

fn parse_score<'a>(
    rest: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>,
) -> Option<UciScore> {
    let kind = rest.next_if(|word| matches!(*word, "cp" | "mate"))?;
    let number = rest.next_if(|text| text.parse::<i32>().is_ok())?.parse().ok()?;
    let value =
        if kind == "cp" { ScoreValue::Centipawns(number) } else { ScoreValue::Mate(number) };
    let bound = rest.next_if(|word| matches!(*word, "lowerbound" | "upperbound")).is_some();
    Some(UciScore { value, bound })
}

impl fmt::Display for UciMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciMessage::Name(name) => write!(f, "id name {name}"),
            UciMessage::Author(author) => write!(f, "id author {author}"),
            UciMessage::Option(option) => option.fmt(f),
            UciMessage::UciOk => f.write_str("uciok"),
            UciMessage::ReadyOk => f.write_str("readyok"),
            UciMessage::BestMove { mv, ponder } => {
                write!(f, "bestmove {}", mv.as_deref().unwrap_or("(none)"))?;
                write_field(f, "ponder", ponder.as_ref())
            }
            UciMessage::Info(info) => info.fmt(f),
        }
    }
}

impl fmt::Display for UciOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            UciOptionKind::Check { default } => write!(f, "check default {default}"),
            UciOptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            UciOptionKind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            UciOptionKind::Button => f.write_str("button"),
            UciOptionKind::Text { default } => {
                write!(f, "string default {}", if default.is_empty() { EMPTY } else { default })
            }
        }
    }
}

impl fmt::Display for UciInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        write_field(f, "depth", self.depth)?;
        write_field(f, "seldepth", self.selective_depth)?;
        write_field(f, "multipv", self.multipv)?;
        if let Some(UciScore { value, bound }) = self.score {
            match value {
                ScoreValue::Centipawns(number) => write!(f, " score cp {number}")?,
                ScoreValue::Mate(moves) => write!(f, " score mate {moves}")?,
            }
            if bound {
                f.write_str(" lowerbound")?;
            }
        }
        write_field(f, "nodes", self.nodes)?;
        write_field(f, "nps", self.nodes_per_second)?;
        write_field(f, "time", self.time.map(|time| time.as_millis()))?;
        write_list(f, "pv", &self.pv)?;
        write_field(f, "string", self.text.as_ref())
    }
}
