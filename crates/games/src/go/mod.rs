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
//! adds the rules of play and `superko` the boards that must not be repeated. [`policy`] is the
//! playout policy, [`leaf_evaluator`] and `priors` serve the tree search, and [`ownership`]
//! estimates final ownership, dead stones and the score.

pub mod board;
mod common_fate;
mod eval;
mod handicap;
pub mod leaf_evaluator;
pub mod move_features;
mod notation;
pub mod ownership;
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
mod superko;
mod tactical_features;

pub use board::GoBoard;
pub use point::Point;
pub use position::{Go, GoMove, Illegal};

/// Knowledge of Go beyond its rules, for players.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct GoKnowledge;
