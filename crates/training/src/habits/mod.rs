//! Habits of playouts of Go, learned from self-play by simulation balancing: playouts are changed so
//! that they foretell who wins.

mod balance;
mod fit;
mod lessons;
mod report;
mod settings;

pub use settings::HabitsSettings;

use crate::{
    Job, Outcome, Progress, Stage, TrainingError,
    folder::Folder,
    go_run::{GoRun, Plan},
    report::CHART,
    run::damaged,
    td::deliver,
};
use fit::{Fit, Kept, State};
use lessons::Lessons;
use ludus_core::TextError;
use ludus_games::go::policy::Policy;
use report::HabitsReport;
use serde_json::json;
use std::sync::atomic::{AtomicBool, Ordering};

const CHECKPOINT: &str = "checkpoint.json";
/// Steps between two checkpoints.
const CHECKPOINT_INTERVAL: u64 = 20;
/// Looks at what is held out, after the first.
const LOOKS: u64 = 20;

/// A training run.
pub struct HabitsRunner<'a>(GoRun<'a>);

impl<'a> HabitsRunner<'a> {
    /// Checks everything in the recipe that only the game can check.
    pub fn new(job: &'a Job) -> Result<HabitsRunner<'a>, TrainingError> {
        Ok(HabitsRunner(GoRun::new(job)?))
    }

    /// Does all that is left to do.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Outcome, TrainingError> {
        let Job { recipe, threads, .. } = self.0.job;
        let settings = &recipe.habits;
        let mut folder = self.0.job.begin()?;
        let HabitsSettings { games, random_plies, longest, .. } = *settings;
        let plan = Plan { random_plies, longest, ..Plan::plain(games) };
        self.0.play(&plan, &mut folder, stop, progress)?;
        let lessons = self.lessons(&folder)?;
        let fit = Fit { settings, lessons: &lessons, seed: recipe.seed, threads: *threads };
        let state = self.fit(&fit, &mut folder, stop, progress)?;
        let strong = fit.held_out_error(&Policy::strong())?;
        let report = HabitsReport { recipe, lessons: &lessons, state: &state, strong };
        folder.write(CHART, report.chart().as_bytes())?;
        deliver(&state.odds.habits().text(), report.summary(), &report.text(), &mut folder)
    }

    /// The positions of the games.
    fn lessons(&self, folder: &Folder) -> Result<Lessons, TrainingError> {
        let mut lessons = Lessons::new();
        self.0.read(folder, |games| lessons.add(games, &self.0.job.recipe.habits))?;
        if lessons.train.is_empty() {
            let expected = "finished games to learn from, and not all of them held out";
            return Err(TextError::whole("games", "no positions", expected).into());
        }
        Ok(lessons)
    }

    fn fit(
        &self,
        fit: &Fit<'_>,
        folder: &mut Folder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<State, TrainingError> {
        let mut state = match folder.read(CHECKPOINT)? {
            None => State::begin(),
            Some(bytes) => serde_json::from_slice::<Kept>(&bytes)
                .ok()
                .and_then(|kept| kept.state())
                .ok_or_else(|| damaged(folder, CHECKPOINT))?,
        };
        let total = fit.settings.steps;
        let interval = total.div_ceil(LOOKS);
        loop {
            let is_due = state.steps.is_multiple_of(interval) || state.steps == total;
            if is_due && state.history.last().is_none_or(|look| look.steps < state.steps) {
                fit.look(&mut state)?;
                let look = state.history[state.history.len() - 1];
                folder.log(
                    &json!({ "event": "look", "steps": look.steps, "held_out": look.held_out }),
                )?;
            }
            if is_due || state.steps.is_multiple_of(CHECKPOINT_INTERVAL) {
                let kept = serde_json::to_vec(&Kept::of(&state)).expect("a state can be written");
                folder.write(CHECKPOINT, &kept)?;
                let error = state.history.last().map_or(f64::NAN, |look| look.held_out);
                let note = format!("held-out error {error:.4}");
                progress(&Progress { stage: Stage::Fitting, done: state.steps, total, note });
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
