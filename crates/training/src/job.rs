//! Jobs: recipes to be run, and the files they name.

use crate::{
    Recipe, Run, RunResult, StartWeights, TrainingError, TrainingProgress, kinds::Training,
};
use ludus_core::TextError;
use std::{fs, path::PathBuf, sync::atomic::AtomicBool};

/// A recipe and the folder of its run.
pub struct Job {
    /// Parsed recipe.
    pub recipe: Recipe,
    /// Text of the recipe, as written.
    pub text: String,
    /// Folder that file names in the recipe are relative to.
    pub recipe_dir: PathBuf,
    /// Folder of the run.
    pub folder: PathBuf,
    /// Whether to resume an earlier run.
    pub resume: bool,
    /// Number of threads.
    pub threads: usize,
}

impl Job {
    /// Checks all that can be checked before the run: the game, the players, the files.
    ///
    /// # Errors
    /// If anything of them does not fit the kind of training.
    pub fn check(&self) -> Result<(), TrainingError> {
        self.recipe.kind().prepare(self).map(drop)
    }

    /// Runs the recipe, or resumes it.
    ///
    /// # Errors
    /// If the recipe, a player or the disk fails, or the stop flag is raised.
    pub fn run(
        &self,
        stop: &AtomicBool,
        on_progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<RunResult, TrainingError> {
        self.run_training(&*self.recipe.kind().prepare(self)?, stop, on_progress)
    }

    /// Runs or resumes a training that was prepared for this job.
    ///
    /// # Errors
    /// As [`run`](Job::run).
    pub fn run_training(
        &self,
        training: &(dyn Training + '_),
        stop: &AtomicBool,
        on_progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<RunResult, TrainingError> {
        let mut run = Run::open(self, stop, on_progress)?;
        let trained = training.run(&mut run)?;
        run.finish(trained)
    }

    /// Path of the file the recipe starts from, if it names one.
    pub(crate) fn start_file(&self) -> Option<PathBuf> {
        match &self.recipe.start {
            StartWeights::File(file) => Some(self.recipe_dir.join(file)),
            StartWeights::Hand | StartWeights::Zero => None,
        }
    }

    /// Parses the file the recipe starts from; `None` if it names none.
    pub(crate) fn start<T>(
        &self,
        parse: impl Fn(&str) -> Result<T, TextError>,
    ) -> Result<Option<T>, TrainingError> {
        let Some(path) = self.start_file() else { return Ok(None) };
        let text = fs::read_to_string(&path).map_err(|error| TrainingError::disk(&path, &error))?;
        parse(&text).map(Some).map_err(|error| TrainingError::from(error).in_file(&path))
    }

    /// Files of games that the recipe names.
    pub(crate) fn data_files(&self) -> impl Iterator<Item = PathBuf> {
        self.recipe.data.iter().map(|file| self.recipe_dir.join(file))
    }

    /// Checks that the files of games exist.
    pub(crate) fn check_data(&self) -> Result<(), TextError> {
        match self.data_files().find(|path| !path.is_file()) {
            None => Ok(()),
            Some(path) => {
                let expected = "a file of self-play games";
                Err(TextError::whole("data", &path.display().to_string(), expected))
            }
        }
    }
}
