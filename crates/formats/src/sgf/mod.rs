//! Smart Game Format (SGF), version 4 and, as far as they are compatible, versions 1 to 3.
//!
//! Conversion of a game tree to a [`Record`]:
//! - The root's game information becomes tags, under the names PGN uses where it has one (`PB` is
//!   `Black`, `EV` is `Event`); the table is in this file. Other tags are kept in a private
//!   property, `TAG[name:value]`. `AP` and `SZ` are compositions and stay verbatim (escaped).
//! - `RE` is the tag `Result` and the [`result`](Record::result).
//! - `B` and `W` give a node its colour and move; an empty value is the move `pass`. A move in the
//!   root, which is bad style, becomes a separate node.
//! - `C` is the comment, white space as SGF reads it. `TE` `BM` `IT` `DO` are the glyphs
//!   `!` `!!` `?` `??` `!?` `?!`; others are kept in a private property, `NAG[n]`.
//! - Everything else (`AB` `AW` `AE` `PL`, mark-up, clocks, unknown properties) stays in
//!   [`RecordNode::properties`](crate::RecordNode::properties), verbatim; [`simple_text`], [`compose`] and
//!   [`points`] read such values.
//!
//! A game that is not UTF-8 is read as Latin-1, whatever `CA` says; `CA` of the record is always
//! UTF-8. Text before and between games is skipped.

mod parse;
mod read;
mod text;
mod write;

use crate::Record;

pub(crate) use read::Reader;
pub use text::{compose, escape, points, simple_text, text};
pub use write::write;

/// A root property that is stored as a tag.
struct TagProperty {
    property: &'static str,
    tag: &'static str,
    kind: ValueKind,
}

/// Type of the value of a tag property.
#[derive(Copy, Clone, PartialEq, Eq)]
enum ValueKind {
    /// *SimpleText*, one line.
    Simple,
    /// *Text*, several lines.
    Text,
    /// Stored verbatim (escaped).
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

/// Private property for tags without a standard property.
const OTHER_TAG: &str = "TAG";

/// Private property for glyphs without a standard property.
const OTHER_GLYPH: &str = "NAG";

/// Glyphs with a standard property, and its value.
const GLYPHS: [(u16, &str, &str); 6] =
    [(1, "TE", "1"), (2, "BM", "1"), (3, "TE", "2"), (4, "BM", "2"), (5, "IT", ""), (6, "DO", "")];

/// The text of the move `B[]` or `W[]`.
const PASS: &str = "pass";

/// `record` with `FF`, `CA` and `RE` as they are written.
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

/// The charset of all records.
const UTF8: &str = "UTF-8";
