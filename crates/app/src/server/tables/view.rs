//! The JSON of a table.

use crate::server::{
    error::ApiError,
    view::{EndingView, MoveView, PlayedMove, SideName, View},
};
use ludus_core::Limits;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use utoipa::ToSchema;

/// A game in progress.
#[derive(Serialize, ToSchema)]
pub struct TableView {
    pub id: String,
    /// Grows with every change.
    pub version: u64,
    /// With its options.
    pub game: String,
    pub game_name: &'static str,
    pub position: String,
    pub start: String,
    pub first_turn: SideName,
    pub turn: SideName,
    pub view: View,
    /// The cells of the last move.
    pub last_cells: Vec<usize>,
    pub legal: Vec<MoveView>,
    pub moves: Vec<PlayedMove>,
    pub sides: Sides,
    pub ending: Option<EndingView>,
    /// The side whose player thinks.
    pub thinking: Option<SideName>,
    /// The human who offers a draw; the other one may accept, decline or simply move.
    pub draw_offer: Option<SideName>,
    pub record_format: &'static str,
    pub seed: u32,
    pub limits: LimitsInput,
    /// Why the player to move does not move, if it failed.
    pub error: Option<String>,
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
    /// The player with its options; none for a human.
    pub player: Option<String>,
    pub clock_ms: Option<u64>,
}

/// When a player has to stop thinking.
#[derive(Copy, Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitsInput {
    /// Milliseconds a move, from 1 to 60,000.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    time_ms: Option<u64>,
    /// Positions or simulations a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    /// Plies, from 1 to 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
