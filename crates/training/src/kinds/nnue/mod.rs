//! NNUE training: a network that corrects the handcrafted evaluation, on self-play positions.

mod report;

use super::{PreparedTraining, Settings, Training, TrainingKind, texel::sigmoid};
use crate::{
    Job, LearnedWeights, NetworkTraining, Recipe, Run, Trained, TrainingError, TrainingStage,
    TunableEval,
    checkpoint::{CheckpointedStage, Pace, StepReport},
    folder::RunFolder,
    linear_eval::evaluation_checksum,
    players::check_reproducible,
    recipe::range,
    self_play::{
        SelfPlay, SelfPlaySettings,
        file::{PositionLabel, read_positions},
    },
};
use ludus_core::{Evaluator, HasEval, NnueInputs, Options, Side, TextError, position::mix};
use ludus_models::nnue::{
    MAX_CORRECTED_SCORE, NnueSamples, NnueSchedule, NnueTrainer, NnueTrainerState, Shape,
};
use ludus_players::{Handcrafted, Resources, build_player, common::engine::Networked};
use report::NnueReport;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fs;

/// NNUE: a network that corrects the handcrafted evaluation, trained on self-play positions.
pub static KIND: TrainingKind = TrainingKind::new::<NnueRecipe>(
    "net",
    "a network that corrects the evaluation, from self-play games",
    NnueRecipe::GAMES,
);

const CHECKPOINT: &str = "checkpoint.bin";

/// Sections of a recipe for NNUE training.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NnueRecipe {
    /// Self-play games.
    pub self_play: SelfPlaySettings,
    /// Training.
    pub net: NnueSettings,
}

/// NNUE training settings. Every value has a default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NnueSettings {
    /// Share of the game's result in the target; the rest is the search's score.
    pub lambda: f64,
    /// Steepness of the curve from scores to results; the report of a texel run has it.
    pub k: f64,
    /// Number of epochs.
    pub epochs: u32,
    /// Positions of a batch.
    pub batch: usize,
    /// Initial learning rate; it falls to a hundredth.
    pub rate: f64,
    /// Weight decay: share of a weight lost in a step of size 1.
    pub decay: f64,
    /// Share of the games held out for validation.
    pub validation: f64,
}

impl Default for NnueSettings {
    fn default() -> NnueSettings {
        NnueSettings {
            lambda: 0.3,
            k: 1.0,
            epochs: 5,
            batch: 16_384,
            rate: 0.001,
            decay: 0.01,
            validation: 0.06,
        }
    }
}

impl NnueSettings {
    fn check(&self) -> Result<(), TextError> {
        range("net.lambda", self.lambda, 0.0, 1.0)?;
        range("net.k", self.k, 0.001, 1_000.0)?;
        range("net.epochs", self.epochs.into(), 1.0, 10_000.0)?;
        range("net.batch", self.batch as f64, 1.0, 1e7)?;
        range("net.rate", self.rate, 1e-9, 1.0)?;
        range("net.decay", self.decay, 0.0, 10.0)?;
        range("net.validation", self.validation, 0.0, 0.9)
    }

    /// Target of a position: the expected result for the first side.
    fn goal(&self, label: &PositionLabel) -> f64 {
        let result = f64::from(label.result);
        label.score.map_or(result, |score| {
            let seen = sigmoid(self.k * f64::from(score) / 100.0);
            self.lambda * result + (1.0 - self.lambda) * seen
        })
    }
}

impl Settings for NnueRecipe {
    fn kind(&self) -> &'static TrainingKind {
        &KIND
    }

    fn check(&self, recipe: &Recipe) -> Result<(), TextError> {
        self.self_play.check(recipe)?;
        self.net.check()
    }

    fn steps(&self) -> u64 {
        self.net.epochs.into()
    }
}

impl NetworkTraining for NnueRecipe {
    fn prepare<P: TunableEval + Networked>(job: &Job) -> PreparedTraining<'_> {
        Ok(Box::new(NnueTraining::<P>::new(job)?))
    }
}

