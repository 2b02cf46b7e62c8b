//! Endgame databases: endings solved by retrograde analysis.

pub mod endgame;
mod files;
mod huffman;
mod packing;
pub mod retrograde;

pub use endgame::{EndgameDatabase, ProbeResult};
pub use files::{EndgameError, ValueCounts};
pub use retrograde::EndgameValue;
