//! Go, on boards from 2x2 to 25x25.
//!
//! Black, who is [`Side::First`](ludus_core::Side), and White place stones on the points in turn or
//! pass. A chain of connected stones without a liberty is captured. Two passes in a row end the
//! game, and the higher score wins: by default stones and surrounded points (area scoring), White's
//! with komi added. No board may be repeated (positional superko), and suicide is illegal. Options
//! change all of these; see [`rules`].
//!
//! With handicap stones White moves first. Black is the first side all the same.
//!
//! From the inside out: `stones` keeps chains and liberties up to date, `queries` reads them,
//! [`board`] is one type for all board sizes, [`playout`] plays uniformly random games, `position`
//! adds the rules of play and `superko` the boards that must not be repeated.

pub mod board;
mod handicap;
mod notation;
pub mod playout;
mod point;
mod position;
mod queries;
mod record;
pub mod rules;
pub mod stones;
mod superko;

pub use board::GoBoard;
pub use point::Point;
pub use position::{Go, GoMove, Illegal};
