//! Training runs: jobs, progress, results, and the runs of linear evaluations.

use crate::{
    Recipe, StartWeights, TrainingError, TrainingKind, TunableEval,
    folder::{FolderMode, RunFolder},
    hill_climb::{self, HillClimber},
    players::player_with_weights,
    report::{self, HillClimbReport, TexelReport},
    samples::TermSamples,
    self_play::SelfPlay,
    self_play_file::{SelfPlayFile, read_positions},
    texel::{self, Target, Tuner},
};
use ludus_core::{
    HasEval, LinearEval, Options, Player, PlayerError, TextError, Weights, WithWeights,
    position::mix,
};
use ludus_players::Roster;
use serde_json::json;
use std::{
    fs,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

/// A recipe and the folder of its run.
pub struct Job {
    /// Parsed recipe.
    pub recipe: Recipe,
    /// Text of the recipe, as written.
    pub text: String,
    /// Folder that file names in the recipe are relative to.
    pub recipe_dir: PathBuf,
    /// Folder of the run.
    pub folder: PathBuf,
    /// Whether to resume an earlier run.
    pub resume: bool,
    /// Number of threads.
    pub threads: usize,
}

impl Job {
    /// Parses the file the recipe starts from; `None` if it names none.
    pub(crate) fn start<T>(
        &self,
        parse: impl Fn(&str) -> Result<T, TextError>,
    ) -> Result<Option<T>, TrainingError> {
        let StartWeights::File(file) = &self.recipe.start else { return Ok(None) };
        let path = self.recipe_dir.join(file);
        let text = fs::read_to_string(&path).map_err(|error| TrainingError::disk(&path, &error))?;
        parse(&text).map(Some).map_err(|error| in_file(error.into(), &path))
    }

    /// Opens the run's folder and logs the start or the resumption.
    pub(crate) fn begin(&self) -> Result<RunFolder, TrainingError> {
        let begin = if self.resume { FolderMode::Resume } else { FolderMode::New };
        let mut folder = RunFolder::open(&self.folder, &self.text, begin)?;
        let (resume, threads) = (self.resume, self.threads);
        folder.log(&json!({ "event": "begin", "resume": resume, "threads": threads }))?;
        Ok(folder)
    }
}

/// Stage of a run.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TrainingStage {
    /// Self-play games.
    SelfPlay,
    /// Collecting positions from games.
    Collecting,
    /// Texel tuning.
    Tuning,
    /// Hill climbing.
    Climbing,
    /// Training a network.
    Training,
    /// TD learning by self-play against a copy.
    Learning,
    /// Training networks on sets of features.
    Breeding,
    /// Playing the games of generations.
    Evolving,
    /// Fitting parameters to moves or results of games.
    Fitting,
}

/// Progress of a run.
#[derive(Clone, Debug)]
pub struct TrainingProgress {
    /// Current stage.
    pub stage: TrainingStage,
    /// Games, epochs, challenges or steps done.
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

const GAMES_FILE: &str = "games.txt";
const TEXEL_CHECKPOINT: &str = "checkpoint.bin";
const CLIMB_CHECKPOINT: &str = "checkpoint.json";
pub(crate) const WEIGHTS: &str = "weights.txt";
pub(crate) const REPORT: &str = "report.md";
/// Games between two log entries.
const LOG_INTERVAL: u64 = 1000;

/// A texel or hill-climbing run: tunes the linear evaluation of one game.
pub struct EvalRunner<'a, P> {
    job: &'a Job,
    options: Options,
    position: P,
    start: Weights,
    free: Vec<bool>,
}

