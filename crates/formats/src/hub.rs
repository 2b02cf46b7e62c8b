//! The Hub protocol, version 2, spoken by draughts engines such as Scan: messages, positions and
//! moves as text, for both ends of the line.
//!
//! Every message is one line, `command name=value name=value`; a value with spaces or `=` in it, or
//! an empty one, is quoted, and an argument without a value is a flag. A position is the colour to
//! move and one letter a square in the order of the square numbers. A move is `32-28`, a capture
//! `28x19x23`: start, end, then the captured squares, not the squares of the way.

use crate::Color;
use ludus_core::{BoardView, PieceKind, TextError};
use std::fmt;

/// One line, in either direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The command.
    pub name: String,
    /// Arguments with their values; a flag has the empty value.
    pub arguments: Vec<(String, String)>,
}

impl Message {
    /// A message without arguments.
    pub fn new(name: &str) -> Message {
        Message { name: name.to_owned(), arguments: Vec::new() }
    }

    /// The same message with one argument more.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl fmt::Display) -> Message {
        self.arguments.push((name.to_owned(), value.to_string()));
        self
    }

    /// The value of an argument, empty for a flag.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.arguments.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The value of an argument as a number, if it is there and is one.
    pub fn number<T: std::str::FromStr>(&self, name: &str) -> Option<T> {
        self.value(name)?.parse().ok()
    }

    /// Reads a line. Spaces around words and signs mean nothing. `None` if the line is empty or
    /// does not start with a word, a quote is left open, or a value has no name.
    pub fn read(line: &str) -> Option<Message> {
        let mut scanner = Scanner { rest: line.trim() };
        let name = scanner.word()?;
        let mut arguments = Vec::new();
        while !scanner.rest.is_empty() {
            let argument = scanner.word()?;
            let value = if scanner.sign() { scanner.value()? } else { String::new() };
            arguments.push((argument, value));
        }
        Some(Message { name, arguments })
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

    /// Whether an `=` comes next, which is then read.
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

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (name, value) in &self.arguments {
            write!(f, " {name}")?;
            let special = |c: char| c.is_whitespace() || c == '=' || c == '"';
            if value.contains(special) {
                // There is no way to write a quote or a line feed inside a value.
                let tame = |c: char| if c == '"' { '\'' } else { c };
                let words: Vec<&str> = value.split_whitespace().collect();
                write!(f, "=\"{}\"", words.join(" ").chars().map(tame).collect::<String>())?;
            } else if !value.is_empty() {
                write!(f, "={value}")?;
            }
        }
        Ok(())
    }
}

/// A piece of a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Whose it is.
    pub color: Color,
    /// Whether it is crowned.
    pub king: bool,
}

/// A position: the colour to move and the squares in the order of their numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The colour to move.
    pub turn: Color,
    /// What stands on square 1, 2, ….
    pub squares: Vec<Option<Piece>>,
}

const WHAT: &str = "Hub position";

impl Position {
    /// Reads `Wbbbb…`: a board of `squares` squares.
    pub fn read(text: &str, squares: usize) -> Result<Position, TextError> {
        let turn = match text.chars().next() {
            Some('W') => Color::White,
            Some('B') => Color::Black,
            _ => return Err(TextError::at(WHAT, text, 0, "the side to move, W or B")),
        };
        let piece = |color, king| Some(Piece { color, king });
        let mut found = Vec::new();
        for (at, letter) in text.char_indices().skip(1) {
            found.push(match letter {
                _ if found.len() == squares => {
                    return Err(TextError::at(WHAT, text, at, format!("only {squares} squares")));
                }
                'w' => piece(Color::White, false),
                'W' => piece(Color::White, true),
                'b' => piece(Color::Black, false),
                'B' => piece(Color::Black, true),
                'e' => None,
                _ => return Err(TextError::at(WHAT, text, at, "one of w, b, W, B and e")),
            });
        }
        if found.len() < squares {
            let expected = format!("{squares} squares after the side to move");
            return Err(TextError::at(WHAT, text, text.len(), expected));
        }
        Ok(Position { turn, squares: found })
    }

    /// The position a board shows. Its squares are the cells with a name, as on every draughts
    /// board of ours.
    pub fn of_view(turn: Color, view: &BoardView) -> Position {
        let squares = view.cells.iter().filter(|cell| !cell.name.is_empty()).map(|cell| {
            cell.piece.map(|piece| Piece {
                color: if piece.light { Color::White } else { Color::Black },
                king: piece.kind == PieceKind::Crowned,
            })
        });
        Position { turn, squares: squares.collect() }
    }

