//! Common parts of PGN and PDN: tag pairs, then move text with comments, glyphs and variations.

mod builder;
mod read;
mod scan;
mod write;

use crate::Format;

pub(crate) use read::Reader;
pub(crate) use write::write;

/// Differences between PGN and PDN.
pub(crate) struct Dialect {
    pub(crate) format: Format,
    /// The name of the format, for errors.
    pub(crate) what: &'static str,
    /// Game termination markers.
    pub(crate) results: &'static [&'static str],
    /// Whether `*` directly after a move is a glyph (the only move) and not the end of the game.
    pub(crate) star_is_glyph: bool,
}

/// Glyph of PDN's `*`: the only move.
const ONLY_MOVE: u16 = 7;

/// Move suffixes: `!` `?` `!!` `??` `!?` `?!` are glyphs 1 to 6.
const SUFFIXES: [(&[u8], u16); 6] =
    [(b"!!", 3), (b"??", 4), (b"!?", 5), (b"?!", 6), (b"!", 1), (b"?", 2)];
