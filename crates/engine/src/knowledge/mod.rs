//! What is known for certain: endings solved once and for all.

pub mod endgame;
mod packing;
pub mod retrograde;

pub use endgame::{Database, EndgameError, Known};
pub use retrograde::Value;
