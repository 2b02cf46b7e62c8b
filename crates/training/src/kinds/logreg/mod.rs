//! Logistic regression of chess moves: the probability that the winner of a game makes a move (after
//! Duarte 2021).

mod fit;
mod games;
mod report;
mod rows;
mod settings;

pub use settings::LogRegSettings;

use super::{Settings, Training, TrainingKind};
use crate::{
    Job, LearnedWeights, Recipe, Run, TrainableGame, Trained, TrainingError,
    players::check_reproducible,
};
use fit::FitStage;
use games::{DecisiveGame, DecisiveSelfPlay, GAMES_FILE, parse_games, parse_pgn};
use ludus_core::{Notation, Options, TextError};
use ludus_games::chess::Chess;
use report::LogRegReport;
use rows::RowSets;
use serde::{Deserialize, Serialize};
use std::fs;

/// Logistic regression of the moves of winners.
pub static KIND: TrainingKind = TrainingKind::new::<LogRegRecipe>(
    "logreg",
    "a logistic regression of moves, from decisive games",
    &[TrainableGame::new::<Chess>(|job| Ok(Box::new(LogRegTraining::new(job)?)))],
);

/// Section of a recipe for a logistic regression of moves.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LogRegRecipe {
    /// Games and fit.
    pub logreg: LogRegSettings,
}

impl Settings for LogRegRecipe {
    fn kind(&self) -> &'static TrainingKind {
        &KIND
    }

    fn check(&self, recipe: &Recipe) -> Result<(), TextError> {
        recipe.check_games("logreg.games", self.logreg.games)?;
        self.logreg.check()
    }

    fn steps(&self) -> u64 {
        self.logreg.batches.into()
    }
}

/// A logistic regression of moves.
struct LogRegTraining<'a> {
    settings: &'a LogRegSettings,
}

impl<'a> LogRegTraining<'a> {
    /// Checks game, player and files of games.
    fn new(job: &'a Job) -> Result<LogRegTraining<'a>, TrainingError> {
        let LogRegRecipe { logreg: settings } = job.recipe.settings();
        Options::parse(&job.recipe.game, Chess::OPTIONS)?;
        if settings.games > 0 {
            check_reproducible::<Chess>(&job.recipe.player)?;
        }
        job.check_data()?;
        Ok(LogRegTraining { settings })
    }

    /// Games of the run and of the files that the recipe names.
    fn games(&self, run: &Run<'_>) -> Result<Vec<DecisiveGame>, TrainingError> {
        let own = (self.settings.games > 0).then(|| run.folder.file(GAMES_FILE));
        let mut games = Vec::new();
        for path in own.into_iter().chain(run.job.data_files()) {
            let bytes = fs::read(&path).map_err(|error| TrainingError::disk(&path, &error))?;
            let text = String::from_utf8_lossy(&bytes);
            let is_pgn = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("pgn"));
            let parsed = if is_pgn { parse_pgn(&text) } else { parse_games(&text) };
            games.extend(parsed.map_err(|error| TrainingError::from(error).in_file(&path))?);
        }
        Ok(games)
    }
}

impl Training for LogRegTraining<'_> {
    fn run(&self, run: &mut Run<'_>) -> Result<Trained, TrainingError> {
        let (settings, recipe) = (self.settings, &run.job.recipe);
        if settings.games > 0 {
            DecisiveSelfPlay { settings, player: &recipe.player, seed: recipe.seed }.play(run)?;
        }
        let sets = RowSets::new(&self.games(run)?, settings, recipe.seed);
        if sets.train.rows.is_empty() || sets.held_out.rows.is_empty() {
            let found = format!("{} decisive games", sets.games);
            let expected =
                "games with moves to learn from and some to hold out (logreg.validation)";
            return Err(TextError::whole("games", &found, expected).into());
        }
        let state = run.stage(&mut FitStage { settings, sets: &sets })?;
        let model = state.model();
        let report = LogRegReport { recipe, settings, sets: &sets, state: &state, model: &model };
        let report = report.report();
        let weights = LearnedWeights::Model(model.to_text(&report.summary));
        Ok(Trained { report, weights })
    }
}
