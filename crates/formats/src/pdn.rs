//! Portable Draughts Notation (PDN): PGN with other moves and results.
//!
//! Moves are numeric (`11-15`, `22x15x8`) or algebraic (`c3-d4`, `c3:e5`); `!`, `?` and `*` (the only
//! move, glyph 7) may follow them, also in parentheses. `*` after a space ends the game.
//! Results are `1-0`, `0-1`, `1/2-1/2`, or in match points `2-0`, `0-2`, `1-1`; `0-0` is a double
//! forfeit, `*` an unfinished game. They are kept as written.
//!
//! # The two readings of a result
//! In PDN as in PGN the points left of the dash are White's. But in English draughts Black moves
//! first, and many older English files give the first player's points first: their `1-0` is a win
//! for Black. A file does not say which is meant. [`GameResult::kind`] uses the standard reading;
//! [`GameResult::kind_read_as`] takes a [`ResultReading`] and the colour that moves first (see
//! [`first_colour`]). In variants in which White moves first both readings agree.
//!
//! [`GameResult::kind`]: crate::GameResult::kind
//! [`GameResult::kind_read_as`]: crate::GameResult::kind_read_as
//! [`ResultReading`]: crate::ResultReading

use crate::{
    Format, PieceColour, Record, WriteOptions,
    movetext::{self, Dialect},
};
use ludus_core::Side;

pub(crate) static DIALECT: Dialect = Dialect {
    format: Format::Pdn,
    what: "PDN",
    results: &["1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", "*"],
    star_is_glyph: true,
};

/// The `GameType` of English draughts, the usual game of files without the tag.
pub const ENGLISH_GAME_TYPE: u32 = 21;

/// Game types in which Black moves first unless the tag says otherwise: English draughts, American
/// pool and Thai draughts.
const BLACK_MOVES_FIRST: [u32; 3] = [ENGLISH_GAME_TYPE, 23, 31];

/// Writes one game, followed by an empty line.
pub fn write(record: &Record, options: &WriteOptions) -> String {
    let starts = options.starts.or_else(|| start_of_tags(record)).unwrap_or(Side::First);
    let record = completed(record);
    movetext::write(&record, &DIALECT, starts, options.first_number.unwrap_or(1))
}

/// `record` with a PDN result; PDN requires no tags.
pub(crate) fn completed(record: &Record) -> Record {
    let mut record = record.clone();
    record.result = record.result.in_format(Format::Pdn);
    record
}

/// The number in the tag `GameType`: 21 in `21` and in `21,B,8,8,N1,0`.
pub fn game_type(record: &Record) -> Option<u32> {
    record.tag("GameType")?.split(',').next()?.trim().parse().ok()
}

/// The colour that moves first in the starting position, as stated or implied by the tag `GameType`.
pub fn first_colour(record: &Record) -> Option<PieceColour> {
    let number = game_type(record)?;
    let field = record.tag("GameType").and_then(|tag| tag.split(',').nth(1)).map(str::trim);
    Some(match field {
        Some("W" | "w") => PieceColour::White,
        Some("B" | "b") => PieceColour::Black,
        _ if BLACK_MOVES_FIRST.contains(&number) => PieceColour::Black,
        _ => PieceColour::White,
    })
}

/// The side to move, if `FEN` gives its colour and `GameType` the colour of the first side.
fn start_of_tags(record: &Record) -> Option<Side> {
    let first = first_colour(record)?;
    let to_move = match record.tag("FEN")?.trim_ascii_start().bytes().next()? {
        b'W' | b'w' => PieceColour::White,
        b'B' | b'b' => PieceColour::Black,
        _ => return None,
    };
    Some(if to_move == first { Side::First } else { Side::Second })
}
