//! MP-Draughts' endgame specialists (Duarte 2009): positions from games, a self-organising map that
//! divides them into clusters, and for each cluster a network that learns on its positions.
//!
//! Positions and specialists are pure functions of the recipe, the seed and their numbers, whatever
//! the number of threads and interruptions.

mod boards;
mod clusters;
mod report;
mod settings;
mod training;

pub use settings::{
    BoardCollectionSettings, SomSettings, SpecialistTdSettings, SpecialistsSettings,
};

use super::{Settings, Training, TrainingKind};
use crate::{
    Job, LearnedWeights, Recipe, Run, TrainableGame, Trained, TrainingError, TrainingStage,
    kinds::td::english_start,
};
use boards::BoardCollector;
use clusters::Clusters;
use ludus_core::TextError;
use ludus_games::draughts::Draughts;
use ludus_players::draughts::{
    mp_draughts::{Specialists, search_config},
    neural::{LearnedModel, SearchConfig},
};
use report::SpecialistsReport;
use serde::{Deserialize, Serialize};
use serde_json::json;
use training::SpecialistTraining;

/// Endgame specialists: clusters of endgame positions, TD learning of one network for each.
pub static KIND: TrainingKind = TrainingKind::new::<SpecialistsRecipe>(
    "mp",
    "networks for endgames, one for each cluster of positions",
    &[TrainableGame::new::<Draughts>(|job| Ok(Box::new(SpecialistsTraining::new(job)?)))],
);

/// Collection of positions from games.
pub const COLLECTING: TrainingStage =
    TrainingStage { activity: "collecting boards", unit: "boards" };

/// All positions with the numbers of their clusters, for reading.
const BOARDS: &str = "boards.txt";

/// Section of a recipe for endgame specialists.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SpecialistsRecipe {
    /// Boards, map and training.
    pub mp: SpecialistsSettings,
}

impl Settings for SpecialistsRecipe {
    fn kind(&self) -> &'static TrainingKind {
        &KIND
    }

    fn check(&self, _: &Recipe) -> Result<(), TextError> {
        self.mp.check()
    }

    fn players(&self) -> Vec<&str> {
        self.mp.boards.pairings.iter().flatten().map(String::as_str).collect()
    }
}

/// A training of endgame specialists.
struct SpecialistsTraining<'a> {
    settings: &'a SpecialistsSettings,
    search_config: SearchConfig,
    start: Draughts,
    /// Weights all specialists start from; `None` for random ones.
    begin: Option<LearnedModel>,
}

impl<'a> SpecialistsTraining<'a> {
    /// Checks players, game and start.
    fn new(job: &'a Job) -> Result<SpecialistsTraining<'a>, TrainingError> {
        let SpecialistsRecipe { mp: settings } = job.recipe.settings();
        let search_config = search_config(&job.recipe.player)?;
        let start = english_start(&job.recipe.game)?;
        settings.boards.check_players()?;
        let begin = job.start(LearnedModel::parse)?;
        Ok(SpecialistsTraining { settings, search_config, start, begin })
    }
}

impl Training for SpecialistsTraining<'_> {
    fn run(&self, run: &mut Run<'_>) -> Result<Trained, TrainingError> {
        let job = run.job;
        let boards = BoardCollector::new(&self.settings.boards, self.start).collect(run)?;
        let clusters = Clusters::new(&self.settings.map, boards, job.recipe.seed)?;
        run.log(&json!({
            "event": "clusters",
            "quantisation_error": clusters.error(), "sizes": clusters.sizes(),
        }))?;
        run.folder.write(BOARDS, clusters.text().as_bytes())?;
        let school = &self.settings.school;
        let training = SpecialistTraining {
            settings: &school.td,
            search_config: self.search_config,
            boards: &clusters.first_boards(school.boards),
            begin: self.begin.as_ref(),
            seed: job.recipe.seed,
            threads: job.threads,
            stop: run.stop,
        };
        let specialists = training.train_all(run)?;
        let report = SpecialistsReport {
            player: &job.recipe.player,
            settings: self.settings,
            clusters: &clusters,
            specialists: &specialists,
        };
        let models = specialists.iter().map(|specialist| specialist.model().clone()).collect();
        let weights = Specialists { map: clusters.map.clone(), models }.text();
        Ok(Trained { report: report.report(), weights: LearnedWeights::Text(weights) })
    }
}
