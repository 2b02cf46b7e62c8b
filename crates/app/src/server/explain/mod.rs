//! Searches shown as trees: of real positions, and of trees typed by hand.

pub mod text;
pub mod tree;
pub mod typed;
