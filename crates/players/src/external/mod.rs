//! External engines as players: processes that speak UCI, GTP, Hub or the Ludus protocol.

pub mod gtp;
mod gtp_time;
pub mod hub;
pub mod ludus;
pub mod process;
pub mod program;
mod system;
mod timing;
pub mod uci;
mod uci_report;

/// The players that start programs; untrusted users may not name them.
pub const IDS: &[&str] = &["uci", "gtp", "hub", "ludus"];
