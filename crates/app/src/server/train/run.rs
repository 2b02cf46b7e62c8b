//! One run: under way, or as its folder has it.

use super::{
    super::{
        error::ApiError,
        watched::{Phase, State, Watched},
    },
    curves, recipes,
};
use ludus_training::{Job, Kind, Progress, Recipe, Stage, TrainingError};
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

/// Bytes of a log that are read.
const LONGEST_LOG: u64 = 32 << 20;

/// Whether to go on with an earlier run.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Begin {
    Anew,
    Resume,
}

/// A run that is watched.
pub struct Live {
    name: String,
    kind: String,
    game: String,
    /// As it was written.
    pub recipe: String,
    folder: PathBuf,
    pub work: Watched<SoFar>,
}

/// How far a run has come.
#[derive(Clone, Default)]
pub struct SoFar {
    stage: &'static str,
    done: u64,
    total: u64,
    note: String,
}

/// A run for the page.
#[derive(Serialize, ToSchema)]
pub struct Document {
    name: String,
    kind: String,
    game: String,
    /// `running`, `stopped`, `finished` or `failed`.
    state: Phase,
    error: Option<String>,
    /// What it does at the moment.
    stage: &'static str,
    done: u64,
    total: u64,
    note: String,
    /// What came of it.
    summary: Option<String>,
    checksum: Option<String>,
    /// Seconds since 1970.
    pub started: u64,
    curves: Vec<curves::Curve>,
    /// What it has written so far, newest first.
    checkpoints: Vec<Checkpoint>,
    /// The recipe as it was written.
    recipe: String,
}

/// A file that a run wrote.
#[derive(Serialize, ToSchema)]
pub struct Checkpoint {
    file: String,
    bytes: u64,
    /// Seconds since 1970.
    at: u64,
}

/// Starts a run on a thread of its own.
pub fn begin(folder: &Path, name: &str, text: String, begin: Begin) -> Result<Arc<Live>, ApiError> {
    let recipe = Recipe::parse(&text)?;
    let (bench, _) = recipe.bench()?;
    // Runs and recipes lie side by side, as in the source of the program.
    let root = folder.parent().and_then(Path::parent).unwrap_or(folder);
    let beside = root.join("recipes");
    recipes::lay_out(&recipe, &beside).map_err(|error| {
        ApiError::unavailable(format!("cannot write {}: {error}", beside.display()))
    })?;
    let job = Job {
        text: text.clone(),
        beside,
        folder: folder.to_owned(),
        resume: begin == Begin::Resume,
        threads: thread::available_parallelism().map_or(1, usize::from),
        recipe,
    };
    bench.check(&job).map_err(in_words)?;
    let live = Arc::new(Live::new(folder, name, &job.recipe, text, Phase::Running));
    let run = Arc::clone(&live);
    let work = move || {
        let mut progress = |progress: &Progress| run.note(progress);
        let result =
            catch_unwind(AssertUnwindSafe(|| bench.run(&job, run.work.stopping(), &mut progress)));
        let (phase, error) = match result {
            Ok(Ok(_)) => (Phase::Finished, None),
            Ok(Err(TrainingError::Stopped)) => (Phase::Stopped, None),
            Ok(Err(error)) => (Phase::Failed, Some(error.to_string())),
            Err(_) => (Phase::Failed, Some("the run broke down: a fault of ours".to_owned())),
        };
        run.work.change(|state| (state.phase, state.error) = (phase, error));
    };
    thread::Builder::new()
        .name(format!("run {name}"))
        .spawn(work)
        .map_err(|error| ApiError::unavailable(format!("no thread for another run: {error}")))?;
    Ok(live)
}

fn in_words(error: TrainingError) -> ApiError {
    match error {
        TrainingError::Text(error) => error.into(),
        TrainingError::Player(error) => error.into(),
        TrainingError::Disk(message) => ApiError::bad(message),
        TrainingError::Build(message) => ApiError::conflict(message),
        TrainingError::Stopped => ApiError::conflict("the run was stopped"),
    }
}

