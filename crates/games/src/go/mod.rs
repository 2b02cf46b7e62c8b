//! Go.
pub mod board;
pub mod playout;
pub mod point;
mod queries;
mod stones;
