//! Named players for every game, and games with their types erased.
//!
//! A [`Recipe`] says how to build a player, a [`Roster`] which recipes a game offers, [`GAMES`]
//! which games there are. Beyond a [`Session`] nobody needs to know a game's type.

pub mod anaconda;
pub mod btt_go;
mod crazystone_like;
pub mod database;
pub mod endgame_solver;
pub mod endgames;
pub mod engine;
mod evaluation;
pub mod external;
mod flat;
mod fuego_like;
mod games;
pub mod go_book;
mod go_engine;
mod go_guide;
mod go_knowledge;
pub mod go_net;
pub mod go_search;
mod greedy;
pub mod identity;
mod iiga;
mod ls_draughts;
pub mod mcts;
mod migos;
mod minimax;
pub mod move_strengths;
pub mod mp_draughts;
pub mod neural;
mod neurodraughts;
pub mod playout_habits;
mod random;
mod recipe;
mod records;
mod roster;
mod session;
mod settings;
mod shown;
mod solver;
mod textbook;
mod trace;
mod visiondraughts;

pub use endgames::Endgames;
pub use games::{Entry, Explanation, GAMES, Game, PerftJob, find_game};
pub use identity::Identity;
pub use recipe::{
    Build, BuildTraced, DataFolder, Finds, OnStep, Recipe, Recording, Resources, Traced,
    TracedChoice,
};
pub use records::game_of_record;
pub use roster::{Roster, build as build_player};
pub use session::{Analysis, FinalMargin, Finish, MoveScore, Progress, Session, TableUse, Turn};
pub use shown::{Moment, ShownMove};
pub use trace::{
    GrowthDocument, SearchDocument, TraceDocument, TraceGrown, TraceNode, TracePass,
    TraceSimulation,
};
