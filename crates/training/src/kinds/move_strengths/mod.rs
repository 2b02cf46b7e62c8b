//! Strengths of the features of Go moves, learned by a Bradley-Terry model as in Crazy Stone
//! (Coulom 2007), but from self-play: games, the choices made in them, and a fit by
//! minorisation-maximisation.
//!
//! A game is a pure function of the recipe, the seed and its number, whatever the number of threads
//! and interruptions.

mod fit;
mod report;
mod settings;

pub use settings::MoveStrengthsSettings;

use super::{Settings, Training, TrainingKind};
use crate::{
    Job, LearnedWeights, Recipe, Run, TrainableGame, Trained, TrainingError, TrainingStage,
    checkpoint::{CheckpointedStage, Pace, StepReport},
    folder::RunFolder,
    go_self_play::{SelfPlayPlan, checked_options, play_games, read_games},
};
use fit::{ChoiceData, FitCheckpoint, FitState};
use ludus_core::{Options, TextError};
use ludus_games::go::Go;
use ludus_players::go::move_strengths::MoveStrengths;
use report::MoveStrengthsReport;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Bradley-Terry strengths of move features, fitted to the moves of self-play.
pub static KIND: TrainingKind = TrainingKind::new::<MoveStrengthsRecipe>(
    "moves",
    "strengths of move features, from the moves of games",
    &[TrainableGame::new::<Go>(|job| Ok(Box::new(MoveStrengthsTraining::new(job)?)))],
);

const CHECKPOINT: &str = "checkpoint.json";

/// Section of a recipe for move strengths.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MoveStrengthsRecipe {
    /// Games and fit.
    pub moves: MoveStrengthsSettings,
}

impl Settings for MoveStrengthsRecipe {
    fn kind(&self) -> &'static TrainingKind {
        &KIND
    }

    fn check(&self, recipe: &Recipe) -> Result<(), TextError> {
        recipe.check_games("moves.games", self.moves.games)?;
        self.moves.check()
    }
}

/// A training of move strengths.
struct MoveStrengthsTraining<'a> {
    settings: &'a MoveStrengthsSettings,
    options: Options,
}

impl<'a> MoveStrengthsTraining<'a> {
    /// Checks game, player and files of games.
    fn new(job: &'a Job) -> Result<MoveStrengthsTraining<'a>, TrainingError> {
        let MoveStrengthsRecipe { moves: settings } = job.recipe.settings();
        Ok(MoveStrengthsTraining { settings, options: checked_options(job)? })
    }

    /// Reads the choices of the games.
    fn data(&self, run: &Run<'_>) -> Result<ChoiceData, TrainingError> {
        let mut data = ChoiceData::new();
        read_games(run, |games| data.add(games, self.settings))?;
        if data.train.is_empty() {
            let expected = "games with moves to learn from, and not all of them held out";
            return Err(TextError::whole("games", "no moves", expected).into());
        }
        Ok(data)
    }
}

impl Training for MoveStrengthsTraining<'_> {
    fn run(&self, run: &mut Run<'_>) -> Result<Trained, TrainingError> {
        let MoveStrengthsSettings { games, random_plies, longest, .. } = *self.settings;
        let plan = SelfPlayPlan { random_plies, longest, ..SelfPlayPlan::plain(games) };
        play_games(&plan, &self.options, run)?;
        let data = self.data(run)?;
        let settings = self.settings;
        let state = run.stage(&mut FitStage { settings, data: &data })?;
        let recipe = &run.job.recipe;
        let report = MoveStrengthsReport { recipe, settings, data: &data, state: &state };
        let weights = LearnedWeights::Text(MoveStrengths::new(&state.strengths).text());
        Ok(Trained { weights, report: report.report() })
    }
}

/// The steps of a fit.
struct FitStage<'a> {
    settings: &'a MoveStrengthsSettings,
    data: &'a ChoiceData,
}

impl CheckpointedStage for FitStage<'_> {
    type State = FitState;

    const STAGE: TrainingStage = TrainingStage::FITTING;

    fn load(&self, folder: &RunFolder) -> Result<Option<FitState>, TrainingError> {
        folder.json_checkpoint(CHECKPOINT, |checkpoint: FitCheckpoint| checkpoint.state())
    }

    fn save(&mut self, state: &FitState, folder: &RunFolder) -> Result<(), TrainingError> {
        folder.write_json(CHECKPOINT, &FitCheckpoint::of(state))
    }

    fn begin(&mut self, _: &mut Run<'_>) -> Result<FitState, TrainingError> {
        Ok(FitState::begin(self.data))
    }

    fn is_done(&self, state: &FitState) -> bool {
        state.steps() >= self.settings.rounds
    }

    fn step(&mut self, state: &mut FitState, _: &mut Run<'_>) -> Result<(), TrainingError> {
        state.step(self.data, self.settings.prior);
        Ok(())
    }

    fn report(&mut self, state: &FitState, _: Pace) -> StepReport {
        let held_out = state.history[state.steps()].held_out;
        StepReport {
            entry: Some(json!({
                "event": "step", "step": state.steps(), "log_likelihood": held_out.log_likelihood,
                "first": held_out.first, "mean_rank": held_out.mean_rank,
            })),
            done: state.steps() as u64,
            total: self.settings.rounds as u64,
            note: format!("{:.1} % ranked first", 100.0 * held_out.first),
        }
    }
}
