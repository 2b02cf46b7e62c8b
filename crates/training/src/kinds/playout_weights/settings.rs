//! Settings of the fit of playout weights.

use crate::recipe::range;
use ludus_core::TextError;
use serde::{Deserialize, Serialize};

/// Settings of the fit of playout weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlayoutWeightsSettings {
    /// Number of self-play games.
    pub games: u64,
    /// Random plies before a game.
    pub random_plies: usize,
    /// Plies after which a game is abandoned, and not learned from.
    pub longest: usize,
    /// Plies at the start of a game that are not learned from: they say little about its result.
    pub skip: usize,
    /// Number of gradient steps.
    pub steps: u64,
    /// Positions of a step.
    pub batch: usize,
    /// Playouts of each position: half of them estimate the mean result, half its gradient.
    pub playouts: usize,
    /// Initial learning rate; it falls to zero.
    pub rate: f64,
    /// Share of the games held out for validation.
    pub validation: f64,
}

impl Default for PlayoutWeightsSettings {
    fn default() -> PlayoutWeightsSettings {
        PlayoutWeightsSettings {
            games: 1000,
            random_plies: 2,
            longest: 400,
            skip: 8,
            steps: 5000,
            batch: 64,
            playouts: 32,
            rate: 0.06,
            validation: 0.1,
        }
    }
}

impl PlayoutWeightsSettings {
    pub(super) fn check(&self) -> Result<(), TextError> {
        range("habits.games", self.games as f64, 0.0, 1e7)?;
        range("habits.random_plies", self.random_plies as f64, 0.0, 1000.0)?;
        range("habits.longest", self.longest as f64, 1.0, 10_000.0)?;
        range("habits.skip", self.skip as f64, 0.0, 1000.0)?;
        range("habits.steps", self.steps as f64, 1.0, 1e7)?;
        range("habits.batch", self.batch as f64, 1.0, 1e5)?;
        range("habits.playouts", self.playouts as f64, 2.0, 1e5)?;
        range("habits.rate", self.rate, 0.0001, 0.5)?;
        range("habits.validation", self.validation, 0.0, 0.9)
    }
}