/// A run that nobody works on, as its folder has it.
pub fn of_folder(folder: &Path, name: &str) -> Option<Live> {
    let text = fs::read_to_string(folder.join("recipe.toml")).ok()?;
    let recipe = Recipe::parse(&text).ok()?;
    let story = curves::read(&log(folder));
    let phase = if story.summary.is_some() { Phase::Finished } else { Phase::Stopped };
    let total = total(&recipe).max(story.steps);
    let live = Live::new(folder, name, &recipe, text, phase);
    live.work.change(|state| (state.so_far.done, state.so_far.total) = (story.steps, total));
    Some(live)
}

/// How many steps a run of a recipe takes, as far as that is known.
fn total(recipe: &Recipe) -> u64 {
    match recipe.kind {
        Kind::Td => recipe.td.sessions.into(),
        Kind::Texel => recipe.texel.epochs.into(),
        Kind::Net => recipe.net.epochs.into(),
        Kind::Climb => recipe.climb.steps.into(),
        _ => 0,
    }
}

fn log(folder: &Path) -> String {
    let mut bytes = Vec::new();
    if let Ok(file) = fs::File::open(folder.join("log.jsonl")) {
        // What cannot be read is not shown.
        let _ = file.take(LONGEST_LOG).read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn stage_words(stage: Stage) -> &'static str {
    match stage {
        Stage::SelfPlay => "playing games against itself",
        Stage::Collecting => "collecting boards",
        Stage::Tuning => "tuning",
        Stage::Climbing => "challenging the champion",
        Stage::Training => "training a network",
        Stage::Learning => "learning against its copy",
        Stage::Breeding => "training on sets of features",
        Stage::Evolving => "playing the games of generations",
        Stage::Fitting => "fitting strengths to choices",
    }
}

fn seconds(metadata: &Metadata) -> u64 {
    let time = metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    time.map_or(0, |time| time.as_secs())
}

impl Live {
    fn new(folder: &Path, name: &str, recipe: &Recipe, text: String, phase: Phase) -> Live {
        Live {
            name: name.to_owned(),
            kind: recipes::kind_name(recipe.kind),
            game: recipe.game.clone(),
            recipe: text,
            folder: folder.to_owned(),
            work: Watched::new(phase, SoFar::default()),
        }
    }

    fn note(&self, progress: &Progress) {
        self.work.change(|State { so_far, .. }| {
            so_far.stage = stage_words(progress.stage);
            so_far.done = progress.done;
            so_far.total = progress.total;
            so_far.note.clone_from(&progress.note);
        });
    }

    /// All there is to see; reads the log.
    pub fn document(&self) -> Document {
        let State { phase, error, so_far } = self.work.state().clone();
        let SoFar { stage, done, total, note } = so_far;
        let story = curves::read(&log(&self.folder));
        let begun = fs::metadata(self.folder.join("recipe.toml"));
        Document {
            name: self.name.clone(),
            kind: self.kind.clone(),
            game: self.game.clone(),
            state: phase,
            error,
            stage,
            done,
            total,
            note,
            summary: story.summary,
            checksum: story.checksum,
            started: begun.map_or(0, |metadata| seconds(&metadata)),
            curves: story.curves,
            checkpoints: self.checkpoints(),
            recipe: self.recipe.clone(),
        }
    }

    fn checkpoints(&self) -> Vec<Checkpoint> {
        let kept = |file: &str| {
            ["checkpoint", "specialist", "weights", "report"]
                .iter()
                .any(|start| file.starts_with(start) && !file.ends_with(".partial"))
        };
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let checkpoint = |entry: fs::DirEntry| {
            let file = entry.file_name().into_string().ok().filter(|file| kept(file))?;
            let metadata = entry.metadata().ok()?;
            Some(Checkpoint { file, bytes: metadata.len(), at: seconds(&metadata) })
        };
        let mut files: Vec<Checkpoint> = entries.flatten().filter_map(checkpoint).collect();
        files.sort_by(|one, other| other.at.cmp(&one.at).then(one.file.cmp(&other.file)));
        files
    }
}
