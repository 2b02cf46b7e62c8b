//! Game records as text: PGN, PDN and SGF. No files, no rules: moves stay text until a game reads
//! them through [`Notation`](ludus_core::Notation).
//!
//! [`Format::read`] is an iterator of games over any [`BufRead`](std::io::BufRead); it holds one
//! game in memory, takes any bytes, and after a broken game goes on with the next.
//! [`Format::write`] is its inverse: reading what was written gives
//! [`completed`](Format::completed), the record with the tags its format demands.
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
pub use record::{Color, Node, NodeId, Property, Record};
pub use result::{GameResult, ResultReading, Verdict};

/// The largest game a reader takes, in bytes. A larger one is an error and is skipped.
pub const MAX_GAME_BYTES: usize = 16 << 20;

/// The most nodes a game may have: with [`MAX_GAME_BYTES`] it bounds the memory a hostile file costs.
pub const MAX_NODES: usize = 2 << 20;