impl<'a, P: TunableEval> EvalRunner<'a, P> {
    /// Checks what only the game can check of the recipe.
    pub fn new(job: &'a Job) -> Result<EvalRunner<'a, P>, TrainingError> {
        let options = Options::parse(&job.recipe.game, P::OPTIONS)?;
        let start = match &job.recipe.start {
            StartWeights::Hand => P::Knowledge::handcrafted().weights(),
            StartWeights::Zero => Weights::zero(P::Knowledge::GROUPS),
            StartWeights::File(file) => {
                let path = job.recipe_dir.join(file);
                let text = fs::read_to_string(&path).map_err(|error| {
                    let expected = format!("hand, zero or a file of weights ({error})");
                    TextError::whole("start", &path.display().to_string(), expected)
                })?;
                Weights::parse(&text, P::Knowledge::GROUPS)?
            }
        };
        if !matches!(job.recipe.kind, TrainingKind::Texel | TrainingKind::HillClimb) {
            let expected = "texel or climb: this game has no network";
            return Err(TextError::whole("kind", job.recipe.kind.name(), expected).into());
        }
        check_data(job)?;
        player_with_weights::<P>(&job.recipe.player, &start)?;
        let free = free_terms::<P>(&job.recipe.texel.fixed)?;
        Ok(EvalRunner { job, position: P::start(&options)?, options, start, free })
    }

    /// Runs all stages, or resumes them.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<RunResult, TrainingError> {
        let mut folder = self.job.begin()?;
        let (weights, report, summary) = match self.job.recipe.kind {
            TrainingKind::Texel => {
                self.play_games(&mut folder, stop, progress)?;
                self.tune(&mut folder, stop, progress)?
            }
            TrainingKind::HillClimb => self.hill_climb(&mut folder, stop, progress)?,
            _ => unreachable!("refused when the runner was made"),
        };
        let checksum = checksum(&weights.text(P::Knowledge::GROUPS));
        let heading = format!("# {summary}\n# checksum {checksum}\n");
        folder.write(WEIGHTS, (heading + &weights.text(P::Knowledge::GROUPS)).as_bytes())?;
        folder.write(REPORT, report.as_bytes())?;
        folder.log(&json!({ "event": "done", "checksum": checksum, "summary": summary }))?;
        let (weights, report) = (folder.file(WEIGHTS), folder.file(REPORT));
        Ok(RunResult { weights, report, checksum, summary })
    }

    fn build(&self, weights: &Weights) -> Result<Box<dyn Player<P>>, PlayerError> {
        player_with_weights(&self.job.recipe.player, weights)
    }

