//! Parts shared by trainings that learn from games of Go: checks, self-play, reading the games.

mod games;

pub(crate) use games::{GoGameFile, held_out, replay, split_annotation, winner};

use crate::{Job, Recipe, Run, TrainingError, players::check_untimed};
use games::{GAMES_FILE, GoSelfPlay, parse_games};
use ludus_core::{Notation, Options, TextError};
use ludus_games::go::Go;
use std::fs;

/// Checks game, player and files of games of a job; returns the options of the game.
pub(crate) fn checked_options(job: &Job) -> Result<Options, TrainingError> {
    let Recipe { game, player, .. } = &job.recipe;
    let options = Options::parse(game, Go::OPTIONS)?;
    Go::start(&options)?;
    check_untimed::<Go>("player", player)?;
    job.check_data()?;
    Ok(options)
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

/// Plays the remaining games of a run.
pub(crate) fn play_games(
    plan: &SelfPlayPlan,
    options: &Options,
    run: &mut Run<'_>,
) -> Result<(), TrainingError> {
    let Recipe { player, seed, .. } = &run.job.recipe;
    let (seed, threads, stop) = (*seed, run.job.threads, run.stop);
    GoSelfPlay { plan, options, player, seed, threads, stop }.play(run)
}

/// Passes the run's own games, and those of the files the recipe names, to `add`.
pub(crate) fn read_games(
    run: &Run<'_>,
    mut add: impl FnMut(&GoGameFile<'_>) -> Result<(), TextError>,
) -> Result<(), TrainingError> {
    for path in std::iter::once(run.folder.file(GAMES_FILE)).chain(run.job.data_files()) {
        let text = fs::read_to_string(&path).map_err(|error| TrainingError::disk(&path, &error))?;
        let added = parse_games(&text).and_then(|games| add(&games));
        added.map_err(|error| TrainingError::from(error).in_file(&path))?;
    }
    Ok(())
}
