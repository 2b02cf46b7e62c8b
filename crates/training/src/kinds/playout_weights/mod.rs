//! Weights of the playout policy of Go, learned from self-play by simulation balancing: playouts
//! should predict the winner.

mod balancing;
mod dataset;
mod fit;
mod report;
mod settings;

pub use settings::PlayoutWeightsSettings;

use super::{Settings, Training, TrainingKind};
use crate::{
    Job, LearnedWeights, Recipe, Run, TrainableGame, Trained, TrainingError, TrainingStage,
    checkpoint::{CheckpointedStage, Pace, StepReport},
    folder::RunFolder,
    go_self_play::{SelfPlayPlan, checked_options, play_games, read_games},
};
use dataset::Dataset;
use fit::{BalancingCheckpoint, BalancingState, Fit, ValidationPoint};
use ludus_core::{Options, TextError};
use ludus_games::go::Go;
use ludus_knowledge::go::policy::PlayoutPolicy;
use report::PlayoutWeightsReport;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Weights of the playout policy, fitted to the results of self-play (simulation balancing).
pub static KIND: TrainingKind = TrainingKind::new::<PlayoutWeightsRecipe>(
    "habits",
    "weights of the playout policy, from the results of games",
    &[TrainableGame::new::<Go>(|job| Ok(Box::new(PlayoutWeightsTraining::new(job)?)))],
);

const CHECKPOINT: &str = "checkpoint.json";
/// Steps between two checkpoints.
const CHECKPOINT_INTERVAL_STEPS: u64 = 20;
/// Number of validations after the first.
const VALIDATIONS: u64 = 20;

/// Section of a recipe for playout weights.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlayoutWeightsRecipe {
    /// Games and fit.
    pub habits: PlayoutWeightsSettings,
}

impl Settings for PlayoutWeightsRecipe {
    fn kind(&self) -> &'static TrainingKind {
        &KIND
    }

    fn check(&self, recipe: &Recipe) -> Result<(), TextError> {
        recipe.check_games("habits.games", self.habits.games)?;
        self.habits.check()
    }
}

/// A training of playout weights.
struct PlayoutWeightsTraining<'a> {
    settings: &'a PlayoutWeightsSettings,
    options: Options,
}

impl<'a> PlayoutWeightsTraining<'a> {
    /// Checks game, player and files of games.
    fn new(job: &'a Job) -> Result<PlayoutWeightsTraining<'a>, TrainingError> {
        let PlayoutWeightsRecipe { habits: settings } = job.recipe.settings();
        Ok(PlayoutWeightsTraining { settings, options: checked_options(job)? })
    }

    /// Reads the positions of the games.
    fn dataset(&self, run: &Run<'_>) -> Result<Dataset, TrainingError> {
        let mut dataset = Dataset::new();
        read_games(run, |games| dataset.add(games, self.settings))?;
        if dataset.train.is_empty() {
            let expected = "finished games to learn from, and not all of them held out";
            return Err(TextError::whole("games", "no positions", expected).into());
        }
        Ok(dataset)
    }
}

impl Training for PlayoutWeightsTraining<'_> {
    fn run(&self, run: &mut Run<'_>) -> Result<Trained, TrainingError> {
        let PlayoutWeightsSettings { games, random_plies, longest, .. } = *self.settings;
        let plan = SelfPlayPlan { random_plies, longest, ..SelfPlayPlan::plain(games) };
        play_games(&plan, &self.options, run)?;
        let dataset = self.dataset(run)?;
        let Job { recipe, threads, .. } = run.job;
        let settings = self.settings;
        let fit = Fit { settings, dataset: &dataset, seed: recipe.seed, threads: *threads };
        let state = run.stage(&mut BalancingStage(&fit))?;
        let strong = fit.held_out_error(&PlayoutPolicy::strong())?;
        let report =
            PlayoutWeightsReport { recipe, settings, dataset: &dataset, state: &state, strong };
        let weights = LearnedWeights::Text(state.odds.weights().text());
        Ok(Trained { weights, report: report.report() })
    }
}

/// The steps of simulation balancing.
struct BalancingStage<'a>(&'a Fit<'a>);

impl BalancingStage<'_> {
    /// Whether the state is to be validated.
    fn is_validation_due(&self, state: &BalancingState) -> bool {
        let total = self.0.settings.steps;
        state.steps.is_multiple_of(total.div_ceil(VALIDATIONS)) || state.steps == total
    }
}

/// Entry of the log for a validation.
fn validation_entry(point: &ValidationPoint) -> Value {
    let ValidationPoint { steps, held_out, .. } = point;
    json!({ "event": "look", "number": steps, "steps": steps, "held_out": held_out })
}

impl CheckpointedStage for BalancingStage<'_> {
    type State = BalancingState;

    const STAGE: TrainingStage = TrainingStage::FITTING;

    fn load(&self, folder: &RunFolder) -> Result<Option<BalancingState>, TrainingError> {
        folder.json_checkpoint(CHECKPOINT, |checkpoint: BalancingCheckpoint| checkpoint.state())
    }

    fn save(&mut self, state: &BalancingState, folder: &RunFolder) -> Result<(), TrainingError> {
        folder.write_json(CHECKPOINT, &BalancingCheckpoint::of(state))
    }

    fn begin(&mut self, run: &mut Run<'_>) -> Result<BalancingState, TrainingError> {
        let mut state = BalancingState::begin();
        let point = self.0.validate(&mut state)?;
        run.log(&validation_entry(&point))?;
        Ok(state)
    }

    fn is_done(&self, state: &BalancingState) -> bool {
        state.steps >= self.0.settings.steps
    }

    fn step(&mut self, state: &mut BalancingState, _: &mut Run<'_>) -> Result<(), TrainingError> {
        self.0.step(state)?;
        if self.is_validation_due(state) {
            self.0.validate(state)?;
        }
        Ok(())
    }

    fn is_checkpoint_due(&self, state: &BalancingState) -> bool {
        self.is_validation_due(state) || state.steps.is_multiple_of(CHECKPOINT_INTERVAL_STEPS)
    }

    fn report(&mut self, state: &BalancingState, _: Pace) -> StepReport {
        let point = state.history.last().expect("the first state is validated");
        StepReport {
            entry: (point.steps == state.steps).then(|| validation_entry(point)),
            done: state.steps,
            total: self.0.settings.steps,
            note: format!("held-out error {:.4}", point.held_out),
        }
    }
}
