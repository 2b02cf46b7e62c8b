//! Settings of the logistic regression of chess moves.

use crate::{
    recipe::range,
    self_play::{AdjudicationRules, RandomOpening},
};
use ludus_core::TextError;
use serde::{Deserialize, Serialize};

/// Settings of the games and of the regression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LogRegSettings {
    /// Number of decisive games to play; 0 for those of files only.
    pub games: u64,
    /// Random openings, no two of which are equal; nothing is learned from their moves.
    pub opening: RandomOpening,
    /// Rules for stopping games early.
    pub rules: AdjudicationRules,
    /// Whether there are as many bad moves as good ones: one for each, drawn from those of the same
    /// position. Otherwise all.
    pub balance: bool,
    /// Whether piece moved, squares and piece captured have weights together.
    pub interactions: bool,
    /// Number of batches.
    pub batches: u32,
    /// Rows of a batch, each of which is used once.
    pub rows: usize,
    /// Rows of a step.
    pub step: usize,
    /// Learning rate.
    pub rate: f64,
    /// Share of a weight lost in a step of size 1 (L2).
    pub l2: f64,
    /// Share of the games held out.
    pub validation: f64,
}

impl Default for LogRegSettings {
    fn default() -> LogRegSettings {
        LogRegSettings {
            games: 20_000,
            opening: RandomOpening::default(),
            rules: AdjudicationRules::default(),
            balance: true,
            interactions: false,
            batches: 9,
            rows: 100_000,
            step: 32,
            rate: 0.05,
            l2: 1e-5,
            validation: 0.1,
        }
    }
}

impl LogRegSettings {
    pub(super) fn check(&self) -> Result<(), TextError> {
        range("logreg.games", self.games as f64, 0.0, 1e7)?;
        self.opening.check("logreg.opening")?;
        self.rules.check("logreg.rules")?;
        range("logreg.batches", self.batches.into(), 1.0, 1e6)?;
        range("logreg.rows", self.rows as f64, 1.0, 1e8)?;
        range("logreg.step", self.step as f64, 1.0, 1e6)?;
        range("logreg.rate", self.rate, 1e-9, 10.0)?;
        range("logreg.l2", self.l2, 0.0, 1.0)?;
        range("logreg.validation", self.validation, 0.0, 0.9)
    }
}
