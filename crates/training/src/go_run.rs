//! What runs that learn from games of Go share: the checks, the games, and reading them.

use crate::{
    Job, Progress, Recipe, TrainingError,
    contender::check_untimed,
    folder::Folder,
    go_games::{GAMES, GameFile, Games, parse_games},
    run::{check_data, in_file},
};
use ludus_core::{Notation, Options, TextError};
use ludus_games::go::Go;
use std::{fs, sync::atomic::AtomicBool};

/// The run of a job whose recipe is one of Go.
pub(crate) struct GoRun<'a> {
    pub job: &'a Job,
    options: Options,
}

/// The games a run plays itself.
pub(crate) struct Plan {
    /// How many.
    pub games: u64,
    /// Plies played at random before a game.
    pub random_plies: usize,
    /// Plies after those whose move is drawn as often as the search tried it.
    pub varied_plies: usize,
    /// Plies after which a game is given up.
    pub longest: usize,
    /// Whether to keep what the search thought of every move.
    pub thoughts: bool,
    /// Who makes most moves in the place of the player, if anybody: games cost less, and the results
    /// of many games say more than those of few. Which moves were tried is kept of the player only.
    pub quick: Option<String>,
    /// The part of the moves that are the player's, if there is somebody quick.
    pub searched: f64,
}

impl Plan {
    /// So many games of the player alone, from the start to the end.
    pub fn plain(games: u64) -> Plan {
        Plan {
            games,
            random_plies: 0,
            varied_plies: 0,
            longest: usize::MAX,
            thoughts: false,
            quick: None,
            searched: 1.0,
        }
    }
}

impl<'a> GoRun<'a> {
    /// Checks everything in the recipe that only the game can check.
    pub fn new(job: &'a Job) -> Result<GoRun<'a>, TrainingError> {
        let Recipe { game, player, .. } = &job.recipe;
        let options = Options::parse(game, Go::OPTIONS)?;
        Go::start(&options)?;
        check_untimed::<Go>("player", player)?;
        check_data(job)?;
        Ok(GoRun { job, options })
    }

    /// Plays the games that are left to play.
    pub fn play(
        &self,
        plan: &Plan,
        folder: &mut Folder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<(), TrainingError> {
        let Recipe { player, seed, .. } = &self.job.recipe;
        let games = Games {
            plan,
            options: &self.options,
            player,
            seed: *seed,
            threads: self.job.threads,
            stop,
        };
        games.play(folder, progress)
    }

    /// Shows `add` the run's own games and those of the files the recipe names.
    pub fn read(
        &self,
        folder: &Folder,
        mut add: impl FnMut(&GameFile<'_>) -> Result<(), TextError>,
    ) -> Result<(), TrainingError> {
        let others = self.job.recipe.data.iter().map(|file| self.job.beside.join(file));
        for path in std::iter::once(folder.file(GAMES)).chain(others) {
            let text =
                fs::read_to_string(&path).map_err(|error| TrainingError::disk(&path, &error))?;
            let added = parse_games(&text).and_then(|games| add(&games));
            added.map_err(|error| in_file(error.into(), &path))?;
        }
        Ok(())
    }
}
