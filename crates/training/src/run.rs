//! A run from its recipe to its weights.

use crate::{
    Kind, Recipe, Start, TrainingError, Tunable,
    climb::{self, Climber},
    contender::contender,
    data::{Games, read_positions},
    folder::{Begin, Folder},
    report::{self, ClimbReport, TexelReport},
    samples::Samples,
    self_play::SelfPlay,
    texel::{self, Target, Tuner},
};
use ludus_core::{
    Ending, Notation, Options, Player, PlayerError, SearchHints, TextError, Weights, WithWeights,
    position::mix,
};
use serde_json::json;
use std::{
    fs,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

/// A recipe and where its run is kept.
pub struct Job {
    /// What to do.
    pub recipe: Recipe,
    /// The recipe as it was written.
    pub text: String,
    /// The folder in which the files the recipe names are.
    pub beside: PathBuf,
    /// The folder of the run.
    pub folder: PathBuf,
    /// Whether to go on with an earlier run.
    pub resume: bool,
    /// Threads to use.
    pub threads: usize,
}

impl Job {
    /// What the file the recipe starts from holds; `None` if it names none.
    pub(crate) fn start<T>(
        &self,
        parse: impl Fn(&str) -> Result<T, TextError>,
    ) -> Result<Option<T>, TrainingError> {
        let Start::File(file) = &self.recipe.start else { return Ok(None) };
        let path = self.beside.join(file);
        let text = fs::read_to_string(&path).map_err(|error| TrainingError::disk(&path, &error))?;
        parse(&text).map(Some).map_err(|error| in_file(error.into(), &path))
    }

    /// Opens the folder of the run and notes in its log that the run begins or goes on.
    pub(crate) fn begin(&self) -> Result<Folder, TrainingError> {
        let begin = if self.resume { Begin::Resume } else { Begin::Anew };
        let mut folder = Folder::open(&self.folder, &self.text, begin)?;
        let (resume, threads) = (self.resume, self.threads);
        folder.log(&json!({ "event": "begin", "resume": resume, "threads": threads }))?;
        Ok(folder)
    }
}

/// What a run does at the moment.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Playing games against itself.
    SelfPlay,
    /// Collecting boards from games.
    Collecting,
    /// Going through the positions.
    Tuning,
    /// Challenging the champion.
    Climbing,
    /// Training a network.
    Training,
    /// Learning by playing a copy of itself.
    Learning,
    /// Training networks on sets of features.
    Breeding,
    /// Playing the games of generations.
    Evolving,
    /// Fitting strengths to choices.
    Fitting,
}

/// How far a run is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// What it does.
    pub stage: Stage,
    /// Games, epochs, challenges or steps done.
    pub done: u64,
    /// How many there will be at most.
    pub total: u64,
    /// What else there is to say.
    pub note: String,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The file of the weights.
    pub weights: PathBuf,
    /// The file of the report.
    pub report: PathBuf,
    /// The weights' checksum, the same for the same recipe on the same machine.
    pub checksum: String,
    /// What was gained, in one line.
    pub summary: String,
}

const GAMES: &str = "games.txt";
const TEXEL_CHECKPOINT: &str = "checkpoint.bin";
const CLIMB_CHECKPOINT: &str = "checkpoint.json";
pub(crate) const WEIGHTS: &str = "weights.txt";
pub(crate) const REPORT: &str = "report.md";
/// Games between two entries of the log.
const LOG_INTERVAL: u64 = 1000;

/// A run of one game.
pub struct Runner<'a, P> {
    job: &'a Job,
    options: Options,
    position: P,
    start: Weights,
    free: Vec<bool>,
}

