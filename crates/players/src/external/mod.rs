//! Other people's engines as players.

pub mod gtp;
pub mod hub;
pub mod process;
mod settings;
mod system;
pub mod uci;
