//! Named players for every game, and games with their types erased.
//!
//! A [`PlayerRecipe`] builds one player, a [`Roster`] lists the recipes of a game, [`GAMES`] lists
//! the games. A [`Session`] is a game in progress, moves as text; its users need no game's type.

pub mod chess;
pub mod common;
pub mod connect4;
pub mod draughts;
pub mod endgames;
pub mod external;
mod games;
pub mod go;
pub mod identity;
mod recipe;
mod records;
pub mod reversi;
mod roster;
mod session;
mod settings;
mod shown;
mod trace;

pub use endgames::Endgames;
pub use games::{ErasedGame, EvalExplanation, GAMES, Game, PerftJob, find_game};
pub use identity::Identity;
pub use recipe::{
    BuildPlayer, BuildTracedPlayer, DataFolder, FoundData, OnStep, PlayerRecipe, Recording,
    Resources, Traced, TracedChoice,
};
pub use records::game_of_record;
pub use roster::{Handcrafted, Roster, build as build_player};
pub use session::{
    Analysis, AnalysisControl, FinalMargin, Finish, MoveScore, Session, TableUse, Turn,
};
pub use shown::{ShownMove, Snapshot};
pub use trace::{
    GrowthDocument, SearchDocument, TraceDocument, TraceGrown, TraceNode, TracePass,
    TraceSimulation,
};