/// Training and validation positions.
struct Dataset {
    train: NnueSamples,
    held_out: NnueSamples,
}

/// An NNUE training of one game.
struct NnueTraining<'a, P> {
    settings: &'a NnueRecipe,
    options: Options,
    position: P,
    trainer: NnueTrainer,
    shape: Shape,
    /// State of an earlier training to start from, if the recipe names one.
    earlier: Option<NnueTrainerState>,
}

impl<'a, P: TunableEval + Networked> NnueTraining<'a, P> {
    fn new(job: &'a Job) -> Result<NnueTraining<'a, P>, TrainingError> {
        let settings: &NnueRecipe = job.recipe.settings();
        let net = &settings.net;
        check_reproducible::<P>(&job.recipe.player)?;
        job.check_data()?;
        let options = Options::parse(&job.recipe.game, P::OPTIONS)?;
        let position = P::start(&options)?;
        if !P::Knowledge::has_nnue_inputs(&position) {
            let expected = "rules that have a network";
            return Err(TextError::whole("game", &job.recipe.game, expected).into());
        }
        let shape = Shape::of::<P::Knowledge>();
        let schedule = NnueSchedule {
            epochs: net.epochs as usize,
            batch: net.batch,
            rate: net.rate as f32,
            decay: net.decay as f32,
        };
        let trainer = NnueTrainer::new(shape, schedule, job.recipe.seed, job.threads);
        let earlier = earlier(job, shape)?;
        Ok(NnueTraining { settings, options, position, trainer, shape, earlier })
    }

    fn play_games(&self, run: &mut Run<'_>) -> Result<(), TrainingError> {
        let Recipe { seed, player, .. } = &run.job.recipe;
        let build =
            || build_player::<P>(player, &Resources { seed: *seed, ..Resources::default() });
        let play = SelfPlay {
            start: &self.position,
            build: &build,
            settings: &self.settings.self_play,
            seed: *seed,
            threads: run.job.threads,
            stop: run.stop,
        };
        let evaluation = evaluation_checksum::<P>(player);
        play.play_games(&evaluation, run)
    }

    /// Reads all positions: the run's own, and those of the files the recipe names.
    fn read(&self, run: &Run<'_>) -> Result<Dataset, TrainingError> {
        let (net, seed) = (&self.settings.net, run.job.recipe.seed);
        let no_data = || Dataset {
            train: NnueSamples::new::<P::Knowledge>(),
            held_out: NnueSamples::new::<P::Knowledge>(),
        };
        let make = || (no_data(), P::Knowledge::handcrafted());
        let put =
            |(data, hand): &mut (Dataset, Handcrafted<P>), position: &P, label: PositionLabel| {
                let base = hand.evaluate(position).0;
                if base.abs() > MAX_CORRECTED_SCORE {
                    return; // the search will not ask the network
                }
                let base = net.k * f64::from(base) / 100.0;
                let goal = net.goal(&label);
                let goal = if position.turn() == Side::First { goal } else { 1.0 - goal };
                let draw = mix(seed ^ mix(label.game.into())) >> 40;
                let is_held_out = draw as f64 / f64::from(1 << 24) < net.validation;
                let samples = if is_held_out { &mut data.held_out } else { &mut data.train };
                samples.push::<P::Knowledge>(position, goal as f32, base as f32);
            };
        let mut all = no_data();
        for (number, path) in self.settings.self_play.game_files(run).iter().enumerate() {
            // Each file holds out its own random games.
            let first_game = (number as u32) << 28;
            let parts = read_positions(path, &self.options, first_game, run.job.threads, make, put)
                .map_err(|error| error.in_file(path))?;
            for (part, _) in parts {
                all.train.append(&part.train);
                all.held_out.append(&part.held_out);
            }
        }
        if all.train.is_empty() {
            let expected = "games with quiet positions in them";
            return Err(TextError::whole("games", "no positions", expected).into());
        }
        Ok(all)
    }
}

impl<P: TunableEval + Networked> Training for NnueTraining<'_, P> {
    fn run(&self, run: &mut Run<'_>) -> Result<Trained, TrainingError> {
        self.play_games(run)?;
        let data = self.read(run)?;
        let (train, held_out) = (data.train.len(), data.held_out.len());
        run.log(&json!({ "event": "samples", "train": train, "validation": held_out }))?;
        let state = run.stage(&mut EpochStage { training: self, data: &data })?;
        let evaluated = if data.held_out.is_empty() { &data.train } else { &data.held_out };
        let settings = &self.settings.net;
        let report = NnueReport {
            recipe: &run.job.recipe,
            settings,
            positions: (train, held_out),
            uncorrected: self.trainer.base_error(evaluated),
            rounded: self.trainer.error(&self.trainer.rounded(&state), evaluated),
            history: &state.history,
        };
        let report = report.report();
        let net = self.trainer.net(&state, (100.0 / settings.k).round() as i32);
        let (bytes, checksum) = (net.to_bytes(&report.summary), net.checksum());
        Ok(Trained { report, weights: LearnedWeights::Network { bytes, checksum } })
    }
}

