//! `ludus train`: tunes an evaluation or trains a network by a recipe.

use super::{Common, contest::stop_on_interrupt, write_json};
use crate::error::bad_input;
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use ludus_training::{
    Job, Recipe, RunResult, TrainingError, TrainingProgress, TrainingStage,
    kinds::{KINDS, TrainingKind},
};
use serde_json::json;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    time::Duration,
};

/// Tune a handcrafted evaluation or train a network by self-play
///
/// The recipe is TOML with kind (one of those below), game and player (one that evaluates by weights); optional are
/// start ("hand", "zero" or a file of weights), seed, data (files of games to learn from) and the sections of the
/// kind; see the recipes folder. The run is a folder with the recipe, a log, the games, checkpoints, the weights and a report. The same
/// recipe gives the same weights, regardless of interruptions and number of threads.
#[derive(clap::Args)]
#[command(after_long_help = kinds())]
pub struct Args {
    /// Recipe, such as recipes/chess-hand.toml
    recipe: PathBuf,
    /// Folder of the run (default: runs/NAME-OF-THE-RECIPE)
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Resume the run in the folder, or start it if there is none
    #[arg(long)]
    resume: bool,
    /// Number of parallel games and training threads (default: number of CPU cores)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
}

impl Args {
    fn concurrency(&self) -> usize {
        self.concurrency.map_or_else(
            || std::thread::available_parallelism().map_or(1, usize::from),
            usize::from,
        )
    }
}

/// The kinds of training, each with its games and sections on a line of its own.
fn kinds() -> String {
    let entry = |kind: &&TrainingKind| {
        let TrainingKind { name, about, .. } = kind;
        let games: Vec<&str> = kind.games.iter().map(|game| game.id).collect();
        let (games, sections) = (games.join(", "), kind.sections().join("] ["));
        format!("\n  {name:<10} {about}\n             {games}; [{sections}]")
    };
    let entries: String = KINDS.iter().map(entry).collect();
    format!("Kinds of training, their games and sections:{entries}")
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let name = args.recipe.display().to_string();
    let text = fs::read_to_string(&args.recipe)
        .map_err(|error| bad_input(format!("cannot read {name}: {error}")))?;
    let stem = args.recipe.file_stem().unwrap_or_default();
    let folder = args.out.clone().unwrap_or_else(|| Path::new("runs").join(stem));
    let has_begun = args.resume && folder.join("recipe.toml").is_file();
    let parse = if has_begun { Recipe::parse_begun } else { Recipe::parse };
    let recipe = parse(&text).with_context(|| name.clone())?;
    recipe.game_options().with_context(|| name.clone())?;
    let job = Job {
        recipe,
        text,
        recipe_dir: args.recipe.parent().unwrap_or(Path::new("")).to_owned(),
        folder,
        resume: args.resume,
        threads: args.concurrency(),
    };
    job.check().map_err(training_error).with_context(|| name)?;
    let stop = stop_on_interrupt()?;
    let mut bar = StageBar { hidden: common.json, stage: None, bar: ProgressBar::hidden() };
    let outcome = job.run(&stop, &mut |progress| bar.show(progress));
    bar.bar.finish_and_clear();
    let outcome = outcome.map_err(training_error)?;
    show(&outcome, common, out)
}

fn show(outcome: &RunResult, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let RunResult { weights, report, checksum, summary } = outcome;
    if common.json {
        let document = json!({
            "weights": weights, "report": report, "checksum": checksum, "summary": summary,
        });
        return write_json(out, &document);
    }
    writeln!(out, "{summary}")?;
    writeln!(out, "weights: {} (checksum {checksum})", weights.display())?;
    Ok(writeln!(out, "report:  {}", report.display())?)
}

/// Unwraps an error to its own type, which decides the exit code.
pub(super) fn training_error(error: TrainingError) -> anyhow::Error {
    match error {
        TrainingError::Text(error) => error.into(),
        TrainingError::Player(error) => error.into(),
        other => other.into(),
    }
}

/// A progress bar for each stage of a run, on stderr and only if that is a terminal.
struct StageBar {
    hidden: bool,
    stage: Option<TrainingStage>,
    bar: ProgressBar,
}

impl StageBar {
    fn show(&mut self, progress: &TrainingProgress) {
        if self.hidden {
            return;
        }
        if self.stage != Some(progress.stage) {
            self.stage = Some(progress.stage);
            self.bar.finish_and_clear();
            let unit = progress.stage.unit;
            self.bar = ProgressBar::new(progress.total);
            let template = format!("{{bar:30}} {{pos}}/{{len}} {unit}, {{eta}} left, {{msg}}");
            let style = ProgressStyle::with_template(&template);
            self.bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            self.bar.enable_steady_tick(Duration::from_millis(250));
        }
        self.bar.set_position(progress.done);
        self.bar.set_message(progress.note.clone());
    }
}
