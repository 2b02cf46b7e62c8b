//! Other people's engines as players.

pub mod process;
mod system;
