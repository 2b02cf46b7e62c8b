//! A network for the search of Go, trained on games of self-play: where it should look, who wins,
//! who owns what (after Silver et al. 2016 and 2017, and Wu 2019).

mod lessons;
mod report;
mod settings;

pub use settings::GoNetSettings;

use crate::{
    Job, Outcome, Progress, Stage, Start, TrainingError,
    contender::check_untimed,
    folder::Folder,
    go_run::{GoRun, Plan},
    report::CHART,
    run::{REPORT, damaged, in_file},
};
use lessons::Lessons;
use ludus_core::{Random, TextError};
use ludus_games::go::Go;
use ludus_models::board_net::{BoardNet, Lesson, Losses, Schedule, Trainer};
use report::GoNetReport;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::{
    fs,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

const CHECKPOINT: &str = "checkpoint.bin";
const LOOKS_FILE: &str = "looks.json";
const NET: &str = "weights.net";
/// Looks at what is held out, after the first.
const LOOKS: u64 = 20;
/// Positions held out that are looked at.
const LOOKED_AT: usize = 4000;
/// Time between two checkpoints.
const CHECKPOINT_TIME: Duration = Duration::from_secs(30);
/// Steps between two looks at the clock.
const BREATH: u64 = 20;

/// How far off the network was after so many steps.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Look {
    pub steps: u64,
    pub moves: f64,
    pub first: f64,
    pub winner: f64,
    pub owners: f64,
}

impl Look {
    fn new(steps: u64, losses: Losses) -> Look {
        let Losses { moves, first, winner, owners, .. } = losses;
        Look { steps, moves, first, winner, owners }
    }
}

/// A training run.
pub struct GoNetRunner<'a>(GoRun<'a>);

impl<'a> GoNetRunner<'a> {
    /// Checks everything in the recipe that only the game can check.
    pub fn new(job: &'a Job) -> Result<GoNetRunner<'a>, TrainingError> {
        if !job.recipe.go_net.quick.is_empty() {
            check_untimed::<Go>("go_net.quick", &job.recipe.go_net.quick)?;
        }
        Ok(GoNetRunner(GoRun::new(job)?))
    }

    /// Does all that is left to do.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Outcome, TrainingError> {
        let recipe = &self.0.job.recipe;
        let mut folder = self.0.job.begin()?;
        let GoNetSettings { games, searched, random_plies, varied_plies, longest, .. } =
            recipe.go_net;
        let quick = Some(recipe.go_net.quick.clone()).filter(|quick| !quick.is_empty());
        let plan =
            Plan { games, random_plies, varied_plies, longest, thoughts: true, quick, searched };
        self.0.play(&plan, &mut folder, stop, progress)?;
        let lessons = self.lessons(&folder)?;
        let looks = self.train(&lessons, &mut folder, stop, progress)?;
        let trainer = self.trainer(&folder)?;
        let report = GoNetReport { recipe, lessons: &lessons, looks: &looks };
        folder.write(CHART, report.chart().as_bytes())?;
        folder.write(REPORT, report.text().as_bytes())?;
        let (net, summary) = (trainer.net().rounded(), report.summary());
        folder.write(NET, &net.to_bytes(&summary))?;
        let checksum = format!("{:016x}", net.checksum());
        folder.log(&json!({ "event": "done", "checksum": checksum, "summary": summary }))?;
        let (weights, report) = (folder.file(NET), folder.file(REPORT));
        Ok(Outcome { weights, report, checksum, summary })
    }

    /// The positions of the games.
    fn lessons(&self, folder: &Folder) -> Result<Lessons, TrainingError> {
        let mut lessons = Lessons::default();
        self.0.read(folder, |games| lessons.add(games, &self.0.job.recipe.go_net))?;
        if lessons.train.is_empty() {
            let expected = "finished games to learn from, and not all of them held out";
            return Err(TextError::whole("games", "no positions", expected).into());
        }
        Ok(lessons)
    }

    /// The training as it was left, or at its beginning.
    fn trainer(&self, folder: &Folder) -> Result<Trainer, TrainingError> {
        if let Some(bytes) = folder.read(CHECKPOINT)? {
            return Trainer::from_bytes(&bytes, CHECKPOINT)
                .map_err(|_| damaged(folder, CHECKPOINT));
        }
        let recipe = &self.0.job.recipe;
        let Start::File(file) = &recipe.start else {
            let random = &mut Random::new(recipe.seed).split("network");
            return Ok(Trainer::new(BoardNet::new(recipe.go_net.blocks, random)));
        };
        let path = self.0.job.beside.join(file);
        let bytes = fs::read(&path).map_err(|error| TrainingError::disk(&path, &error))?;
        let net = BoardNet::from_bytes(&bytes, file);
        Ok(Trainer::new(net.map_err(|error| in_file(error.into(), &path))?))
    }

    /// Makes the steps that are left.
    fn train(
        &self,
        lessons: &Lessons,
        folder: &mut Folder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Vec<Look>, TrainingError> {
        let Job { recipe, threads, .. } = self.0.job;
        let settings = &recipe.go_net;
        let mut trainer = self.trainer(folder)?;
        let mut looks: Vec<Look> = match folder.read(LOOKS_FILE)? {
            None => Vec::new(),
            Some(bytes) => {
                serde_json::from_slice(&bytes).map_err(|_| damaged(folder, LOOKS_FILE))?
            }
        };
        // Those of steps that were lost are made again.
        looks.retain(|look| look.steps <= trainer.steps());
        let every = (lessons.held_out.len() / LOOKED_AT).max(1);
        let held_out: Vec<&Lesson> = lessons.held_out.iter().step_by(every).collect();
        let schedule = Schedule {
            rate: settings.rate as f32,
            steps: settings.steps,
            decay: settings.decay as f32,
        };
        let (total, interval) = (settings.steps, settings.steps.div_ceil(LOOKS));
        let mut kept = Instant::now();
        loop {
            let steps = trainer.steps();
            let is_due = steps.is_multiple_of(interval) || steps == total;
            if is_due && looks.last().is_none_or(|look| look.steps < steps) {
                let look = Look::new(steps, trainer.net().losses(&held_out, *threads));
                looks.push(look);
                folder.log(&json!({ "event": "look", "look": look }))?;
            }
            if steps.is_multiple_of(BREATH) || steps == total {
                let stopped = stop.load(Ordering::Relaxed) && steps < total;
                if stopped || steps == total || kept.elapsed() > CHECKPOINT_TIME {
                    folder.write(LOOKS_FILE, &serde_json::to_vec(&looks).expect("numbers"))?;
                    folder.write(CHECKPOINT, &trainer.to_bytes())?;
                    kept = Instant::now();
                }
                let note = looks.last().map_or(String::new(), |look| {
                    format!("{:.1} % of moves, winner {:.4}", 100.0 * look.first, look.winner)
                });
                progress(&Progress { stage: Stage::Training, done: steps, total, note });
                if stopped {
                    return Err(TrainingError::Stopped);
                }
            }
            if steps >= total {
                return Ok(looks);
            }
            let batch = batch(lessons, settings.batch, recipe.seed, steps);
            trainer.step(&batch, &schedule, *threads);
        }
    }
}

/// The positions of a step: a pure function of the seed and its number.
fn batch(lessons: &Lessons, count: usize, seed: u64, step: u64) -> Vec<(&Lesson, u8)> {
    let mut random = Random::new(seed).split(&format!("step {step}"));
    let draw = |_| {
        let lesson = &lessons.train[random.below(lessons.train.len())];
        (lesson, random.below(8) as u8)
    };
    (0..count).map(draw).collect()
}
