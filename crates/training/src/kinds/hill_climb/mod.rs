//! Hill climbing: mutate the weights, play a match against the champion, keep the winner, restart
//! elsewhere when nothing wins any more.
//!
//! The textbook method. It needs no gradient and no theory, but many games: a match of 100 games
//! cannot resolve less than about 50 Elo, so `accept` and `games` decide between climbing slowly
//! and drifting with luck.

mod checkpoint;
mod climber;
mod report;

pub use climber::{Challenge, HillClimbState, HillClimber, WeightedPlayerFactory};

use super::{PreparedTraining, Settings, Training, TrainingKind};
use crate::{
    Job, LearnedWeights, LinearEvalTraining, Recipe, Run, Trained, TrainingError, TrainingStage,
    TunableEval,
    checkpoint::{CheckpointedStage, Pace, StepReport},
    folder::RunFolder,
    linear_eval::{EvalInTraining, player_with_weights},
    recipe::range,
    self_play::{AdjudicationRules, RandomOpening},
};
use checkpoint::HillClimbCheckpoint;
use ludus_core::{LinearEval, TextError};
use report::HillClimbReport;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Hill climbing: matches of mutated weights against the champion.
pub static KIND: TrainingKind = TrainingKind::new::<HillClimbRecipe>(
    "climb",
    "weights of an evaluation, by matches of mutants against the champion",
    HillClimbRecipe::GAMES,
);

const CHECKPOINT: &str = "checkpoint.json";

/// Section of a recipe for hill climbing.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HillClimbRecipe {
    /// Hill climbing.
    pub climb: HillClimbSettings,
}

/// Hill climbing settings. Every value has a default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HillClimbSettings {
    /// Number of challenges.
    pub steps: u32,
    /// Games of a challenge, in pairs with sides exchanged.
    pub games: u64,
    /// Score a challenger needs; more than one half filters out luck.
    pub accept: f64,
    /// Standard deviation of a mutation, in hundredths.
    pub mutation: f64,
    /// Share of the weights that mutate.
    pub share: f64,
    /// Challenges in a row without success before a restart.
    pub patience: u32,
    /// Standard deviation of the weights' perturbation at a restart, in hundredths.
    pub restart: f64,
    /// Games between the champion of a climb and the best of those before.
    pub final_games: u64,
    /// Random openings.
    pub opening: RandomOpening,
    /// Rules for stopping games early.
    pub rules: AdjudicationRules,
    /// Groups of terms whose weights are fixed.
    pub fixed: Vec<String>,
}

impl Default for HillClimbSettings {
    fn default() -> HillClimbSettings {
        HillClimbSettings {
            steps: 200,
            games: 100,
            accept: 0.55,
            mutation: 10.0,
            share: 0.2,
            patience: 20,
            restart: 20.0,
            final_games: 400,
            opening: RandomOpening::default(),
            rules: AdjudicationRules::default(),
            fixed: Vec::new(),
        }
    }
}

impl Settings for HillClimbRecipe {
    fn kind(&self) -> &'static TrainingKind {
        &KIND
    }

    fn check(&self, _: &Recipe) -> Result<(), TextError> {
        let climb = &self.climb;
        climb.opening.check("climb.opening")?;
        climb.rules.check("climb.rules")?;
        range("climb.steps", climb.steps.into(), 1.0, 1e6)?;
        range("climb.games", climb.games as f64, 2.0, 1e6)?;
        range("climb.final_games", climb.final_games as f64, 2.0, 1e6)?;
        range("climb.patience", climb.patience.into(), 1.0, 1e6)?;
        range("climb.accept", climb.accept, 0.0, 1.0)?;
        range("climb.share", climb.share, 0.0, 1.0)?;
        range("climb.mutation", climb.mutation, 0.0, 10_000.0)?;
        range("climb.restart", climb.restart, 0.0, 10_000.0)
    }

    fn steps(&self) -> u64 {
        self.climb.steps.into()
    }
}

impl LinearEvalTraining for HillClimbRecipe {
    fn prepare<P: TunableEval>(job: &Job) -> PreparedTraining<'_> {
        let HillClimbRecipe { climb: settings } = job.recipe.settings();
        let eval = EvalInTraining::<P>::new(job, &settings.fixed)?;
        Ok(Box::new(HillClimbTraining { settings, eval }))
    }
}

/// A hill climbing of one game.
struct HillClimbTraining<'a, P> {
    settings: &'a HillClimbSettings,
    eval: EvalInTraining<P>,
}

impl<P: TunableEval> Training for HillClimbTraining<'_, P> {
    fn run(&self, run: &mut Run<'_>) -> Result<Trained, TrainingError> {
        let (eval, job) = (&self.eval, run.job);
        let climber = HillClimber {
            start_position: &eval.position,
            build: &|weights| player_with_weights(&job.recipe.player, weights),
            settings: self.settings,
            start: &eval.start,
            free: &eval.free,
            seed: job.recipe.seed,
            threads: job.threads,
            stop: run.stop,
        };
        let state = run.stage(&mut ClimbingStage(climber))?;
        let report = HillClimbReport {
            recipe: &job.recipe,
            groups: P::Knowledge::GROUPS,
            start: &eval.start,
            state: &state,
        };
        Ok(Trained {
            report: report.report(),
            weights: LearnedWeights::Text(state.best.text(P::Knowledge::GROUPS)),
        })
    }
}

/// The challenges of a climb.
struct ClimbingStage<'a, P>(HillClimber<'a, P>);

impl<P: TunableEval> CheckpointedStage for ClimbingStage<'_, P> {
    type State = HillClimbState;

    const STAGE: TrainingStage =
        TrainingStage { activity: "challenging the champion", unit: "challenges" };

    fn load(&self, folder: &RunFolder) -> Result<Option<HillClimbState>, TrainingError> {
        folder.json_checkpoint(CHECKPOINT, |it: HillClimbCheckpoint| it.state(P::Knowledge::GROUPS))
    }

    fn save(&mut self, state: &HillClimbState, folder: &RunFolder) -> Result<(), TrainingError> {
        folder.write_json(CHECKPOINT, &HillClimbCheckpoint::of(state, P::Knowledge::GROUPS))
    }

    fn begin(&mut self, _: &mut Run<'_>) -> Result<HillClimbState, TrainingError> {
        Ok(self.0.begin())
    }

    fn is_done(&self, state: &HillClimbState) -> bool {
        self.0.is_done(state)
    }

    fn step(&mut self, state: &mut HillClimbState, _: &mut Run<'_>) -> Result<(), TrainingError> {
        self.0.step(state)
    }

    fn report(&mut self, state: &HillClimbState, _: Pace) -> StepReport {
        let challenge = state.history.last().expect("a step leaves an entry");
        let successes = state.history.iter().filter(|step| step.won && !step.last).count();
        StepReport {
            entry: Some(json!({
                "event": "challenge", "number": state.history.len(), "challenge": challenge,
            })),
            done: self.0.challenges(state).into(),
            total: self.0.settings.steps.into(),
            note: format!("climb {}, {successes} successes", state.climb + 1),
        }
    }
}
