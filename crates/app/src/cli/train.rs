//! `ludus train`: tunes an evaluation as a recipe says.

use super::{Common, contest::stop_on_interrupt, write_json};
use crate::error::bad_input;
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use ludus_training::{Job, Outcome, Progress, Recipe, Stage, TrainingError};
use serde_json::json;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    time::Duration,
};

/// Tune a hand evaluation or train a network by self-play, as a recipe says
///
/// The recipe is TOML: kind ("texel", "climb", "net", "td", "mp", "genetic", "evolution", "moves", "habits" or "go-net"), game, player
/// (one that judges by weights), and if wanted start ("hand", "zero" or a file of weights), seed, data (files of
/// games to learn from too), and a table for the kind and one for self_play; see the recipes folder. The run is
/// a folder with the recipe, a log, the games, checkpoints, the weights and a report. The same recipe gives the same
/// weights, however often it is interrupted and however many threads work on it.
#[derive(clap::Args)]
pub struct Args {
    /// The recipe, such as recipes/chess-hand.toml
    recipe: PathBuf,
    /// The folder of the run (default: runs/NAME-OF-THE-RECIPE)
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Go on with the run in the folder; also starts one that has not begun
    #[arg(long)]
    resume: bool,
    /// Games played at once and threads to tune with (default: one for each core)
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

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let name = args.recipe.display().to_string();
    let text = fs::read_to_string(&args.recipe)
        .map_err(|error| bad_input(format!("cannot read {name}: {error}")))?;
    let recipe = Recipe::parse(&text).with_context(|| name.clone())?;
    let (bench, _) = recipe.bench().with_context(|| name.clone())?;
    let stem = args.recipe.file_stem().unwrap_or_default();
    let job = Job {
        recipe,
        text,
        beside: args.recipe.parent().unwrap_or(Path::new("")).to_owned(),
        folder: args.out.clone().unwrap_or_else(|| Path::new("runs").join(stem)),
        resume: args.resume,
        threads: args.concurrency(),
    };
    bench.check(&job).map_err(in_words).with_context(|| name)?;
    let stop = stop_on_interrupt()?;
    let mut bar = StageBar { hidden: common.json, stage: None, bar: ProgressBar::hidden() };
    let outcome = bench.run(&job, &stop, &mut |progress| bar.show(progress));
    bar.bar.finish_and_clear();
    let outcome = outcome.map_err(in_words)?;
    show(&outcome, common, out)
}

fn show(outcome: &Outcome, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let Outcome { weights, report, checksum, summary } = outcome;
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

/// The error under its own type, which decides the exit code.
fn in_words(error: TrainingError) -> anyhow::Error {
    match error {
        TrainingError::Text(error) => error.into(),
        TrainingError::Player(error) => error.into(),
        other => other.into(),
    }
}

/// A progress bar for each stage of a run, on stderr and only if that is a terminal.
struct StageBar {
    hidden: bool,
    stage: Option<Stage>,
    bar: ProgressBar,
}

impl StageBar {
    fn show(&mut self, progress: &Progress) {
        if self.hidden {
            return;
        }
        if self.stage != Some(progress.stage) {
            self.stage = Some(progress.stage);
            self.bar.finish_and_clear();
            let unit = match progress.stage {
                Stage::SelfPlay => "games",
                Stage::Collecting => "boards",
                Stage::Tuning | Stage::Training => "epochs",
                Stage::Climbing => "challenges",
                Stage::Learning => "sessions",
                Stage::Breeding => "sets of features",
                Stage::Evolving => "generations",
                Stage::Fitting => "steps",
            };
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
