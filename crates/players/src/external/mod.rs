//! Other people's engines as players.

pub mod gtp;
mod gtp_time;
pub mod hub;
pub mod ludus;
pub mod process;
mod system;
pub mod uci;

/// The players that start programs: no stranger may name one.
pub const IDS: &[&str] = &["uci", "gtp", "hub", "ludus"];
