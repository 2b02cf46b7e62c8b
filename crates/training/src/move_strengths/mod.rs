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

use crate::{
    Job, RunResult, TrainingError, TrainingProgress, TrainingStage,
    folder::RunFolder,
    go_run::{GoRun, SelfPlayPlan},
    report::CHART,
    run::damaged,
    td::deliver,
};
use fit::{ChoiceData, FitCheckpoint, FitState};
use ludus_core::TextError;
use ludus_players::go::move_strengths::MoveStrengths;
use report::MoveStrengthsReport;
use serde_json::json;
use std::sync::atomic::{AtomicBool, Ordering};

const CHECKPOINT: &str = "checkpoint.json";

/// A run that learns move strengths.
pub struct MoveStrengthsRunner<'a>(GoRun<'a>);

impl<'a> MoveStrengthsRunner<'a> {
    /// Checks what only the game can check of the recipe.
    pub fn new(job: &'a Job) -> Result<MoveStrengthsRunner<'a>, TrainingError> {
        Ok(MoveStrengthsRunner(GoRun::new(job)?))
    }

    /// Runs all stages, or resumes them.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<RunResult, TrainingError> {
        let mut folder = self.0.job.begin()?;
        let MoveStrengthsSettings { games, random_plies, longest, .. } =
            self.0.job.recipe.move_strengths;
        let plan = SelfPlayPlan { random_plies, longest, ..SelfPlayPlan::plain(games) };
        self.0.play(&plan, &mut folder, stop, progress)?;
        let data = self.data(&folder)?;
        let state = self.fit(&data, &mut folder, stop, progress)?;
        let report = MoveStrengthsReport { recipe: &self.0.job.recipe, data: &data, state: &state };
        folder.write(CHART, report.chart().as_bytes())?;
        let learned = MoveStrengths::new(&state.strengths).text();
        deliver(&learned, report.summary(), &report.text(), &mut folder)
    }

    /// Reads the choices of the games.
    fn data(&self, folder: &RunFolder) -> Result<ChoiceData, TrainingError> {
        let mut data = ChoiceData::new();
        self.0.read(folder, |games| data.add(games, &self.0.job.recipe.move_strengths))?;
        if data.train.is_empty() {
            let expected = "games with moves to learn from, and not all of them held out";
            return Err(TextError::whole("games", "no moves", expected).into());
        }
        Ok(data)
    }

    fn fit(
        &self,
        data: &ChoiceData,
        folder: &mut RunFolder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<FitState, TrainingError> {
        let settings = &self.0.job.recipe.move_strengths;
        let mut state = match folder.read(CHECKPOINT)? {
            None => FitState::begin(data),
            Some(bytes) => serde_json::from_slice::<FitCheckpoint>(&bytes)
                .ok()
                .and_then(|checkpoint| checkpoint.state())
                .ok_or_else(|| damaged(folder, CHECKPOINT))?,
        };
        while state.steps() < settings.rounds {
            if stop.load(Ordering::Relaxed) {
                return Err(TrainingError::Stopped);
            }
            state.step(data, settings.prior);
            let checkpoint =
                serde_json::to_vec(&FitCheckpoint::of(&state)).expect("a state can be written");
            folder.write(CHECKPOINT, &checkpoint)?;
            let foresight = state.history[state.steps()].held_out;
            folder.log(&json!({
                "event": "step", "step": state.steps(), "log_likelihood": foresight.log_likelihood,
                "first": foresight.first, "mean_rank": foresight.mean_rank,
            }))?;
            let note = format!("{:.1} % ranked first", 100.0 * foresight.first);
            let (done, total) = (state.steps() as u64, settings.rounds as u64);
            progress(&TrainingProgress { stage: TrainingStage::Fitting, done, total, note });
        }
        Ok(state)
    }
}
