//! Epochs of the training: every position once each, in a new order.

use super::{ChessCnnSettings, dataset::Dataset};
use crate::{
    Job, Run, TrainingError, TrainingStage,
    checkpoint::{CheckpointedStage, Pace, StepReport},
    folder::RunFolder,
};
use ludus_core::Random;
use ludus_models::conv_net::{ConvNet, ConvNetTrainer};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const CHECKPOINT: &str = "checkpoint.bin";
/// Time between two checkpoints within an epoch.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(30);

/// Errors of an epoch.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub(super) struct EpochPoint {
    /// Number of the epoch, from 1.
    pub epoch: u32,
    /// Mean squared error on the positions it learned from, each before its step.
    pub train: f64,
    /// Mean squared error on the positions held out, at its end.
    pub held_out: f64,
}

/// Progress of a training, beside its network.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct EpochProgress {
    /// Both errors of each epoch, as bits: text would round them.
    points: Vec<[u64; 2]>,
    /// Sum of the errors of the current epoch's positions, as bits.
    sum: u64,
    /// Lengths of the network in training and of the best one, which follow.
    trainer: usize,
    best: usize,
}

/// A network in training, and the best one so far.
pub(super) struct EpochState {
    pub trainer: ConvNetTrainer,
    pub best: ConvNet,
    pub points: Vec<EpochPoint>,
    /// Sum of the errors of the current epoch's positions.
    sum: f64,
}

impl EpochState {
    /// State as a checkpoint: a line of JSON, then both networks.
    fn to_bytes(&self) -> Vec<u8> {
        let (trainer, best) = (self.trainer.to_bytes(), self.best.to_bytes(""));
        let progress = EpochProgress {
            points: self
                .points
                .iter()
                .map(|it| [it.train, it.held_out].map(f64::to_bits))
                .collect(),
            sum: self.sum.to_bits(),
            trainer: trainer.len(),
            best: best.len(),
        };
        let line = serde_json::to_string(&progress).expect("plain data can be written") + "\n";
        [line.into_bytes(), trainer, best].concat()
    }

    fn from_bytes(bytes: &[u8]) -> Option<EpochState> {
        let newline = bytes.iter().position(|&byte| byte == b'\n')?;
        let progress: EpochProgress = serde_json::from_slice(&bytes[..newline]).ok()?;
        let (trainer, best) = bytes[newline + 1..].split_at_checked(progress.trainer)?;
        if best.len() != progress.best {
            return None;
        }
        let point = |(epoch, errors): (u32, &[u64; 2])| {
            let [train, held_out] = errors.map(f64::from_bits);
            EpochPoint { epoch, train, held_out }
        };
        Some(EpochState {
            trainer: ConvNetTrainer::from_bytes(trainer, CHECKPOINT).ok()?,
            best: ConvNet::from_bytes(best, CHECKPOINT).ok()?,
            points: (1..).zip(&progress.points).map(point).collect(),
            sum: f64::from_bits(progress.sum),
        })
    }
}

/// Epoch with the least error on positions held out; the first of equals.
pub(super) fn best_epoch(points: &[EpochPoint]) -> Option<&EpochPoint> {
    points.iter().min_by(|a, b| a.held_out.total_cmp(&b.held_out))
}

/// Number of epochs since the last one that lowered the held-out error by at least `gain`.
fn epochs_without_gain(points: &[EpochPoint], gain: f64) -> u32 {
    let (mut reference, mut last) = (f64::INFINITY, 0);
    for point in points {
        if point.held_out <= reference - gain {
            (reference, last) = (point.held_out, point.epoch);
        }
    }
    points.last().map_or(0, |point| point.epoch - last)
}

/// The epochs of a training.
pub(super) struct EpochStage<'a> {
    settings: &'a ChessCnnSettings,
    dataset: &'a Dataset,
    /// Network before the first step.
    first: &'a ConvNet,
    seed: u64,
    threads: usize,
    /// Order of the positions in an epoch, with its number.
    order: (u64, Vec<u32>),
    last_checkpoint: Instant,
}

impl<'a> EpochStage<'a> {
    pub fn new(
        settings: &'a ChessCnnSettings,
        dataset: &'a Dataset,
        first: &'a ConvNet,
        job: &Job,
    ) -> EpochStage<'a> {
        let (seed, threads) = (job.recipe.seed, job.threads);
        let order = (u64::MAX, Vec::new());
        let last_checkpoint = Instant::now();
        EpochStage { settings, dataset, first, seed, threads, order, last_checkpoint }
    }

    /// Steps of an epoch.
    fn steps(&self) -> u64 {
        self.dataset.train.len().div_ceil(self.settings.batch) as u64
    }

    /// Puts the positions into the order of an epoch: a pure function of seed and epoch.
    fn shuffle(&mut self, epoch: u64) {
        if self.order.0 != epoch {
            let mut order = self.dataset.train.clone();
            Random::new(self.seed).split(&format!("epoch {epoch}")).shuffle(&mut order);
            self.order = (epoch, order);
        }
    }

    /// Measures the error on positions held out, and keeps the network if it is the best.
    fn end_epoch(&self, state: &mut EpochState) {
        let net = state.trainer.net();
        let held_out = net.error(&self.dataset.samples, &self.dataset.held_out, self.threads);
        if best_epoch(&state.points).is_none_or(|best| held_out < best.held_out) {
            state.best.clone_from(net);
        }
        let epoch = state.points.len() as u32 + 1;
        let train = std::mem::take(&mut state.sum) / self.dataset.train.len() as f64;
        state.points.push(EpochPoint { epoch, train, held_out });
    }

    /// Whether the last step ended an epoch.
    fn is_epoch_over(&self, state: &EpochState) -> bool {
        state.trainer.steps().is_multiple_of(self.steps())
    }
}

