//! The Universal Chess Interface: its lines as types, both ways. No processes, no rules.
//!
//! The protocol is Stefan Meyer-Kahlen's, of April 2006. What it says of strangers holds here: an
//! unknown word at the start of a line is skipped, and the rest of the line is read; an unknown or
//! broken word further on is skipped too.

use std::{fmt, time::Duration};

/// What a program says to an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Speak UCI, and say who you are.
    Uci,
    /// Say more, or no longer.
    Debug(bool),
    /// Answer when you are ready.
    IsReady,
    /// Set an option; buttons have no value.
    SetOption {
        /// Which one.
        name: String,
        /// To what.
        value: Option<String>,
    },
    /// Here is a registration (which nobody needs).
    Register,
    /// The next position is of another game.
    NewGame,
    /// Set up a position.
    Position {
        /// Where the moves start; the start of the game if `None`.
        fen: Option<String>,
        /// The moves from there.
        moves: Vec<String>,
    },
    /// Think.
    Go(Go),
    /// Stop thinking.
    Stop,
    /// The move you were to think about was made.
    PonderHit,
    /// End.
    Quit,
}

/// How to think.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Only these moves; all if empty.
    pub search_moves: Vec<String>,
    /// On the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Time left on White's clock and on Black's.
    pub time: [Option<Duration>; 2],
    /// What each move adds to White's clock and to Black's.
    pub increment: [Option<Duration>; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Plies.
    pub depth: Option<u32>,
    /// Positions.
    pub nodes: Option<u64>,
    /// Look for a mate in this many moves.
    pub mate: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Until `stop`.
    pub infinite: bool,
}

/// What an engine says.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// Its name.
    Name(String),
    /// Its author.
    Author(String),
    /// One of its options.
    Option(EngineOption),
    /// That was all about me.
    UciOk,
    /// I am ready.
    ReadyOk,
    /// My move, and the answer I expect. No move is `None`: `(none)` and `0000`.
    BestMove {
        /// The move.
        mv: Option<String>,
        /// The expected answer.
        ponder: Option<String>,
    },
    /// What I am thinking.
    Info(Info),
}

/// An option an engine has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOption {
    /// Its name, which may hold spaces. Case does not matter.
    pub name: String,
    /// What it may be.
    pub kind: OptionKind,
}

/// What an option may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
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
    /// One of some words.
    Combo {
        /// The value if none is set.
        default: String,
        /// The words.
        choices: Vec<String>,
    },
    /// Something to press.
    Button,
    /// Any text.
    Text {
        /// The value if none is set.
        default: String,
    },
}

/// What an engine is thinking.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Info {
    /// Plies.
    pub depth: Option<u32>,
    /// Plies of the longest line.
    pub selective_depth: Option<u32>,
    /// Time since it began.
    pub time: Option<Duration>,
    /// Positions.
    pub nodes: Option<u64>,
    /// Positions a second.
    pub nodes_per_second: Option<u64>,
    /// Which of its best lines this is, from 1.
    pub multipv: Option<u32>,
    /// What it thinks of the line.
    pub score: Option<UciScore>,
    /// The line.
    pub pv: Vec<String>,
    /// Words for people.
    pub text: Option<String>,
}

/// A score for the side to move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct UciScore {
    /// How much.
    pub value: ScoreValue,
    /// Whether it is only a bound, as searches with a window give.
    pub bound: bool,
}

/// How much a score is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ScoreValue {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Mate in so many moves, not plies; negative if the engine is mated.
    Mate(i32),
}

/// The first words of commands, and of messages.
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

/// How the protocol writes an empty text.
const EMPTY: &str = "<empty>";

impl Command {
    /// Reads a line; `None` if nothing in it is known.
    pub fn parse(line: &str) -> Option<Command> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let start = words.iter().position(|word| COMMANDS.contains(word))?;
        Command::parse_words(words[start], &words[start + 1..])
    }

    fn parse_words(first: &str, rest: &[&str]) -> Option<Command> {
        Some(match first {
            "uci" => Command::Uci,
            "debug" => Command::Debug(rest.first() != Some(&"off")),
            "isready" => Command::IsReady,
            "setoption" => parse_set_option(rest)?,
            "register" => Command::Register,
            "ucinewgame" => Command::NewGame,
            "position" => parse_position(rest)?,
            "go" => Command::Go(Go::parse(rest)),
            "stop" => Command::Stop,
            "ponderhit" => Command::PonderHit,
            "quit" => Command::Quit,
            _ => return None,
        })
    }
}

fn parse_set_option(words: &[&str]) -> Option<Command> {
    let name = words.iter().position(|word| *word == "name")? + 1;
    let value = words.iter().skip(name).position(|word| *word == "value").map(|at| name + at);
    let value_text = value.map(|at| words[at + 1..].join(" ")).map(without_empty);
    let name = words[name..value.unwrap_or(words.len())].join(" ");
    (!name.is_empty()).then_some(Command::SetOption { name, value: value_text })
}

