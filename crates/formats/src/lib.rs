//! Text formats without file I/O: game records (PGN, PDN, SGF), positions (EPD) and engine protocols
//! (UCI, GTP, Hub, Ludus). No rules: moves stay text until a game parses them through
//! [`Notation`](ludus_core::Notation).
//!
//! [`Format::read`] iterates over the games of any [`BufRead`](std::io::BufRead); it holds one game in
//! memory, accepts any bytes, and continues after a malformed game. [`Format::write`] is its inverse:
//! reading its output gives [`completed`](Format::completed), the record with the tags that the
//! format requires.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod epd;
mod format;
pub mod gtp;
pub mod hub;
mod json;
mod lines;
pub mod ludus;
mod move_text;
mod movetext;
pub mod pdn;
pub mod pgn;
mod record;
mod result;
pub mod sgf;
pub mod uci;

pub use format::{Format, Records, WriteOptions};
pub use move_text::MoveText;
pub use record::{NodeId, PieceColour, Property, Record, RecordNode};
pub use result::{GameResult, ResultKind, ResultReading};

/// The largest game that is read, in bytes. A larger one is an error and is skipped.
pub const MAX_GAME_BYTES: usize = 16 << 20;

/// The largest number of nodes of a game. With [`MAX_GAME_BYTES`] it bounds the memory that a hostile
/// file can use.
pub const MAX_NODES: usize = 2 << 20;
