//! Portable Draughts Notation: PGN's machinery with other moves and results.
//!
//! Moves are numeric (`11-15`, `22x15x8`) or algebraic (`c3-d4`, `c3:e5`); behind them may stand
//! `!`, `?`, `*` (the only move, glyph 7), also in parentheses. `*` behind a space ends the game.
//! Results are `1-0`, `0-1`, `1/2-1/2`, or in match points `2-0`, `0-2`, `1-1`; `0-0` is a double
//! forfeit, `*` an unfinished game. They are kept as written.
//!
//! # The two readings of a result
//! In PDN as in PGN the points left of the dash are White's. But in English draughts Black moves
//! first, and many older English files put the first player's points first: their `1-0` is a win
//! for Black. Nothing in a file tells which was meant. [`GameResult::verdict`] takes the standard's
//! reading; [`GameResult::verdict_read`] takes a [`ResultReading`] and the colour that begins
//! (see [`first_color`]). In draughts that White begins both readings agree.
//!
//! [`GameResult::verdict`]: crate::GameResult::verdict
//! [`GameResult::verdict_read`]: crate::GameResult::verdict_read
//! [`ResultReading`]: crate::ResultReading

use crate::{
    Color, Format, Record, WriteOptions,
    movetext::{self, Dialect},
};
use ludus_core::Side;

pub(crate) static DIALECT: Dialect = Dialect {
    format: Format::Pdn,
    what: "PDN",
    results: &["1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0", "*"],
    star_is_glyph: true,
};

/// The `GameType` of English draughts, which files without the tag usually mean.
pub const ENGLISH: u32 = 21;

/// Game types in which Black begins unless the tag says otherwise: English draughts, American
/// pool and Thai draughts.
const BLACK_BEGINS: [u32; 3] = [ENGLISH, 23, 31];

/// Writes one game, with an empty line behind it.
pub fn write(record: &Record, options: &WriteOptions) -> String {
    let starts = options.starts.or_else(|| start_of_tags(record)).unwrap_or(Side::First);
    let record = completed(record);
    movetext::write(&record, &DIALECT, starts, options.first_number.unwrap_or(1))
}

/// PDN demands no tags; only the result must be one of its own.
pub(crate) fn completed(record: &Record) -> Record {
    let mut record = record.clone();
    record.result = record.result.in_format(Format::Pdn);
    record
}

/// The number in the tag `GameType`: 21 of `21` as of `21,B,8,8,N1,0`.
pub fn game_type(record: &Record) -> Option<u32> {
    record.tag("GameType")?.split(',').next()?.trim().parse().ok()
}

/// The colour that begins from the usual starting position, as the tag `GameType` says or implies.
pub fn first_color(record: &Record) -> Option<Color> {
    let number = game_type(record)?;
    let field = record.tag("GameType").and_then(|tag| tag.split(',').nth(1)).map(str::trim);
    Some(match field {
        Some("W" | "w") => Color::White,
        Some("B" | "b") => Color::Black,
        _ if BLACK_BEGINS.contains(&number) => Color::Black,
        _ => Color::White,
    })
}

/// Who moves first, if `FEN` tells the colour and `GameType` whose colour that is.
fn start_of_tags(record: &Record) -> Option<Side> {
    let first = first_color(record)?;
    let to_move = match record.tag("FEN")?.trim_ascii_start().bytes().next()? {
        b'W' | b'w' => Color::White,
        b'B' | b'b' => Color::Black,
        _ => return None,
    };
    Some(if to_move == first { Side::First } else { Side::Second })
}
