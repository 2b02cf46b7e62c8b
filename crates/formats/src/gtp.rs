//! The Go Text Protocol (GTP), version 2: commands and responses, for controllers and engines.
//!
//! A command is one line, `[id] name [arguments]`. A response starts with `=` (or `?` if the
//! command failed) and the id, and ends with an empty line. Control characters, comments and empty
//! lines are ignored, as the protocol demands.

use crate::PieceColour;
use std::fmt;

/// The longest line accepted. The longest meaningful one, a handicap list for the largest board, is
/// far shorter.
pub const MAX_LINE_BYTES: usize = 64 << 10;

/// A command to an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GtpCommand {
    /// The id that the response repeats, if the controller gave one.
    pub id: Option<u32>,
    /// Command name; empty if there was only an id.
    pub name: String,
    /// Arguments.
    pub arguments: Vec<String>,
}

impl GtpCommand {
    /// Parses a line without its line feed. `None` if there is no command: the line is empty or only
    /// a comment.
    pub fn read(line: &[u8]) -> Option<GtpCommand> {
        let text = cleaned(line);
        let text = text.split('#').next().unwrap_or_default();
        let mut words = text.split_whitespace().peekable();
        // Ids are below 2^31; a larger number is taken as an unknown command.
        let id = words.peek()?.parse().ok().filter(|&id: &u32| id < 1 << 31);
        if id.is_some() {
            words.next();
        }
        let name = words.next().unwrap_or_default().to_owned();
        Some(GtpCommand { id, name, arguments: words.map(str::to_owned).collect() })
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

/// The response to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GtpResponse {
    /// The id of the command.
    pub id: Option<u32>,
    /// The result, or the error message; without the line feeds at the end.
    pub result: Result<String, String>,
}

impl fmt::Display for GtpResponse {
    /// The whole response with the empty line at its end. Empty lines inside would end it early, so
    /// they become a space.
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

/// The first line of a streamed response: `=` and the id.
pub fn open_response(id: Option<u32>) -> String {
    let mut text = String::new();
    let _ = write_start(&mut text, id, true); // writing to a string cannot fail
    text + "\n"
}

/// Assembles responses from the lines of an engine.
#[derive(Default)]
pub struct GtpResponseReader {
    open: Option<GtpResponse>,
}

impl GtpResponseReader {
    /// A reader that waits for the start of a response.
    pub fn new() -> GtpResponseReader {
        GtpResponseReader::default()
    }

    /// Consumes one line without its line feed; returns the response if this line completes it. Text
    /// between responses is skipped.
    pub fn line(&mut self, line: &str) -> Option<GtpResponse> {
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

fn start(line: &str) -> Option<GtpResponse> {
    let rest = line.strip_prefix(['=', '?'])?;
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let text = rest[digits..].trim().to_owned();
    let result = if line.starts_with('=') { Ok(text) } else { Err(text) };
    Some(GtpResponse { id: rest[..digits].parse().ok(), result })
}

/// Reads `b`, `black`, `w` or `white` in either case.
pub fn read_colour(word: &str) -> Option<PieceColour> {
    match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(PieceColour::Black),
        "w" | "white" => Some(PieceColour::White),
        _ => None,
    }
}

/// A move: a point of the board, a pass or a resignation.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Vertex {
    /// A point: column from the left and row from the bottom, both from 0.
    Point {
        /// From the left.
        column: usize,
        /// From the bottom.
        row: usize,
    },
    /// A pass.
    Pass,
    /// Resignation; only engines send it.
    Resign,
}

/// Column letters; `I` is skipped.
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

    fn command(line: &str) -> GtpCommand {
        GtpCommand::read(line.as_bytes()).unwrap()
    }

    #[test]
    fn commands_have_ids_names_and_arguments() {
        let play = command("12\tplay  b\tQ16 # a comment\r");
        assert_eq!((play.id, play.name.as_str()), (Some(12), "play"));
        assert_eq!(play.arguments, ["b", "Q16"]);
        assert_eq!(command("name\u{7}").name, "name");
        assert_eq!(
            command("7"),
            GtpCommand { id: Some(7), name: String::new(), arguments: vec![] }
        );
        assert_eq!(command("4294967296 name").name, "4294967296");
        assert_eq!(command("2147483647 name").id, Some(i32::MAX as u32));
        assert_eq!(command("2147483648 name").id, None);
        for nothing in ["", "  \t ", "# name", "\r", "\u{1}\u{2}"] {
            assert_eq!(GtpCommand::read(nothing.as_bytes()), None, "{nothing:?}");
        }
        assert!(GtpCommand::read(b"\xFF\xFE name").is_some());
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
            let response = GtpResponse { id, result };
            assert_eq!(response.to_string(), text);
            let mut reader = GtpResponseReader::new();
            let read: Vec<GtpResponse> =
                text.lines().filter_map(|line| reader.line(line)).collect();
            assert_eq!(read.len(), 1, "{text:?}");
            assert_eq!((read[0].id, read[0].result.is_ok()), (id, response.result.is_ok()));
        }
    }

    #[test]
    fn noise_between_responses_is_skipped() {
        let mut reader = GtpResponseReader::new();
        for line in ["hello", "", "=5 D4\r"] {
            assert_eq!(reader.line(line), None);
        }
        let response = reader.line("\r").unwrap();
        assert_eq!(response, GtpResponse { id: Some(5), result: Ok("D4".to_owned()) });
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
        assert_eq!(read_colour("White"), Some(PieceColour::White));
        assert_eq!(read_colour("x"), None);
    }
}
