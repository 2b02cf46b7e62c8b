//! `ludus reproduce`: published experiments done again.

use super::{
    Common,
    contest::{self, stop_on_interrupt},
    write_json,
};
use crate::{
    error::{BadInput, bad_input},
    records,
};
use anyhow::{Context, anyhow};
use indicatif::{ProgressBar, ProgressStyle};
use ludus_arena::build::BUILD;
use ludus_training::{
    TrainingError,
    reproduce::{
        self, Changes, Findings, Lab, Named, Step, Task,
        bundle::{self, Inspection, Line},
    },
};
use serde_json::json;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf, is_separator},
    time::Duration,
};

/// Do published experiments again: our figures beside the published ones, and whether they agree
///
/// An experiment is a match of two players, matches of Go told by boards and colours, or trainings or
/// searches whose effort is compared. Its file says how it is done, what was published and where. The
/// figures go to the terminal and, with charts, into a document. An experiment that was killed goes on
/// with --resume, to the same document. One that needs a program which is not installed is left out.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<Action>,
    /// A group of experiments such as draughts or btt-go, one of them, or a .toml file
    #[arg(required_unless_present = "list", value_name = "EXPERIMENT")]
    experiments: Vec<String>,
    /// List the experiments there are
    #[arg(long)]
    list: bool,
    /// Games of each match, or on each board (default: as the experiment says)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=contest::MOST_GAMES))]
    games: Option<u64>,
    /// Simulations a move, in experiments of Go (default: as the experiment says)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    playouts: Option<u64>,
    /// Boards to play on, such as 9,13,19, in experiments of Go (default: as the experiment says)
    #[arg(long, value_name = "SIZES", value_delimiter = ',',
          value_parser = clap::value_parser!(u8).range(2..=25))]
    sizes: Vec<u8>,
    /// Who plays the part of Fuego, such as gtp:path=fuego,args= (default: fuego-like)
    #[arg(long, value_name = "PLAYER")]
    opponent: Option<String>,
    /// Go on with what an earlier run has left; also starts what has not begun
    #[arg(long)]
    resume: bool,
    /// Games played at once (default: one for each core)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// The folder of the trainings
    #[arg(long, value_name = "DIR", default_value = "runs/reproduce")]
    out: PathBuf,
    /// The document to write, with its charts beside it (default: docs/results/EXPERIMENT.md; btt-go
    /// has a part of docs/results/go.md)
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Write all that the document comes from into this new folder, with checksums: experiments, games,
    /// players, seeds, findings; `ludus reproduce check` checks it
    #[arg(long, value_name = "DIR")]
    bundle: Option<PathBuf>,
}

#[derive(clap::Subcommand)]
enum Action {
    /// Check a bundle: checksums, games, findings, document, and a sample of the games played again
    Check(CheckArgs),
}

