//! Recipes: named ways to build players.

use crate::endgames::EndgameStep;
use ludus_core::{
    Choice, History, Limits, OptionSpec, Options, Player, PlayerError, Position, SearchControl,
};
use ludus_search::Recording;
use std::{fmt, path::PathBuf, sync::Arc};

/// A named way to build a player for the game `P`.
pub struct PlayerRecipe<P: Position> {
    /// The name on the command line.
    pub id: &'static str,
    /// One line on how it plays.
    pub about: &'static str,
    /// The options it takes.
    pub options: &'static [OptionSpec],
    /// Builds a fresh player.
    pub build: BuildPlayer<P>,
    /// Builds one whose search can be traced; `None` if it searches no tree.
    pub build_traced: Option<BuildTracedPlayer<P>>,
}

/// Builds a player from its options and resources.
pub type BuildPlayer<P> = fn(&Options, &Resources) -> Result<Box<dyn Player<P>>, PlayerError>;

/// Builds a player whose search can be traced.
pub type BuildTracedPlayer<P> = fn(&Options, &Resources) -> Result<Box<dyn Traced<P>>, PlayerError>;

/// A player whose search can be traced.
pub trait Traced<P: Position> {
    /// Picks a move as [`Player::choose`] does, on one thread, and records at most `size` nodes or
    /// simulations.
    fn choose_traced(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        control: &mut SearchControl<'_, P::Move>,
        size: usize,
    ) -> Result<TracedChoice<P::Move>, PlayerError>;
}

/// A choice, and the search that led to it.
pub type TracedChoice<M> = (Choice<M>, Recording<M>);

/// Resources a player may use.
#[derive(Clone, Debug)]
pub struct Resources {
    /// Seed of everything random the player does.
    pub seed: u64,
    /// Threads it may search with.
    pub threads: usize,
    /// The user's data directory, if the player may use it.
    pub data: Option<DataFolder>,
}

/// The user's data directory, as players see it.
#[derive(Clone)]
pub struct DataFolder {
    pub path: PathBuf,
    /// Use of tables that happen to be there.
    pub found_data: FoundData,
    /// Called after every step when a player builds endgame tables there.
    pub on_step: Option<OnStep>,
}

/// Receives the progress of building endgame tables.
pub type OnStep = Arc<dyn Fn(&EndgameStep) + Send + Sync>;

impl fmt::Debug for DataFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DataFolder")
            .field("path", &self.path)
            .field("found_data", &self.found_data)
            .finish()
    }
}

/// Whether a player uses data it happens to find without being asked to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FoundData {
    /// It does, for the best move.
    Used,
    /// It does not, so that results are the same on every machine.
    Ignored,
}

impl Default for Resources {
    fn default() -> Resources {
        Resources { seed: 1, threads: 1, data: None }
    }
}
