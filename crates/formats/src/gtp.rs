//! The Go Text Protocol, version 2: commands and responses as text, for both ends of the line.
//!
//! A command is one line, `[id] name [arguments]`. A response starts with `=` (or `?` if the
//! command failed) and the id, and ends with an empty line. What a reader has to ignore (control
//! characters, comments, empty lines) is ignored here.

use crate::Color;
use std::fmt;

/// The longest line a reader has to take. The longest one that makes sense, a handicap list for the
/// largest board, is far below it.
pub const MAX_LINE_BYTES: usize = 64 << 10;

/// A command as the engine hears it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The number the response repeats, if the controller gave one.
    pub id: Option<u32>,
    /// What is asked for; empty if there was only a number.
    pub name: String,
    /// The words behind it.
    pub arguments: Vec<String>,
}

impl Command {
    /// Reads a line without its line feed. `None` if there is nothing to answer: the line is empty
    /// or only a comment.
    pub fn read(line: &[u8]) -> Option<Command> {
        let text = cleaned(line);
        let text = text.split('#').next().unwrap_or_default();
        let mut words = text.split_whitespace().peekable();
        // Ids are below 2^31; a larger number is no id but a command that nobody knows.
        let id = words.peek()?.parse().ok().filter(|&id: &u32| id < 1 << 31);
        if id.is_some() {
            words.next();
        }
        let name = words.next().unwrap_or_default().to_owned();
        Some(Command { id, name, arguments: words.map(str::to_owned).collect() })
    }
}

/// The text of a line without control characters; tabs become spaces.
fn cleaned(line: &[u8]) -> String {
    String::from_utf8_lossy(line)
        .chars()
        .map(|character| if character == '\t' { ' ' } else { character })
        .filter(|character| !character.is_control())
        .collect()
}

/// An answer to one command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The id of the command.
    pub id: Option<u32>,
    /// What it brought, or why it failed; without the line feeds at the end.
    pub result: Result<String, String>,
}

impl fmt::Display for Response {
    /// The whole response with the empty line at its end. Empty lines inside would end it early,
    /// so they get a space.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_start(f, self.id, self.result.is_ok())?;
        let (Ok(text) | Err(text)) = &self.result;
        if !text.is_empty() {
            f.write_str(" ")?;
            for (index, line) in text.trim_end().split('\n').enumerate() {
                if index > 0 {
                    f.write_str(if line.is_empty() { "\n " } else { "\n" })?;
                }
                f.write_str(line)?;
            }
        }
        f.write_str("\n\n")
    }
}

fn write_start(f: &mut impl fmt::Write, id: Option<u32>, success: bool) -> fmt::Result {
    f.write_char(if success { '=' } else { '?' })?;
    id.map_or(Ok(()), |id| write!(f, "{id}"))
}

/// The first line of a response whose text is written as it comes: `=` and the id.
pub fn open_response(id: Option<u32>) -> String {
    let mut text = String::new();
    let _ = write_start(&mut text, id, true); // a string takes everything
    text + "\n"
}

/// Puts a response together from the lines of an engine.
#[derive(Default)]
pub struct ResponseReader {
    open: Option<Response>,
}

impl ResponseReader {
    /// A reader that waits for the start of a response.
    pub fn new() -> ResponseReader {
        ResponseReader::default()
    }

    /// Takes one line without its line feed; the response if this line completes it. Whatever
    /// stands between responses is skipped.
    pub fn line(&mut self, line: &str) -> Option<Response> {
        let line = cleaned(line.as_bytes());
        let Some(open) = &mut self.open else {
            self.open = start(&line);
            return None;
        };
        if line.is_empty() {
            return self.open.take();
        }
        let (Ok(text) | Err(text)) = &mut open.result;
        text.push('\n');
        text.push_str(&line);
        None
    }
}

fn start(line: &str) -> Option<Response> {
    let rest = line.strip_prefix(['=', '?'])?;
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let text = rest[digits..].trim().to_owned();
    let result = if line.starts_with('=') { Ok(text) } else { Err(text) };
    Some(Response { id: rest[..digits].parse().ok(), result })
}

/// Reads `b`, `black`, `w` or `white` in either case.
pub fn read_color(word: &str) -> Option<Color> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}

/// `b` or `w`.
pub fn color_word(color: Color) -> &'static str {
    match color {
        Color::Black => "b",
        Color::White => "w",
    }
}