impl<'a, P: Tunable> Runner<'a, P> {
    /// Checks everything in the recipe that only the game can check.
    pub fn new(job: &'a Job) -> Result<Runner<'a, P>, TrainingError> {
        let options = Options::parse(&job.recipe.game, P::OPTIONS)?;
        let start = match &job.recipe.start {
            Start::Hand => P::hand().weights(),
            Start::Zero => Weights::zero(P::GROUPS),
            Start::File(file) => {
                let path = job.beside.join(file);
                let text = fs::read_to_string(&path).map_err(|error| {
                    let expected = format!("hand, zero or a file of weights ({error})");
                    TextError::whole("start", &path.display().to_string(), expected)
                })?;
                Weights::parse(&text, P::GROUPS)?
            }
        };
        if !matches!(job.recipe.kind, Kind::Texel | Kind::Climb) {
            let expected = "texel or climb: this game has no network";
            return Err(TextError::whole("kind", job.recipe.kind.name(), expected).into());
        }
        check_data(job)?;
        contender::<P>(&job.recipe.player, &start)?;
        let free = free_terms::<P>(&job.recipe.texel.fixed)?;
        Ok(Runner { job, position: P::start(&options)?, options, start, free })
    }

    /// Does all that is left to do.
    pub fn run(
        &self,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<Outcome, TrainingError> {
        let mut folder = self.job.begin()?;
        let (weights, report, summary) = match self.job.recipe.kind {
            Kind::Texel => {
                self.play_games(&mut folder, stop, progress)?;
                self.tune(&mut folder, stop, progress)?
            }
            Kind::Climb => self.climb(&mut folder, stop, progress)?,
            _ => unreachable!("refused when the runner was made"),
        };
        let checksum = checksum(&weights.text(P::GROUPS));
        let heading = format!("# {summary}\n# checksum {checksum}\n");
        folder.write(WEIGHTS, (heading + &weights.text(P::GROUPS)).as_bytes())?;
        folder.write(REPORT, report.as_bytes())?;
        folder.log(&json!({ "event": "done", "checksum": checksum, "summary": summary }))?;
        let (weights, report) = (folder.file(WEIGHTS), folder.file(REPORT));
        Ok(Outcome { weights, report, checksum, summary })
    }

    fn build(&self, weights: &Weights) -> Result<Box<dyn Player<P>>, PlayerError> {
        contender(&self.job.recipe.player, weights)
    }

    fn play_games(
        &self,
        folder: &mut Folder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<(), TrainingError> {
        let play = SelfPlay {
            start: &self.position,
            build: &|| self.build(&self.start),
            settings: &self.job.recipe.self_play,
            seed: self.job.recipe.seed,
            threads: self.job.threads,
            stop,
        };
        let judge = checksum(&self.start.text(P::GROUPS));
        play_games(self.job, &play, &judge, folder, progress)
    }

    /// All positions: the run's own, and those of the files the recipe names.
    fn samples(&self, folder: &Folder) -> Result<Samples, TrainingError> {
        let mut samples = Samples::default();
        for path in game_files(self.job, folder) {
            let first_game = samples.rows().iter().map(|row| row.game + 1).max().unwrap_or(0);
            let put = |samples: &mut Samples, position: &P, label| samples.push(position, label);
            let (options, threads) = (&self.options, self.job.threads);
            let parts = read_positions(&path, options, first_game, threads, Samples::default, put)
                .map_err(|error| in_file(error, &path))?;
            for more in parts {
                if samples.is_empty() { samples = more } else { samples.append(&more) }
            }
        }
        let target = self.job.recipe.texel.target;
        let useless = |row: &crate::samples::Row| row.margin.is_nan() && row.score.is_nan();
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
        folder: &mut Folder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<(Weights, String, String), TrainingError> {
        let samples = self.samples(folder)?;
        let Recipe { texel: settings, seed, .. } = &self.job.recipe;
        let free = self.free.clone();
        let tuner = Tuner::new(settings, &samples, &self.start, free, *seed, self.job.threads);
        let mut state = match folder.read(TEXEL_CHECKPOINT)? {
            None => tuner.begin(),
            Some(bytes) => texel::State::from_bytes(&bytes, self.start.terms.len())
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
            progress(&Progress { stage: Stage::Tuning, done, total, note });
        }
        let weights = state.weights();
        let seconds = started.elapsed().as_secs_f64();
        let report = TexelReport {
            recipe: &self.job.recipe,
            groups: P::GROUPS,
            start: &self.start,
            tuned: &weights,
            positions: (train, held_out),
            entries: samples.entries(),
            k: tuner.k(),
            history: &state.history,
            rounded: tuner.errors(&texel::pairs(&weights)),
            epoch_seconds: seconds / (state.epoch() - first).max(1) as f64,
        };
        folder.write(report::CHART, report.chart().as_bytes())?;
        let (text, summary) = (report.text(), report.summary());
        Ok((weights, text, summary))
    }

    fn climb(
        &self,
        folder: &mut Folder,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(&Progress),
    ) -> Result<(Weights, String, String), TrainingError> {
        let climber = Climber {
            game_start: &self.position,
            build: &|weights| self.build(weights),
            settings: &self.job.recipe.climb,
            start: &self.start,
            free: &self.free,
            seed: self.job.recipe.seed,
            threads: self.job.threads,
            stop,
        };
        let mut state = match folder.read(CLIMB_CHECKPOINT)? {
            None => climber.begin(),
            Some(bytes) => climb::State::from_bytes(&bytes, P::GROUPS)
                .ok_or_else(|| damaged(folder, CLIMB_CHECKPOINT))?,
        };
        while !climber.is_done(&state) {
            climber.step(&mut state)?;
            folder.write(CLIMB_CHECKPOINT, &state.bytes(P::GROUPS))?;
            let challenge = *state.history.last().expect("a step leaves an entry");
            folder.log(&json!({ "event": "challenge", "challenge": challenge }))?;
            let successes = state.history.iter().filter(|step| step.won && !step.last).count();
            let note = format!("climb {}, {successes} successes", state.climb + 1);
            let (done, total) = (climber.challenges(&state), self.job.recipe.climb.steps);
            let (done, total) = (done.into(), total.into());
            progress(&Progress { stage: Stage::Climbing, done, total, note });
        }
        let report = ClimbReport {
            recipe: &self.job.recipe,
            groups: P::GROUPS,
            start: &self.start,
            state: &state,
        };
        folder.write(report::CHART, report.chart().as_bytes())?;
        Ok((state.best.clone(), report.text(), report.summary()))
    }
}

/// Plays the games of a run, or the rest of them. `judge` tells what the player judges by.
pub(crate) fn play_games<P: Notation + Ending + SearchHints>(
    job: &Job,
    play: &SelfPlay<'_, P>,
    judge: &str,
    folder: &mut Folder,
    progress: &mut dyn FnMut(&Progress),
) -> Result<(), TrainingError> {
    let Recipe { self_play, seed, player, game, .. } = &job.recipe;
    if self_play.games == 0 {
        return Ok(());
    }
    let header = json!({
        "game": Options::parse(game, P::OPTIONS)?.to_string(),
        "player": player,
        "weights": judge,
        "seed": seed,
        "self_play": self_play,
    });
    let path = folder.file(GAMES);
    let mut games = Games::open(&path, &header.to_string())?;
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
        progress(&Progress { stage: Stage::SelfPlay, done, total, note });
        Ok(())
    });
    games.sync().map_err(|error| TrainingError::disk(&path, &error))?;
    played
}

/// The files with the positions of a run: its own games, and those the recipe names.
pub(crate) fn game_files(job: &Job, folder: &Folder) -> Vec<PathBuf> {
    let own = (job.recipe.self_play.games > 0).then(|| folder.file(GAMES));
    let others = job.recipe.data.iter().map(|file| job.beside.join(file));
    own.into_iter().chain(others).collect()
}

/// Checks that the files of games that the recipe names are there.
pub(crate) fn check_data(job: &Job) -> Result<(), TextError> {
    for file in &job.recipe.data {
        let path = job.beside.join(file);
        if !path.is_file() {
            let expected = "a file of self-play games";
            return Err(TextError::whole("data", &path.display().to_string(), expected));
        }
    }
    Ok(())
}

/// Which terms may change: those outside the `fixed` groups.
fn free_terms<P: Tunable>(fixed: &[String]) -> Result<Vec<bool>, TextError> {
    for name in fixed {
        if !P::GROUPS.iter().any(|group| group.name == name) {
            let names: Vec<&str> = P::GROUPS.iter().map(|group| group.name).collect();
            let expected = format!("one of the groups {}", names.join(", "));
            return Err(TextError::whole("fixed group", name, expected));
        }
    }
    let is_free = |name: &str| !fixed.iter().any(|fixed| fixed == name);
    Ok(P::GROUPS
        .iter()
        .flat_map(|group| std::iter::repeat_n(is_free(group.name), group.terms))
        .collect())
}

pub(crate) fn damaged(folder: &Folder, name: &str) -> TrainingError {
    let path = folder.file(name);
    TrainingError::Disk(format!(
        "{}: a checkpoint of another evaluation, or damaged; without it this stage begins anew",
        path.display()
    ))
}

/// Puts the name of the file in front of what is wrong in it.
pub(crate) fn in_file(error: TrainingError, path: &std::path::Path) -> TrainingError {
    match error {
        TrainingError::Text(error) => TrainingError::Text(TextError {
            what: format!("{}: {}", path.display(), error.what),
            ..error
        }),
        other => other,
    }
}

/// Sixteen digits that change with any letter of `text`.
pub(crate) fn checksum(text: &str) -> String {
    let hash = text.bytes().fold(1, |hash, byte| mix(hash ^ u64::from(byte)).wrapping_add(1));
    format!("{hash:016x}")
}
