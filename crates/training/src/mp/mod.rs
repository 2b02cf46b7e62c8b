//! MP-Draughts' specialists for endings (Duarte 2009): boards from games, a map that divides them
//! into clusters, and for each cluster a network that learns on its boards.
//!
//! Boards and specialists are pure functions of the recipe, the seed and their numbers, whatever
//! the number of threads and interruptions.

mod boards;
mod clusters;
mod report;
mod settings;
mod training;

pub use settings::{BoardSettings, MapSettings, MpSettings, SchoolSettings};

use crate::{
    Job, Outcome, Progress, Recipe, TrainingError,
    folder::Folder,
    report::{CHART, TEST_CHART},
    td::{deliver, english_start},
};
use boards::Collector;
use clusters::Clusters;
use ludus_games::draughts::Draughts;
use ludus_players::{
    mp_draughts::{Specialists, thinking_of},
    neural::{Mind, Thinking},
};
use report::{CLUSTER_CHART, MpReport};
use serde_json::json;
use std::sync::atomic::AtomicBool;
use training::{Pupil, Training};

/// All boards with the numbers of their clusters, for people.
const BOARDS: &str = "boards.txt";

/// A training run.
pub struct MpRunner<'a> {
    job: &'a Job,
    thinking: Thinking,
    start: Draughts,
    /// What all specialists begin with; `None` for random weights.
    begin: Option<Mind>,
}

impl<'a> MpRunner<'a> {
    /// Checks everything in the recipe that only the game can check.
    pub fn new(job: &'a Job) -> Result<MpRunner<'a>, TrainingError> {
        let Recipe { player, game, mp, .. } = &job.recipe;
        let thinking = thinking_of(player)?;
        let start = english_start(game)?;
        mp.boards.check_players()?;
        Ok(MpRunner { job, thinking, start, begin: job.start(Mind::parse)? })
    }

    /// Does all that is left to do.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Outcome, TrainingError> {
        let mut folder = self.job.begin()?;
        let Recipe { mp, seed, .. } = &self.job.recipe;
        let collector = Collector {
            settings: &mp.boards,
            start: self.start,
            seed: *seed,
            threads: self.job.threads,
            stop,
        };
        let boards = collector.run(&mut folder, progress)?;
        let clusters = Clusters::new(&mp.map, boards, *seed)?;
        folder.write(BOARDS, clusters.text().as_bytes())?;
        folder.log(&json!({
            "event": "clusters",
            "quantisation_error": clusters.error(), "sizes": clusters.sizes(),
        }))?;
        let settings = mp.school.learning();
        let training = Training {
            settings: &settings,
            thinking: self.thinking,
            boards: &clusters.first_boards(mp.school.boards),
            begin: self.begin.as_ref(),
            seed: *seed,
            threads: self.job.threads,
            stop,
        };
        let pupils = training.run(&mut folder, progress)?;
        self.finish(&clusters, &pupils, &mut folder)
    }

    fn finish(
        &self,
        clusters: &Clusters,
        pupils: &[Pupil],
        folder: &mut Folder,
    ) -> Result<Outcome, TrainingError> {
        let report = MpReport { recipe: &self.job.recipe, clusters, pupils };
        let minds = pupils.iter().map(|pupil| pupil.specialist().clone()).collect();
        let specialists = Specialists { map: clusters.map.clone(), minds }.text();
        folder.write(CHART, report.error_chart().as_bytes())?;
        folder.write(TEST_CHART, report.test_chart().as_bytes())?;
        folder.write(CLUSTER_CHART, report.cluster_chart().as_bytes())?;
        deliver(&specialists, report.summary(), &report.text(), folder)
    }
}
