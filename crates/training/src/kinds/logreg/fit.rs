//! Fit of the weights: logistic regression by minibatch gradient descent.

use super::{
    LogRegSettings,
    rows::{DecisionRows, RowFeatures, RowSets},
};
use crate::{
    Run, TrainingError, TrainingStage,
    checkpoint::{CheckpointedStage, Pace, StepReport},
    folder::RunFolder,
};
use ludus_knowledge::chess::{STUDY_FEATURES, STUDY_FEATURES_WITH_INTERACTIONS, StudyMoveModel};
use ludus_models::kernels::logistic;
use serde::{Deserialize, Serialize};
use serde_json::json;

const CHECKPOINT: &str = "checkpoint.json";

/// Qualities of a model on rows held out.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(super) struct RowQuality {
    /// Mean of the logarithms of the probabilities of what is true, negated.
    pub log_loss: f64,
    /// Share of the rows with the truth at more than even odds.
    pub accuracy: f64,
    /// Chance that a good move has the greater probability than a bad one (area under the curve).
    pub auc: f64,
}

/// Weights, with their qualities after each batch.
pub(super) struct FitState {
    bias: f32,
    weights: Vec<f32>,
    pub batches: Vec<RowQuality>,
}

/// Checkpoint: all numbers as bits, because text would round them.
#[derive(Serialize, Deserialize)]
struct StoredFit {
    bias: u32,
    weights: Vec<u32>,
    batches: Vec<[u64; 3]>,
}

impl FitState {
    fn new(features: usize) -> FitState {
        FitState { bias: 0.0, weights: vec![0.0; features], batches: Vec::new() }
    }

    /// Fitted model.
    pub fn model(&self) -> StudyMoveModel {
        StudyMoveModel::new(self.bias, self.weights.clone())
    }

    /// Sum of bias and weights of the features that are on.
    fn logit(&self, on: &[u16]) -> f32 {
        on.iter().fold(self.bias, |sum, &feature| sum + self.weights[usize::from(feature)])
    }

    /// Probability that the winner makes the move.
    fn probability(&self, on: &[u16]) -> f32 {
        logistic(self.logit(on))
    }

    /// Qualities on all rows of a set.
    pub fn quality(&self, rows: &DecisionRows, interactions: bool) -> RowQuality {
        let mut features = RowFeatures::default();
        let (mut loss, mut right) = (0.0, 0_usize);
        let mut logits = Vec::with_capacity(rows.rows.len());
        for &row in &rows.rows {
            rows.features(row, interactions, &mut features);
            let logit = self.logit(&features.on);
            let signed = f64::from(if features.is_good { logit } else { -logit });
            // ln(1 + exp(-x)) without an overflow.
            loss += (-signed.abs()).exp().ln_1p() + (-signed).max(0.0);
            right += usize::from(signed > 0.0);
            logits.push((logit, features.is_good));
        }
        let count = rows.rows.len().max(1) as f64;
        RowQuality { log_loss: loss / count, accuracy: right as f64 / count, auc: auc(logits) }
    }
}

/// Area under the curve: the chance that a good row lies above a bad one, half a chance if equal.
fn auc(mut logits: Vec<(f32, bool)>) -> f64 {
    logits.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut below, mut area) = (0_u64, 0.0);
    for equal in logits.chunk_by(|a, b| a.0 == b.0) {
        let good = equal.iter().filter(|row| row.1).count() as u64;
        let bad = equal.len() as u64 - good;
        area += good as f64 * (below as f64 + bad as f64 / 2.0);
        below += bad;
    }
    let good = logits.len() as u64 - below;
    if good == 0 || below == 0 { 0.5 } else { area / (good as f64 * below as f64) }
}

/// The batches of a fit.
pub(super) struct FitStage<'a> {
    pub settings: &'a LogRegSettings,
    pub sets: &'a RowSets,
}

