//! Weights of the playout policy of Go, learned from self-play by simulation balancing: playouts
//! should predict the winner.

mod balancing;
mod dataset;
mod fit;
mod report;
mod settings;

pub use settings::PlayoutWeightsSettings;

use crate::{
    Job, RunResult, TrainingError, TrainingProgress, TrainingStage,
    folder::RunFolder,
    go_run::{GoRun, SelfPlayPlan},
    report::CHART,
    run::damaged,
    td::deliver,
};
use dataset::Dataset;
use fit::{Fit, FitCheckpoint, FitState};
use ludus_core::TextError;
use ludus_games::go::policy::PlayoutPolicy;
use report::PlayoutWeightsReport;
use serde_json::json;
use std::sync::atomic::{AtomicBool, Ordering};

const CHECKPOINT: &str = "checkpoint.json";
/// Steps between two checkpoints.
const CHECKPOINT_INTERVAL: u64 = 20;
/// Number of validations after the first.
const VALIDATIONS: u64 = 20;

/// A run that learns playout weights.
pub struct PlayoutWeightsRunner<'a>(GoRun<'a>);

impl<'a> PlayoutWeightsRunner<'a> {
    /// Checks what only the game can check of the recipe.
    pub fn new(job: &'a Job) -> Result<PlayoutWeightsRunner<'a>, TrainingError> {
        Ok(PlayoutWeightsRunner(GoRun::new(job)?))
    }

    /// Runs all stages, or resumes them.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<RunResult, TrainingError> {
        let Job { recipe, threads, .. } = self.0.job;
        let settings = &recipe.playout_weights;
        let mut folder = self.0.job.begin()?;
        let PlayoutWeightsSettings { games, random_plies, longest, .. } = *settings;
        let plan = SelfPlayPlan { random_plies, longest, ..SelfPlayPlan::plain(games) };
        self.0.play(&plan, &mut folder, stop, progress)?;
        let dataset = self.dataset(&folder)?;
        let fit = Fit { settings, dataset: &dataset, seed: recipe.seed, threads: *threads };
        let state = self.fit(&fit, &mut folder, stop, progress)?;
        let strong = fit.held_out_error(&PlayoutPolicy::strong())?;
        let report = PlayoutWeightsReport { recipe, dataset: &dataset, state: &state, strong };
        folder.write(CHART, report.chart().as_bytes())?;
        deliver(&state.odds.weights().text(), report.summary(), &report.text(), &mut folder)
    }

    /// Reads the positions of the games.
    fn dataset(&self, folder: &RunFolder) -> Result<Dataset, TrainingError> {
        let mut dataset = Dataset::new();
        self.0.read(folder, |games| dataset.add(games, &self.0.job.recipe.playout_weights))?;
        if dataset.train.is_empty() {
            let expected = "finished games to learn from, and not all of them held out";
            return Err(TextError::whole("games", "no positions", expected).into());
        }
        Ok(dataset)
    }

    fn fit(
        &self,
        fit: &Fit<'_>,
        folder: &mut RunFolder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<FitState, TrainingError> {
        let mut state = match folder.read(CHECKPOINT)? {
            None => FitState::begin(),
            Some(bytes) => serde_json::from_slice::<FitCheckpoint>(&bytes)
                .ok()
                .and_then(|checkpoint| checkpoint.state())
                .ok_or_else(|| damaged(folder, CHECKPOINT))?,
        };
        let total = fit.settings.steps;
        let interval = total.div_ceil(VALIDATIONS);
        loop {
            let is_due = state.steps.is_multiple_of(interval) || state.steps == total;
            if is_due && state.history.last().is_none_or(|point| point.steps < state.steps) {
                fit.validate(&mut state)?;
                let point = state.history[state.history.len() - 1];
                folder.log(
                    &json!({ "event": "look", "steps": point.steps, "held_out": point.held_out }),
                )?;
            }
            if is_due || state.steps.is_multiple_of(CHECKPOINT_INTERVAL) {
                let checkpoint =
                    serde_json::to_vec(&FitCheckpoint::of(&state)).expect("a state can be written");
                folder.write(CHECKPOINT, &checkpoint)?;
                let error = state.history.last().map_or(f64::NAN, |point| point.held_out);
                let note = format!("held-out error {error:.4}");
                progress(&TrainingProgress {
                    stage: TrainingStage::Fitting,
                    done: state.steps,
                    total,
                    note,
                });
                if stop.load(Ordering::Relaxed) && state.steps < total {
                    return Err(TrainingError::Stopped);
                }
            }
            if state.steps >= total {
                return Ok(state);
            }
            fit.step(&mut state)?;
        }
    }
}
