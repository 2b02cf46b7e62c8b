//! How a named player is built.

use crate::endgames::EndgameStep;
use ludus_core::{
    Choice, History, Limits, OptionSpec, Options, Player, PlayerError, Position, Watch,
};
use ludus_search::{alphabeta::Trace, mcts::Growth};
use std::{fmt, path::PathBuf, sync::Arc};

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
    /// Picks a move as [`Player::choose`] does, on one thread, and records at most `size` of the
    /// things it looked at.
    fn choose_traced(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
        size: usize,
    ) -> Result<TracedChoice<P::Move>, PlayerError>;
}

/// A decision, and how it was come to.
pub type TracedChoice<M> = (Choice<M>, Recording<M>);

/// How a search went.
pub enum Recording<M> {
    /// Depth first: the nodes in the order of visits.
    Visits(Trace<M>),
    /// By simulations: how the tree grew.
    Growth(Growth<M>),
}

/// What a player may use.
#[derive(Clone, Debug)]
pub struct Resources {
    /// Decides everything random the player does.
    pub seed: u64,
    /// Threads it may think with.
    pub threads: usize,
    /// The user's data directory, if the player may use it.
    pub data: Option<DataFolder>,
}

/// The user's data directory, as players see it.
#[derive(Clone)]
pub struct DataFolder {
    pub path: PathBuf,
    /// What becomes of tables that happen to be there.
    pub finds: Finds,
    /// Told of every step when a player builds tables there.
    pub on_step: Option<OnStep>,
}

/// Told how far the building of tables is.
pub type OnStep = Arc<dyn Fn(&EndgameStep) + Send + Sync>;

impl fmt::Debug for DataFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DataFolder").field("path", &self.path).field("finds", &self.finds).finish()
    }
}

/// Whether a player uses what it happens to find, without being told to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Finds {
    /// It does: people want the best move.
    Used,
    /// It does not: results must be the same for everybody.
    Ignored,
}

impl Default for Resources {
    fn default() -> Resources {
        Resources { seed: 1, threads: 1, data: None }
    }
}