impl FitStage<'_> {
    fn features(&self) -> usize {
        match self.settings.interactions {
            true => STUDY_FEATURES_WITH_INTERACTIONS,
            false => STUDY_FEATURES,
        }
    }

    /// Number of batches that there are rows for.
    fn batches(&self) -> usize {
        self.sets.train.rows.len().div_ceil(self.settings.rows)
    }

    /// One pass over a batch.
    fn pass(&self, batch: usize, state: &mut FitState) {
        let LogRegSettings { rows, step, rate, l2, interactions, .. } = *self.settings;
        let train = &self.sets.train;
        let batch = train.rows.chunks(rows).nth(batch).expect("a batch that there are rows for");
        let mut features = RowFeatures::default();
        let mut gradient = vec![0.0; state.weights.len()];
        let mut touched: Vec<u16> = Vec::new();
        for rows in batch.chunks(step) {
            let mut bias = 0.0;
            for &row in rows {
                train.features(row, interactions, &mut features);
                let truth = f32::from(u8::from(features.is_good));
                let error = state.probability(&features.on) - truth;
                bias += error;
                for &feature in &features.on {
                    gradient[usize::from(feature)] += error;
                }
                touched.extend(&features.on);
            }
            let rate = rate as f32 / rows.len() as f32;
            let kept = 1.0 - (self.settings.rate * l2) as f32;
            state.weights.iter_mut().for_each(|weight| *weight *= kept);
            state.bias -= rate * bias;
            for feature in touched.drain(..).map(usize::from) {
                state.weights[feature] -= rate * gradient[feature];
                gradient[feature] = 0.0;
            }
        }
    }
}

impl CheckpointedStage for FitStage<'_> {
    type State = FitState;

    const STAGE: TrainingStage =
        TrainingStage { activity: "fitting weights to moves", unit: "batches" };

    fn load(&self, folder: &RunFolder) -> Result<Option<FitState>, TrainingError> {
        folder.json_checkpoint(CHECKPOINT, |stored: StoredFit| {
            let StoredFit { bias, weights, batches } = stored;
            let state = FitState {
                bias: f32::from_bits(bias),
                weights: weights.into_iter().map(f32::from_bits).collect(),
                batches: batches.into_iter().map(RowQuality::from_bits).collect(),
            };
            let fits = state.weights.len() == self.features();
            (fits && state.batches.len() <= self.batches()).then_some(state)
        })
    }

    fn save(&mut self, state: &FitState, folder: &RunFolder) -> Result<(), TrainingError> {
        let stored = StoredFit {
            bias: state.bias.to_bits(),
            weights: state.weights.iter().map(|weight| weight.to_bits()).collect(),
            batches: state.batches.iter().map(|quality| quality.to_bits()).collect(),
        };
        folder.write_json(CHECKPOINT, &stored)
    }

    fn begin(&mut self, _: &mut Run<'_>) -> Result<FitState, TrainingError> {
        Ok(FitState::new(self.features()))
    }

    fn is_done(&self, state: &FitState) -> bool {
        state.batches.len() >= self.batches()
    }

    fn step(&mut self, state: &mut FitState, _: &mut Run<'_>) -> Result<(), TrainingError> {
        self.pass(state.batches.len(), state);
        let quality = state.quality(&self.sets.held_out, self.settings.interactions);
        state.batches.push(quality);
        Ok(())
    }

    fn report(&mut self, state: &FitState, pace: Pace) -> StepReport {
        let RowQuality { log_loss, accuracy, auc } =
            state.batches.last().copied().unwrap_or_default();
        let (done, total) = (state.batches.len() as u64, self.batches() as u64);
        StepReport {
            entry: Some(json!({
                "event": "batch", "batch": done, "log_loss": log_loss, "accuracy": accuracy,
                "auc": auc, "seconds": pace.seconds,
            })),
            done,
            total,
            note: format!("log-loss {log_loss:.4}, AUC {auc:.4}"),
        }
    }
}

impl RowQuality {
    fn to_bits(self) -> [u64; 3] {
        [self.log_loss, self.accuracy, self.auc].map(f64::to_bits)
    }

    fn from_bits(bits: [u64; 3]) -> RowQuality {
        let [log_loss, accuracy, auc] = bits.map(f64::from_bits);
        RowQuality { log_loss, accuracy, auc }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs counted one by one.
    fn plain_auc(rows: &[(f32, bool)]) -> f64 {
        let of = |good| rows.iter().filter(move |row| row.1 == good).map(|row| row.0);
        let pairs = of(true).flat_map(|good| of(false).map(move |bad| (good, bad)));
        let score = |(good, bad)| match (good > bad, good == bad) {
            (true, _) => 1.0,
            (_, true) => 0.5,
            _ => 0.0,
        };
        pairs.clone().map(score).sum::<f64>() / pairs.count() as f64
    }

    #[test]
    fn the_area_is_the_share_of_pairs_in_order() {
        let mut random = ludus_core::Random::new(4);
        for _ in 0..50 {
            let row = |_| (random.below(12) as f32 - 5.0, random.below(3) == 0);
            let mut rows: Vec<(f32, bool)> = (0..40).map(row).collect();
            rows.extend([(0.0, true), (0.0, false)]);
            assert!((auc(rows.clone()) - plain_auc(&rows)).abs() < 1e-12);
        }
        assert_eq!(auc(vec![(1.0, true), (2.0, true)]), 0.5, "nothing to compare with");
    }
}
