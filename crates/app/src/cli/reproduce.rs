//! `ludus reproduce`: reproduction of published experiments.

use super::{
    Common,
    contest::{self, stop_on_interrupt},
    train::training_error,
    write_json,
};
use crate::{
    error::{BadInput, bad_input},
    records,
};
use anyhow::{Context, anyhow};
use indicatif::{ProgressBar, ProgressStyle};
use ludus_arena::build::BUILD;
use ludus_core::TextError;
use ludus_training::reproduce::{
    self, ExperimentProgress, ExperimentRunner, ExperimentTask, Findings, NamedExperiment,
    Overrides,
    bundle::{self, CheckLine, CheckOptions},
};
use serde_json::json;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf, is_separator},
    time::Duration,
};

/// Reproduce published experiments, and compare the results with the published figures
///
/// An experiment is a match of two players or of several pairs, Go matches on several boards and with
/// both colours, a suite of problems, or a comparison of training or search effort. Its file describes the method and the published figures
/// with their source. Results are shown in the terminal and written to a document with charts. An
/// interrupted experiment continues with --resume. Experiments and players that require a program or
/// weights that are not there are skipped.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Action>,
    /// Group of experiments such as draughts or btt-go, a single experiment, or a .toml file
    #[arg(required_unless_present = "list", value_name = "EXPERIMENT")]
    experiments: Vec<String>,
    /// List all experiments
    #[arg(long)]
    list: bool,
    /// Games of each match, or on each board (default: as in the experiment)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=contest::MAX_GAMES_PER_PAIRING))]
    games: Option<u64>,
    /// Simulations per move, in Go experiments (default: as in the experiment)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    playouts: Option<u64>,
    /// Board sizes, such as 9,13,19, in Go experiments (default: as in the experiment)
    #[arg(long, value_name = "SIZES", value_delimiter = ',',
          value_parser = clap::value_parser!(u8).range(2..=25))]
    sizes: Vec<u8>,
    /// Player in the role of Fuego, such as gtp:path=fuego,args= (default: fuego-like)
    #[arg(long, value_name = "PLAYER")]
    opponent: Option<String>,
    /// Resume an earlier run, or start it if there is none
    #[arg(long)]
    resume: bool,
    /// Games played in parallel (default: number of CPU cores)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// Folder of training runs
    #[arg(long, value_name = "DIR", default_value = "runs/reproduce")]
    out: PathBuf,
    /// Document to write, with its charts beside it (default: docs/results/EXPERIMENT.md; btt-go writes
    /// a section of docs/results/go.md)
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Save a bundle to this new folder, to be checked by `ludus reproduce check`: experiments, games,
    /// players, seeds and findings, with checksums
    #[arg(long, value_name = "DIR")]
    bundle: Option<PathBuf>,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Check a bundle: checksums, games, findings and document; a sample of the games is replayed
    Check(CheckArgs),
}

#[derive(clap::Args)]
struct CheckArgs {
    /// Folder written by --bundle
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Number of games of each experiment to replay
    #[arg(long, value_name = "N", default_value_t = 3)]
    replay: u64,
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    if let Some(Action::Check(args)) = &args.command {
        return check(args, common, out);
    }
    if args.list {
        return list(common, out);
    }
    let mut experiments: Vec<NamedExperiment> = Vec::new();
    for argument in &args.experiments {
        for named in find(argument)? {
            if !experiments.contains(&named) {
                experiments.push(named);
            }
        }
    }
    let overrides = overrides(args, &experiments)?;
    if let Some(folder) = &args.bundle {
        bundle::check_is_free(folder)?;
    }
    let output =
        args.output.clone().unwrap_or_else(|| default_output(&args.experiments, &experiments));
    let store = common.store()?;
    let stop = stop_on_interrupt()?;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let runner = ExperimentRunner {
        store: &store,
        resources: common.contest_resources(),
        runs: args.out.clone(),
        resume: args.resume,
        overrides,
        concurrency: args.concurrency.map_or_else(cores, usize::from),
        stop: &stop,
    };
    for named in &experiments {
        runner.check(named).map_err(training_error).with_context(|| named.name.clone())?;
    }
    make_folder(&output)?;
    let mut found = Vec::new();
    for named in experiments {
        let mut bar = Bar { hidden: common.json, bar: None };
        let findings = runner.run(&named, &mut |step| bar.show(step));
        bar.clear();
        let findings = findings.map_err(training_error).with_context(|| named.name.clone())?;
        if !common.json {
            write!(out, "{}", reproduce::text(&named, &findings))?;
            out.flush()?;
        }
        found.push((named, findings));
    }
    write_document(&output, &found)?;
    if let Some(folder) = &args.bundle {
        write_bundle(folder, &runner, &found)?;
    }
    if common.json {
        let experiments: Vec<_> =
            found.iter().map(|(named, findings)| reproduce::json(named, findings)).collect();
        let mut document = json!({ "experiments": experiments, "document": output });
        if let Some(folder) = &args.bundle {
            document["bundle"] = json!(folder);
        }
        return write_json(out, &document);
    }
    writeln!(out, "document: {}", output.display())?;
    if let Some(folder) = &args.bundle {
        writeln!(out, "bundle: {}", folder.display())?;
    }
    Ok(())
}