/// The epochs of a training.
struct EpochStage<'a, P> {
    training: &'a NnueTraining<'a, P>,
    data: &'a Dataset,
}

impl<P> CheckpointedStage for EpochStage<'_, P> {
    type State = NnueTrainerState;

    const STAGE: TrainingStage = TrainingStage::TRAINING;

    fn load(&self, folder: &RunFolder) -> Result<Option<NnueTrainerState>, TrainingError> {
        let shape = self.training.shape;
        folder.checkpoint(CHECKPOINT, |bytes| NnueTrainerState::from_bytes(bytes, shape))
    }

    fn save(&mut self, state: &NnueTrainerState, folder: &RunFolder) -> Result<(), TrainingError> {
        folder.write(CHECKPOINT, &state.bytes(self.training.shape))
    }

    fn begin(&mut self, _: &mut Run<'_>) -> Result<NnueTrainerState, TrainingError> {
        let NnueTraining { trainer, earlier, .. } = self.training;
        Ok(earlier.as_ref().map_or_else(|| trainer.begin(), |earlier| trainer.begin_from(earlier)))
    }

    fn is_done(&self, state: &NnueTrainerState) -> bool {
        state.history.len() >= self.training.settings.net.epochs as usize
    }

    fn step(&mut self, state: &mut NnueTrainerState, _: &mut Run<'_>) -> Result<(), TrainingError> {
        self.training.trainer.epoch(state, &self.data.train);
        Ok(())
    }

    fn report(&mut self, state: &NnueTrainerState, pace: Pace) -> StepReport {
        let epoch = state.history.len();
        let error = state.history[epoch - 1];
        let validation = self.training.trainer.error(state, &self.data.held_out);
        StepReport {
            entry: Some(json!({
                "event": "epoch", "epoch": epoch, "train": error,
                "validation": validation, "seconds": pace.seconds,
            })),
            done: epoch as u64,
            total: self.training.settings.net.epochs.into(),
            note: format!("error {error:.6}, held out {validation:.6}"),
        }
    }
}

/// Reads the training state that the recipe starts from.
fn earlier(job: &Job, shape: Shape) -> Result<Option<NnueTrainerState>, TrainingError> {
    let Some(path) = job.start_file() else { return Ok(None) };
    let name = path.display().to_string();
    let wrong = |expected: String| TextError::whole("start", &name, expected);
    let bytes = fs::read(&path)
        .map_err(|error| wrong(format!("the {CHECKPOINT} of an earlier run ({error})")))?;
    let state = NnueTrainerState::from_bytes(&bytes, shape)
        .ok_or_else(|| wrong(format!("the {CHECKPOINT} of a run of the same game")))?;
    Ok(Some(state))
}
