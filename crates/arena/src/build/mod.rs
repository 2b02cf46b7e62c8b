//! Build id of the program.
//!
//! The build is a hash of everything that decides the moves of the players and the results of games:
//! the sources of the games, algorithms and players, the embedded weights, books and openings, the arena's rules of
//! play, and the versions of third-party move generators. It is computed when the program is built,
//! without git. Ratings, messages and web pages are no part of it, as they change no player.

#[cfg(test)]
mod sources;
#[cfg(test)]
mod tests;

/// The build of this program: twelve hexadecimal digits, or `unknown build` if it was built
/// outside its workspace.
pub const BUILD: &str = env!("LUDUS_BUILD");

/// The version of the program with its build, as `ludus --version` shows it.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (build ", env!("LUDUS_BUILD"), ")");
