//! Other people's engines as players.

pub mod gtp;
pub mod hub;
pub mod process;
mod system;
pub mod uci;
