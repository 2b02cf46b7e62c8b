//! To be written.
mod board;
mod english;
mod moves;
mod position;
mod rules;
pub use moves::Move;
pub use position::Draughts;
pub use rules::{Colour, Rules};
