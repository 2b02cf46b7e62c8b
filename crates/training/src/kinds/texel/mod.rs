//! Texel tuning: fits all weights of an evaluation at once, so that it predicts the results of
//! games.
//!
//! The method is Peter Österlund's, from his chess engine Texel: the score of a quiet position,
//! passed through a logistic curve, should be the expected result of the game. Here the error is
//! minimised by Adam (D. Kingma and J. Ba 2014) over batches, with L2 regularisation towards the
//! starting weights, and early stopping on held-out games.

mod checkpoint;
mod gradient;
mod objective;
mod report;
pub mod samples;
mod settings;
#[cfg(test)]
mod tests;
mod tuner;

pub use gradient::{GradientSums, TaperedWeights, TuningProblem};
pub use objective::{Loss, Objective, Target, sigmoid};
pub use settings::TexelSettings;
pub use tuner::{EpochErrors, TexelState, Tuner, to_units};

use super::{PreparedTraining, Settings, Training, TrainingKind};
use crate::{
    Job, LearnedWeights, LinearEvalTraining, Recipe, Run, Trained, TrainingError, TrainingStage,
    TunableEval,
    checkpoint::{CheckpointedStage, Pace, StepReport},
    folder::RunFolder,
    linear_eval::{EvalInTraining, player_with_weights},
    run::checksum,
    self_play::{SelfPlay, SelfPlaySettings, file::read_positions},
};
use ludus_core::{LinearEval, TextError};
use report::TexelReport;
use samples::{SampleRow, TermSamples};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Texel tuning of a linear evaluation on self-play positions.
pub static KIND: TrainingKind = TrainingKind::new::<TexelRecipe>(
    "texel",
    "weights of an evaluation, fitted to the results of games",
    TexelRecipe::GAMES,
);

const CHECKPOINT: &str = "checkpoint.bin";

/// Sections of a recipe for Texel tuning.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TexelRecipe {
    /// Self-play games.
    pub self_play: SelfPlaySettings,
    /// Tuning.
    pub texel: TexelSettings,
}

impl Settings for TexelRecipe {
    fn kind(&self) -> &'static TrainingKind {
        &KIND
    }

    fn check(&self, recipe: &Recipe) -> Result<(), TextError> {
        self.self_play.check(recipe)?;
        self.texel.check()
    }

    fn steps(&self) -> u64 {
        self.texel.epochs.into()
    }
}

impl LinearEvalTraining for TexelRecipe {
    fn prepare<P: TunableEval>(job: &Job) -> PreparedTraining<'_> {
        let settings: &TexelRecipe = job.recipe.settings();
        let eval = EvalInTraining::<P>::new(job, &settings.texel.fixed)?;
        Ok(Box::new(TexelTraining { settings, eval }))
    }
}

/// A Texel tuning of one game.
struct TexelTraining<'a, P> {
    settings: &'a TexelRecipe,
    eval: EvalInTraining<P>,
}

impl<P: TunableEval> Training for TexelTraining<'_, P> {
    fn run(&self, run: &mut Run<'_>) -> Result<Trained, TrainingError> {
        self.play_games(run)?;
        let samples = self.samples(run)?;
        let (eval, job) = (&self.eval, run.job);
        let settings = &self.settings.texel;
        let free = eval.free.clone();
        let tuner = Tuner::new(settings, &samples, &eval.start, free, job.recipe.seed, job.threads);
        let (train, held_out) = tuner.sizes();
        run.log(&json!({
            "event": "samples", "positions": samples.len(), "entries": samples.entries(),
            "train": train, "validation": held_out, "k": tuner.k(),
        }))?;
        let mut stage = TuningStage {
            tuner: &tuner,
            epochs: settings.epochs,
            terms: eval.start.terms.len(),
            epoch_seconds: 0.0,
        };
        let state = run.stage(&mut stage)?;
        let weights = state.weights();
        let report = TexelReport {
            recipe: &job.recipe,
            settings,
            groups: P::Knowledge::GROUPS,
            start: &eval.start,
            tuned: &weights,
            positions: (train, held_out),
            entries: samples.entries(),
            k: tuner.k(),
            history: &state.history,
            rounded: tuner.errors(&to_units(&weights)),
            epoch_seconds: stage.epoch_seconds,
        };
        Ok(Trained {
            report: report.report(),
            weights: LearnedWeights::Text(weights.text(P::Knowledge::GROUPS)),
        })
    }
}