    fn play_games(
        &self,
        folder: &mut RunFolder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<(), TrainingError> {
        let play = SelfPlay {
            start: &self.position,
            build: &|| self.build(&self.start),
            settings: &self.job.recipe.self_play,
            seed: self.job.recipe.seed,
            threads: self.job.threads,
            stop,
        };
        let evaluation = checksum(&self.start.text(P::Knowledge::GROUPS));
        play_games(self.job, &play, &evaluation, folder, progress)
    }

    /// Reads all positions: the run's own, and those of the files the recipe names.
    fn samples(&self, folder: &RunFolder) -> Result<TermSamples, TrainingError> {
        let mut samples = TermSamples::default();
        for path in game_files(self.job, folder) {
            let first_game = samples.rows().iter().map(|row| row.game + 1).max().unwrap_or(0);
            let put = |samples: &mut TermSamples, position: &P, label| {
                samples.push::<P::Knowledge>(position, label)
            };
            let (options, threads) = (&self.options, self.job.threads);
            let parts =
                read_positions(&path, options, first_game, threads, TermSamples::default, put)
                    .map_err(|error| in_file(error, &path))?;
            for more in parts {
                if samples.is_empty() { samples = more } else { samples.append(&more) }
            }
        }
        let target = self.job.recipe.texel.target;
        let useless = |row: &crate::samples::SampleRow| row.margin.is_nan() && row.score.is_nan();
        if target == Target::Margin && samples.rows().iter().any(useless) {
            let expected = "result, for some of these games have neither a final count nor scores";
            return Err(TextError::whole("target", "margin", expected).into());
        }
        if samples.is_empty() {
            let expected = "games with quiet positions in them";
            return Err(TextError::whole("games", "no positions", expected).into());
        }
        Ok(samples)
    }

    fn tune(
        &self,
        folder: &mut RunFolder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<(Weights, String, String), TrainingError> {
        let samples = self.samples(folder)?;
        let Recipe { texel: settings, seed, .. } = &self.job.recipe;
        let free = self.free.clone();
        let tuner = Tuner::new(settings, &samples, &self.start, free, *seed, self.job.threads);
        let mut state = match folder.read(TEXEL_CHECKPOINT)? {
            None => tuner.begin(),
            Some(bytes) => texel::TexelState::from_bytes(&bytes, self.start.terms.len())
                .ok_or_else(|| damaged(folder, TEXEL_CHECKPOINT))?,
        };
        let (train, held_out) = tuner.sizes();
        folder.log(&json!({
            "event": "samples", "positions": samples.len(), "entries": samples.entries(),
            "train": train, "validation": held_out, "k": tuner.k(),
        }))?;
        let (started, first) = (Instant::now(), state.epoch());
        while !tuner.is_done(&state) {
            if stop.load(Ordering::Relaxed) {
                return Err(TrainingError::Stopped);
            }
            tuner.epoch(&mut state);
            folder.write(TEXEL_CHECKPOINT, &state.bytes())?;
            let errors = state.history[state.epoch()];
            folder.log(&json!({
                "event": "epoch", "epoch": state.epoch(), "errors": errors,
                "seconds": started.elapsed().as_secs_f64(),
            }))?;
            let note = format!("error {:.6}, held out {:.6}", errors.train, errors.validation);
            let (done, total) = (state.epoch() as u64, settings.epochs.into());
            progress(&TrainingProgress { stage: TrainingStage::Tuning, done, total, note });
        }
        let weights = state.weights();
        let seconds = started.elapsed().as_secs_f64();
        let report = TexelReport {
            recipe: &self.job.recipe,
            groups: P::Knowledge::GROUPS,
            start: &self.start,
            tuned: &weights,
            positions: (train, held_out),
            entries: samples.entries(),
            k: tuner.k(),
            history: &state.history,
            rounded: tuner.errors(&texel::to_units(&weights)),
            epoch_seconds: seconds / (state.epoch() - first).max(1) as f64,
        };
        folder.write(report::CHART, report.chart().as_bytes())?;
        let (text, summary) = (report.text(), report.summary());
        Ok((weights, text, summary))
    }

    fn hill_climb(
        &self,
        folder: &mut RunFolder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&TrainingProgress),
    ) -> Result<(Weights, String, String), TrainingError> {
        let climber = HillClimber {
            start_position: &self.position,
            build: &|weights| self.build(weights),
            settings: &self.job.recipe.hill_climb,
            start: &self.start,
            free: &self.free,
            seed: self.job.recipe.seed,
            threads: self.job.threads,
            stop,
        };
        let mut state = match folder.read(CLIMB_CHECKPOINT)? {
            None => climber.begin(),
            Some(bytes) => hill_climb::HillClimbState::from_bytes(&bytes, P::Knowledge::GROUPS)
                .ok_or_else(|| damaged(folder, CLIMB_CHECKPOINT))?,
        };
        while !climber.is_done(&state) {
            climber.step(&mut state)?;
            folder.write(CLIMB_CHECKPOINT, &state.bytes(P::Knowledge::GROUPS))?;
            let challenge = *state.history.last().expect("a step leaves an entry");
            folder.log(&json!({ "event": "challenge", "challenge": challenge }))?;
            let successes = state.history.iter().filter(|step| step.won && !step.last).count();
            let note = format!("climb {}, {successes} successes", state.climb + 1);
            let (done, total) = (climber.challenges(&state), self.job.recipe.hill_climb.steps);
            let (done, total) = (done.into(), total.into());
            progress(&TrainingProgress { stage: TrainingStage::Climbing, done, total, note });
        }
        let report = HillClimbReport {
            recipe: &self.job.recipe,
            groups: P::Knowledge::GROUPS,
            start: &self.start,
            state: &state,
        };
        folder.write(report::CHART, report.chart().as_bytes())?;
        Ok((state.best.clone(), report.text(), report.summary()))
    }
}

/// Plays the games of a run, or the rest of them. `evaluation` identifies the player's evaluation.
pub(crate) fn play_games<P: Roster>(
    job: &Job,
    play: &SelfPlay<'_, P>,
    evaluation: &str,
    folder: &mut RunFolder,
    progress: &mut dyn FnMut(&TrainingProgress),
) -> Result<(), TrainingError> {
    let Recipe { self_play, seed, player, game, .. } = &job.recipe;
    if self_play.games == 0 {
        return Ok(());
    }
    let header = json!({
        "game": Options::parse(game, P::OPTIONS)?.to_string(),
        "player": player,
        "weights": evaluation,
        "seed": seed,
        "self_play": self_play,
    });
    let path = folder.file(GAMES_FILE);
    let mut games = SelfPlayFile::open(&path, &header.to_string())?;
    let (known, started) = (games.positions, Instant::now());
    let played = play.run(games.games, |block| {
        games.append(&block).map_err(|error| TrainingError::disk(&path, &error))?;
        let seconds = started.elapsed().as_secs_f64();
        let rate = (games.positions - known) as f64 / seconds.max(1e-9);
        if games.games.is_multiple_of(LOG_INTERVAL) || games.games == self_play.games {
            let (games, positions) = (games.games, games.positions);
            folder.log(&json!({
                "event": "games", "games": games, "positions": positions, "seconds": seconds,
            }))?;
        }
        let note = format!("{} positions, {rate:.0}/s", games.positions);
        let (done, total) = (games.games, self_play.games);
        progress(&TrainingProgress { stage: TrainingStage::SelfPlay, done, total, note });
        Ok(())
    });
    games.sync().map_err(|error| TrainingError::disk(&path, &error))?;
    played
}

/// Files with the positions of a run: its own games, and those the recipe names.
pub(crate) fn game_files(job: &Job, folder: &RunFolder) -> Vec<PathBuf> {
    let own = (job.recipe.self_play.games > 0).then(|| folder.file(GAMES_FILE));
    let others = job.recipe.data.iter().map(|file| job.recipe_dir.join(file));
    own.into_iter().chain(others).collect()
}

/// Checks that the files of games named by the recipe exist.
pub(crate) fn check_data(job: &Job) -> Result<(), TextError> {
    for file in &job.recipe.data {
        let path = job.recipe_dir.join(file);
        if !path.is_file() {
            let expected = "a file of self-play games";
            return Err(TextError::whole("data", &path.display().to_string(), expected));
        }
    }
    Ok(())
}

/// Terms that may change: those outside the `fixed` groups.
fn free_terms<P: TunableEval>(fixed: &[String]) -> Result<Vec<bool>, TextError> {
    for name in fixed {
        if !P::Knowledge::GROUPS.iter().any(|group| group.name == name) {
            let names: Vec<&str> = P::Knowledge::GROUPS.iter().map(|group| group.name).collect();
            let expected = format!("one of the groups {}", names.join(", "));
            return Err(TextError::whole("fixed group", name, expected));
        }
    }
    let is_free = |name: &str| !fixed.iter().any(|fixed| fixed == name);
    Ok(P::Knowledge::GROUPS
        .iter()
        .flat_map(|group| std::iter::repeat_n(is_free(group.name), group.terms))
        .collect())
}

pub(crate) fn damaged(folder: &RunFolder, name: &str) -> TrainingError {
    let path = folder.file(name);
    TrainingError::Disk(format!(
        "{}: damaged, or the checkpoint of another evaluation; delete it to restart this stage",
        path.display()
    ))
}

/// Adds the file name to an error about its contents.
pub(crate) fn in_file(error: TrainingError, path: &std::path::Path) -> TrainingError {
    match error {
        TrainingError::Text(error) => TrainingError::Text(TextError {
            what: format!("{}: {}", path.display(), error.what),
            ..error
        }),
        other => other,
    }
}

/// Checksum of a text, 16 hexadecimal digits.
pub(crate) fn checksum(text: &str) -> String {
    let hash = text.bytes().fold(1, |hash, byte| mix(hash ^ u64::from(byte)).wrapping_add(1));
    format!("{hash:016x}")
}
