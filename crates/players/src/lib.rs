//! Named players for every game, and games with their types erased.
//!
//! A [`PlayerRecipe`] builds one player, a [`Roster`] lists the recipes of a game, [`GAMES`] lists
//! the games. A [`Board`] is a game in progress and a [`BoardPlayer`] plays on it, moves as text; their users
//! need no game's type.

pub mod chess;
pub mod common;
pub mod connect4;
pub mod draughts;
pub mod endgames;
pub mod erased;
pub mod external;
pub mod go;
pub mod identity;
pub mod memory;
mod recipe;
mod records;
pub mod reversi;
mod roster;
mod settings;

pub use endgames::Endgames;
pub use erased::{
    Analysis, AnalysisControl, Board, BoardPlayer, ErasedGame, EvalExplanation, FinalMargin,
    Finish, GAMES, Game, GrowthDocument, MoveScore, ReportNumbers, SearchDocument, SearchReport,
    ShownMove, Snapshot, TableUse, TraceDocument, TraceGrown, TraceNode, TracePass, TraceRaw,
    TraceSimulation, Turn, find_game, measure,
};
pub use identity::Identity;
pub use recipe::{
    BuildPlayer, BuildTracedPlayer, DataFolder, FoundData, OnStep, PlayerRecipe, Resources, Traced,
    TracedChoice,
};
pub use records::game_of_record;
pub use roster::{Handcrafted, Roster, build as build_player, common_and};