fn without_empty(text: String) -> String {
    if text == EMPTY { String::new() } else { text }
}

fn parse_position(words: &[&str]) -> Option<Command> {
    let moves = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
    let (place, moves) = words.split_at(moves);
    let fen = match place.iter().position(|word| matches!(*word, "startpos" | "fen"))? {
        at if place[at] == "fen" => Some(place[at + 1..].join(" ")),
        _ => None,
    };
    let moves = moves.iter().skip(1).map(|&mv| mv.to_owned()).collect();
    Some(Command::Position { fen, moves })
}

impl Go {
    fn parse(words: &[&str]) -> Go {
        let mut go = Go::default();
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

/// The words that may follow `go`, and so end the moves after `searchmoves`.
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

/// The longest time believed, in milliseconds: thirty days.
const MAX_MILLISECONDS: i64 = 30 * 86_400_000;

/// A time; a clock that ran out may be negative, which is no time left.
fn milliseconds(text: &str) -> Option<Duration> {
    let number: i64 = text.parse().ok()?;
    Some(Duration::from_millis(number.clamp(0, MAX_MILLISECONDS).unsigned_abs()))
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Uci => f.write_str("uci"),
            Command::Debug(on) => write!(f, "debug {}", if *on { "on" } else { "off" }),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            Command::SetOption { name, value: Some(value) } => {
                let value = if value.is_empty() { EMPTY } else { value };
                write!(f, "setoption name {name} value {value}")
            }
            Command::Register => f.write_str("register later"),
            Command::NewGame => f.write_str("ucinewgame"),
            Command::Position { fen, moves } => {
                match fen {
                    Some(fen) => write!(f, "position fen {fen}")?,
                    None => f.write_str("position startpos")?,
                }
                write_list(f, "moves", moves)
            }
            Command::Go(go) => go.fmt(f),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Quit => f.write_str("quit"),
        }
    }
}

impl fmt::Display for Go {
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

impl Message {
    /// Reads a line; `None` if nothing in it is known.
    pub fn parse(line: &str) -> Option<Message> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let start = words.iter().position(|word| MESSAGES.contains(word))?;
        Message::parse_words(words[start], &words[start + 1..])
    }

    fn parse_words(first: &str, rest: &[&str]) -> Option<Message> {
        Some(match (first, rest) {
            ("id", ["name", name @ ..]) => Message::Name(name.join(" ")),
            ("id", ["author", author @ ..]) => Message::Author(author.join(" ")),
            ("uciok", _) => Message::UciOk,
            ("readyok", _) => Message::ReadyOk,
            ("option", rest) => Message::Option(EngineOption::parse(rest)?),
            ("info", rest) => Message::Info(Info::parse(rest)),
            ("bestmove", rest) => {
                let mv = rest.first().filter(|mv| !NO_MOVE.contains(mv)).map(|&mv| mv.to_owned());
                let ponder = match rest {
                    [_, "ponder", mv, ..] => Some((*mv).to_owned()),
                    _ => None,
                };
                Message::BestMove { mv, ponder }
            }
            _ => return None,
        })
    }
}

/// How engines write that they have no move.
const NO_MOVE: &[&str] = &["(none)", "0000", "NULL", "null", "none"];

impl EngineOption {
    fn parse(words: &[&str]) -> Option<EngineOption> {
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
            "check" => OptionKind::Check { default: first("default").as_deref() == Some("true") },
            "spin" => OptionKind::Spin {
                default: number("default").unwrap_or(0),
                min: number("min").unwrap_or(i64::MIN),
                max: number("max").unwrap_or(i64::MAX),
            },
            "combo" => OptionKind::Combo {
                default: first("default").unwrap_or_default(),
                choices: field("var"),
            },
            "button" => OptionKind::Button,
            "string" => {
                OptionKind::Text { default: without_empty(first("default").unwrap_or_default()) }
            }
            _ => return None,
        };
        Some(EngineOption { name: words[start..end].join(" "), kind })
    }
}

impl Info {
    fn parse(words: &[&str]) -> Info {
        let mut info = Info::default();
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

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::Name(name) => write!(f, "id name {name}"),
            Message::Author(author) => write!(f, "id author {author}"),
            Message::Option(option) => option.fmt(f),
            Message::UciOk => f.write_str("uciok"),
            Message::ReadyOk => f.write_str("readyok"),
            Message::BestMove { mv, ponder } => {
                write!(f, "bestmove {}", mv.as_deref().unwrap_or("(none)"))?;
                write_field(f, "ponder", ponder.as_ref())
            }
            Message::Info(info) => info.fmt(f),
        }
    }
}

impl fmt::Display for EngineOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => {
                write!(f, "spin default {default} min {min} max {max}")
            }
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::Button => f.write_str("button"),
            OptionKind::Text { default } => {
                write!(f, "string default {}", if default.is_empty() { EMPTY } else { default })
            }
        }
    }
}

impl fmt::Display for Info {
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
