//! The tuning itself: epochs of Adam over batches, with early stopping.

use super::{
    TexelSettings,
    gradient::{GradientSums, TaperedWeights, TuningProblem},
    objective::{Objective, Target},
    samples::{SampleRow, TermSamples},
};
use ludus_core::{Random, Weight, Weights, position::mix};
use serde::{Deserialize, Serialize};

/// Errors after an epoch.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpochErrors {
    /// Mean training error, measured during the epoch.
    pub train: f64,
    /// Mean error over the positions held out; over the training positions if none are.
    pub validation: f64,
    /// Learning rate of the epoch, in hundredths.
    pub rate: f64,
}

/// State of a tuning; saved after every epoch.
#[derive(Clone, Debug, PartialEq)]
pub struct TexelState {
    pub(super) weights: TaperedWeights,
    /// Adam's running means of gradients and of their squares.
    pub(super) means: TaperedWeights,
    pub(super) squares: TaperedWeights,
    pub(super) steps: u64,
    pub(super) rate: f64,
    /// Weights with the lowest validation error so far.
    pub(super) best: TaperedWeights,
    pub(super) best_error: f64,
    pub(super) idle: u32,
    /// One entry for the start and one for every epoch.
    pub history: Vec<EpochErrors>,
}

impl TexelState {
    /// Number of epochs done.
    pub fn epoch(&self) -> usize {
        self.history.len() - 1
    }

    /// Best weights so far, rounded.
    pub fn weights(&self) -> Weights {
        let whole = |units: f64| {
            (units * 100.0).round().clamp(f64::from(i16::MIN), f64::from(i16::MAX)) as i32
        };
        let round = |&[opening, ending]: &[f64; 2]| Weight::tapered(whole(opening), whole(ending));
        Weights { terms: self.best.iter().map(round).collect() }
    }
}

/// Weights in units.
pub fn to_units(weights: &Weights) -> TaperedWeights {
    let units = |hundredths: i32| f64::from(hundredths) / 100.0;
    weights.terms.iter().map(|weight| [units(weight.opening), units(weight.ending)]).collect()
}

/// A tuning of given weights on given positions.
pub struct Tuner<'a> {
    settings: &'a TexelSettings,
    problem: TuningProblem<'a>,
    objective: Objective,
    start: TaperedWeights,
    /// Terms that may change.
    free: Vec<bool>,
    train: Vec<u32>,
    held_out: Vec<u32>,
    seed: u64,
}

/// Smallest relative improvement of the error that counts as progress.
const TOLERANCE: f64 = 1e-6;

