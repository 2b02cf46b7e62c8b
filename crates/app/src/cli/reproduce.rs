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
use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use ludus_lab::{
    LabError,
    reproduce::{self, Experiment, Findings, Lab, Named, Step},
};
use serde_json::json;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    time::Duration,
};

/// Do published experiments again: our figures beside the published ones, and whether they agree
///
/// An experiment is a match of two players, or trainings whose effort is compared. Its file says how it
/// is done, what was published and where. The figures go to the terminal and, with charts, into a
/// document. An experiment that was killed goes on with --resume, to the same document.
#[derive(clap::Args)]
pub struct Args {
    /// A group of experiments such as draughts, one of them, or a .toml file
    #[arg(required_unless_present = "list", value_name = "EXPERIMENT")]
    experiments: Vec<String>,
    /// List the experiments there are
    #[arg(long)]
    list: bool,
    /// Games of each match (default: as the experiment says)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=contest::MOST_GAMES))]
    games: Option<u64>,
    /// Go on with what an earlier run has left; also starts what has not begun
    #[arg(long)]
    resume: bool,
    /// Games played at once (default: one for each core)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
    /// The folder of the trainings
    #[arg(long, value_name = "DIR", default_value = "runs/reproduce")]
    out: PathBuf,
    /// The document to write, with its charts beside it (default: docs/results/EXPERIMENT.md)
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
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
    let title = experiments.first().map_or("", |named| &named.experiment.group).to_owned();
    let output = args.output.clone().unwrap_or_else(|| usual_output(&args.experiments));
    let store = common.store()?;
    let stop = stop_on_interrupt()?;
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let lab = Lab {
        store: &store,
        resources: common.contest_resources(),
        runs: args.out.clone(),
        resume: args.resume,
        games: args.games,
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
    write_document(&output, &title, &found)?;
    if common.json {
        let experiments: Vec<_> =
            found.iter().map(|(named, findings)| reproduce::json(named, findings)).collect();
        return write_json(out, &json!({ "experiments": experiments, "document": output }));
    }
    Ok(writeln!(out, "document: {}", output.display())?)
}

fn list(common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let all = Named::all()?;
    if common.json {
        let one = |Named { name, experiment }: &Named| {
            json!({
                "name": name, "group": experiment.group, "title": experiment.title,
                "source": experiment.source,
            })
        };
        return write_json(out, &all.iter().map(one).collect::<Vec<_>>());
    }
    for Named { name, experiment } in &all {
        writeln!(out, "{name:<30} {}", experiment.title)?;
    }
    Ok(())
}

/// The experiments a word means: a file if it looks like one.
fn find(word: &str) -> anyhow::Result<Vec<Named>> {
    let path = Path::new(word);
    if path.extension().is_none_or(|extension| extension != "toml") {
        return Ok(Named::find(word)?);
    }
    let text = fs::read_to_string(path)
        .map_err(|error| BadInput(format!("cannot read {word}: {error}")))?;
    let experiment = Experiment::parse(&text).with_context(|| word.to_owned())?;
    Ok(vec![Named { name: stem(word), experiment }])
}

fn stem(word: &str) -> String {
    Path::new(word).file_stem().map_or(word.into(), |stem| stem.to_string_lossy().into_owned())
}

/// Where the document goes: it is called as the first word, which is all there is as a rule.
fn usual_output(words: &[String]) -> PathBuf {
    let name = words.first().map(|word| stem(word)).unwrap_or_default();
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

fn write_document(output: &Path, title: &str, found: &[(Named, Findings)]) -> anyhow::Result<()> {
    let write = |path: &Path, text: &str| {
        records::write_whole(path, |file| Ok(file.write_all(text.as_bytes())?))
    };
    for (named, findings) in found {
        if let Some((name, svg)) = reproduce::chart(named, findings) {
            write(&output.with_file_name(name), &svg)?;
        }
    }
    write(output, &reproduce::document(title, found))
}

fn in_words(error: LabError) -> anyhow::Error {
    match error {
        LabError::Text(error) => error.into(),
        LabError::Player(error) => error.into(),
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
