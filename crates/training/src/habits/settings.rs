//! What can be set.

use crate::recipe::range;
use ludus_core::TextError;
use serde::{Deserialize, Serialize};

/// How habits of playouts are learned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HabitsSettings {
    /// Games the player plays against itself.
    pub games: u64,
    /// Plies played at random before a game.
    pub random_plies: usize,
    /// Plies after which a game is given up, and not learned from.
    pub longest: usize,
    /// Plies at the beginning of a game that are not learned from: they tell little of its result.
    pub skip: usize,
    /// Steps, each on some positions.
    pub steps: u64,
    /// Positions a step.
    pub batch: usize,
    /// Playouts of each position, half of them to see how far off they are and half to see why.
    pub playouts: usize,
    /// How far a step goes at first; it gets smaller to nothing at the end.
    pub rate: f64,
    /// The part of the games that is not learned from, to see how well others are foreseen.
    pub validation: f64,
}

impl Default for HabitsSettings {
    fn default() -> HabitsSettings {
        HabitsSettings {
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

impl HabitsSettings {
    pub(crate) fn check(&self) -> Result<(), TextError> {
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
