//! Depth-first searches.

mod budget;
mod minimax;

pub use budget::Budget;
pub use minimax::Minimax;
