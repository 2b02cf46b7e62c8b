//! Other people's engines as players.

pub mod process;
mod settings;
mod system;
pub mod uci;
