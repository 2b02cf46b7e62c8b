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

use crate::{
    Job, Recipe, RunResult, TrainingError, TrainingProgress,
    folder::RunFolder,
    report::{CHART, TEST_CHART},
    td::{deliver, english_start},
};
use boards::BoardCollector;
use clusters::Clusters;
use ludus_games::draughts::Draughts;
use ludus_players::draughts::{
    mp_draughts::{Specialists, search_config},
    neural::{LearnedModel, SearchConfig},
};
use report::{CLUSTER_CHART, SpecialistsReport};
use serde_json::json;
use std::sync::atomic::AtomicBool;
use training::{Specialist, Training};

/// All positions with the numbers of their clusters, for reading.
const BOARDS: &str = "boards.txt";

/// A run that trains endgame specialists.
pub struct SpecialistsRunner<'a> {
    job: &'a Job,
    search_config: SearchConfig,
    start: Draughts,
    /// Weights all specialists start from; `None` for random ones.
    begin: Option<LearnedModel>,
}

impl<'a> SpecialistsRunner<'a> {
    /// Checks what only the game can check of the recipe.
    pub fn new(job: &'a Job) -> Result<SpecialistsRunner<'a>, TrainingError> {
        let Recipe { player, game, specialists: settings, .. } = &job.recipe;
        let search_config = search_config(player)?;
        let start = english_start(game)?;
        settings.boards.check_players()?;
        Ok(SpecialistsRunner { job, search_config, start, begin: job.start(LearnedModel::parse)? })
    }

    /// Runs all stages, or resumes them.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<RunResult, TrainingError> {
        let mut folder = self.job.begin()?;
        let Recipe { specialists: settings, seed, .. } = &self.job.recipe;
        let collector = BoardCollector {
            settings: &settings.boards,
            start: self.start,
            seed: *seed,
            threads: self.job.threads,
            stop,
        };
        let boards = collector.run(&mut folder, progress)?;
        let clusters = Clusters::new(&settings.map, boards, *seed)?;
        folder.write(BOARDS, clusters.text().as_bytes())?;
        folder.log(&json!({
            "event": "clusters",
            "quantisation_error": clusters.error(), "sizes": clusters.sizes(),
        }))?;
        let td = settings.td.td_settings();
        let training = Training {
            settings: &td,
            search_config: self.search_config,
            boards: &clusters.first_boards(settings.td.boards),
            begin: self.begin.as_ref(),
            seed: *seed,
            threads: self.job.threads,
            stop,
        };
        let specialists = training.run(&mut folder, progress)?;
        self.finish(&clusters, &specialists, &mut folder)
    }

    fn finish(
        &self,
        clusters: &Clusters,
        specialists: &[Specialist],
        folder: &mut RunFolder,
    ) -> Result<RunResult, TrainingError> {
        let report = SpecialistsReport { recipe: &self.job.recipe, clusters, specialists };
        let models = specialists.iter().map(|specialist| specialist.model().clone()).collect();
        let specialists = Specialists { map: clusters.map.clone(), models }.text();
        folder.write(CHART, report.error_chart().as_bytes())?;
        folder.write(TEST_CHART, report.test_chart().as_bytes())?;
        folder.write(CLUSTER_CHART, report.cluster_chart().as_bytes())?;
        deliver(&specialists, report.summary(), &report.text(), folder)
    }
}
