//! What is known for certain: endings solved once and for all.

mod coding;
pub mod endgame;
mod files;
mod packing;
pub mod retrograde;

pub use endgame::{Database, Known};
pub use files::{Census, EndgameError};
pub use retrograde::Value;
