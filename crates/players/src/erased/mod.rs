//! Games, boards and players with their types erased: text in, text out, numbers where nobody reads text.
//!
//! [`GAMES`] lists the games. A [`Game`] opens a [`Board`], a game in progress, and builds a
//! [`BoardPlayer`], which is lent the board whenever it has to move.

mod analysis;
mod board;
mod catalogue;
mod game;
pub mod measure;
mod player;
mod shown;
mod trace;

pub use analysis::{Analysis, FinalMargin, MoveScore, ReportNumbers, SearchReport, TableUse};
pub use board::{Board, Finish};
pub use catalogue::{GAMES, find_game};
pub use game::{ErasedGame, EvalExplanation, Game};
pub use player::{AnalysisControl, BoardPlayer, Turn};
pub use shown::{ShownMove, Snapshot};
pub use trace::{
    GrowthDocument, SearchDocument, TraceDocument, TraceGrown, TraceNode, TracePass, TraceRaw,
    TraceSimulation,
};
