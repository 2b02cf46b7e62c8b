//! Tuning all weights of an evaluation at once, so that it foretells how games end.
//!
//! The idea is Peter Österlund's, who tuned his chess program Texel so: the score of a quiet
//! position, passed through a logistic curve, should be the expected result of the game. Here the
//! error is made small by D. Kingma and J. Ba's Adam (2014) over batches, with the weights drawn
//! back to where they started from as by a prior, and with games held out to see when to stop.

mod checkpoint;
mod gradient;
mod objective;

pub use gradient::{Pairs, Problem, Sums};
pub use objective::{Loss, Objective, Target, sigmoid};

use crate::samples::{Row, Samples};
use ludus_core::{Random, Weight, Weights, position::mix};
use serde::{Deserialize, Serialize};

/// How to tune. Every value has a default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TexelSettings {
    /// What evaluations should foretell.
    pub target: Target,
    /// How differences are counted.
    pub loss: Loss,
    /// The part of the game's result in the target, the rest being the search's score.
    pub lambda: f64,
    /// How steep the curve from scores to results is; fitted to the starting weights if not given.
    pub k: Option<f64>,
    /// Times to go through all positions at most.
    pub epochs: u32,
    /// Positions a step; 0 for all of them.
    pub batch: usize,
    /// How far a weight moves in a step at first, in hundredths, about. Halved whenever an epoch
    /// brought nothing.
    pub rate: f64,
    /// The part of the games held out to see when to stop.
    pub validation: f64,
    /// Epochs in a row without progress after which to stop.
    pub patience: u32,
    /// How strongly weights are drawn to where they started: moving one weight by a unit costs as
    /// much as so much summed error. What was seen a few times only hardly moves.
    pub l2: f64,
    /// Groups of terms that keep their weights.
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

/// The errors after an epoch.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpochErrors {
    /// Mean error over the positions trained on (while they were gone through).
    pub train: f64,
    /// Mean error over the positions held out; of those trained on if none are.
    pub validation: f64,
    /// The step size the epoch began with, in hundredths.
    pub rate: f64,
}

/// Everything that changes while tuning; saved after every epoch.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    weights: Pairs,
    /// Adam's running means of gradients and of their squares.
    means: Pairs,
    squares: Pairs,
    steps: u64,
    rate: f64,
    /// The weights with the least validation error so far.
    best: Pairs,
    best_error: f64,
    idle: u32,
    /// One entry for the start and one for every epoch.
    pub history: Vec<EpochErrors>,
}

impl State {
    /// Epochs gone through.
    pub fn epoch(&self) -> usize {
        self.history.len() - 1
    }

    /// The best weights so far, rounded.
    pub fn weights(&self) -> Weights {
        let whole = |units: f64| {
            (units * 100.0).round().clamp(f64::from(i16::MIN), f64::from(i16::MAX)) as i32
        };
        let round = |&[opening, ending]: &[f64; 2]| Weight::sliding(whole(opening), whole(ending));
        Weights { terms: self.best.iter().map(round).collect() }
    }
}

/// Weights in units.
pub fn pairs(weights: &Weights) -> Pairs {
    let units = |hundredths: i32| f64::from(hundredths) / 100.0;
    weights.terms.iter().map(|weight| [units(weight.opening), units(weight.ending)]).collect()
}

/// A tuning task on given positions.
pub struct Tuner<'a> {
    settings: &'a TexelSettings,
    problem: Problem<'a>,
    objective: Objective,
    start: Pairs,
    /// Which terms may change.
    free: Vec<bool>,
    train: Vec<u32>,
    held_out: Vec<u32>,
    seed: u64,
}

/// Progress smaller than this part of the error is none.
const TOLERANCE: f64 = 1e-6;

impl<'a> Tuner<'a> {
    /// Tunes `start` on `samples`; `free` says which terms may change.
    pub fn new(
        settings: &'a TexelSettings,
        samples: &'a Samples,
        start: &Weights,
        free: Vec<bool>,
        seed: u64,
        threads: usize,
    ) -> Tuner<'a> {
        let start = pairs(start);
        let is_held_out = |row: &Row| {
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
        let problem = Problem::new(samples, objective, threads);
        Tuner { settings, problem, objective, start, free, train, held_out, seed }
    }

    /// How steep the curve from scores to results is.
    pub fn k(&self) -> f64 {
        self.objective.k
    }

    /// Positions trained on, and positions held out.
    pub fn sizes(&self) -> (usize, usize) {
        (self.train.len(), self.held_out.len())
    }

    /// The state before the first epoch.
    pub fn begin(&self) -> State {
        let zero = vec![[0.0; 2]; self.start.len()];
        let (train, validation) = self.errors(&self.start);
        State {
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

    /// Whether there is nothing more to do.
    pub fn is_done(&self, state: &State) -> bool {
        state.epoch() >= self.settings.epochs as usize
            || state.idle >= self.settings.patience
            || self.train.is_empty()
    }

    /// Mean errors of `weights` over the positions trained on and over those held out.
    pub fn errors(&self, weights: &[[f64; 2]]) -> (f64, f64) {
        let train = self.problem.mean_error(&self.train, weights);
        if self.held_out.is_empty() {
            return (train, train);
        }
        (train, self.problem.mean_error(&self.held_out, weights))
    }

    /// Goes once through all positions.
    pub fn epoch(&self, state: &mut State) {
        let rate = state.rate;
        let mut order = self.train.clone();
        let name = format!("epoch {}", state.epoch());
        Random::new(self.seed).split(&name).shuffle(&mut order);
        let batch = if self.settings.batch == 0 { order.len() } else { self.settings.batch };
        let mut sums = Sums::new(self.start.len());
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

    /// One step of Adam against the mean gradient of a batch of `count` and the pull to the start.
    fn step(&self, state: &mut State, gradient: &[[f64; 2]], count: usize) {
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

/// The steepness with which the starting weights foretell results best; 1 if they say nothing.
fn fit_k(samples: &Samples, objective: Objective, rows: &[u32], start: &[[f64; 2]]) -> f64 {
    let plain = Objective { lambda: 1.0, ..objective };
    let values = Problem::new(samples, plain, 1).values(rows, start);
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

/// Where `function`, which has one valley between `low` and `high`, is lowest.
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

#[cfg(test)]
mod tests;