impl<'a> Tuner<'a> {
    /// Tunes `start` on `samples`; `free` marks the terms that may change.
    pub fn new(
        settings: &'a TexelSettings,
        samples: &'a TermSamples,
        start: &Weights,
        free: Vec<bool>,
        seed: u64,
        threads: usize,
    ) -> Tuner<'a> {
        let start = to_units(start);
        let is_held_out = |row: &SampleRow| {
            (mix(seed ^ mix(row.game.into())) >> 40) as f64 / ((1u64 << 24) as f64)
                < settings.validation
        };
        let (mut train, mut held_out) = (Vec::new(), Vec::new());
        for (index, row) in samples.rows().iter().enumerate() {
            if is_held_out(row) { &mut held_out } else { &mut train }.push(index as u32);
        }
        let mut objective = Objective {
            target: settings.target,
            loss: settings.loss,
            lambda: settings.lambda,
            k: settings.k.unwrap_or(1.0),
        };
        if settings.k.is_none() && settings.target == Target::Result {
            objective.k = fit_k(samples, objective, &train, &start);
        }
        let problem = TuningProblem::new(samples, objective, threads);
        Tuner { settings, problem, objective, start, free, train, held_out, seed }
    }

    /// Steepness of the curve from scores to results.
    pub fn k(&self) -> f64 {
        self.objective.k
    }

    /// Numbers of training positions and held-out positions.
    pub fn sizes(&self) -> (usize, usize) {
        (self.train.len(), self.held_out.len())
    }

    /// State before the first epoch.
    pub fn begin(&self) -> TexelState {
        let zero = vec![[0.0; 2]; self.start.len()];
        let (train, validation) = self.errors(&self.start);
        TexelState {
            weights: self.start.clone(),
            means: zero.clone(),
            squares: zero,
            steps: 0,
            rate: self.settings.rate,
            best: self.start.clone(),
            best_error: validation,
            idle: 0,
            history: vec![EpochErrors { train, validation, rate: self.settings.rate }],
        }
    }

    /// Whether the tuning has ended.
    pub fn is_done(&self, state: &TexelState) -> bool {
        state.epoch() >= self.settings.epochs as usize
            || state.idle >= self.settings.patience
            || self.train.is_empty()
    }

    /// Mean errors of `weights` over the training positions and over those held out.
    pub fn errors(&self, weights: &[[f64; 2]]) -> (f64, f64) {
        let train = self.problem.mean_error(&self.train, weights);
        if self.held_out.is_empty() {
            return (train, train);
        }
        (train, self.problem.mean_error(&self.held_out, weights))
    }

    /// Runs one epoch over all positions.
    pub fn epoch(&self, state: &mut TexelState) {
        let rate = state.rate;
        let mut order = self.train.clone();
        let name = format!("epoch {}", state.epoch());
        Random::new(self.seed).split(&name).shuffle(&mut order);
        let batch = if self.settings.batch == 0 { order.len() } else { self.settings.batch };
        let mut sums = GradientSums::new(self.start.len());
        let mut error = 0.0;
        for rows in order.chunks(batch.max(1)) {
            error += self.problem.accumulate(rows, &state.weights, &mut sums);
            self.step(state, sums.gradient(), rows.len());
        }
        let train = error / order.len().max(1) as f64;
        let validation = match self.held_out.as_slice() {
            [] => self.problem.mean_error(&self.train, &state.weights),
            held_out => self.problem.mean_error(held_out, &state.weights),
        };
        state.history.push(EpochErrors { train, validation, rate });
        if validation < state.best_error * (1.0 - TOLERANCE) {
            state.idle = 0;
            state.best_error = validation;
            state.best.clone_from(&state.weights);
        } else {
            state.idle += 1;
            state.rate /= 2.0;
        }
    }

    /// One step of Adam along the mean gradient of a batch of `count` and the regularisation.
    fn step(&self, state: &mut TexelState, gradient: &[[f64; 2]], count: usize) {
        const MEAN_DECAY: f64 = 0.9;
        const SQUARE_DECAY: f64 = 0.999;
        const EPSILON: f64 = 1e-10;
        state.steps += 1;
        let steps = state.steps.min(1 << 20) as i32;
        let mean_part = 1.0 - MEAN_DECAY.powi(steps);
        let square_part = 1.0 - SQUARE_DECAY.powi(steps);
        let rate = state.rate / 100.0;
        let pull = 2.0 * self.settings.l2 / self.train.len().max(1) as f64;
        for term in (0..gradient.len()).filter(|&term| self.free[term]) {
            for (half, &sum) in gradient[term].iter().enumerate() {
                let weight = &mut state.weights[term][half];
                let slope = sum / count as f64 + pull * (*weight - self.start[term][half]);
                let mean = &mut state.means[term][half];
                *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * slope;
                let square = &mut state.squares[term][half];
                *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * slope * slope;
                *weight -= rate * (*mean / mean_part) / ((*square / square_part).sqrt() + EPSILON);
            }
        }
    }
}

/// Steepness with which the starting weights predict results best; 1 if they are all zero on the
/// samples.
fn fit_k(samples: &TermSamples, objective: Objective, rows: &[u32], start: &[[f64; 2]]) -> f64 {
    let plain = Objective { lambda: 1.0, ..objective };
    let values = TuningProblem::new(samples, plain, 1).values(rows, start);
    if values.iter().all(|&units| units == 0.0) {
        return objective.k;
    }
    let error = |logarithm: f64| -> f64 {
        let objective = Objective { k: logarithm.exp(), ..plain };
        let results = rows.iter().map(|&row| f64::from(samples.rows()[row as usize].result));
        values.iter().zip(results).map(|(&units, goal)| objective.error(units, goal).0).sum()
    };
    golden_section(error, 0.01f64.ln(), 20f64.ln()).exp()
}

/// Minimum of a unimodal `function` between `low` and `high`, by golden-section search.
fn golden_section(function: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let ratio = (5f64.sqrt() - 1.0) / 2.0;
    let (mut left, mut right) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut at_left, mut at_right) = (function(left), function(right));
    for _ in 0..40 {
        if at_left < at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - ratio * (high - low);
            at_left = function(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + ratio * (high - low);
            at_right = function(right);
        }
    }
    (low + high) / 2.0
}
