//! Settings of a Texel tuning.

use super::objective::{Loss, Target};
use crate::recipe::range;
use ludus_core::TextError;
use serde::{Deserialize, Serialize};

/// Texel tuning settings. Every value has a default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TexelSettings {
    /// Target of the evaluation.
    pub target: Target,
    /// Loss function.
    pub loss: Loss,
    /// Share of the game's result in the target; the rest is the search's score.
    pub lambda: f64,
    /// Steepness of the curve from scores to results; fitted to the starting weights if not given.
    pub k: Option<f64>,
    /// Maximum number of epochs.
    pub epochs: u32,
    /// Positions of a batch; 0 for all of them.
    pub batch: usize,
    /// Initial learning rate: about the change of a weight in one step, in hundredths. Halved after
    /// every epoch without progress.
    pub rate: f64,
    /// Share of the games held out for early stopping.
    pub validation: f64,
    /// Epochs in a row without progress before stopping.
    pub patience: u32,
    /// L2 regularisation towards the starting weights: moving a weight by one unit costs as much as
    /// this summed error, so weights of rare terms hardly move.
    pub l2: f64,
    /// Groups of terms whose weights are fixed.
    pub fixed: Vec<String>,
}

impl Default for TexelSettings {
    fn default() -> TexelSettings {
        TexelSettings {
            target: Target::Result,
            loss: Loss::Squared,
            lambda: 0.7,
            k: None,
            epochs: 100,
            batch: 16_384,
            rate: 1.0,
            validation: 0.1,
            patience: 4,
            l2: 1.0,
            fixed: Vec::new(),
        }
    }
}

impl TexelSettings {
    pub(super) fn check(&self) -> Result<(), TextError> {
        range("texel.lambda", self.lambda, 0.0, 1.0)?;
        range("texel.k", self.k.unwrap_or(1.0), 0.001, 1_000.0)?;
        range("texel.rate", self.rate, 1e-6, 10_000.0)?;
        range("texel.validation", self.validation, 0.0, 0.9)?;
        range("texel.l2", self.l2, 0.0, 1e9)?;
        range("texel.patience", self.patience.into(), 1.0, 100_000.0)
    }
}
