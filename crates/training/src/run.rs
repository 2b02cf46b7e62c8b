//! A run under way: its folder, those who watch it, and what it delivers.

use crate::{
    Job, TrainingError,
    folder::{FolderMode, RunFolder},
    report::RunReport,
};
use ludus_core::position::mix;
use serde_json::{Value, json};
use std::{
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
};

/// Stage of a run, in words.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TrainingStage {
    /// Activity, such as "playing self-play games".
    pub activity: &'static str,
    /// Unit of its progress, such as "games".
    pub unit: &'static str,
}

/// Stages that several kinds of training have.
impl TrainingStage {
    /// Self-play games.
    pub const SELF_PLAY: TrainingStage =
        TrainingStage { activity: "playing self-play games", unit: "games" };
    /// Training of a network.
    pub const TRAINING: TrainingStage =
        TrainingStage { activity: "training a network", unit: "epochs" };
    /// TD learning by self-play against a copy.
    pub const LEARNING: TrainingStage =
        TrainingStage { activity: "learning against its copy", unit: "sessions" };
    /// Fit of parameters to moves or results of games.
    pub const FITTING: TrainingStage =
        TrainingStage { activity: "fitting strengths to choices", unit: "steps" };
}

/// Progress of a run.
#[derive(Clone, Debug)]
pub struct TrainingProgress {
    /// Current stage.
    pub stage: TrainingStage,
    /// Units of the stage done.
    pub done: u64,
    /// Upper limit of `done`.
    pub total: u64,
    /// Details for the progress display.
    pub note: String,
}

/// Result of a run.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// File of the weights.
    pub weights: PathBuf,
    /// File of the report.
    pub report: PathBuf,
    /// Checksum of the weights, the same for the same recipe on the same machine.
    pub checksum: String,
    /// Summary in one line.
    pub summary: String,
}

/// Weights that a run has learned.
pub enum LearnedWeights {
    /// Text, for a file with a heading.
    Text(String),
    /// Text in a format of its own, which says itself what it comes from.
    Model(String),
    /// Network in its own format, with its checksum.
    Network {
        /// Contents of the file.
        bytes: Vec<u8>,
        /// Checksum of the network.
        checksum: u64,
    },
}

/// Weights and report of a run at its end.
pub struct Trained {
    /// Weights.
    pub weights: LearnedWeights,
    /// Report.
    pub report: RunReport,
}

const TEXT_WEIGHTS: &str = "weights.txt";
const NETWORK_WEIGHTS: &str = "weights.net";
const REPORT: &str = "report.md";

/// A run under way.
pub struct Run<'a> {
    /// Recipe and settings.
    pub job: &'a Job,
    /// Folder with everything the run writes.
    pub folder: RunFolder,
    /// Stop flag.
    pub stop: &'a AtomicBool,
    on_progress: &'a mut dyn FnMut(&TrainingProgress),
}

impl<'a> Run<'a> {
    /// Opens the run's folder and logs the start or the resumption.
    pub fn open(
        job: &'a Job,
        stop: &'a AtomicBool,
        on_progress: &'a mut dyn FnMut(&TrainingProgress),
    ) -> Result<Run<'a>, TrainingError> {
        let Job { resume, threads, .. } = *job;
        let mode = if resume { FolderMode::Resume } else { FolderMode::New };
        let folder = RunFolder::open(&job.folder, &job.text, mode)?;
        let mut run = Run { job, folder, stop, on_progress };
        let begin = json!({ "event": "begin", "resume": resume, "threads": threads });
        run.folder.log_again(&begin)?;
        Ok(run)
    }

    /// Whether the stop flag is raised.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Adds a row to the log, unless a run that was interrupted added it before: a log has one row
    /// for each `event` and its `number`, `specialist` or `set`. To be called before the step is
    /// stored.
    pub fn log(&mut self, entry: &Value) -> Result<(), TrainingError> {
        self.folder.log(entry)
    }

    /// Reports progress.
    pub fn progress(&mut self, stage: TrainingStage, done: u64, total: u64, note: String) {
        (self.on_progress)(&TrainingProgress { stage, done, total, note });
    }

    /// Writes charts, weights with their checksum, and the report.
    pub fn finish(mut self, trained: Trained) -> Result<RunResult, TrainingError> {
        let Trained { weights, report: RunReport { summary, text, charts } } = trained;
        for (name, chart) in charts {
            self.folder.write(name, chart.as_bytes())?;
        }
        let (file, bytes, checksum) = match weights {
            LearnedWeights::Text(text) => {
                let checksum = checksum(&text);
                let heading = format!("# {summary}\n# checksum {checksum}\n");
                (TEXT_WEIGHTS, (heading + &text).into_bytes(), checksum)
            }
            LearnedWeights::Model(text) => {
                let checksum = checksum(&text);
                (TEXT_WEIGHTS, text.into_bytes(), checksum)
            }
            LearnedWeights::Network { bytes, checksum } => {
                (NETWORK_WEIGHTS, bytes, format!("{checksum:016x}"))
            }
        };
        self.folder.write(file, &bytes)?;
        self.folder.write(REPORT, text.as_bytes())?;
        self.log(&json!({ "event": "done", "checksum": checksum, "summary": summary }))?;
        let (weights, report) = (self.folder.file(file), self.folder.file(REPORT));
        Ok(RunResult { weights, report, checksum, summary })
    }
}

/// Checksum of a text, 16 hexadecimal digits.
pub(crate) fn checksum(text: &str) -> String {
    let hash = text.bytes().fold(1, |hash, byte| mix(hash ^ u64::from(byte)).wrapping_add(1));
    format!("{hash:016x}")
}
