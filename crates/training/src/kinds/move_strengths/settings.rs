//! Settings of the fit of move strengths.

use crate::recipe::range;
use ludus_core::TextError;
use serde::{Deserialize, Serialize};

/// Settings of the fit of move strengths.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MoveStrengthsSettings {
    /// Number of self-play games.
    pub games: u64,
    /// Random plies before a game; their moves are not learned from.
    pub random_plies: usize,
    /// Plies after those that are not learned from either.
    pub skip: usize,
    /// Plies after which a game is abandoned.
    pub longest: usize,
    /// Steps of minorisation-maximisation.
    pub rounds: usize,
    /// Prior: virtual wins and virtual losses of every feature against one of strength 1.
    pub prior: f64,
    /// Share of the games held out for validation.
    pub validation: f64,
}

impl Default for MoveStrengthsSettings {
    fn default() -> MoveStrengthsSettings {
        MoveStrengthsSettings {
            games: 1000,
            random_plies: 4,
            skip: 0,
            longest: 400,
            rounds: 30,
            prior: 1.0,
            validation: 0.1,
        }
    }
}

impl MoveStrengthsSettings {
    pub(super) fn check(&self) -> Result<(), TextError> {
        range("moves.games", self.games as f64, 0.0, 1e7)?;
        range("moves.random_plies", self.random_plies as f64, 0.0, 1000.0)?;
        range("moves.skip", self.skip as f64, 0.0, 1000.0)?;
        range("moves.longest", self.longest as f64, 1.0, 10_000.0)?;
        range("moves.rounds", self.rounds as f64, 1.0, 10_000.0)?;
        range("moves.prior", self.prior, 0.001, 1000.0)?;
        range("moves.validation", self.validation, 0.0, 0.9)
    }
}