/// Where a move goes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Vertex {
    /// A point: column from the left and row from below, both counted from 0.
    Point {
        /// From the left.
        column: usize,
        /// From below.
        row: usize,
    },
    /// No stone.
    Pass,
    /// The game is given up; only engines say so.
    Resign,
}

/// The letters of the columns: there is no `I`.
const COLUMNS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

impl Vertex {
    /// Reads `D4`, `pass` or `resign` in either case.
    pub fn read(word: &str) -> Option<Vertex> {
        if word.eq_ignore_ascii_case("pass") {
            return Some(Vertex::Pass);
        }
        if word.eq_ignore_ascii_case("resign") {
            return Some(Vertex::Resign);
        }
        let (letter, digits) = word.as_bytes().split_first()?;
        let column = COLUMNS.iter().position(|column| *column == letter.to_ascii_uppercase())?;
        if !digits.iter().all(u8::is_ascii_digit) || digits.first() == Some(&b'0') {
            return None;
        }
        let row: usize = word[1..].parse().ok()?;
        (row <= COLUMNS.len()).then_some(Vertex::Point { column, row: row - 1 })
    }
}

impl fmt::Display for Vertex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Vertex::Point { column, row } => {
                let letter = COLUMNS.get(column).map_or('?', |&letter| char::from(letter));
                write!(f, "{letter}{}", row + 1)
            }
            Vertex::Pass => f.write_str("pass"),
            Vertex::Resign => f.write_str("resign"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> Command {
        Command::read(line.as_bytes()).unwrap()
    }

    #[test]
    fn commands_have_ids_names_and_arguments() {
        let play = command("12\tplay  b\tQ16 # a comment\r");
        assert_eq!((play.id, play.name.as_str()), (Some(12), "play"));
        assert_eq!(play.arguments, ["b", "Q16"]);
        assert_eq!(command("name\u{7}").name, "name");
        assert_eq!(command("7"), Command { id: Some(7), name: String::new(), arguments: vec![] });
        assert_eq!(command("4294967296 name").name, "4294967296");
        assert_eq!(command("2147483647 name").id, Some(i32::MAX as u32));
        assert_eq!(command("2147483648 name").id, None);
        for nothing in ["", "  \t ", "# name", "\r", "\u{1}\u{2}"] {
            assert_eq!(Command::read(nothing.as_bytes()), None, "{nothing:?}");
        }
        assert!(Command::read(b"\xFF\xFE name").is_some());
    }

    #[test]
    fn responses_are_written_and_read_back() {
        let cases = [
            (None, Ok("2"), "= 2\n\n"),
            (Some(3), Ok(""), "=3\n\n"),
            (Some(0), Err("syntax error"), "?0 syntax error\n\n"),
            (None, Ok("\na\n\nb\n"), "= \na\n \nb\n\n"),
        ];
        for (id, result, text) in cases {
            let result = result.map(str::to_owned).map_err(str::to_owned);
            let response = Response { id, result };
            assert_eq!(response.to_string(), text);
            let mut reader = ResponseReader::new();
            let read: Vec<Response> = text.lines().filter_map(|line| reader.line(line)).collect();
            assert_eq!(read.len(), 1, "{text:?}");
            assert_eq!((read[0].id, read[0].result.is_ok()), (id, response.result.is_ok()));
        }
    }

    #[test]
    fn noise_between_responses_is_skipped() {
        let mut reader = ResponseReader::new();
        for line in ["hello", "", "=5 D4\r"] {
            assert_eq!(reader.line(line), None);
        }
        let response = reader.line("\r").unwrap();
        assert_eq!(response, Response { id: Some(5), result: Ok("D4".to_owned()) });
    }

    #[test]
    fn vertices_skip_the_letter_i() {
        assert_eq!(Vertex::read("j10"), Some(Vertex::Point { column: 8, row: 9 }));
        for text in ["A1", "T19", "Z25", "pass", "resign"] {
            assert_eq!(Vertex::read(text).unwrap().to_string(), text);
        }
        for bad in ["I5", "A0", "A01", "A26", "A", "", "5A", "A+1", "É4", "AA1", "A99999999999999"]
        {
            assert_eq!(Vertex::read(bad), None, "{bad:?}");
        }
        assert_eq!(read_color("White"), Some(Color::White));
        assert_eq!(read_color("x"), None);
    }
}