fn write_bundle(
    folder: &Path,
    runner: &ExperimentRunner<'_>,
    found: &[(NamedExperiment, Findings)],
) -> anyhow::Result<()> {
    let mut files = bundle::shared_files(found);
    for (named, findings) in found {
        files.extend(runner.pack(named, findings).map_err(training_error)?);
    }
    let names = found.iter().map(|(named, _)| named.name.clone()).collect();
    let group = found.first().map_or("", |(named, _)| &named.experiment.group);
    bundle::write(folder, (BUILD, group, names), &files).map_err(training_error)
}

/// Writes the findings of the check line by line; fails if one of them is wrong.
fn check(args: &CheckArgs, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let store = common.store()?;
    let stop = stop_on_interrupt()?;
    let runner = ExperimentRunner {
        store: &store,
        resources: common.contest_resources(),
        runs: PathBuf::new(),
        resume: true,
        overrides: Overrides::default(),
        concurrency: std::thread::available_parallelism().map_or(1, usize::from),
        stop: &stop,
    };
    let options = CheckOptions { runner: &runner, build: BUILD, replays: args.replay };
    let mut lines = Vec::new();
    let mut written = Ok(());
    let is_right = bundle::check(&args.folder, &options, &mut |line| {
        let (what, text) = match &line {
            CheckLine::Verified(text) => ("holds", text),
            CheckLine::Note(text) => ("note", text),
            CheckLine::Wrong(text) => ("wrong", text),
        };
        if common.json {
            lines.push(json!({ "finding": what, "text": text }));
        } else if written.is_ok() {
            written = writeln!(out, "{what}: {text}");
        }
    });
    let is_right = is_right.map_err(training_error)?;
    written?;
    if common.json {
        write_json(out, &json!({ "is_right": is_right, "lines": lines }))?;
    }
    if is_right {
        return Ok(());
    }
    Err(anyhow!("{}: the bundle is not valid", args.folder.display()))
}

