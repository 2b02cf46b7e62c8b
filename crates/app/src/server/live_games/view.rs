//! JSON of a live game.

use crate::server::{
    error::ApiError,
    schema::RecordFormatName,
    view::{BoardDiagram, EndingView, MoveView, PlayedMove, SideName},
};
use ludus_core::Limits;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use utoipa::ToSchema;

/// A game in progress.
#[derive(Serialize, ToSchema)]
pub struct LiveGameView {
    pub id: String,
    /// Increases with every change.
    pub version: u64,
    /// Game with its options.
    pub game: String,
    pub game_name: &'static str,
    pub position: String,
    pub start: String,
    pub first_turn: SideName,
    pub turn: SideName,
    pub view: BoardDiagram,
    /// Cells of the last move.
    pub last_cells: Vec<usize>,
    pub legal: Vec<MoveView>,
    pub moves: Vec<PlayedMove>,
    pub sides: Sides,
    pub ending: Option<EndingView>,
    /// Side whose player is searching.
    pub thinking: Option<SideName>,
    /// Side of the human who offers a draw; the opponent may accept, decline or simply move.
    pub draw_offer: Option<SideName>,
    #[schema(value_type = RecordFormatName)]
    pub record_format: &'static str,
    pub seed: u32,
    pub limits: LimitsInput,
    /// Error of the player to move, if it failed.
    pub error: Option<String>,
    /// Reason why the move that the player has found cannot be saved. It is made once it is saved, which is
    /// tried again and again.
    pub not_saved: Option<String>,
}

/// Both sides.
#[derive(Serialize, ToSchema)]
pub struct Sides {
    pub first: SideView,
    pub second: SideView,
}

/// One side.
#[derive(Serialize, ToSchema)]
pub struct SideView {
    /// Such as `White`.
    pub name: &'static str,
    /// Player with its options; null for a human.
    pub player: Option<String>,
    pub clock_ms: Option<u64>,
}

/// Search limits of a player.
#[derive(Copy, Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitsInput {
    /// Milliseconds per move, from 1 to 60,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    time_ms: Option<u64>,
    /// Positions or simulations per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    nodes: Option<u64>,
    /// Search depth in plies, from 1 to 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    depth: Option<u32>,
}

impl LimitsInput {
    pub fn check(&self) -> Result<(), ApiError> {
        let fits = self.time_ms.is_none_or(|time| (1..=60_000).contains(&time))
            && self.nodes.is_none_or(|nodes| nodes > 0)
            && self.depth.is_none_or(|depth| (1..=100).contains(&depth));
        if fits {
            return Ok(());
        }
        Err(ApiError::bad(format!(
            "limits {self:?}: expected time_ms from 1 to 60000, nodes from 1 and depth from 1 to 100"
        )))
    }

    pub fn limits(&self) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            time: self.time_ms.map(Duration::from_millis),
            clock: None,
        }
    }
}
