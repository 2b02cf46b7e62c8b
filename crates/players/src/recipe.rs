//! How a named player is built.

use ludus_core::{OptionSpec, Options, Player, PlayerError, Position};

/// A named way to build a player for the game `P`.
pub struct Recipe<P: Position> {
    /// The name on the command line.
    pub id: &'static str,
    /// One line on how it plays.
    pub about: &'static str,
    /// What can be set.
    pub options: &'static [OptionSpec],
    /// Builds a fresh player.
    pub build: Build<P>,
}

/// Builds a player from its options and what it may use.
pub type Build<P> = fn(&Options, &Resources) -> Result<Box<dyn Player<P>>, PlayerError>;

/// What a player may use.
#[derive(Clone, Debug)]
pub struct Resources {
    /// Decides everything random the player does.
    pub seed: u64,
    /// Threads it may think with.
    pub threads: usize,
}

impl Default for Resources {
    fn default() -> Resources {
        Resources { seed: 1, threads: 1 }
    }
}
