//! How a named player is built.

use ludus_core::{
    Choice, History, Limits, OptionSpec, Options, Player, PlayerError, Position, Watch,
};
use ludus_engine::search::Trace;

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
    /// Builds one that shows how it searches, if it does search a tree.
    pub build_traced: Option<BuildTraced<P>>,
}

/// Builds a player from its options and what it may use.
pub type Build<P> = fn(&Options, &Resources) -> Result<Box<dyn Player<P>>, PlayerError>;

/// Builds a player that shows how it searches.
pub type BuildTraced<P> = fn(&Options, &Resources) -> Result<Box<dyn Traced<P>>, PlayerError>;

/// A player that shows how it searches.
pub trait Traced<P: Position> {
    /// Picks a move as [`Player::choose`] does, on one thread, and records what it looked at.
    fn choose_traced(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
        trace: &mut Trace<P::Move>,
    ) -> Result<Choice<P::Move>, PlayerError>;
}

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
