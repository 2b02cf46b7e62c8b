//! Fit of the playout weights by gradient steps with Adam.

use super::{
    PlayoutWeightsSettings,
    balancing::{CurrentPolicy, PolicyParameters, gradient_of, parameter_count, squared_error},
    dataset::{Dataset, LabelledPosition},
};
use crate::{TrainingError, parallel::in_order};
use ludus_core::Random;
use ludus_knowledge::go::policy::PlayoutPolicy;
use serde::{Deserialize, Serialize};

/// Limits of a validation: positions, and playouts of each.
const MAX_VALIDATION_POSITIONS: usize = 2000;
const VALIDATION_PLAYOUTS: usize = 40;

/// Decay rates of Adam's running means of gradients and of their squares (Kingma and Ba 2015).
const MEAN_DECAY: f64 = 0.9;
const SQUARE_DECAY: f64 = 0.999;
/// Bounds the step of parameters that hardly ever matter.
const EPSILON: f64 = 1e-6;

/// State of a fit.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BalancingState {
    pub odds: PolicyParameters,
    means: Vec<f64>,
    squares: Vec<f64>,
    /// Steps done.
    pub steps: u64,
    /// Sum and number of squared errors since the last validation.
    recent: (f64, f64),
    pub history: Vec<ValidationPoint>,
}

/// Mean squared errors of playouts after a number of steps.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ValidationPoint {
    pub steps: u64,
    /// Error of the training positions since the last validation.
    pub train: f64,
    /// Error of held-out positions.
    pub held_out: f64,
}

/// Inputs of a fit.
pub(super) struct Fit<'a> {
    pub settings: &'a PlayoutWeightsSettings,
    pub dataset: &'a Dataset,
    pub seed: u64,
    pub threads: usize,
}

impl BalancingState {
    pub fn begin() -> BalancingState {
        let zeros = vec![0.0; parameter_count()];
        BalancingState {
            odds: PolicyParameters::initial(),
            means: zeros.clone(),
            squares: zeros,
            steps: 0,
            recent: (0.0, 0.0),
            history: Vec::new(),
        }
    }

    /// One step of Adam, with a learning rate that falls to zero.
    fn adam_step(&mut self, direction: &[f64], settings: &PlayoutWeightsSettings) {
        let done = self.steps as f64 / settings.steps as f64;
        self.steps += 1;
        let rate = settings.rate * (1.0 - done);
        let known = |memory: f64| 1.0 - memory.powi(self.steps.min(100_000) as i32);
        let (mean_known, square_known) = (known(MEAN_DECAY), known(SQUARE_DECAY));
        for (number, &way) in direction.iter().enumerate() {
            let mean = &mut self.means[number];
            let square = &mut self.squares[number];
            *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * way;
            *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * way * way;
            let spread = (*square / square_known).sqrt() + EPSILON;
            self.odds.scale(number, rate * (*mean / mean_known) / spread);
        }
    }
}

impl Fit<'_> {
    /// Makes one step. Its positions depend only on the seed and its number, and their gradients
    /// are added in their order, so threads and interruptions change nothing.
    pub fn step(&self, state: &mut BalancingState) -> Result<(), TrainingError> {
        let current = CurrentPolicy::new(&state.odds);
        let mut random = Random::new(self.seed).split(&format!("habits, step {}", state.steps));
        let train = &self.dataset.train;
        let batch: Vec<(LabelledPosition, u64)> = (0..self.settings.batch)
            .map(|_| (train[random.below(train.len())], random.bits()))
            .collect();
        let mut direction = vec![0.0; parameter_count()];
        let share = 1.0 / batch.len() as f64;
        in_order(
            0..batch.len() as u64,
            self.threads,
            || Ok::<(), TrainingError>(()),
            |(), number| {
                let (sample, seed) = &batch[number as usize];
                let position = self.dataset.position(sample);
                let playouts = self.settings.playouts;
                Ok(gradient_of(&current, &position, sample, playouts, Random::new(*seed)))
            },
            |gradient| {
                for (number, way) in gradient.direction {
                    direction[number] += share * way;
                }
                state.recent.0 += gradient.error;
                state.recent.1 += 1.0;
                Ok(())
            },
        )?;
        state.adam_step(&direction, self.settings);
        Ok(())
    }

    /// Measures the current errors and adds them to the history.
    pub fn validate(&self, state: &mut BalancingState) -> Result<ValidationPoint, TrainingError> {
        let (sum, count) = std::mem::take(&mut state.recent);
        let train = if count > 0.0 { sum / count } else { f64::NAN };
        let held_out = self.held_out_error(&CurrentPolicy::new(&state.odds).policy)?;
        let point = ValidationPoint { steps: state.steps, train, held_out };
        state.history.push(point);
        Ok(point)
    }

    /// Mean squared error of `policy` over held-out positions.
    pub fn held_out_error(&self, policy: &PlayoutPolicy) -> Result<f64, TrainingError> {
        let all = &self.dataset.held_out;
        let every = all.len().div_ceil(MAX_VALIDATION_POSITIONS).max(1);
        let validation: Vec<LabelledPosition> = all.iter().copied().step_by(every).collect();
        let mut sum = 0.0;
        in_order(
            0..validation.len() as u64,
            self.threads,
            || Ok::<(), TrainingError>(()),
            |(), number| {
                let sample = &validation[number as usize];
                let random = Random::new(self.seed).split(&format!("held out {number}"));
                let position = self.dataset.position(sample);
                Ok(squared_error(policy, &position, sample, VALIDATION_PLAYOUTS, random))
            },
            |error| {
                sum += error;
                Ok(())
            },
        )?;
        Ok(sum / validation.len() as f64)
    }
}

/// Checkpoint of a state: floating-point numbers as bits, so that they are read exactly as written.
#[derive(Serialize, Deserialize)]
pub(super) struct BalancingCheckpoint {
    odds: Vec<u64>,
    means: Vec<u64>,
    squares: Vec<u64>,
    steps: u64,
    recent: [u64; 2],
    history: Vec<[u64; 3]>,
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

fn floats(bits: &[u64]) -> Vec<f64> {
    bits.iter().copied().map(f64::from_bits).collect()
}

impl BalancingCheckpoint {
    pub fn of(state: &BalancingState) -> BalancingCheckpoint {
        let point = |point: &ValidationPoint| {
            [point.steps, point.train.to_bits(), point.held_out.to_bits()]
        };
        BalancingCheckpoint {
            odds: bits(&state.odds.0),
            means: bits(&state.means),
            squares: bits(&state.squares),
            steps: state.steps,
            recent: [state.recent.0.to_bits(), state.recent.1.to_bits()],
            history: state.history.iter().map(point).collect(),
        }
    }

    /// The state, unless its number of parameters is another.
    pub fn state(&self) -> Option<BalancingState> {
        let fits = [&self.odds, &self.means, &self.squares]
            .iter()
            .all(|row| row.len() == parameter_count());
        let point = |&[steps, train, held_out]: &[u64; 3]| ValidationPoint {
            steps,
            train: f64::from_bits(train),
            held_out: f64::from_bits(held_out),
        };
        let [sum, count] = self.recent.map(f64::from_bits);
        fits.then(|| BalancingState {
            odds: PolicyParameters(floats(&self.odds)),
            means: floats(&self.means),
            squares: floats(&self.squares),
            steps: self.steps,
            recent: (sum, count),
            history: self.history.iter().map(point).collect(),
        })
    }
}