impl CheckpointedStage for EpochStage<'_> {
    type State = EpochState;

    const STAGE: TrainingStage = TrainingStage::TRAINING;

    fn load(&self, folder: &RunFolder) -> Result<Option<EpochState>, TrainingError> {
        let fits = |state: &EpochState| {
            state.points.len() as u64 == state.trainer.steps() / self.steps()
                && state.trainer.net().planes() == self.first.planes()
        };
        folder.checkpoint(CHECKPOINT, |bytes| EpochState::from_bytes(bytes).filter(fits))
    }

    fn save(&mut self, state: &EpochState, folder: &RunFolder) -> Result<(), TrainingError> {
        self.last_checkpoint = Instant::now();
        folder.write(CHECKPOINT, &state.to_bytes())
    }

    fn begin(&mut self, _: &mut Run<'_>) -> Result<EpochState, TrainingError> {
        let (trainer, best) = (ConvNetTrainer::new(self.first.clone()), self.first.clone());
        Ok(EpochState { trainer, best, points: Vec::new(), sum: 0.0 })
    }

    fn is_done(&self, state: &EpochState) -> bool {
        let ChessCnnSettings { epochs, patience, gain, .. } = *self.settings;
        self.is_epoch_over(state)
            && (state.points.len() as u32 >= epochs
                || epochs_without_gain(&state.points, gain) >= patience)
    }

    fn step(&mut self, state: &mut EpochState, _: &mut Run<'_>) -> Result<(), TrainingError> {
        let (epoch, step) = (state.points.len() as u64, state.trainer.steps() % self.steps());
        self.shuffle(epoch);
        let (_, order) = &self.order;
        let batch = order[step as usize * self.settings.batch..].chunks(self.settings.batch).next();
        let batch = batch.expect("an epoch has no more steps than batches");
        let (samples, rate) = (&self.dataset.samples, self.settings.rate as f32);
        let error = state.trainer.step(samples, batch, rate, self.threads);
        state.sum += error * batch.len() as f64;
        if self.is_epoch_over(state) {
            self.end_epoch(state);
        }
        Ok(())
    }

    fn is_checkpoint_due(&self, state: &EpochState) -> bool {
        self.is_epoch_over(state) || self.last_checkpoint.elapsed() > CHECKPOINT_INTERVAL
    }

    fn amount(&self, state: &EpochState) -> u64 {
        state.trainer.steps() * self.settings.batch as u64
    }

    fn report(&mut self, state: &EpochState, pace: Pace) -> StepReport {
        let last = state.points.last();
        let entry = |point: &EpochPoint| -> Value {
            json!({
                "event": "epoch", "number": point.epoch, "epoch": point, "seconds": pace.seconds,
            })
        };
        let part = state.trainer.steps() % self.steps() * 100 / self.steps();
        let error = last.map_or(String::new(), |point| format!("error {:.5}, ", point.held_out));
        StepReport {
            entry: last.filter(|_| self.is_epoch_over(state)).map(entry),
            done: state.points.len() as u64,
            total: self.settings.epochs.into(),
            note: format!("{error}{part} % of the next, {:.0} positions/s", pace.rate()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(errors: &[f64]) -> Vec<EpochPoint> {
        let point = |(epoch, &held_out)| EpochPoint { epoch, train: 0.0, held_out };
        (1..).zip(errors).map(point).collect()
    }

    #[test]
    fn small_gains_do_not_count_but_add_up() {
        let without = |errors: &[f64]| epochs_without_gain(&points(errors), 0.01);
        assert_eq!(without(&[]), 0);
        assert_eq!(without(&[0.5, 0.4, 0.3]), 0);
        assert_eq!(without(&[0.5, 0.495, 0.492]), 2);
        assert_eq!(without(&[0.5, 0.495, 0.489, 0.6]), 1, "0.011 less than the first");
        let known = points(&[0.5, 0.3, 0.4, 0.3]);
        assert_eq!(best_epoch(&known).unwrap().epoch, 2);
    }

    #[test]
    fn a_checkpoint_is_read_as_written_and_a_damaged_one_is_not() {
        let net = ConvNet::new(14, &mut Random::new(2));
        let trainer = ConvNetTrainer::new(ConvNet::new(14, &mut Random::new(3)));
        let points = points(&[0.3, 0.1 + 0.2]);
        let state = EpochState { trainer, best: net, points, sum: 0.1 + 0.7 };
        let bytes = state.to_bytes();
        let back = EpochState::from_bytes(&bytes).unwrap();
        assert!(back.to_bytes() == bytes);
        assert!(back.best == state.best && back.points == state.points && back.sum == state.sum);
        for damaged in [&bytes[..bytes.len() - 1], &bytes[1..], b"{}\n", b""] {
            assert!(EpochState::from_bytes(damaged).is_none());
        }
    }
}
