//! Which build of the program this is.
//!
//! The build is a hash of whatever decides the moves of our players and the results of games
//! between any: the sources of the games, the algorithms and the players, the files embedded in
//! them, the arena's rules of play, and the versions of the third-party crates that know moves. It
//! is made when the program is built, without git. Ratings, texts and pages have no part in it: a
//! change there is no other player.

#[cfg(test)]
mod sources;
#[cfg(test)]
mod tests;

/// The build of this program: twelve hexadecimal digits, or `unknown build` if it was built
/// outside its workspace.
pub const BUILD: &str = env!("LUDUS_BUILD");

/// The version of the program with its build, as `ludus --version` shows it.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (build ", env!("LUDUS_BUILD"), ")");
