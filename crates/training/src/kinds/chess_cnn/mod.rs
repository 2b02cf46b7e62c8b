//! Training of a convolutional network that judges chess positions: random positions, labelled by
//! an engine (after Duarte 2021).

mod dataset;
mod epochs;
mod label_file;
mod labels;
mod positions;
mod report;
mod settings;

pub use settings::{ChessCnnSettings, ScoreTarget};

use super::{Settings, Training, TrainingKind};
use crate::{Job, LearnedWeights, Recipe, Run, TrainableGame, Trained, TrainingError};
use dataset::{Dataset, plane_count};
use epochs::EpochStage;
use labels::Labelling;
use ludus_core::{Notation, Options, Random, TextError};
use ludus_games::chess::Chess;
use ludus_models::conv_net::ConvNet;
use positions::PositionDraw;
use report::ChessCnnReport;
use serde::{Deserialize, Serialize};
use std::fs;

/// Convolutional network that judges chess positions, trained on an engine's scores.
pub static KIND: TrainingKind = TrainingKind::new::<ChessCnnRecipe>(
    "chess-cnn",
    "a convolutional network that judges positions, from an engine's scores",
    &[TrainableGame::new::<Chess>(|job| Ok(Box::new(ChessCnnTraining::new(job)?)))],
);

/// Section of a recipe for a network that judges chess positions.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ChessCnnRecipe {
    /// Positions and training.
    pub chess_cnn: ChessCnnSettings,
}

impl Settings for ChessCnnRecipe {
    fn kind(&self) -> &'static TrainingKind {
        &KIND
    }

    fn check(&self, recipe: &Recipe) -> Result<(), TextError> {
        recipe.check_games("chess_cnn.positions", self.chess_cnn.positions)?;
        self.chess_cnn.check()
    }

    fn steps(&self) -> u64 {
        self.chess_cnn.epochs.into()
    }
}

/// A training of a network that judges chess positions.
struct ChessCnnTraining<'a> {
    settings: &'a ChessCnnSettings,
    /// Positions to label, if the run does not learn from files only.
    labelling: Option<Labelling<'a>>,
    /// Network before the first step.
    first: ConvNet,
}

impl<'a> ChessCnnTraining<'a> {
    /// Checks game, judge, network and files of positions.
    fn new(job: &'a Job) -> Result<ChessCnnTraining<'a>, TrainingError> {
        let Recipe { game, player, seed, .. } = &job.recipe;
        let ChessCnnRecipe { chess_cnn: settings } = job.recipe.settings();
        Options::parse(game, Chess::OPTIONS)?;
        let ChessCnnSettings { positions, plies, .. } = *settings;
        let draw = PositionDraw { count: positions as usize, plies, seed: *seed };
        let labelling = (positions > 0).then_some(Labelling { draw, judge: player });
        labelling.as_ref().map_or(Ok(()), Labelling::check)?;
        job.check_data()?;
        let first = first_network(job, plane_count(settings))?;
        Ok(ChessCnnTraining { settings, labelling, first })
    }
}

impl Training for ChessCnnTraining<'_> {
    fn run(&self, run: &mut Run<'_>) -> Result<Trained, TrainingError> {
        if let Some(labelling) = &self.labelling {
            labelling.run(run)?;
        }
        let (settings, recipe) = (self.settings, &run.job.recipe);
        let dataset = Dataset::read(settings, run)?;
        let mut stage = EpochStage::new(settings, &dataset, &self.first, run.job);
        let state = run.stage(&mut stage)?;
        let (points, parameters) = (&state.points, state.best.parameters());
        let report = ChessCnnReport { recipe, settings, dataset: &dataset, points, parameters };
        let report = report.report();
        let (bytes, checksum) = (state.best.to_bytes(&report.summary), state.best.checksum());
        Ok(Trained { report, weights: LearnedWeights::Network { bytes, checksum } })
    }
}

/// Network before the first step: that of the file the recipe starts from, or a random one.
fn first_network(job: &Job, planes: usize) -> Result<ConvNet, TrainingError> {
    let Some(path) = job.start_file() else {
        let random = &mut Random::new(job.recipe.seed).split("network");
        return Ok(ConvNet::new(planes, random));
    };
    let bytes = fs::read(&path).map_err(|error| TrainingError::disk(&path, &error))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let in_file = |error: TextError| TrainingError::from(error).in_file(&path);
    let net = ConvNet::from_bytes(&bytes, &name).map_err(in_file)?;
    if net.planes() != planes {
        let found = format!("{} planes", net.planes());
        let expected = format!("a network of {planes} planes (chess_cnn.turn)");
        return Err(in_file(TextError::whole("network", &found, expected)));
    }
    Ok(net)
}
