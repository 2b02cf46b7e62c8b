//! One training run: under way, or loaded from its folder.

use super::{
    super::{
        background_job::{BackgroundJob, JobState, Phase},
        error::ApiError,
    },
    curves, recipes,
};
use ludus_core::TextError;
use ludus_training::{
    Job, Recipe, TrainingError, TrainingProgress, folder::RunFolder, kinds::TrainingKind,
};
use serde::Serialize;
use std::{
    fs::{self, Metadata},
    io::Read,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::UNIX_EPOCH,
};
use utoipa::ToSchema;

/// Maximum number of bytes read from a log.
const MAX_LOG_BYTES: u64 = 32 << 20;

/// Start of a new run or of an earlier one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum RunMode {
    New,
    Resume,
}

impl RunMode {
    /// Reads the recipe of a run that is started this way.
    pub fn parse(self, text: &str) -> Result<Recipe, TextError> {
        match self {
            RunMode::New => Recipe::parse(text),
            RunMode::Resume => Recipe::parse_begun(text),
        }
    }
}

/// A training run that can be watched.
pub struct LiveRun {
    name: String,
    kind: &'static TrainingKind,
    game: String,
    /// Text of the recipe.
    pub recipe: String,
    folder: PathBuf,
    pub job: BackgroundJob<RunStatus>,
}

/// Progress of a run.
#[derive(Clone, Default)]
pub struct RunStatus {
    stage: &'static str,
    done: u64,
    total: u64,
    note: String,
}

/// A training run.
#[derive(Serialize, ToSchema)]
pub struct RunView {
    name: String,
    kind: &'static str,
    /// Description of the kind in one line.
    kind_about: &'static str,
    game: String,
    /// `running`, `stopped`, `finished` or `failed`.
    state: Phase,
    error: Option<String>,
    /// Current stage, in words.
    stage: &'static str,
    done: u64,
    total: u64,
    note: String,
    /// Result in words, once the run is finished.
    summary: Option<String>,
    checksum: Option<String>,
    /// Seconds since 1970.
    pub started: u64,
    curves: Vec<curves::Curve>,
    /// Files written so far, newest first.
    checkpoints: Vec<Checkpoint>,
    /// Text of the recipe.
    recipe: String,
}

/// A file written by a run.
#[derive(Serialize, ToSchema)]
pub struct Checkpoint {
    file: String,
    bytes: u64,
    /// Seconds since 1970.
    at: u64,
}

/// Starts a run on its own thread.
pub fn start(
    folder: &Path,
    name: &str,
    text: String,
    mode: RunMode,
) -> Result<Arc<LiveRun>, ApiError> {
    let recipe = mode.parse(&text)?;
    recipe.game_options()?;
    // `runs` and `recipes` are siblings, as in the source tree, so that relative paths work.
    let root = folder.parent().and_then(Path::parent).unwrap_or(folder);
    let recipe_dir = root.join("recipes");
    recipes::copy_built_in_files(&recipe, &recipe_dir).map_err(|error| {
        ApiError::unavailable(format!("cannot write {}: {error}", recipe_dir.display()))
    })?;
    let job = Job {
        text: text.clone(),
        recipe_dir,
        folder: folder.to_owned(),
        resume: mode == RunMode::Resume,
        threads: thread::available_parallelism().map_or(1, usize::from),
        recipe,
    };
    job.check().map_err(to_api_error)?;
    if let Some(holder) = RunFolder::holder(folder) {
        return Err(ApiError::conflict(format!("the run is in use by {holder}")));
    }
    let live = Arc::new(LiveRun::new(folder, name, &job.recipe, text, Phase::Running));
    let run = Arc::clone(&live);
    let work = move || {
        let mut progress = |progress: &TrainingProgress| run.set_progress(progress);
        let result = catch_unwind(AssertUnwindSafe(|| job.run(run.job.stop_flag(), &mut progress)));
        let (phase, error) = match result {
            Ok(Ok(_)) => (Phase::Finished, None),
            Ok(Err(TrainingError::Stopped)) => (Phase::Stopped, None),
            Ok(Err(error)) => (Phase::Failed, Some(error.to_string())),
            Err(_) => (Phase::Failed, Some("internal error".to_owned())),
        };
        run.job.change(|state| (state.phase, state.error) = (phase, error));
    };
    thread::Builder::new()
        .name(format!("run {name}"))
        .spawn(work)
        .map_err(|error| ApiError::unavailable(format!("no thread for another run: {error}")))?;
    Ok(live)
}

