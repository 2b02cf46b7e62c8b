//! Objective of Texel tuning: the error of one position, and its derivative.

use super::samples::SampleRow;
use serde::{Deserialize, Serialize};

/// Target of an evaluation.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// Result of the game, by a logistic curve over the score.
    #[default]
    Result,
    /// Margin in points at the end of the game (or the search's score), by plain linear regression.
    Margin,
}

/// Loss function, for [`Target::Result`].
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// Squared difference of expected and real result, as in Texel.
    #[default]
    Squared,
    /// Cross entropy: negative logarithm of the probability given to the result.
    CrossEntropy,
}

/// The error to be minimised.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Objective {
    /// Target of the evaluation.
    pub target: Target,
    /// Loss function.
    pub loss: Loss,
    /// Share of the game's result in the target; the rest is the search's score.
    pub lambda: f64,
    /// Steepness of the curve from scores to results: a lead of one unit wins with probability
    /// `1 / (1 + e^-k)`.
    pub k: f64,
}

/// Logistic function.
pub fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

impl Objective {
    /// Target value of a position: an expected result, or points.
    pub fn goal(&self, row: &SampleRow) -> f64 {
        let units = f64::from(row.score) / 100.0;
        let (known, seen) = match self.target {
            Target::Result => (f64::from(row.result), sigmoid(self.k * units)),
            Target::Margin => (f64::from(row.margin), units),
        };
        match (known.is_nan(), seen.is_nan()) {
            (false, false) => self.lambda * known + (1.0 - self.lambda) * seen,
            (false, true) => known,
            (true, _) => seen,
        }
    }

    /// Error of an evaluation of `units` against the target `goal`, and its derivative by the
    /// evaluation.
    #[inline]
    pub fn error(&self, units: f64, goal: f64) -> (f64, f64) {
        if self.target == Target::Margin {
            let off = units - goal;
            return (off * off, 2.0 * off);
        }
        let x = self.k * units;
        let expected = sigmoid(x);
        let off = expected - goal;
        match self.loss {
            Loss::Squared => (off * off, 2.0 * off * expected * (1.0 - expected) * self.k),
            Loss::CrossEntropy => {
                // −goal·ln p − (1 − goal)·ln(1 − p), in a form that never takes ln 0.
                let error = x.max(0.0) + (-x.abs()).exp().ln_1p() - goal * x;
                (error, self.k * off)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slopes_are_what_small_differences_show() {
        for target in [Target::Result, Target::Margin] {
            for loss in [Loss::Squared, Loss::CrossEntropy] {
                let objective = Objective { target, loss, lambda: 1.0, k: 0.8 };
                for (units, goal) in [(0.0, 1.0), (3.0, 0.3), (-2.5, 0.0), (-7.0, 0.9)] {
                    let at = |units| objective.error(units, goal).0;
                    let slope = (at(units + 1e-6) - at(units - 1e-6)) / 2e-6;
                    let claimed = objective.error(units, goal).1;
                    assert!((slope - claimed).abs() < 1e-7, "{objective:?} {units} {goal}");
                }
            }
        }
        let objective =
            Objective { target: Target::Result, loss: Loss::CrossEntropy, lambda: 1.0, k: 1.0 };
        assert!(
            objective.error(1e6, 0.0).0.is_finite() && objective.error(-1e6, 1.0).0.is_finite()
        );
    }

    #[test]
    fn goals_mix_what_happened_with_what_was_seen() {
        let row = SampleRow {
            ending: 0.0,
            damp: [1.0; 2],
            result: 1.0,
            margin: f32::NAN,
            score: 0.0,
            game: 0,
        };
        let objective =
            Objective { target: Target::Result, loss: Loss::Squared, lambda: 0.75, k: 1.0 };
        assert_eq!(objective.goal(&row), 0.875);
        assert_eq!(objective.goal(&SampleRow { score: f32::NAN, ..row }), 1.0);
        let margin = Objective { target: Target::Margin, ..objective };
        assert_eq!(margin.goal(&SampleRow { margin: 8.0, score: 400.0, ..row }), 7.0);
        assert_eq!(margin.goal(&SampleRow { score: 400.0, ..row }), 4.0);
    }
}