    /// The position as PDN's FEN, squares by number.
    pub fn fen(&self) -> String {
        let list = |color: Color| {
            let numbered = self.squares.iter().zip(1..);
            let own = numbered.filter_map(|(piece, number)| {
                let piece = piece.filter(|piece| piece.color == color)?;
                Some(format!("{}{number}", if piece.king { "K" } else { "" }))
            });
            own.collect::<Vec<_>>().join(",")
        };
        let turn = if self.turn == Color::White { 'W' } else { 'B' };
        format!("{turn}:W{}:B{}", list(Color::White), list(Color::Black))
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |piece: Option<Piece>| match piece {
            None => 'e',
            Some(Piece { color: Color::White, king: false }) => 'w',
            Some(Piece { color: Color::White, king: true }) => 'W',
            Some(Piece { color: Color::Black, king: false }) => 'b',
            Some(Piece { color: Color::Black, king: true }) => 'B',
        };
        let turn = if self.turn == Color::White { 'W' } else { 'B' };
        let squares: String = self.squares.iter().map(|&piece| letter(piece)).collect();
        write!(f, "{turn}{squares}")
    }
}

/// A move by the numbers of its squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Where it starts.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// The captured squares, in ascending order.
    pub captured: Vec<u32>,
}

impl Move {
    /// Reads `32-28` or `28x19x23`; captured squares come in any order.
    pub fn read(text: &str) -> Option<Move> {
        if let Some((from, to)) = text.split_once('-') {
            return Some(Move { from: number(from)?, to: number(to)?, captured: Vec::new() });
        }
        let mut squares: Vec<u32> = text.split('x').map(number).collect::<Option<_>>()?;
        if squares.len() < 3 {
            return None; // a capture says what it captures
        }
        let mut captured = squares.split_off(2);
        captured.sort_unstable();
        Some(Move { from: squares[0], to: squares[1], captured })
    }
}

/// A square number without sign.
fn number(text: &str) -> Option<u32> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| text.parse().ok()).flatten()
}

impl fmt::Display for Move {
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
        let message = Message::read(line).unwrap();
        assert_eq!(message.name, "param");
        assert_eq!(message.value("values"), Some("normal bt"));
        assert_eq!(message.value("flag"), Some(""));
        assert_eq!(message.value("none"), None);
        assert_eq!(Message::read(&message.to_string()), Some(message));
        let spaced = Message::read("  level  time = 1.5 moves=\"3\" ").unwrap();
        assert_eq!(spaced.number("time"), Some(1.5));
        assert_eq!(spaced.number("moves"), Some(3));
        let hostile = Message::new("error").with("message", "a \"b\"\nc=d");
        assert_eq!(hostile.to_string(), "error message=\"a 'b' c=d\"");
        for bad in ["", "   ", "=x", "\"hub\"", "pos pos=\"W", "go =think", "go think=", "\u{e9}="]
        {
            let message = Message::read(bad);
            assert!(message.is_none(), "{bad:?}: {message:?}");
        }
    }

    #[test]
    fn positions_have_a_letter_a_square() {
        let text = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
        let position = Position::read(&text, 50).unwrap();
        assert_eq!(position.to_string(), text);
        assert!(position.fen().starts_with("W:W31,32,") && position.fen().ends_with(",20"));
        let kings = Position::read("BeWBe", 4).unwrap();
        assert_eq!(kings.fen(), "B:WK2:BK3");
        let message = |text| Position::read(text, 4).unwrap_err().to_string();
        assert!(message("").contains("side to move"));
        assert!(message("Weee").contains("4 squares after"));
        assert!(message("Weeeee").contains("only 4 squares"));
        assert!(message("We\u{e9}ee").contains("one of w, b"));
    }

    #[test]
    fn captures_name_what_they_capture() {
        let capture = Move::read("28x19x23").unwrap();
        assert_eq!(capture, Move { from: 28, to: 19, captured: vec![23] });
        assert_eq!(Move::read("47x33x42x22").unwrap().to_string(), "47x33x22x42");
        assert_eq!(Move::read("32-28").unwrap().to_string(), "32-28");
        for bad in
            ["", "-", "x", "32", "28x19", "28-", "a-b", "+1-2", "1-2-3", "1x2x", "99999999999-1"]
        {
            assert_eq!(Move::read(bad), None, "{bad:?}");
        }
    }
}