#[derive(clap::Args)]
struct CheckArgs {
    /// The folder that --bundle wrote
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Games of each experiment to play again
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
    let mut experiments: Vec<Named> = Vec::new();
    for word in &args.experiments {
        for named in find(word)? {
            if !experiments.contains(&named) {
                experiments.push(named);
            }
        }
    }
    let changes = changes(args, &experiments)?;
    if let Some(folder) = &args.bundle {
        bundle::is_free(folder)?;
    }
    let output =
        args.output.clone().unwrap_or_else(|| usual_output(&args.experiments, &experiments));
    let store = common.store()?;
    let stop = stop_on_interrupt()?;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let lab = Lab {
        store: &store,
        resources: common.contest_resources(),
        runs: args.out.clone(),
        resume: args.resume,
        changes,
        concurrency: args.concurrency.map_or_else(cores, usize::from),
        stop: &stop,
    };
    for named in &experiments {
        lab.check(named).map_err(in_words).with_context(|| named.name.clone())?;
    }
    make_folder(&output)?;
    let mut found = Vec::new();
    for named in experiments {
        let mut bar = Bar { hidden: common.json, bar: None };
        let findings = lab.run(&named, &mut |step| bar.show(step));
        bar.clear();
        let findings = findings.map_err(in_words).with_context(|| named.name.clone())?;
        if !common.json {
            write!(out, "{}", reproduce::text(&named, &findings))?;
            out.flush()?;
        }
        found.push((named, findings));
    }
    write_document(&output, &found)?;
    if let Some(folder) = &args.bundle {
        write_bundle(folder, &lab, &found)?;
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

fn write_bundle(folder: &Path, lab: &Lab<'_>, found: &[(Named, Findings)]) -> anyhow::Result<()> {
    let mut files = bundle::shared(found);
    for (named, findings) in found {
        files.extend(lab.pack(named, findings).map_err(in_words)?);
    }
    let names = found.iter().map(|(named, _)| named.name.clone()).collect();
    let group = found.first().map_or("", |(named, _)| &named.experiment.group);
    bundle::write(folder, (BUILD, group, names), &files).map_err(in_words)
}

/// Says line by line what holds; an error if something does not.
fn check(args: &CheckArgs, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let store = common.store()?;
    let stop = stop_on_interrupt()?;
    let lab = Lab {
        store: &store,
        resources: common.contest_resources(),
        runs: PathBuf::new(),
        resume: true,
        changes: Changes::default(),
        concurrency: std::thread::available_parallelism().map_or(1, usize::from),
        stop: &stop,
    };
    let inspection = Inspection { lab: &lab, build: BUILD, replays: args.replay };
    let mut lines = Vec::new();
    let mut written = Ok(());
    let is_right = bundle::check(&args.folder, &inspection, &mut |line| {
        let (what, text) = match &line {
            Line::Holds(text) => ("holds", text),
            Line::Note(text) => ("note", text),
            Line::Wrong(text) => ("wrong", text),
        };
        if common.json {
            lines.push(json!({ "finding": what, "text": text }));
        } else if written.is_ok() {
            written = writeln!(out, "{what}: {text}");
        }
    });
    let is_right = is_right.map_err(in_words)?;
    written?;
    if common.json {
        write_json(out, &json!({ "is_right": is_right, "lines": lines }))?;
    }
    if is_right {
        return Ok(());
    }
    Err(anyhow!("{}: the bundle is not what it says", args.folder.display()))
}

/// What the options change, each of which must concern one of the experiments.
fn changes(args: &Args, experiments: &[Named]) -> anyhow::Result<Changes> {
    let concerns = |option: &str, wanted: bool, what: &str, is_concerned: fn(&Task<'_>) -> bool| {
        let any = experiments.iter().any(|named| is_concerned(&named.experiment.task()));
        if wanted && !any {
            return Err(bad_input(format!("--{option}: none of these experiments {what}")));
        }
        Ok(())
    };
    let searches: fn(&Task<'_>) -> bool = |task| matches!(task, Task::Boards(_) | Task::Savings(_));
    concerns("playouts", args.playouts.is_some(), "has a number of simulations", searches)?;
    concerns("sizes", !args.sizes.is_empty(), "is played on several boards", searches)?;
    concerns(
        "opponent",
        args.opponent.is_some(),
        "is played against fuego-like",
        |task| matches!(task, Task::Boards(boards) if boards.is_against_base()),
    )?;
    let mut sizes = args.sizes.clone();
    sizes.sort_unstable();
    sizes.dedup();
    Ok(Changes {
        games: args.games,
        playouts: args.playouts,
        sizes: Some(sizes).filter(|sizes| !sizes.is_empty()),
        opponent: args.opponent.clone(),
    })
}

fn list(common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let all = Named::all()?;
    if common.json {
        let one = |Named { name, experiment, .. }: &Named| {
            json!({
                "name": name, "group": experiment.group, "title": experiment.title,
                "source": experiment.source,
            })
        };
        return write_json(out, &all.iter().map(one).collect::<Vec<_>>());
    }
    for Named { name, experiment, .. } in &all {
        writeln!(out, "{name:<30} {}", experiment.title)?;
    }
    Ok(())
}

/// The experiments a word means: a file if it ends in .toml or has a separator in it, else a name.
fn find(word: &str) -> anyhow::Result<Vec<Named>> {
    let is_toml = Path::new(word).extension().is_some_and(|extension| extension == "toml");
    if !is_toml && !word.contains(is_separator) {
        return Ok(Named::find(word)?);
    }
    let text = fs::read_to_string(word)
        .map_err(|error| BadInput(format!("cannot read {word}: {error}")))?;
    Ok(vec![Named::read(&stem(word), &text).with_context(|| word.to_owned())?])
}

fn stem(word: &str) -> String {
    Path::new(word).file_stem().map_or(word.into(), |stem| stem.to_string_lossy().into_owned())
}

/// Where the document goes: it is called as the first word, which is all there is as a rule, unless
/// the group it names is a part of another document.
fn usual_output(words: &[String], experiments: &[Named]) -> PathBuf {
    let word = words.first().map(|word| stem(word)).unwrap_or_default();
    let whole = experiments.first().filter(|named| named.experiment.group == word);
    let document = whole.and_then(|named| named.experiment.document.clone());
    let name = document.unwrap_or(word);
    Path::new("docs/results").join(format!("{name}.md"))
}

/// A document that cannot be written is known before the games, not after them.
fn make_folder(output: &Path) -> anyhow::Result<()> {
    let Some(folder) = output.parent().filter(|folder| !folder.as_os_str().is_empty()) else {
        return Ok(());
    };
    fs::create_dir_all(folder)
        .map_err(|error| bad_input(format!("cannot make {}: {error}", folder.display())))
}

fn write_document(output: &Path, found: &[(Named, Findings)]) -> anyhow::Result<()> {
    let write = |path: &Path, text: &str| {
        records::write_whole(path, |file| Ok(file.write_all(text.as_bytes())?))
    };
    for (named, findings) in found {
        if let Some((name, svg)) = reproduce::chart(named, findings) {
            write(&output.with_file_name(name), &svg)?;
        }
    }
    let Some((Named { experiment, .. }, _)) = found.first() else { return Ok(()) };
    let document = reproduce::document(&experiment.group, found);
    if experiment.document.is_none() {
        return write(output, &document);
    }
    let around = read_if_there(output)?;
    write(output, &reproduce::merged(&around, &experiment.group, &document))
}

/// The text of a document; empty if there is none yet.
fn read_if_there(path: &Path) -> anyhow::Result<String> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(text),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        Err(error) => Err(bad_input(format!("cannot read {}: {error}", path.display()))),
    }
}

fn in_words(error: TrainingError) -> anyhow::Error {
    match error {
        TrainingError::Text(error) => error.into(),
        TrainingError::Player(error) => error.into(),
        other => other.into(),
    }
}

/// A progress bar for an experiment, on stderr and only if that is a terminal.
struct Bar {
    hidden: bool,
    bar: Option<ProgressBar>,
}

impl Bar {
    fn show(&mut self, step: &Step<'_>) {
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
