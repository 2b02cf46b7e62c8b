//! EPD, Extended Position Description: a chess position per line, followed by operations, as
//! specified by Steven J. Edwards with PGN (1994).
//!
//! ```text
//! r1bqk2r/ppp2ppp/2n5/3n4/1b6/2N2N2/PPPB1PPP/R2QKB1R w KQkq - bm Nxd5 Bc4; id "exchange 17";
//! ```
//!
//! Four fields of a FEN, then operations: a name, operands, a semicolon. An operand with spaces is
//! quoted; it cannot contain quotes. Moves stay text until the game parses them.

use ludus_core::TextError;
use std::fmt;

const WHAT: &str = "EPD";

/// Number of fields of a position: board, side to move, castling rights, en-passant square.
const FEN_FIELDS: usize = 4;

/// One line of an EPD file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Epd {
    /// The first four fields of a FEN.
    pub position: String,
    /// The operations, in their order.
    pub operations: Vec<Operation>,
}

/// An operation, such as `bm Nf3 Nc3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Its name, such as `bm`.
    pub name: String,
    /// Its operands.
    pub operands: Vec<String>,
    /// Byte offset in the line, for errors.
    pub start: usize,
}

impl Epd {
    /// Parses one line, which is not empty.
    pub fn parse(line: &str) -> Result<Epd, TextError> {
        let fields: Vec<(usize, &str)> = words(line).take(FEN_FIELDS).collect();
        let end = fields.last().map_or(0, |(start, field)| start + field.len());
        if fields.len() < FEN_FIELDS || fields.iter().any(|(_, field)| field.contains(';')) {
            return Err(TextError::at(WHAT, line, end, "the first four fields of a FEN"));
        }
        let fields: Vec<&str> = fields.into_iter().map(|(_, field)| field).collect();
        Ok(Epd { position: fields.join(" "), operations: operations(line, end)? })
    }

    /// The first operation called `name`.
    pub fn operation(&self, name: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.name == name)
    }

    /// The line with an operation added. Quotes and line ends in operands, which EPD cannot represent,
    /// become spaces.
    #[must_use]
    pub fn with(mut self, name: &str, operands: &[&str]) -> Epd {
        let clean = |text: &&str| text.replace(['"', '\n', '\r'], " ");
        let operands = operands.iter().map(clean).collect();
        self.operations.push(Operation { name: name.to_owned(), operands, start: 0 });
        self
    }
}

/// The words of `text` with their byte offsets.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let offset = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize;
    text.split_ascii_whitespace().map(move |word| (offset(word), word))
}

/// Parses the operations of `line` from byte `at` on.
fn operations(line: &str, mut at: usize) -> Result<Vec<Operation>, TextError> {
    let mut operations = Vec::new();
    let mut open: Option<Operation> = None;
    while let Some((start, token, next)) = token(line, at)? {
        at = next;
        match (&mut open, token) {
            (Some(_), Token::End) => operations.extend(open.take()),
            (Some(operation), Token::Word(word) | Token::Quoted(word)) => {
                operation.operands.push(word.to_owned());
            }
            (None, Token::Word(name)) if name.starts_with(|c: char| c.is_ascii_alphabetic()) => {
                open = Some(Operation { name: name.to_owned(), operands: Vec::new(), start });
            }
            (None, _) => {
                return Err(TextError::at(WHAT, line, start, "the name of an operation"));
            }
        }
    }
    match open {
        Some(_) => Err(TextError::at(WHAT, line, line.len(), "; after the operation")),
        None => Ok(operations),
    }
}

enum Token<'a> {
    Word(&'a str),
    Quoted(&'a str),
    End,
}

/// The next token from byte `at` on, with its start and end.
fn token(line: &str, at: usize) -> Result<Option<(usize, Token<'_>, usize)>, TextError> {
    let rest = line[at..].trim_start_matches(|c: char| c.is_ascii_whitespace());
    let start = line.len() - rest.len();
    Ok(match rest.chars().next() {
        None => None,
        Some(';') => Some((start, Token::End, start + 1)),
        Some('"') => {
            let Some(length) = rest[1..].find('"') else {
                return Err(TextError::at(WHAT, line, line.len(), "a closing quote"));
            };
            Some((start, Token::Quoted(&rest[1..=length]), start + length + 2))
        }
        Some(_) => {
            let ends = |c: char| c.is_ascii_whitespace() || matches!(c, ';' | '"');
            let length = rest.find(ends).unwrap_or(rest.len());
            Some((start, Token::Word(&rest[..length]), start + length))
        }
    })
}

impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.position)?;
        for Operation { name, operands, .. } in &self.operations {
            write!(f, " {name}")?;
            // `id` and comments (`c0` to `c9`) are strings even if they are one word.
            let is_string = name == "id" || name.starts_with('c');
            for operand in operands {
                let plain = !operand.is_empty()
                    && !operand.contains(|c: char| c.is_ascii_whitespace() || c == ';');
                if plain && !is_string {
                    write!(f, " {operand}")?;
                } else {
                    write!(f, " \"{operand}\"")?;
                }
            }
            f.write_str(";")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "8/8/8/8/8/5k2/5p2/5K2 w - - bm Ke1 Kd2; id \"a; b\"; c0 \"\"; dm 2; noop;";

    #[test]
    fn a_line_is_read_and_written() {
        let epd = Epd::parse(LINE).unwrap();
        assert_eq!(epd.position, "8/8/8/8/8/5k2/5p2/5K2 w - -");
        assert_eq!(epd.operation("bm").unwrap().operands, ["Ke1", "Kd2"]);
        assert_eq!(epd.operation("id").unwrap().operands, ["a; b"]);
        assert_eq!(epd.operation("dm").unwrap().start, LINE.find("dm").unwrap());
        assert!(epd.operation("noop").unwrap().operands.is_empty());
        assert_eq!(epd.operation("am"), None);
        assert_eq!(epd.to_string(), LINE);
    }

    #[test]
    fn what_is_written_can_be_read() {
        let position = "8/8/8/8/8/5k2/5p2/5K2 w - -".to_owned();
        let epd = Epd { position, ..Epd::default() }.with("id", &["a \"b\"\n"]).with("bm", &["e4"]);
        let written = epd.to_string();
        assert_eq!(Epd::parse(&written).unwrap().to_string(), written);
    }

    #[test]
    fn a_bad_line_says_where() {
        let column = |line: &str| Epd::parse(line).unwrap_err().column;
        assert_eq!(column(""), 1);
        assert_eq!(column("8/8 w -"), 8);
        assert_eq!(column("8/8 w - -;"), 11);
        assert_eq!(column("8/8 w - - bm e4"), 16);
        assert_eq!(column("8/8 w - - bm e4; ;"), 18);
        assert_eq!(column("8/8 w - - id \"e4;"), 18);
        assert_eq!(column("8/8 w - - \"bm\" e4;"), 11);
        assert_eq!(column("8/8 w - - 12;"), 11);
    }

    #[test]
    fn arbitrary_text_never_panics() {
        let mut random = ludus_core::Random::new(5);
        let alphabet: Vec<char> = "bm;\" \té8/w-\\'\u{3000}".chars().collect();
        for _ in 0..20_000 {
            let line: String = (0..30).filter_map(|_| random.pick(&alphabet)).collect();
            if let Ok(epd) = Epd::parse(&format!("8/8 w - - {line}")) {
                let written = epd.to_string();
                assert_eq!(Epd::parse(&written).unwrap().to_string(), written);
            }
        }
    }
}
