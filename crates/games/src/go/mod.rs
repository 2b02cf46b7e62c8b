//! Go.
pub mod board;
pub mod playout;
pub mod point;
mod stones;
