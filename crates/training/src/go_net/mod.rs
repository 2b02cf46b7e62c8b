//! Training of a Go network on self-play games: policy, value and ownership (after Silver et al.
//! 2016 and 2017, and Wu 2019).

mod dataset;
mod report;
mod settings;

pub use settings::GoNetSettings;

use crate::{
    Job, RunResult, StartWeights, TrainingError, TrainingProgress, TrainingStage,
    folder::RunFolder,
    go_run::{GoRun, SelfPlayPlan},
    players::check_untimed,
    report::CHART,
    run::{REPORT, damaged, in_file},
};
use dataset::Dataset;
use ludus_core::{Random, TextError};
use ludus_games::go::Go;
use ludus_models::board_net::{
    BoardNet, BoardNetSchedule, BoardNetTrainer, Losses, TrainingPosition,
};
use report::GoNetReport;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::{
    fs,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

const CHECKPOINT: &str = "checkpoint.bin";
const VALIDATIONS_FILE: &str = "looks.json";
const NET: &str = "weights.net";
/// Number of validations after the first.
const VALIDATIONS: u64 = 20;
/// Held-out positions used by a validation.
const MAX_VALIDATION_POSITIONS: usize = 4000;
/// Time between two checkpoints.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(30);
/// Steps between two checks of the clock.
const STEPS_PER_CLOCK_CHECK: u64 = 20;

/// Losses on held-out positions after a number of steps.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ValidationPoint {
    pub steps: u64,
    pub moves: f64,
    pub first: f64,
    pub winner: f64,
    pub owners: f64,
}

impl ValidationPoint {
    fn new(steps: u64, losses: Losses) -> ValidationPoint {
        let Losses { moves, first, winner, owners, .. } = losses;
        ValidationPoint { steps, moves, first, winner, owners }
    }
}

/// A run that trains a Go network.
pub struct GoNetRunner<'a>(GoRun<'a>);

impl<'a> GoNetRunner<'a> {
    /// Checks what only the game can check of the recipe.
    pub fn new(job: &'a Job) -> Result<GoNetRunner<'a>, TrainingError> {
        if !job.recipe.go_net.quick.is_empty() {
            check_untimed::<Go>("go_net.quick", &job.recipe.go_net.quick)?;
        }
        Ok(GoNetRunner(GoRun::new(job)?))
    }

    /// Runs all stages, or resumes them.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<RunResult, TrainingError> {
        let recipe = &self.0.job.recipe;
        let mut folder = self.0.job.begin()?;
        let GoNetSettings { games, searched, random_plies, varied_plies, longest, .. } =
            recipe.go_net;
        let quick = Some(recipe.go_net.quick.clone()).filter(|quick| !quick.is_empty());
        let plan = SelfPlayPlan {
            games,
            random_plies,
            varied_plies,
            longest,
            annotated: true,
            quick,
            searched,
        };
        self.0.play(&plan, &mut folder, stop, progress)?;
        let dataset = self.dataset(&folder)?;
        let validations = self.train(&dataset, &mut folder, stop, progress)?;
        let trainer = self.trainer(&folder)?;
        let report = GoNetReport { recipe, dataset: &dataset, validations: &validations };
        folder.write(CHART, report.chart().as_bytes())?;
        folder.write(REPORT, report.text().as_bytes())?;
        let (net, summary) = (trainer.net().rounded(), report.summary());
        folder.write(NET, &net.to_bytes(&summary))?;
        let checksum = format!("{:016x}", net.checksum());
        folder.log(&json!({ "event": "done", "checksum": checksum, "summary": summary }))?;
        let (weights, report) = (folder.file(NET), folder.file(REPORT));
        Ok(RunResult { weights, report, checksum, summary })
    }

    /// Reads the positions of the games.
    fn dataset(&self, folder: &RunFolder) -> Result<Dataset, TrainingError> {
        let mut dataset = Dataset::default();
        self.0.read(folder, |games| dataset.add(games, &self.0.job.recipe.go_net))?;
        if dataset.train.is_empty() {
            let expected = "finished games to learn from, and not all of them held out";
            return Err(TextError::whole("games", "no positions", expected).into());
        }
        Ok(dataset)
    }