impl<P: TunableEval> TexelTraining<'_, P> {
    fn play_games(&self, run: &mut Run<'_>) -> Result<(), TrainingError> {
        let (job, start) = (run.job, &self.eval.start);
        let play = SelfPlay {
            start: &self.eval.position,
            build: &|| player_with_weights(&job.recipe.player, start),
            settings: &self.settings.self_play,
            seed: job.recipe.seed,
            threads: job.threads,
            stop: run.stop,
        };
        play.play_games(&checksum(&start.text(P::Knowledge::GROUPS)), run)
    }

    /// Reads all positions: the run's own, and those of the files the recipe names.
    fn samples(&self, run: &Run<'_>) -> Result<TermSamples, TrainingError> {
        let mut samples = TermSamples::default();
        for path in self.settings.self_play.game_files(run) {
            let first_game = samples.rows().iter().map(|row| row.game + 1).max().unwrap_or(0);
            let put = |samples: &mut TermSamples, position: &P, label| {
                samples.push::<P::Knowledge>(position, label);
            };
            let (options, threads) = (&self.eval.options, run.job.threads);
            let parts =
                read_positions(&path, options, first_game, threads, TermSamples::default, put)
                    .map_err(|error| error.in_file(&path))?;
            for more in parts {
                if samples.is_empty() { samples = more } else { samples.append(&more) }
            }
        }
        let useless = |row: &SampleRow| row.margin.is_nan() && row.score.is_nan();
        if self.settings.texel.target == Target::Margin && samples.rows().iter().any(useless) {
            let expected = "result, for some of these games have neither a final count nor scores";
            return Err(TextError::whole("target", "margin", expected).into());
        }
        if samples.is_empty() {
            let expected = "games with quiet positions in them";
            return Err(TextError::whole("games", "no positions", expected).into());
        }
        Ok(samples)
    }
}

/// The epochs of a tuning.
struct TuningStage<'a> {
    tuner: &'a Tuner<'a>,
    epochs: u32,
    /// Number of weights.
    terms: usize,
    /// Mean duration of an epoch since the stage was started or resumed.
    epoch_seconds: f64,
}

impl CheckpointedStage for TuningStage<'_> {
    type State = TexelState;

    const STAGE: TrainingStage = TrainingStage { activity: "tuning", unit: "epochs" };

    fn load(&self, folder: &RunFolder) -> Result<Option<TexelState>, TrainingError> {
        folder.checkpoint(CHECKPOINT, |bytes| TexelState::from_bytes(bytes, self.terms))
    }

    fn save(&mut self, state: &TexelState, folder: &RunFolder) -> Result<(), TrainingError> {
        folder.write(CHECKPOINT, &state.bytes())
    }

    fn begin(&mut self, _: &mut Run<'_>) -> Result<TexelState, TrainingError> {
        Ok(self.tuner.begin())
    }

    fn is_done(&self, state: &TexelState) -> bool {
        self.tuner.is_done(state)
    }

    fn step(&mut self, state: &mut TexelState, _: &mut Run<'_>) -> Result<(), TrainingError> {
        self.tuner.epoch(state);
        Ok(())
    }

    fn amount(&self, state: &TexelState) -> u64 {
        state.epoch() as u64
    }

    fn report(&mut self, state: &TexelState, pace: Pace) -> StepReport {
        self.epoch_seconds = pace.seconds / pace.amount as f64;
        let errors = state.history[state.epoch()];
        StepReport {
            entry: Some(json!({
                "event": "epoch", "epoch": state.epoch(), "errors": errors,
                "seconds": pace.seconds,
            })),
            done: state.epoch() as u64,
            total: self.epochs.into(),
            note: format!("error {:.6}, held out {:.6}", errors.train, errors.validation),
        }
    }
}
