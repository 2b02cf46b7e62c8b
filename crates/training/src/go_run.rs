//! Parts shared by runs that learn from games of Go: checks, self-play, reading the games.

use crate::{
    Job, Recipe, TrainingError, TrainingProgress,
    folder::RunFolder,
    go_games::{GAMES_FILE, GoGameFile, GoSelfPlay, parse_games},
    players::check_untimed,
    run::{check_data, in_file},
};
use ludus_core::{Notation, Options, TextError};
use ludus_games::go::Go;
use std::{fs, sync::atomic::AtomicBool};

/// A run whose recipe is for Go.
pub(crate) struct GoRun<'a> {
    pub job: &'a Job,
    options: Options,
}

/// Self-play games of a run.
pub(crate) struct SelfPlayPlan {
    /// Number of games.
    pub games: u64,
    /// Random plies before a game.
    pub random_plies: usize,
    /// Plies after those whose move is drawn in proportion to its visits.
    pub varied_plies: usize,
    /// Plies after which a game is stopped.
    pub longest: usize,
    /// Whether moves are annotated with the search's win probability and visits.
    pub annotated: bool,
    /// Fast player that makes most moves instead of the player, if any: games cost less, and the
    /// results of many games are worth more than those of few. Only visits of the player itself are
    /// stored.
    pub quick: Option<String>,
    /// Share of the moves made by the player if there is a fast one.
    pub searched: f64,
}

impl SelfPlayPlan {
    /// Full games of the player alone.
    pub fn plain(games: u64) -> SelfPlayPlan {
        SelfPlayPlan {
            games,
            random_plies: 0,
            varied_plies: 0,
            longest: usize::MAX,
            annotated: false,
            quick: None,
            searched: 1.0,
        }
    }
}

impl<'a> GoRun<'a> {
    /// Checks what only the game can check of the recipe.
    pub fn new(job: &'a Job) -> Result<GoRun<'a>, TrainingError> {
        let Recipe { game, player, .. } = &job.recipe;
        let options = Options::parse(game, Go::OPTIONS)?;
        Go::start(&options)?;
        check_untimed::<Go>("player", player)?;
        check_data(job)?;
        Ok(GoRun { job, options })
    }

    /// Plays the remaining games.
    pub fn play(
        &self,
        plan: &SelfPlayPlan,
        folder: &mut RunFolder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<(), TrainingError> {
        let Recipe { player, seed, .. } = &self.job.recipe;
        let games = GoSelfPlay {
            plan,
            options: &self.options,
            player,
            seed: *seed,
            threads: self.job.threads,
            stop,
        };
        games.play(folder, progress)
    }

    /// Passes the run's own games, and those of the files the recipe names, to `add`.
    pub fn read(
        &self,
        folder: &RunFolder,
        mut add: impl FnMut(&GoGameFile<'_>) -> Result<(), TextError>,
    ) -> Result<(), TrainingError> {
        let others = self.job.recipe.data.iter().map(|file| self.job.recipe_dir.join(file));
        for path in std::iter::once(folder.file(GAMES_FILE)).chain(others) {
            let text =
                fs::read_to_string(&path).map_err(|error| TrainingError::disk(&path, &error))?;
            let added = parse_games(&text).and_then(|games| add(&games));
            added.map_err(|error| in_file(error.into(), &path))?;
        }
        Ok(())
    }
}
