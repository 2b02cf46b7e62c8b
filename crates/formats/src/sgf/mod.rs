//! Smart Game Format, version 4 and, as far as they differ harmlessly, versions 1 to 3.
//!
//! How a game tree becomes a [`Record`]:
//! - The root's game information becomes tags, under the names PGN uses where it has one (`PB` is
//!   `Black`, `EV` is `Event`); the table is in this file. Any other tag is kept in a private
//!   property, `TAG[name:value]`. `AP` and `SZ` are compositions and stay verbatim (escaped).
//! - `RE` is the tag `Result` and the [`result`](Record::result).
//! - `B` and `W` give a node its colour and move; an empty value is the move `pass`. A move in the
//!   root, which good files do not have, becomes a node of its own.
//! - `C` is the comment, white space as SGF reads it. `TE` `BM` `IT` `DO` are the glyphs
//!   `!` `!!` `?` `??` `!?` `?!`; others are kept in a private property, `NAG[n]`.
//! - Everything else (`AB` `AW` `AE` `PL`, mark-up, clocks, unknown properties) stays in
//!   [`Node::properties`](crate::Node::properties), verbatim; [`simple_text`], [`compose`] and
//!   [`points`] read such values.
//!
//! A game that is not UTF-8 is read as Latin-1, whatever `CA` says; `CA` then tells the truth
//! about the record, which is UTF-8. Text before and between games is skipped.

mod parse;
mod read;
mod text;
mod write;

use crate::Record;

pub(crate) use read::Reader;
pub use text::{compose, escape, points, simple_text, text};
pub use write::write;

/// A property of the root that is a tag.
struct TagProperty {
    property: &'static str,
    tag: &'static str,
    kind: ValueKind,
}

/// How the value of a tag property is read.
#[derive(Copy, Clone, PartialEq, Eq)]
enum ValueKind {
    /// One line.
    Simple,
    /// Lines.
    Text,
    /// Kept escaped.
    Verbatim,
}

const fn property(property: &'static str, tag: &'static str, kind: ValueKind) -> TagProperty {
    TagProperty { property, tag, kind }
}

const TAG_PROPERTIES: [TagProperty; 29] = [
    property("FF", "FF", ValueKind::Simple),
    property("GM", "GM", ValueKind::Simple),
    property("CA", "CA", ValueKind::Simple),
    property("AP", "AP", ValueKind::Verbatim),
    property("ST", "ST", ValueKind::Simple),
    property("SZ", "SZ", ValueKind::Verbatim),
    property("KM", "KM", ValueKind::Simple),
    property("HA", "HA", ValueKind::Simple),
    property("EV", "Event", ValueKind::Simple),
    property("PC", "Site", ValueKind::Simple),
    property("DT", "Date", ValueKind::Simple),
    property("RO", "Round", ValueKind::Simple),
    property("PW", "White", ValueKind::Simple),
    property("PB", "Black", ValueKind::Simple),
    property("RE", "Result", ValueKind::Simple),
    property("WR", "WhiteRank", ValueKind::Simple),
    property("BR", "BlackRank", ValueKind::Simple),
    property("WT", "WhiteTeam", ValueKind::Simple),
    property("BT", "BlackTeam", ValueKind::Simple),
    property("RU", "Rules", ValueKind::Simple),
    property("TM", "TimeLimit", ValueKind::Simple),
    property("OT", "Overtime", ValueKind::Simple),
    property("ON", "Opening", ValueKind::Simple),
    property("AN", "Annotator", ValueKind::Simple),
    property("SO", "Source", ValueKind::Simple),
    property("US", "User", ValueKind::Simple),
    property("CP", "Copyright", ValueKind::Simple),
    property("GN", "GameName", ValueKind::Simple),
    property("GC", "GameComment", ValueKind::Text),
];

/// The private property of tags that have none of their own.
const OTHER_TAG: &str = "TAG";

/// The private property of glyphs that have none of their own.
const OTHER_GLYPH: &str = "NAG";

/// The glyphs SGF has, with their property and its value.
const GLYPHS: [(u16, &str, &str); 6] =
    [(1, "TE", "1"), (2, "BM", "1"), (3, "TE", "2"), (4, "BM", "2"), (5, "IT", ""), (6, "DO", "")];

/// The move of an empty `B[]` or `W[]`.
const PASS: &str = "pass";

/// `record` with `FF`, `CA` and `RE` as its text will have them.
pub(crate) fn completed(record: &Record) -> Record {
    let mut record = record.clone();
    if record.tag("FF").is_none() {
        record.tags.insert(0, ("FF".to_owned(), "4".to_owned()));
    }
    if record.tag("CA").is_none() {
        let after_version = 1 + record.tags.iter().position(|(name, _)| name == "FF").unwrap_or(0);
        record.tags.insert(after_version, ("CA".to_owned(), UTF8.to_owned()));
    }
    for (_, charset) in record.tags.iter_mut().filter(|(name, _)| name == "CA") {
        UTF8.clone_into(charset);
    }
    if !record.result.text.is_empty() {
        let text = record.result.text.clone();
        record.set_tag("Result", text);
    } else if let Some(text) = record.tag("Result") {
        record.result.text = text.to_owned();
    }
    record
}

/// The charset of every text we hold and write.
const UTF8: &str = "UTF-8";
