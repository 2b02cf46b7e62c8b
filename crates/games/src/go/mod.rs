//! Go.
pub mod board;
pub mod playout;
mod stones;
