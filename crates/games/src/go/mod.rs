//! Go, on boards from 2x2 to 25x25.
//!
//! Black, who is [`Side::First`](ludus_core::Side), and White place stones on the crossings in turn
//! or pass. A chain of connected stones without an empty point beside it is captured. Two passes in
//! a row end the game, and the larger count wins: by default stones and surrounded points (area
//! scoring), White's with komi added. No board may come back (positional superko), and no stone may
//! kill its own chain. The options change all of these; see [`rules`].
//!
//! With handicap stones White moves first. Black is the first side all the same.
//!
//! From the inside out: `stones` keeps chains and liberties up to date, `queries` asks about them,
//! [`board`] makes one type of all board sizes and is what playout policies build on, [`playout`]
//! plays random games on it, `position` adds the rules of play and `past` the boards superko
//! forbids. [`policy`] plays random games that know something of Go, [`guide`] and `priors` make of
//! it what a tree search asks for, and [`ownership`] tells who owns what in the end.

pub mod board;
mod common_fate;
mod eval;
pub mod guide;
mod handicap;
pub mod move_features;
mod move_tactics;
mod notation;
pub mod ownership;
mod past;
pub mod planes;
pub mod playout;
mod point;
pub mod policy;
mod position;
pub mod priors;
mod queries;
mod record;
pub mod rules;
mod shapes;
pub mod solver;
mod stones;

pub use board::Board;
pub use point::Point;
pub use position::{Go, Illegal, Move};