fn to_api_error(error: TrainingError) -> ApiError {
    match error {
        TrainingError::Text(error) => error.into(),
        TrainingError::Player(error) => error.into(),
        TrainingError::Disk(message) => ApiError::bad(message),
        TrainingError::Build(message) | TrainingError::Busy(message) => ApiError::conflict(message),
        TrainingError::Stopped => ApiError::conflict("the run was stopped"),
    }
}

/// Loads a run that is not under way from its folder.
pub fn load(folder: &Path, name: &str) -> Option<LiveRun> {
    let text = fs::read_to_string(folder.join("recipe.toml")).ok()?;
    let recipe = Recipe::parse_begun(&text).ok()?;
    let log_summary = curves::read(&log(folder));
    let phase = if log_summary.summary.is_some() { Phase::Finished } else { Phase::Stopped };
    let total = recipe.steps().max(log_summary.steps);
    let live = LiveRun::new(folder, name, &recipe, text, phase);
    live.job.change(|state| (state.status.done, state.status.total) = (log_summary.steps, total));
    Some(live)
}

fn log(folder: &Path) -> String {
    let mut bytes = Vec::new();
    if let Ok(file) = fs::File::open(folder.join("log.jsonl")) {
        // Read errors are ignored: the run is shown without its curves.
        let _ = file.take(MAX_LOG_BYTES).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn seconds(metadata: &Metadata) -> u64 {
    let time = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    time.map_or(0, |time| time.as_secs())
}

impl LiveRun {
    fn new(folder: &Path, name: &str, recipe: &Recipe, text: String, phase: Phase) -> LiveRun {
        LiveRun {
            name: name.to_owned(),
            kind: recipe.kind(),
            game: recipe.game.clone(),
            recipe: text,
            folder: folder.to_owned(),
            job: BackgroundJob::new(phase, RunStatus::default()),
        }
    }

    fn set_progress(&self, progress: &TrainingProgress) {
        self.job.change(|JobState { status, .. }| {
            status.stage = progress.stage.activity;
            status.done = progress.done;
            status.total = progress.total;
            status.note.clone_from(&progress.note);
        });
    }

    /// The run with its curves and files; reads the log.
    pub fn document(&self) -> RunView {
        let JobState { phase, error, status } = self.job.state().clone();
        let RunStatus { stage, done, total, note } = status;
        let log_summary = curves::read(&log(&self.folder));
        let recipe_metadata = fs::metadata(self.folder.join("recipe.toml"));
        RunView {
            name: self.name.clone(),
            kind: self.kind.name,
            kind_about: self.kind.about,
            game: self.game.clone(),
            state: phase,
            error,
            stage,
            done,
            total,
            note,
            summary: log_summary.summary,
            checksum: log_summary.checksum,
            started: recipe_metadata.map_or(0, |metadata| seconds(&metadata)),
            curves: log_summary.curves,
            checkpoints: self.checkpoints(),
            recipe: self.recipe.clone(),
        }
    }

    fn checkpoints(&self) -> Vec<Checkpoint> {
        let is_output = |file: &str| {
            ["checkpoint", "specialist", "weights", "report"]
                .iter()
                .any(|start| file.starts_with(start) && !file.ends_with(".partial"))
        };
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let checkpoint = |entry: fs::DirEntry| {
            let file = entry.file_name().into_string().ok().filter(|file| is_output(file))?;
            let metadata = entry.metadata().ok()?;
            Some(Checkpoint { file, bytes: metadata.len(), at: seconds(&metadata) })
        };
        let mut files: Vec<Checkpoint> = entries.flatten().filter_map(checkpoint).collect();
        files.sort_by(|one, other| other.at.cmp(&one.at).then(one.file.cmp(&other.file)));
        files
    }
}
