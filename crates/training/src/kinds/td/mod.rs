//! TD learning: a draughts player with a network on features, trained by self-play against a copy
//! of itself. `self_play` is shared by the kinds `specialists` and `feature_selection`.

mod report;
mod self_play;
mod settings;
mod state;

pub(crate) use report::TdReport;
pub(crate) use self_play::english_start;
pub use self_play::{CloneThreshold, SelfPlayTrainer};
pub use settings::TdSettings;
pub(crate) use state::TdCheckpoint;
pub use state::{MatchScore, SessionResult, TdState};

use super::{Settings, Training, TrainingKind};
use crate::{
    Job, LearnedWeights, Recipe, Run, RunReport, TrainableGame, Trained, TrainingError,
    TrainingProgress, TrainingStage,
    checkpoint::{CheckpointedStage, Pace, StepReport},
    folder::RunFolder,
};
use ludus_core::TextError;
use ludus_games::draughts::Draughts;
use ludus_players::draughts::neural::{LearnedModel, SearchConfig, family_of};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::atomic::AtomicBool;

/// TD learning of a network on features, by self-play against a copy of itself.
pub static KIND: TrainingKind = TrainingKind::new::<TdRecipe>(
    "td",
    "a network on features, learning by games against a copy of itself",
    &[TrainableGame::new::<Draughts>(|job| Ok(Box::new(TdTraining::new(job)?)))],
);

const CHECKPOINT: &str = "checkpoint.json";

/// Section of a recipe for TD learning.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TdRecipe {
    /// Learning.
    pub td: TdSettings,
}

impl Settings for TdRecipe {
    fn kind(&self) -> &'static TrainingKind {
        &KIND
    }

    fn check(&self, _: &Recipe) -> Result<(), TextError> {
        self.td.check("td")
    }

    fn steps(&self) -> u64 {
        self.td.sessions.into()
    }
}

/// A TD learning of one player.
pub(crate) struct TdTraining<'a> {
    settings: &'a TdSettings,
    search_config: SearchConfig,
    start: Draughts,
    begin: TdState,
}

impl<'a> TdTraining<'a> {
    /// Checks player, game and start.
    pub fn new(job: &'a Job) -> Result<TdTraining<'a>, TrainingError> {
        let TdRecipe { td: settings } = job.recipe.settings();
        let (family, options) = family_of(&job.recipe.player)?;
        let start = english_start(&job.recipe.game)?;
        let begin = match job.start(LearnedModel::parse)? {
            Some(model) => TdState::from(model),
            None => TdState::begin(&family.initial_features()?, job.recipe.seed),
        };
        let search_config = (family.search_config)(&options);
        Ok(TdTraining { settings, search_config, start, begin })
    }

    /// Runs all sessions, or resumes them, and returns their results.
    pub fn session_results(
        &self,
        job: &Job,
        stop: &AtomicBool,
        on_progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<Vec<SessionResult>, TrainingError> {
        let mut run = Run::open(job, stop, on_progress)?;
        let state = self.learn(&mut run)?;
        run.finish(self.trained(job, &state))?;
        Ok(state.sessions)
    }

    fn learn(&self, run: &mut Run<'_>) -> Result<TdState, TrainingError> {
        let trainer = SelfPlayTrainer {
            settings: self.settings,
            accept: CloneThreshold::Above(self.settings.accept),
            search_config: self.search_config,
            starts: std::slice::from_ref(&self.start),
            seed: run.job.recipe.seed,
            stop: run.stop,
        };
        run.stage(&mut SessionStage { trainer, begin: &self.begin })
    }

    fn trained(&self, job: &Job, state: &TdState) -> Trained {
        let report = TdReport { player: &job.recipe.player, settings: self.settings, state };
        Trained {
            weights: LearnedWeights::Text(state.current_clone().text()),
            report: RunReport {
                summary: report.summary(),
                text: report.text(),
                charts: report.charts().into(),
            },
        }
    }
}

impl Training for TdTraining<'_> {
    fn run(&self, run: &mut Run<'_>) -> Result<Trained, TrainingError> {
        let state = self.learn(run)?;
        Ok(self.trained(run.job, &state))
    }
}

/// The sessions of a training.
struct SessionStage<'a> {
    trainer: SelfPlayTrainer<'a>,
    begin: &'a TdState,
}

impl CheckpointedStage for SessionStage<'_> {
    type State = TdState;

    const STAGE: TrainingStage = TrainingStage::LEARNING;

    fn load(&self, folder: &RunFolder) -> Result<Option<TdState>, TrainingError> {
        folder.json_checkpoint(CHECKPOINT, |checkpoint: TdCheckpoint| checkpoint.state())
    }

    fn save(&mut self, state: &TdState, folder: &RunFolder) -> Result<(), TrainingError> {
        folder.write_json(CHECKPOINT, &TdCheckpoint::of(state))
    }

    fn begin(&mut self, _: &mut Run<'_>) -> Result<TdState, TrainingError> {
        Ok(self.begin.clone())
    }

    fn is_done(&self, state: &TdState) -> bool {
        state.sessions.len() >= self.trainer.settings.sessions as usize
    }

    fn step(&mut self, state: &mut TdState, _: &mut Run<'_>) -> Result<(), TrainingError> {
        self.trainer.session(state)
    }

    /// Training games.
    fn amount(&self, state: &TdState) -> u64 {
        state.sessions.len() as u64 * u64::from(self.trainer.settings.games)
    }

    fn report(&mut self, state: &TdState, pace: Pace) -> StepReport {
        let session = state.sessions.last().expect("a session leaves an entry");
        StepReport {
            entry: Some(json!({
                "event": "session", "number": state.sessions.len(), "session": session,
                "seconds": pace.seconds,
            })),
            done: state.sessions.len() as u64,
            total: self.trainer.settings.sessions.into(),
            note: format!(
                "error {:.4}, {} copies, {:.0} games/s",
                session.error,
                state.clones.len() - 1,
                pace.rate(),
            ),
        }
    }
}
