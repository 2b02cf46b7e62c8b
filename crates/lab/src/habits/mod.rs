//! Habits of playouts of Go, learned from self-play by simulation balancing: playouts are changed so
//! that they foretell who wins.

mod balance;
mod fit;
mod lessons;
mod report;
mod settings;

pub use settings::HabitsSettings;

use crate::{
    Job, Kind, LabError, Outcome, Progress, Recipe, Stage,
    contender::check_untimed,
    folder::Folder,
    moves::games::{GAMES, Games, parse_games},
    report::CHART,
    run::{check_data, damaged, in_file},
    td::deliver,
};
use fit::{Fit, Kept, State};
use lessons::Lessons;
use ludus_core::{Notation, Options, TextError};
use ludus_games::go::{Go, policy::Policy};
use report::HabitsReport;
use serde_json::json;
use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

const CHECKPOINT: &str = "checkpoint.json";
/// Steps between two checkpoints.
const CHECKPOINT_INTERVAL: u64 = 20;
/// Looks at what is held out, after the first.
const LOOKS: u64 = 20;

/// A training run.
pub struct HabitsRunner<'a> {
    job: &'a Job,
    options: Options,
}

impl<'a> HabitsRunner<'a> {
    /// Checks everything in the recipe that only the game can check.
    pub fn new(job: &'a Job) -> Result<HabitsRunner<'a>, LabError> {
        let Recipe { kind, game, player, .. } = &job.recipe;
        debug_assert_eq!(*kind, Kind::Habits);
        let options = Options::parse(game, Go::OPTIONS)?;
        Go::start(&options)?;
        check_untimed::<Go>("player", player)?;
        check_data(job)?;
        Ok(HabitsRunner { job, options })
    }

    /// Does all that is left to do.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Outcome, LabError> {
        let mut folder = self.job.begin()?;
        let Recipe { player, seed, habits: settings, .. } = &self.job.recipe;
        let games = Games {
            games: settings.games,
            random_plies: settings.random_plies,
            longest: settings.longest,
            options: &self.options,
            player,
            seed: *seed,
            threads: self.job.threads,
            stop,
        };
        games.play(&mut folder, progress)?;
        let lessons = self.lessons(&folder)?;
        let fit = Fit { settings, lessons: &lessons, seed: *seed, threads: self.job.threads };
        let state = self.fit(&fit, &mut folder, stop, progress)?;
        let strong = fit.held_out_error(&Policy::strong())?;
        let report =
            HabitsReport { recipe: &self.job.recipe, lessons: &lessons, state: &state, strong };
        folder.write(CHART, report.chart().as_bytes())?;
        deliver(&state.odds.habits().text(), report.summary(), &report.text(), &mut folder)
    }

    /// The positions of the run's own games and of the files the recipe names.
    fn lessons(&self, folder: &Folder) -> Result<Lessons, LabError> {
        let mut lessons = Lessons::new();
        let others = self.job.recipe.data.iter().map(|file| self.job.beside.join(file));
        for path in std::iter::once(folder.file(GAMES)).chain(others) {
            self.read(&path, &mut lessons)?;
        }
        if lessons.train.is_empty() {
            let expected = "finished games to learn from, and not all of them held out";
            return Err(TextError::whole("games", "no positions", expected).into());
        }
        Ok(lessons)
    }

    fn read(&self, path: &Path, lessons: &mut Lessons) -> Result<(), LabError> {
        let text = fs::read_to_string(path).map_err(|error| LabError::disk(path, &error))?;
        let games = parse_games(&text);
        let added = games.and_then(|games| lessons.add(&games, &self.job.recipe.habits));
        added.map_err(|error| in_file(error.into(), path))
    }

    fn fit(
        &self,
        fit: &Fit<'_>,
        folder: &mut Folder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<State, LabError> {
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
                    return Err(LabError::Stopped);
                }
            }
            if state.steps >= total {
                return Ok(state);
            }
            fit.step(&mut state)?;
        }
    }
}
