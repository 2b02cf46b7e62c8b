//! Strengths of the features of moves of Go, learned as Crazy Stone's (Coulom 2007) but from self-play:
//! games, the choices made in them, and a fit by minorisation-maximisation.
//!
//! A game is a pure function of the recipe, the seed and its number, whatever the number of threads
//! and interruptions.

mod fit;
pub(crate) mod games;
mod report;
mod settings;

pub use settings::MovesSettings;

use crate::{
    Job, Kind, LabError, Outcome, Progress, Recipe, Stage,
    contender::check_untimed,
    folder::Folder,
    report::CHART,
    run::{check_data, damaged, in_file},
    td::deliver,
};
use fit::{Kept, Lessons, State};
use games::{GAMES, Games, parse_games};
use ludus_core::{Notation, Options, TextError};
use ludus_games::go::Go;
use ludus_players::move_strengths::MoveStrengths;
use report::MovesReport;
use serde_json::json;
use std::{
    fs,
    path::Path,
    sync::atomic::{AtomicBool, Ordering},
};

const CHECKPOINT: &str = "checkpoint.json";

/// A training run.
pub struct MovesRunner<'a> {
    job: &'a Job,
    options: Options,
}

impl<'a> MovesRunner<'a> {
    /// Checks everything in the recipe that only the game can check.
    pub fn new(job: &'a Job) -> Result<MovesRunner<'a>, LabError> {
        let Recipe { kind, game, player, .. } = &job.recipe;
        debug_assert_eq!(*kind, Kind::Moves);
        let options = Options::parse(game, Go::OPTIONS)?;
        Go::start(&options)?;
        check_untimed::<Go>("player", player)?;
        check_data(job)?;
        Ok(MovesRunner { job, options })
    }

    /// Does all that is left to do.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Outcome, LabError> {
        let mut folder = self.job.begin()?;
        let Recipe { player, seed, moves: settings, .. } = &self.job.recipe;
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
        let state = self.fit(&lessons, &mut folder, stop, progress)?;
        let report = MovesReport { recipe: &self.job.recipe, lessons: &lessons, state: &state };
        folder.write(CHART, report.chart().as_bytes())?;
        let learned = MoveStrengths::new(&state.strengths).text();
        deliver(&learned, report.summary(), &report.text(), &mut folder)
    }

    /// The choices of the run's own games and of the files the recipe names.
    fn lessons(&self, folder: &Folder) -> Result<Lessons, LabError> {
        let mut lessons = Lessons::new();
        let others = self.job.recipe.data.iter().map(|file| self.job.beside.join(file));
        for path in std::iter::once(folder.file(GAMES)).chain(others) {
            self.read(&path, &mut lessons)?;
        }
        if lessons.train.is_empty() {
            let expected = "games with moves to learn from, and not all of them held out";
            return Err(TextError::whole("games", "no moves", expected).into());
        }
        Ok(lessons)
    }

    fn read(&self, path: &Path, lessons: &mut Lessons) -> Result<(), LabError> {
        let text = fs::read_to_string(path).map_err(|error| LabError::disk(path, &error))?;
        let games = parse_games(&text);
        let added = games.and_then(|games| lessons.add(&games, &self.job.recipe.moves));
        added.map_err(|error| in_file(error.into(), path))
    }

    fn fit(
        &self,
        lessons: &Lessons,
        folder: &mut Folder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<State, LabError> {
        let settings = &self.job.recipe.moves;
        let mut state = match folder.read(CHECKPOINT)? {
            None => State::begin(lessons),
            Some(bytes) => serde_json::from_slice::<Kept>(&bytes)
                .ok()
                .and_then(|kept| kept.state())
                .ok_or_else(|| damaged(folder, CHECKPOINT))?,
        };
        while state.steps() < settings.rounds {
            if stop.load(Ordering::Relaxed) {
                return Err(LabError::Stopped);
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