    /// Trainer from the checkpoint, or at its start.
    fn trainer(&self, folder: &RunFolder) -> Result<BoardNetTrainer, TrainingError> {
        if let Some(bytes) = folder.read(CHECKPOINT)? {
            return BoardNetTrainer::from_bytes(&bytes, CHECKPOINT)
                .map_err(|_| damaged(folder, CHECKPOINT));
        }
        let recipe = &self.0.job.recipe;
        let StartWeights::File(file) = &recipe.start else {
            let random = &mut Random::new(recipe.seed).split("network");
            return Ok(BoardNetTrainer::new(BoardNet::new(recipe.go_net.blocks, random)));
        };
        let path = self.0.job.recipe_dir.join(file);
        let bytes = fs::read(&path).map_err(|error| TrainingError::disk(&path, &error))?;
        let net = BoardNet::from_bytes(&bytes, file);
        Ok(BoardNetTrainer::new(net.map_err(|error| in_file(error.into(), &path))?))
    }

    /// Makes the remaining steps.
    fn train(
        &self,
        dataset: &Dataset,
        folder: &mut RunFolder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<Vec<ValidationPoint>, TrainingError> {
        let Job { recipe, threads, .. } = self.0.job;
        let settings = &recipe.go_net;
        let mut trainer = self.trainer(folder)?;
        let mut validations: Vec<ValidationPoint> = match folder.read(VALIDATIONS_FILE)? {
            None => Vec::new(),
            Some(bytes) => {
                serde_json::from_slice(&bytes).map_err(|_| damaged(folder, VALIDATIONS_FILE))?
            }
        };
        // Validations after the last checkpoint are repeated.
        validations.retain(|point| point.steps <= trainer.steps());
        let every = (dataset.held_out.len() / MAX_VALIDATION_POSITIONS).max(1);
        let held_out: Vec<&TrainingPosition> = dataset.held_out.iter().step_by(every).collect();
        let schedule = BoardNetSchedule {
            rate: settings.rate as f32,
            steps: settings.steps,
            decay: settings.decay as f32,
        };
        let (total, interval) = (settings.steps, settings.steps.div_ceil(VALIDATIONS));
        let mut last_checkpoint = Instant::now();
        loop {
            let steps = trainer.steps();
            let is_due = steps.is_multiple_of(interval) || steps == total;
            if is_due && validations.last().is_none_or(|point| point.steps < steps) {
                let point = ValidationPoint::new(steps, trainer.net().losses(&held_out, *threads));
                validations.push(point);
                folder.log(&json!({ "event": "look", "look": point }))?;
            }
            if steps.is_multiple_of(STEPS_PER_CLOCK_CHECK) || steps == total {
                let stopped = stop.load(Ordering::Relaxed) && steps < total;
                if stopped || steps == total || last_checkpoint.elapsed() > CHECKPOINT_INTERVAL {
                    folder.write(
                        VALIDATIONS_FILE,
                        &serde_json::to_vec(&validations).expect("numbers"),
                    )?;
                    folder.write(CHECKPOINT, &trainer.to_bytes())?;
                    last_checkpoint = Instant::now();
                }
                let note = validations.last().map_or(String::new(), |point| {
                    format!("{:.1} % of moves, winner {:.4}", 100.0 * point.first, point.winner)
                });
                progress(&TrainingProgress {
                    stage: TrainingStage::Training,
                    done: steps,
                    total,
                    note,
                });
                if stopped {
                    return Err(TrainingError::Stopped);
                }
            }
            if steps >= total {
                return Ok(validations);
            }
            let batch = batch(dataset, settings.batch, recipe.seed, steps);
            trainer.step(&batch, &schedule, *threads);
        }
    }
}

/// Batch of a step: a pure function of the seed and the step's number.
fn batch(dataset: &Dataset, count: usize, seed: u64, step: u64) -> Vec<(&TrainingPosition, u8)> {
    let mut random = Random::new(seed).split(&format!("step {step}"));
    let draw = |_| {
        let sample = &dataset.train[random.below(dataset.train.len())];
        (sample, random.below(8) as u8)
    };
    (0..count).map(draw).collect()
}
