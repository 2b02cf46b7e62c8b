//! The Hub protocol, version 2, used by draughts engines such as Scan: messages, positions and
//! moves, for controllers and engines.
//!
//! Every message is one line, `command name=value name=value`; a value with spaces or `=` in it, or
//! an empty one, is quoted, and an argument without a value is a flag. A position is the colour to
//! move and one letter per square in the order of the square numbers. A move is `32-28`, a capture
//! `28x19x23`: start, end, then the captured squares, not the path.

use crate::PieceColour;
use ludus_core::{BoardView, PieceKind, TextError};
use std::fmt;

/// A message, in either direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HubMessage {
    /// The command.
    pub name: String,
    /// Arguments with their values; a flag has the empty value.
    pub arguments: Vec<(String, String)>,
}

impl HubMessage {
    /// A message without arguments.
    pub fn new(name: &str) -> HubMessage {
        HubMessage { name: name.to_owned(), arguments: Vec::new() }
    }

    /// The message with an argument added.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl fmt::Display) -> HubMessage {
        self.arguments.push((name.to_owned(), value.to_string()));
        self
    }

    /// The value of an argument, empty for a flag.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.arguments.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The value of an argument as a number, if it is present and numeric.
    pub fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.value(name)?.parse().ok()
    }

    /// Parses a line. Spaces around words and `=` are ignored. `None` if the line is empty or does not
    /// start with a word, a quote is not closed, or a value has no name.
    pub fn read(line: &str) -> Option<HubMessage> {
        let mut scanner = Scanner { rest: line.trim() };
        let name = scanner.word()?;
        let mut arguments = Vec::new();
        while !scanner.rest.is_empty() {
            let argument = scanner.word()?;
            let value = if scanner.sign() { scanner.value()? } else { String::new() };
            arguments.push((argument, value));
        }
        Some(HubMessage { name, arguments })
    }
}

struct Scanner<'a> {
    rest: &'a str,
}

impl Scanner<'_> {
    /// A word without quotes and `=`.
    fn word(&mut self) -> Option<String> {
        let end = self.rest.find(|c: char| c.is_whitespace() || c == '=' || c == '"');
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest.trim_start();
        (!word.is_empty()).then(|| word.to_owned())
    }

    /// Consumes an `=` if it comes next; whether it did.
    fn sign(&mut self) -> bool {
        let Some(rest) = self.rest.strip_prefix('=') else { return false };
        self.rest = rest.trim_start();
        true
    }

    fn value(&mut self) -> Option<String> {
        let Some(quoted) = self.rest.strip_prefix('"') else { return self.word() };
        let (value, rest) = quoted.split_once('"')?;
        self.rest = rest.trim_start();
        Some(value.to_owned())
    }
}

impl fmt::Display for HubMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (name, value) in &self.arguments {
            write!(f, " {name}")?;
            let special = |c: char| c.is_whitespace() || c == '=' || c == '"';
            if value.contains(special) {
                // The protocol cannot represent a quote or a line feed inside a value.
                let replaced = |c: char| if c == '"' { '\'' } else { c };
                let words: Vec<&str> = value.split_whitespace().collect();
                write!(f, "=\"{}\"", words.join(" ").chars().map(replaced).collect::<String>())?;
            } else if !value.is_empty() {
                write!(f, "={value}")?;
            }
        }
        Ok(())
    }
}

/// A piece of a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct HubPiece {
    /// Colour.
    pub colour: PieceColour,
    /// Whether it is a king.
    pub king: bool,
}

/// A position: the colour to move and the squares in the order of their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HubPosition {
    /// The colour to move.
    pub turn: PieceColour,
    /// The pieces on squares 1, 2, ….
    pub squares: Vec<Option<HubPiece>>,
}

const WHAT: &str = "Hub position";

impl HubPosition {
    /// Parses `Wbbbb…`, a board of `squares` squares.
    pub fn read(text: &str, squares: usize) -> Result<HubPosition, TextError> {
        let turn = match text.chars().next() {
            Some('W') => PieceColour::White,
            Some('B') => PieceColour::Black,
            _ => return Err(TextError::at(WHAT, text, 0, "the side to move, W or B")),
        };
        let piece = |colour, king| Some(HubPiece { colour, king });
        let mut found = Vec::new();
        for (at, letter) in text.char_indices().skip(1) {
            found.push(match letter {
                _ if found.len() == squares => {
                    return Err(TextError::at(WHAT, text, at, format!("only {squares} squares")));
                }
                'w' => piece(PieceColour::White, false),
                'W' => piece(PieceColour::White, true),
                'b' => piece(PieceColour::Black, false),
                'B' => piece(PieceColour::Black, true),
                'e' => None,
                _ => return Err(TextError::at(WHAT, text, at, "one of w, b, W, B and e")),
            });
        }
        if found.len() < squares {
            let expected = format!("{squares} squares after the side to move");
            return Err(TextError::at(WHAT, text, text.len(), expected));
        }
        Ok(HubPosition { turn, squares: found })
    }

