//! Texts and figures of the players that the app shows.

/// Titles and descriptions of the players, as TOML.
pub const PLAYERS: &str = include_str!("../players.toml");

/// Measured ratings of the players, as TOML; `cargo xtask ratings` writes them.
pub const RATINGS: &str = include_str!("../ratings.toml");
