//! Portable Game Notation (PGN): chess and, with a tag `Game`, games without a standard format.
//!
//! The reader accepts the import format and more: any style of move numbers, comments in braces and
//! after `;`, `%` lines, glyphs as `$n` or `!`…`?!`, variations, missing or repeated tags, unescaped
//! quotes in a tag, games without a result, CRLF, a byte order mark, and Latin-1 in lines that are
//! not UTF-8. Moves are kept as text, so a move of digits only cannot be distinguished from a move
//! number.
//!
//! - A line break in a comment becomes a space; white space around a comment is removed.
//! - A result inside a variation, `e.p.` after a move and an empty variation are ignored.
//! - A comment belongs to the move before it, or to the next one at the start of a variation or
//!   after one.
//!
//! The writer produces the export format: the seven tag roster first, then the other tags, then move
//! text in lines of fewer than 80 characters. A tag is never split, however long.

use crate::{
    Format, Record, WriteOptions,
    movetext::{self, Dialect},
};
use ludus_core::Side;

pub(crate) static DIALECT: Dialect = Dialect {
    format: Format::Pgn,
    what: "PGN",
    results: &["1-0", "0-1", "1/2-1/2", "*"],
    star_is_glyph: false,
};

/// The seven tag roster, with the values that mean "unknown".
const SEVEN_TAG_ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// Writes one game, followed by an empty line.
pub fn write(record: &Record, options: &WriteOptions) -> String {
    let record = completed(record);
    let (starts, number) = record.tag("FEN").and_then(start_of_fen).unwrap_or((Side::First, 1));
    let starts = options.starts.unwrap_or(starts);
    movetext::write(&record, &DIALECT, starts, options.first_number.unwrap_or(number))
}

/// `record` with the seven tag roster, in order, before its other tags.
pub(crate) fn completed(record: &Record) -> Record {
    let mut record = record.clone();
    record.result = record.result.in_format(Format::Pgn);
    let mut tags = Vec::with_capacity(record.tags.len() + SEVEN_TAG_ROSTER.len());
    for (name, unknown) in SEVEN_TAG_ROSTER {
        match record.tags.iter().position(|(tag, _)| tag == name) {
            Some(index) => tags.push(record.tags.remove(index)),
            None if name == "Result" => tags.push((name.to_owned(), record.result.text.clone())),
            None => tags.push((name.to_owned(), unknown.to_owned())),
        }
    }
    tags.append(&mut record.tags);
    record.tags = tags;
    record
}

/// The side to move and the move number of a chess FEN.
fn start_of_fen(fen: &str) -> Option<(Side, u32)> {
    let fields: Vec<&str> = fen.split_ascii_whitespace().take(6).collect();
    let side = match *fields.get(1)? {
        "w" => Side::First,
        "b" => Side::Second,
        _ => return None,
    };
    let number = fields.get(5).and_then(|number| number.parse().ok());
    Some((side, number.unwrap_or(1)))
}
