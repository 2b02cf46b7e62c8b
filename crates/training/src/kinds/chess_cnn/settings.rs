//! Settings of the training of a network that judges chess positions.

use crate::recipe::range;
use ludus_core::{Score, TextError};
use ludus_models::kernels::logistic;
use serde::{Deserialize, Serialize};

/// Curve from the judge's scores to targets.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ScoreTarget {
    /// Logistic curve, with a score of 4.00 at 0.73.
    #[default]
    Logistic,
    /// Straight line from -15.00 to 15.00, cut off beyond.
    Linear,
}

/// Score in hundredths at which the logistic curve has risen by one unit of its argument.
const LOGISTIC_SCALE: f32 = 400.0;
/// Score in hundredths at which the straight line ends.
const LINEAR_LIMIT: f32 = 1500.0;

impl ScoreTarget {
    /// Target of a score for White: from 0, Black wins, to 1.
    pub fn target(self, score: Score) -> f32 {
        if let Some(plies) = score.win_in() {
            return if plies > 0 { 1.0 } else { 0.0 };
        }
        self.curve(score.0 as f32)
    }

    /// Point of the curve at `score` hundredths.
    fn curve(self, score: f32) -> f32 {
        match self {
            ScoreTarget::Logistic => logistic(score / LOGISTIC_SCALE),
            ScoreTarget::Linear => {
                0.5 + score.clamp(-LINEAR_LIMIT, LINEAR_LIMIT) / (2.0 * LINEAR_LIMIT)
            }
        }
    }
}

/// Settings of the positions and of the training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ChessCnnSettings {
    /// Number of positions to draw and to label; 0 for those of files only.
    pub positions: u64,
    /// Most random plies from the initial position; each number from 1 on is as likely.
    pub plies: usize,
    /// Curve from the judge's scores to targets.
    pub target: ScoreTarget,
    /// Whether the network sees the side to move.
    pub turn: bool,
    /// Most epochs.
    pub epochs: u32,
    /// Positions of a step.
    pub batch: usize,
    /// Learning rate.
    pub rate: f64,
    /// Share of the positions held out.
    pub validation: f64,
    /// Epochs without a gain after which the training ends.
    pub patience: u32,
    /// Least fall of the held-out error that counts as a gain.
    pub gain: f64,
}

impl Default for ChessCnnSettings {
    fn default() -> ChessCnnSettings {
        ChessCnnSettings {
            positions: 1_000_000,
            plies: 200,
            target: ScoreTarget::Logistic,
            turn: false,
            epochs: 30,
            batch: 2048,
            rate: 0.0005,
            validation: 0.1,
            patience: 10,
            gain: 0.0001,
        }
    }
}

impl ChessCnnSettings {
    pub(super) fn check(&self) -> Result<(), TextError> {
        range("chess_cnn.positions", self.positions as f64, 0.0, 1e8)?;
        range("chess_cnn.plies", self.plies as f64, 1.0, 10_000.0)?;
        range("chess_cnn.epochs", self.epochs.into(), 1.0, 10_000.0)?;
        range("chess_cnn.batch", self.batch as f64, 1.0, 1e6)?;
        range("chess_cnn.rate", self.rate, 1e-9, 1.0)?;
        range("chess_cnn.validation", self.validation, 0.0, 0.9)?;
        range("chess_cnn.patience", self.patience.into(), 1.0, 10_000.0)?;
        range("chess_cnn.gain", self.gain, 0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_rise_from_lost_to_won() {
        for target in [ScoreTarget::Logistic, ScoreTarget::Linear] {
            let of = |score| target.target(Score(score));
            assert_eq!(of(0), 0.5);
            assert_eq!((of(Score::WIN.0 - 5), of(5 - Score::WIN.0)), (1.0, 0.0));
            assert!(of(-300) < 0.5 && of(300) > of(100) && of(2000) <= 1.0);
            assert!((of(250) + of(-250) - 1.0).abs() < 1e-6);
        }
        assert!((ScoreTarget::Logistic.target(Score(400)) - 0.731_058_6).abs() < 1e-6);
        assert_eq!(ScoreTarget::Linear.target(Score(750)), 0.75);
        assert_eq!(ScoreTarget::Linear.target(Score(-5000)), 0.0);
    }
}
