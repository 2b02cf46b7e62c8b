//! Steps of the training of a Go network, with validations between them.

use super::{GoNetSettings, GoNetTraining, dataset::Dataset};
use crate::{
    Job, Run, TrainingError, TrainingStage,
    checkpoint::{CheckpointedStage, Pace, StepReport},
    folder::RunFolder,
};
use ludus_core::Random;
use ludus_models::board_net::{BoardNetSchedule, BoardNetTrainer, Losses, TrainingPosition};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const CHECKPOINT: &str = "checkpoint.bin";
const VALIDATIONS_FILE: &str = "looks.json";
/// Number of validations after the first.
const VALIDATIONS: u64 = 20;
/// Held-out positions used by a validation.
const MAX_VALIDATION_POSITIONS: usize = 4000;
/// Time between two checkpoints.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(30);

/// Losses on held-out positions after a number of steps.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ValidationPoint {
    pub steps: u64,
    pub moves: f64,
    pub first: f64,
    pub winner: f64,
    pub owners: f64,
}

impl ValidationPoint {
    fn new(steps: u64, losses: Losses) -> ValidationPoint {
        let Losses { moves, first, winner, owners, .. } = losses;
        ValidationPoint { steps, moves, first, winner, owners }
    }

    /// Entry of the log.
    fn entry(&self) -> Value {
        json!({ "event": "look", "number": self.steps, "look": self })
    }
}

/// A network in training, with its validations so far.
pub(super) struct GoNetState {
    pub trainer: BoardNetTrainer,
    pub validations: Vec<ValidationPoint>,
}

/// The steps of a training.
pub(super) struct StepStage<'a> {
    training: &'a GoNetTraining<'a>,
    dataset: &'a Dataset,
    /// Held-out positions used by validations.
    held_out: Vec<&'a TrainingPosition>,
    schedule: BoardNetSchedule,
    seed: u64,
    threads: usize,
    last_checkpoint: Instant,
}

impl<'a> StepStage<'a> {
    pub fn new(training: &'a GoNetTraining<'a>, dataset: &'a Dataset, job: &Job) -> StepStage<'a> {
        let GoNetSettings { rate, steps, decay, .. } = *training.settings;
        let every = (dataset.held_out.len() / MAX_VALIDATION_POSITIONS).max(1);
        StepStage {
            training,
            dataset,
            held_out: dataset.held_out.iter().step_by(every).collect(),
            schedule: BoardNetSchedule { rate: rate as f32, steps, decay: decay as f32 },
            seed: job.recipe.seed,
            threads: job.threads,
            last_checkpoint: Instant::now(),
        }
    }

    /// Whether this number of steps calls for a validation.
    fn is_validation_due(&self, steps: u64) -> bool {
        let total = self.schedule.steps;
        steps == total || steps.is_multiple_of(total.div_ceil(VALIDATIONS))
    }

    fn validate(&self, state: &mut GoNetState) -> ValidationPoint {
        let losses = state.trainer.net().losses(&self.held_out, self.threads);
        let point = ValidationPoint::new(state.trainer.steps(), losses);
        state.validations.push(point);
        point
    }

    /// Batch of a step: a pure function of the seed and the step's number.
    fn batch(&self, step: u64) -> Vec<(&'a TrainingPosition, u8)> {
        let mut random = Random::new(self.seed).split(&format!("step {step}"));
        let train = &self.dataset.train;
        let draw = |_| (&train[random.below(train.len())], random.below(8) as u8);
        (0..self.training.settings.batch).map(draw).collect()
    }
}

impl CheckpointedStage for StepStage<'_> {
    type State = GoNetState;

    const STAGE: TrainingStage = TrainingStage::TRAINING;

    fn load(&self, folder: &RunFolder) -> Result<Option<GoNetState>, TrainingError> {
        let read = |bytes: &[u8]| BoardNetTrainer::from_bytes(bytes, CHECKPOINT).ok();
        let Some(trainer) = folder.checkpoint(CHECKPOINT, read)? else { return Ok(None) };
        let known = folder.json_checkpoint(VALIDATIONS_FILE, Some::<Vec<ValidationPoint>>)?;
        let mut validations = known.unwrap_or_default();
        // The network is written last: validations after it are repeated.
        validations.retain(|point| point.steps <= trainer.steps());
        Ok(Some(GoNetState { trainer, validations }))
    }

    fn save(&mut self, state: &GoNetState, folder: &RunFolder) -> Result<(), TrainingError> {
        folder.write_json(VALIDATIONS_FILE, &state.validations)?;
        self.last_checkpoint = Instant::now();
        folder.write(CHECKPOINT, &state.trainer.to_bytes())
    }

    fn begin(&mut self, run: &mut Run<'_>) -> Result<GoNetState, TrainingError> {
        let trainer = self.training.first_trainer(run.job)?;
        let mut state = GoNetState { trainer, validations: Vec::new() };
        let point = self.validate(&mut state);
        run.log(&point.entry())?;
        Ok(state)
    }

    fn is_done(&self, state: &GoNetState) -> bool {
        let is_validated = |point: &ValidationPoint| point.steps == self.schedule.steps;
        state.trainer.steps() >= self.schedule.steps
            && state.validations.last().is_some_and(is_validated)
    }

    fn step(&mut self, state: &mut GoNetState, _: &mut Run<'_>) -> Result<(), TrainingError> {
        if state.trainer.steps() < self.schedule.steps {
            let batch = self.batch(state.trainer.steps());
            state.trainer.step(&batch, &self.schedule, self.threads);
        }
        if self.is_validation_due(state.trainer.steps()) {
            self.validate(state);
        }
        Ok(())
    }

    fn is_checkpoint_due(&self, _: &GoNetState) -> bool {
        self.last_checkpoint.elapsed() > CHECKPOINT_INTERVAL
    }

    fn report(&mut self, state: &GoNetState, _: Pace) -> StepReport {
        let (steps, last) = (state.trainer.steps(), state.validations.last());
        StepReport {
            entry: last.filter(|point| point.steps == steps).map(ValidationPoint::entry),
            done: steps,
            total: self.schedule.steps,
            note: last.map_or(String::new(), |point| {
                format!("{:.1} % of moves, winner {:.4}", 100.0 * point.first, point.winner)
            }),
        }
    }
}