    /// The position of a board view. Its squares are the cells with a name, as on all draughts boards
    /// of Ludus.
    pub fn of_view(turn: PieceColour, view: &BoardView) -> HubPosition {
        let squares = view.cells.iter().filter(|cell| !cell.name.is_empty()).map(|cell| {
            cell.piece.map(|piece| HubPiece {
                colour: if piece.light { PieceColour::White } else { PieceColour::Black },
                king: piece.kind == PieceKind::DraughtsKing,
            })
        });
        HubPosition { turn, squares: squares.collect() }
    }

    /// The position as a PDN FEN with square numbers.
    pub fn fen(&self) -> String {
        let list = |colour: PieceColour| {
            let numbered = self.squares.iter().zip(1..);
            let own = numbered.filter_map(|(piece, number)| {
                let piece = piece.filter(|piece| piece.colour == colour)?;
                Some(format!("{}{number}", if piece.king { "K" } else { "" }))
            });
            own.collect::<Vec<_>>().join(",")
        };
        let turn = if self.turn == PieceColour::White { 'W' } else { 'B' };
        format!("{turn}:W{}:B{}", list(PieceColour::White), list(PieceColour::Black))
    }
}

impl fmt::Display for HubPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |piece: Option<HubPiece>| match piece {
            None => 'e',
            Some(HubPiece { colour: PieceColour::White, king: false }) => 'w',
            Some(HubPiece { colour: PieceColour::White, king: true }) => 'W',
            Some(HubPiece { colour: PieceColour::Black, king: false }) => 'b',
            Some(HubPiece { colour: PieceColour::Black, king: true }) => 'B',
        };
        let turn = if self.turn == PieceColour::White { 'W' } else { 'B' };
        let squares: String = self.squares.iter().map(|&piece| letter(piece)).collect();
        write!(f, "{turn}{squares}")
    }
}

/// A move by the numbers of its squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HubMove {
    /// Start square.
    pub from: u32,
    /// End square.
    pub to: u32,
    /// The captured squares, in ascending order.
    pub captured: Vec<u32>,
}

impl HubMove {
    /// Parses `32-28` or `28x19x23`; captured squares may be in any order.
    pub fn read(text: &str) -> Option<HubMove> {
        if let Some((from, to)) = text.split_once('-') {
            return Some(HubMove { from: number(from)?, to: number(to)?, captured: Vec::new() });
        }
        let mut squares: Vec<u32> = text.split('x').map(number).collect::<Option<_>>()?;
        if squares.len() < 3 {
            return None; // a capture names the captured squares
        }
        let mut captured = squares.split_off(2);
        captured.sort_unstable();
        Some(HubMove { from: squares[0], to: squares[1], captured })
    }
}

/// A square number: digits only.
fn number(text: &str) -> Option<u32> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

impl fmt::Display for HubMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.captured.is_empty() { '-' } else { 'x' };
        write!(f, "{}{sign}{}", self.from, self.to)?;
        self.captured.iter().try_for_each(|square| write!(f, "x{square}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_and_written() {
        let line = r#"param name=variant value=normal type=enum values="normal bt"  flag"#;
        let message = HubMessage::read(line).unwrap();
        assert_eq!(message.name, "param");
        assert_eq!(message.value("values"), Some("normal bt"));
        assert_eq!(message.value("flag"), Some(""));
        assert_eq!(message.value("none"), None);
        assert_eq!(HubMessage::read(&message.to_string()), Some(message));
        let spaced = HubMessage::read("  level  time = 1.5 moves=\"3\" ").unwrap();
        assert_eq!(spaced.number("time"), Some(1.5));
        assert_eq!(spaced.number("moves"), Some(3));
        let hostile = HubMessage::new("error").with("message", "a \"b\"\nc=d");
        assert_eq!(hostile.to_string(), "error message=\"a 'b' c=d\"");
        for bad in ["", "   ", "=x", "\"hub\"", "pos pos=\"W", "go =think", "go think=", "\u{e9}="]
        {
            let message = HubMessage::read(bad);
            assert!(message.is_none(), "{bad:?}: {message:?}");
        }
    }

    #[test]
    fn positions_have_a_letter_a_square() {
        let text = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
        let position = HubPosition::read(&text, 50).unwrap();
        assert_eq!(position.to_string(), text);
        assert!(position.fen().starts_with("W:W31,32,") && position.fen().ends_with(",20"));
        let kings = HubPosition::read("BeWBe", 4).unwrap();
        assert_eq!(kings.fen(), "B:WK2:BK3");
        let message = |text| HubPosition::read(text, 4).unwrap_err().to_string();
        assert!(message("").contains("side to move"));
        assert!(message("Weee").contains("4 squares after"));
        assert!(message("Weeeee").contains("only 4 squares"));
        assert!(message("We\u{e9}ee").contains("one of w, b"));
    }

    #[test]
    fn captures_name_what_they_capture() {
        let capture = HubMove::read("28x19x23").unwrap();
        assert_eq!(capture, HubMove { from: 28, to: 19, captured: vec![23] });
        assert_eq!(HubMove::read("47x33x42x22").unwrap().to_string(), "47x33x22x42");
        assert_eq!(HubMove::read("32-28").unwrap().to_string(), "32-28");
        for bad in
            ["", "-", "x", "32", "28x19", "28-", "a-b", "+1-2", "1-2-3", "1x2x", "99999999999-1"]
        {
            assert_eq!(HubMove::read(bad), None, "{bad:?}");
        }
    }
}
