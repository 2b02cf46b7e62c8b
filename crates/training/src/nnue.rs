//! NNUE training: a network that corrects the handcrafted evaluation, on self-play positions.

use crate::{
    Job, Recipe, RunResult, StartWeights, TrainingError, TrainingProgress, TrainingStage,
    TunableEval,
    folder::RunFolder,
    players::check_reproducible,
    recipe::range,
    report::{CHART, NnueReport},
    run::{REPORT, check_data, checksum, damaged, game_files, in_file, play_games},
    samples::PositionLabel,
    self_play::SelfPlay,
    self_play_file::read_positions,
    texel::sigmoid,
};
use ludus_core::{
    Evaluator, HasEval, LinearEval, NnueInputs, Options, Side, TextError, WithWeights,
    position::mix,
};
use ludus_models::nnue::{
    MAX_CORRECTED_SCORE, NnueSamples, NnueSchedule, NnueTrainer, NnueTrainerState, Shape,
};
use ludus_players::{Handcrafted, Resources, build_player, common::engine::Networked};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::{
    fs,
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

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
    pub(crate) fn check(&self) -> Result<(), TextError> {
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

const CHECKPOINT: &str = "checkpoint.bin";
const NET: &str = "weights.net";

/// Training and validation positions.
struct Dataset {
    train: NnueSamples,
    held_out: NnueSamples,
}

/// An NNUE training run of one game.
pub struct NnueRunner<'a, P> {
    job: &'a Job,
    options: Options,
    position: P,
    trainer: NnueTrainer,
    shape: Shape,
    /// State of an earlier training to start from, if the recipe names one.
    earlier: Option<NnueTrainerState>,
}

impl<'a, P> NnueRunner<'a, P>
where
    P: Networked + TunableEval,
{
    /// Checks what only the game can check of the recipe.
    pub fn new(job: &'a Job) -> Result<NnueRunner<'a, P>, TrainingError> {
        let Recipe { nnue: net, seed, .. } = &job.recipe;
        check_reproducible::<P>(&job.recipe.player)?;
        check_data(job)?;
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
        Ok(NnueRunner {
            job,
            position,
            options,
            trainer: NnueTrainer::new(shape, schedule, *seed, job.threads),
            shape,
            earlier: earlier(job, shape)?,
        })
    }

    /// Runs all stages, or resumes them.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<RunResult, TrainingError> {
        let mut folder = self.job.begin()?;
        self.play_games(&mut folder, stop, progress)?;
        let data = self.read(&folder)?;
        let state = self.train(&data, &mut folder, stop, progress)?;
        self.finish(&data, &state, &mut folder)
    }

    fn play_games(
        &self,
        folder: &mut RunFolder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<(), TrainingError> {
        let Recipe { self_play, seed, player, .. } = &self.job.recipe;
        let build =
            || build_player::<P>(player, &Resources { seed: *seed, ..Resources::default() });
        let play = SelfPlay {
            start: &self.position,
            build: &build,
            settings: self_play,
            seed: *seed,
            threads: self.job.threads,
            stop,
        };
        let mut evaluation =
            checksum(&P::Knowledge::handcrafted().weights().text(P::Knowledge::GROUPS));
        if !player.contains("eval=hand") {
            evaluation += &format!(" and {:016x}", P::net().checksum());
        }
        play_games(self.job, &play, &evaluation, folder, progress)
    }

    fn read(&self, folder: &RunFolder) -> Result<Dataset, TrainingError> {
        let Recipe { nnue: net, seed, .. } = &self.job.recipe;
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
        for (number, path) in game_files(self.job, folder).iter().enumerate() {
            // Each file holds out its own random games.
            let first_game = (number as u32) << 28;
            let parts =
                read_positions(path, &self.options, first_game, self.job.threads, make, put)
                    .map_err(|error| in_file(error, path))?;
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

    fn train(
        &self,
        data: &Dataset,
        folder: &mut RunFolder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<NnueTrainerState, TrainingError> {
        let mut state = match folder.read(CHECKPOINT)? {
            Some(bytes) => NnueTrainerState::from_bytes(&bytes, self.shape)
                .ok_or_else(|| damaged(folder, CHECKPOINT))?,
            None => match &self.earlier {
                Some(earlier) => self.trainer.begin_from(earlier),
                None => self.trainer.begin(),
            },
        };
        let (train, held_out) = (data.train.len(), data.held_out.len());
        folder.log(&json!({ "event": "samples", "train": train, "validation": held_out }))?;
        let started = Instant::now();
        let epochs = self.job.recipe.nnue.epochs as usize;
        while state.history.len() < epochs {
            if stop.load(Ordering::Relaxed) {
                return Err(TrainingError::Stopped);
            }
            self.trainer.epoch(&mut state, &data.train);
            folder.write(CHECKPOINT, &state.bytes(self.shape))?;
            let error = state.history[state.history.len() - 1];
            let validation = self.trainer.error(&state, &data.held_out);
            folder.log(&json!({
                "event": "epoch", "epoch": state.history.len(), "train": error,
                "validation": validation, "seconds": started.elapsed().as_secs_f64(),
            }))?;
            let note = format!("error {error:.6}, held out {validation:.6}");
            let (done, total) = (state.history.len() as u64, epochs as u64);
            progress(&TrainingProgress { stage: TrainingStage::Training, done, total, note });
        }
        Ok(state)
    }

    fn finish(
        &self,
        data: &Dataset,
        state: &NnueTrainerState,
        folder: &mut RunFolder,
    ) -> Result<RunResult, TrainingError> {
        let recipe = &self.job.recipe;
        let evaluated = if data.held_out.is_empty() { &data.train } else { &data.held_out };
        let uncorrected = self.trainer.base_error(evaluated);
        let rounded = self.trainer.error(&self.trainer.rounded(state), evaluated);
        let report = NnueReport {
            recipe,
            positions: (data.train.len(), data.held_out.len()),
            uncorrected,
            rounded,
            history: &state.history,
        };
        let summary = report.summary();
        let net = self.trainer.net(state, (100.0 / recipe.nnue.k).round() as i32);
        folder.write(CHART, report.chart().as_bytes())?;
        folder.write(NET, &net.to_bytes(&summary))?;
        folder.write(REPORT, report.text().as_bytes())?;
        let checksum = format!("{:016x}", net.checksum());
        folder.log(&json!({ "event": "done", "checksum": checksum, "summary": summary }))?;
        let (weights, report) = (folder.file(NET), folder.file(REPORT));
        Ok(RunResult { weights, report, checksum, summary })
    }
}

/// Reads the training state that the recipe starts from.
fn earlier(job: &Job, shape: Shape) -> Result<Option<NnueTrainerState>, TrainingError> {
    let StartWeights::File(file) = &job.recipe.start else { return Ok(None) };
    let path = job.recipe_dir.join(file);
    let name = path.display().to_string();
    let wrong = |expected: String| TextError::whole("start", &name, expected);
    let bytes = fs::read(&path)
        .map_err(|error| wrong(format!("the {CHECKPOINT} of an earlier run ({error})")))?;
    let state = NnueTrainerState::from_bytes(&bytes, shape)
        .ok_or_else(|| wrong(format!("the {CHECKPOINT} of a run of the same game")))?;
    Ok(Some(state))
}
