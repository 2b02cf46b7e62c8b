//! Checkpoints of a hill climbing.

use super::{Challenge, HillClimbState};
use ludus_core::{Weights, linear::Group};
use serde::{Deserialize, Serialize};

/// A state as JSON.
#[derive(Serialize, Deserialize)]
pub(super) struct HillClimbCheckpoint {
    champion: String,
    best: String,
    climb: u32,
    idle: u32,
    history: Vec<Challenge>,
}

impl HillClimbCheckpoint {
    pub fn of(state: &HillClimbState, groups: &[Group]) -> HillClimbCheckpoint {
        HillClimbCheckpoint {
            champion: state.champion.text(groups),
            best: state.best.text(groups),
            climb: state.climb,
            idle: state.idle,
            history: state.history.clone(),
        }
    }

    /// The state, unless its weights are those of another evaluation.
    pub fn state(self, groups: &[Group]) -> Option<HillClimbState> {
        Some(HillClimbState {
            champion: Weights::parse(&self.champion, groups).ok()?,
            best: Weights::parse(&self.best, groups).ok()?,
            climb: self.climb,
            idle: self.idle,
            history: self.history,
        })
    }
}
