//! Strengths of the features of moves of Go, learned as Crazy Stone's (Coulom 2007) but from self-play:
//! games, the choices made in them, and a fit by minorisation-maximisation.
//!
//! A game is a pure function of the recipe, the seed and its number, whatever the number of threads
//! and interruptions.

mod fit;
mod report;
mod settings;

pub use settings::MovesSettings;

use crate::{
    Job, Outcome, Progress, Stage, TrainingError,
    folder::Folder,
    go_run::{GoRun, Plan},
    report::CHART,
    run::damaged,
    td::deliver,
};
use fit::{Kept, Lessons, State};
use ludus_core::TextError;
use ludus_players::move_strengths::MoveStrengths;
use report::MovesReport;
use serde_json::json;
use std::sync::atomic::{AtomicBool, Ordering};

const CHECKPOINT: &str = "checkpoint.json";

/// A training run.
pub struct MovesRunner<'a>(GoRun<'a>);

impl<'a> MovesRunner<'a> {
    /// Checks everything in the recipe that only the game can check.
    pub fn new(job: &'a Job) -> Result<MovesRunner<'a>, TrainingError> {
        Ok(MovesRunner(GoRun::new(job)?))
    }

    /// Does all that is left to do.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Outcome, TrainingError> {
        let mut folder = self.0.job.begin()?;
        let MovesSettings { games, random_plies, longest, .. } = self.0.job.recipe.moves;
        let plan = Plan { random_plies, longest, ..Plan::plain(games) };
        self.0.play(&plan, &mut folder, stop, progress)?;
        let lessons = self.lessons(&folder)?;
        let state = self.fit(&lessons, &mut folder, stop, progress)?;
        let report = MovesReport { recipe: &self.0.job.recipe, lessons: &lessons, state: &state };
        folder.write(CHART, report.chart().as_bytes())?;
        let learned = MoveStrengths::new(&state.strengths).text();
        deliver(&learned, report.summary(), &report.text(), &mut folder)
    }

    /// The choices of the games.
    fn lessons(&self, folder: &Folder) -> Result<Lessons, TrainingError> {
        let mut lessons = Lessons::new();
        self.0.read(folder, |games| lessons.add(games, &self.0.job.recipe.moves))?;
        if lessons.train.is_empty() {
            let expected = "games with moves to learn from, and not all of them held out";
            return Err(TextError::whole("games", "no moves", expected).into());
        }
        Ok(lessons)
    }

    fn fit(
        &self,
        lessons: &Lessons,
        folder: &mut Folder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<State, TrainingError> {
        let settings = &self.0.job.recipe.moves;
        let mut state = match folder.read(CHECKPOINT)? {
            None => State::begin(lessons),
            Some(bytes) => serde_json::from_slice::<Kept>(&bytes)
                .ok()
                .and_then(|kept| kept.state())
                .ok_or_else(|| damaged(folder, CHECKPOINT))?,
        };
        while state.steps() < settings.rounds {
            if stop.load(Ordering::Relaxed) {
                return Err(TrainingError::Stopped);
            }
            state.step(lessons, settings.prior);
            let kept = serde_json::to_vec(&Kept::of(&state)).expect("a state can be written");
            folder.write(CHECKPOINT, &kept)?;
            let sight = state.history[state.steps()].held_out;
            folder.log(&json!({
                "event": "step", "step": state.steps(), "log_likelihood": sight.log_likelihood,
                "first": sight.first, "mean_rank": sight.mean_rank,
            }))?;
            let note = format!("{:.1} % ranked first", 100.0 * sight.first);
            let (done, total) = (state.steps() as u64, settings.rounds as u64);
            progress(&Progress { stage: Stage::Fitting, done, total, note });
        }
        Ok(state)
    }
}