/// Changes by options, each of which must apply to one of the experiments.
fn overrides(args: &Args, experiments: &[NamedExperiment]) -> anyhow::Result<Overrides> {
    let concerns =
        |option: &str, wanted: bool, what: &str, is_concerned: fn(&ExperimentTask<'_>) -> bool| {
            let any = experiments.iter().any(|named| is_concerned(&named.experiment.task()));
            if wanted && !any {
                return Err(bad_input(format!("--{option}: none of these experiments {what}")));
            }
            Ok(())
        };
    let searches: fn(&ExperimentTask<'_>) -> bool =
        |task| matches!(task, ExperimentTask::Boards(_) | ExperimentTask::Savings(_));
    concerns("playouts", args.playouts.is_some(), "has a number of simulations", searches)?;
    concerns("sizes", !args.sizes.is_empty(), "is played on several boards", searches)?;
    concerns(
        "opponent",
        args.opponent.is_some(),
        "is played against fuego-like",
        |task| matches!(task, ExperimentTask::Boards(boards) if boards.is_against_base()),
    )?;
    let mut sizes = args.sizes.clone();
    sizes.sort_unstable();
    sizes.dedup();
    Ok(Overrides {
        games: args.games,
        playouts: args.playouts,
        sizes: Some(sizes).filter(|sizes| !sizes.is_empty()),
        opponent: args.opponent.clone(),
    })
}

fn list(common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let all = NamedExperiment::all()?;
    if common.json {
        let one = |NamedExperiment { name, experiment, .. }: &NamedExperiment| {
            json!({
                "name": name, "group": experiment.group, "title": experiment.title,
                "source": experiment.source,
            })
        };
        return write_json(out, &all.iter().map(one).collect::<Vec<_>>());
    }
    for NamedExperiment { name, experiment, .. } in &all {
        writeln!(out, "{name:<30} {}", experiment.title)?;
    }
    Ok(())
}

/// Finds the experiments of an argument: a file if it ends in .toml or contains a path separator, else
/// a name.
fn find(argument: &str) -> anyhow::Result<Vec<NamedExperiment>> {
    let is_toml = Path::new(argument).extension().is_some_and(|extension| extension == "toml");
    if !is_toml && !argument.contains(is_separator) {
        return Ok(NamedExperiment::find(argument)?);
    }
    let text = fs::read_to_string(argument)
        .map_err(|error| BadInput(format!("cannot read {argument}: {error}")))?;
    let folder = Path::new(argument).parent().unwrap_or(Path::new(""));
    let beside = |file: &str| {
        fs::read_to_string(folder.join(file)).map_err(|error| {
            let expected = format!("a file beside the experiment that can be read ({error})");
            TextError::whole("file of the experiment", file, expected)
        })
    };
    let named = NamedExperiment::read_with(&stem(argument), &text, &beside);
    Ok(vec![named.with_context(|| argument.to_owned())?])
}

fn stem(argument: &str) -> String {
    Path::new(argument)
        .file_stem()
        .map_or(argument.into(), |stem| stem.to_string_lossy().into_owned())
}

/// Default document: named after the first argument, unless its group belongs to another document.
fn default_output(words: &[String], experiments: &[NamedExperiment]) -> PathBuf {
    let argument = words.first().map(|argument| stem(argument)).unwrap_or_default();
    let whole = experiments.first().filter(|named| named.experiment.group == argument);
    let document = whole.and_then(|named| named.experiment.document.clone());
    let name = document.unwrap_or(argument);
    Path::new("docs/results").join(format!("{name}.md"))
}

/// Creates the folder of the document before the games, to fail early.
fn make_folder(output: &Path) -> anyhow::Result<()> {
    let Some(folder) = output.parent().filter(|folder| !folder.as_os_str().is_empty()) else {
        return Ok(());
    };
    ludus_files::create_folder(folder)
        .map_err(|error| bad_input(format!("cannot create {}: {error}", folder.display())))
}

fn write_document(output: &Path, found: &[(NamedExperiment, Findings)]) -> anyhow::Result<()> {
    let write = |path: &Path, text: &str| {
        records::write_whole(path, |file| Ok(file.write_all(text.as_bytes())?))
    };
    for (named, findings) in found {
        for (name, svg) in reproduce::charts(named, findings) {
            write(&output.with_file_name(name), &svg)?;
        }
    }
    let Some((NamedExperiment { experiment, .. }, _)) = found.first() else { return Ok(()) };
    if experiment.document.is_none() {
        return write(output, &reproduce::document(&experiment.group, found));
    }
    // Every group has a section of its own.
    let mut groups: Vec<&str> = Vec::new();
    for (named, _) in found {
        if !groups.contains(&named.experiment.group.as_str()) {
            groups.push(&named.experiment.group);
        }
    }
    let mut whole = read_if_there(output)?;
    for group in groups {
        let part: Vec<(NamedExperiment, Findings)> =
            found.iter().filter(|(named, _)| named.experiment.group == group).cloned().collect();
        whole = reproduce::merged(&whole, group, &reproduce::document(group, &part));
    }
    write(output, &whole)
}

/// The text of a document; empty if it does not exist.
fn read_if_there(path: &Path) -> anyhow::Result<String> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(bad_input(format!("cannot read {}: {error}", path.display()))),
    }
}

/// A progress bar for an experiment, on stderr and only if that is a terminal.
struct Bar {
    hidden: bool,
    bar: Option<ProgressBar>,
}

impl Bar {
    fn show(&mut self, step: &ExperimentProgress<'_>) {
        if self.hidden {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::new(step.total);
            let template =
                format!("{{bar:30}} {{pos}}/{{len}} {}, {{eta}} left, {{msg}}", step.unit);
            let style = ProgressStyle::with_template(&template);
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.enable_steady_tick(Duration::from_millis(250));
            bar
        });
        bar.set_position(step.done);
        bar.set_message(format!("{}: {}", step.experiment, step.note));
    }

    fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
