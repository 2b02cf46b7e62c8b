//! Training of a Go network on self-play games: policy, value and ownership (after Silver et al.
//! 2016 and 2017, and Wu 2019).

mod dataset;
mod report;
mod settings;
mod steps;

pub use settings::GoNetSettings;

use super::{Settings, Training, TrainingKind};
use crate::{
    Job, LearnedWeights, Recipe, Run, TrainableGame, Trained, TrainingError,
    go_self_play::{SelfPlayPlan, checked_options, play_games, read_games},
    players::check_untimed,
};
use dataset::Dataset;
use ludus_core::{Options, Random, TextError};
use ludus_games::go::Go;
use ludus_models::board_net::{BoardNet, BoardNetTrainer};
use report::GoNetReport;
use serde::{Deserialize, Serialize};
use std::fs;
use steps::StepStage;

/// Policy, value and ownership network of Go, trained on self-play.
pub static KIND: TrainingKind = TrainingKind::new::<GoNetRecipe>(
    "go-net",
    "a policy, value and ownership network, from self-play games",
    &[TrainableGame::new::<Go>(|job| Ok(Box::new(GoNetTraining::new(job)?)))],
);

/// Section of a recipe for a Go network.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GoNetRecipe {
    /// Games and training.
    pub go_net: GoNetSettings,
}

impl Settings for GoNetRecipe {
    fn kind(&self) -> &'static TrainingKind {
        &KIND
    }

    fn check(&self, recipe: &Recipe) -> Result<(), TextError> {
        recipe.check_games("go_net.games", self.go_net.games)?;
        self.go_net.check()
    }

    fn players(&self) -> Vec<&str> {
        self.go_net.quick().into_iter().collect()
    }
}

/// A training of a Go network.
struct GoNetTraining<'a> {
    settings: &'a GoNetSettings,
    options: Options,
}

impl<'a> GoNetTraining<'a> {
    /// Checks game, players and files of games.
    fn new(job: &'a Job) -> Result<GoNetTraining<'a>, TrainingError> {
        let GoNetRecipe { go_net: settings } = job.recipe.settings();
        if let Some(quick) = settings.quick() {
            check_untimed::<Go>("go_net.quick", quick)?;
        }
        Ok(GoNetTraining { settings, options: checked_options(job)? })
    }

    fn play_games(&self, run: &mut Run<'_>) -> Result<(), TrainingError> {
        let GoNetSettings { games, searched, random_plies, varied_plies, longest, .. } =
            *self.settings;
        let quick = self.settings.quick().map(str::to_owned);
        let annotated = true;
        let plan =
            SelfPlayPlan { games, random_plies, varied_plies, longest, annotated, quick, searched };
        play_games(&plan, &self.options, run)
    }

    /// Reads the positions of the games.
    fn dataset(&self, run: &Run<'_>) -> Result<Dataset, TrainingError> {
        let mut dataset = Dataset::default();
        read_games(run, |games| dataset.add(games, self.settings))?;
        if dataset.train.is_empty() {
            let expected = "finished games to learn from, and not all of them held out";
            return Err(TextError::whole("games", "no positions", expected).into());
        }
        Ok(dataset)
    }

    /// Trainer before its first step: with the network the recipe starts from, or a random one.
    fn first_trainer(&self, job: &Job) -> Result<BoardNetTrainer, TrainingError> {
        let Some(path) = job.start_file() else {
            let random = &mut Random::new(job.recipe.seed).split("network");
            return Ok(BoardNetTrainer::new(BoardNet::new(self.settings.blocks, random)));
        };
        let bytes = fs::read(&path).map_err(|error| TrainingError::disk(&path, &error))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let net = BoardNet::from_bytes(&bytes, &name);
        Ok(BoardNetTrainer::new(net.map_err(|error| TrainingError::from(error).in_file(&path))?))
    }
}

impl Training for GoNetTraining<'_> {
    fn run(&self, run: &mut Run<'_>) -> Result<Trained, TrainingError> {
        self.play_games(run)?;
        let dataset = self.dataset(run)?;
        let state = run.stage(&mut StepStage::new(self, &dataset, run.job))?;
        let (recipe, settings) = (&run.job.recipe, self.settings);
        let validations = &state.validations;
        let report = GoNetReport { recipe, settings, dataset: &dataset, validations }.report();
        let net = state.trainer.net().rounded();
        let (bytes, checksum) = (net.to_bytes(&report.summary), net.checksum());
        Ok(Trained { report, weights: LearnedWeights::Network { bytes, checksum } })
    }
}
