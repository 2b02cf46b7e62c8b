//! Instruction counts of fixed workloads in two builds of `ludus`, by valgrind: the only speed figures
//! that are reproducible on a busy machine.

use crate::command::{cargo, program, root, run, scratch, shown, succeeds};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

const WORKLOADS: &str = include_str!("../instructions.txt");

/// The two builds to compare.
#[derive(Debug, PartialEq, Eq)]
pub struct Builds {
    /// Base of the ratios.
    base: PathBuf,
    /// The release build of this tree if `None`.
    other: Option<PathBuf>,
}

/// One line of `instructions.txt`.
#[derive(Debug, PartialEq, Eq)]
struct Workload<'a> {
    row: &'a str,
    game: &'a str,
    player: Option<&'a str>,
    limit: Limit,
}

#[derive(Debug, PartialEq, Eq)]
enum Limit {
    Depth(u64),
    Nodes(u64),
}

/// Instructions executed and nodes searched.
#[derive(Copy, Clone)]
struct Count {
    instructions: u64,
    nodes: u64,
}

impl Count {
    fn a_node(self, start: Count) -> f64 {
        let instructions = self.instructions.saturating_sub(start.instructions);
        instructions as f64 / self.nodes.saturating_sub(start.nodes).max(1) as f64
    }
}

/// A workload in both builds.
struct Compared {
    ratio: f64,
    /// Whether both builds visited the same number of nodes.
    alike: bool,
}

pub fn parse_builds(words: &[&str]) -> Option<Builds> {
    match *words {
        [base] => Some(Builds { base: base.into(), other: None }),
        [base, other] => Some(Builds { base: base.into(), other: Some(other.into()) }),
        _ => None,
    }
}

pub fn compare(builds: &Builds) -> Result<()> {
    if !succeeds(&mut program("valgrind", &["--version"])) {
        bail!("instructions are counted by valgrind, which is not installed");
    }
    let other = match &builds.other {
        Some(other) => other.clone(),
        None => {
            run(&mut cargo(&["build", "--release", "--package", "ludus-app"]))?;
            root().join("target/release/ludus")
        }
    };
    let workloads = parse(WORKLOADS)?;
    let compared = compare_all(&workloads, &builds.base.canonicalize()?, &other.canonicalize()?)?;
    println!("\n{}", table(&workloads, &compared));
    Ok(())
}

/// Runs in parallel, which does not affect the counts.
fn compare_all(workloads: &[Workload], base: &Path, other: &Path) -> Result<Vec<Compared>> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(workload) = workloads.get(index) else { return };
                    let compared = compare_one(workload, base, other);
                    done.lock().expect("no thread panics").insert(index, compared);
                }
            });
        }
    });
    done.into_inner().expect("no thread panics").into_values().collect()
}

fn compare_one(workload: &Workload, base: &Path, other: &Path) -> Result<Compared> {
    let measure = |binary| -> Result<_> {
        let start = count(binary, &workload.arguments(true))?;
        let whole = count(binary, &workload.arguments(false))?;
        Ok((whole.nodes, whole.a_node(start)))
    };
    let (base, other) = (measure(base)?, measure(other)?);
    let compared = Compared { ratio: other.1 / base.1, alike: base.0 == other.0 };
    eprintln!("{} {}: {:.0} -> {:.0} a node", workload.row, workload.game, base.1, other.1);
    Ok(compared)
}

/// Runs `binary` under valgrind, which reports on stderr; the nodes are in the JSON on stdout.
fn count(binary: &Path, arguments: &[String]) -> Result<Count> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]);
    // Endgame databases of the user would change the search.
    command.arg(binary).args(arguments).env("LUDUS_DATA", scratch("instructions"));
    let output = command.output().with_context(|| format!("cannot start {}", shown(&command)))?;
    let report = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("{} failed: {}\n{report}", shown(&command), output.status);
    }
    let document: Value = serde_json::from_slice(&output.stdout)
        .with_context(|| format!("{} does not print JSON", shown(&command)))?;
    let nodes =
        document["nodes"].as_u64().with_context(|| format!("{}: nodes", shown(&command)))?;
    let instructions = parse_count(&report)
        .with_context(|| format!("valgrind counted nothing in {}:\n{report}", shown(&command)))?;
    Ok(Count { instructions, nodes })
}

/// The number in valgrind's `==123== I refs: 1,234,567`.
fn parse_count(report: &str) -> Option<u64> {
    let (_, counted) = report.lines().find_map(|line| line.split_once("refs:"))?;
    counted.trim().replace(',', "").parse().ok()
}

impl Workload<'_> {
    /// The arguments of the workload, or of the minimal run that is subtracted from it.
    fn arguments(&self, start: bool) -> Vec<String> {
        let (option, value) = match self.limit {
            Limit::Depth(depth) => ("--depth", depth),
            Limit::Nodes(nodes) => ("--nodes", nodes),
        };
        let value = if start { 1 } else { value }.to_string();
        let words = match self.player {
            None => vec!["perft", self.game, &value],
            Some(player) => vec!["analyze", self.game, "--player", player, option, &value],
        };
        words.into_iter().chain(["--threads", "1", "--json"]).map(String::from).collect()
    }
}

fn parse(text: &str) -> Result<Vec<Workload<'_>>> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| parse_line(line).with_context(|| format!("instructions.txt: {line:?}")))
        .collect()
}

fn parse_line(line: &str) -> Result<Workload<'_>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let [row, game, player, limit] = words[..] else { bail!("expected four words") };
    let limit = match limit.split_once('=') {
        Some(("depth", depth)) => Limit::Depth(depth.parse()?),
        Some(("nodes", nodes)) => Limit::Nodes(nodes.parse()?),
        _ => bail!("expected depth=N or nodes=N instead of {limit:?}"),
    };
    Ok(Workload { row, game, player: (player != "perft").then_some(player), limit })
}

/// A table with a row per player and a column per game; means are geometric.
fn table(workloads: &[Workload], compared: &[Compared]) -> String {
    let mut games: Vec<&str> = Vec::new();
    let mut rows: Vec<&str> = Vec::new();
    for workload in workloads {
        for (list, name) in [(&mut games, column(workload.game)), (&mut rows, workload.row)] {
            if !list.contains(&name) {
                list.push(name);
            }
        }
    }
    let mut text = format!("| | {} | mean |\n", games.join(" | "));
    text += &format!("|---|{}\n", "---:|".repeat(games.len() + 1));
    let mut worst: Option<(&str, f64)> = None;
    for row in rows {
        let of_row: Vec<_> = workloads.iter().zip(compared).filter(|(w, _)| w.row == row).collect();
        let cells = games.iter().map(|&game| {
            let found = of_row.iter().find(|(workload, _)| column(workload.game) == game);
            found.map_or(String::new(), |(_, compared)| compared.cell())
        });
        let mean = geometric_mean(of_row.iter().map(|(_, compared)| compared.ratio));
        text += &format!("| {row} | {} | {mean:.3} |\n", cells.collect::<Vec<_>>().join(" | "));
        worst = worst.filter(|&(_, most)| most >= mean).or(Some((row, mean)));
    }
    let mean = geometric_mean(compared.iter().map(|compared| compared.ratio));
    text += &format!("\nmean {mean:.3}");
    if let Some((row, most)) = worst {
        text += &format!(", most {most:.3} ({row})");
    }
    if compared.iter().any(|compared| !compared.alike) {
        text += "\n* instructions a node: the builds did not visit the same number of nodes";
    }
    text
}

impl Compared {
    fn cell(&self) -> String {
        format!("{:.3}{}", self.ratio, if self.alike { "" } else { "*" })
    }
}

/// The column of a game; all Go boards share one.
fn column(game: &str) -> &str {
    if game.starts_with("go:") { "go" } else { game }
}

fn geometric_mean(ratios: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = ratios.fold((0.0, 0), |(sum, count), ratio| (sum + ratio.ln(), count + 1));
    (sum / f64::from(count.max(1))).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_well_formed() {
        assert!(parse(WORKLOADS).unwrap().len() > 50);
    }

    #[test]
    fn lines_become_arguments() {
        let perft = parse_line("perft chess perft depth=5").unwrap();
        assert_eq!(perft.arguments(false).join(" "), "perft chess 5 --threads 1 --json");
        let search = parse_line("mcts go:size=9 mcts:c=0 nodes=40").unwrap();
        assert_eq!(
            search.arguments(true).join(" "),
            "analyze go:size=9 --player mcts:c=0 --nodes 1 --threads 1 --json"
        );
        assert!(parse_line("perft chess perft 5").is_err());
        assert!(parse_line("perft chess depth=5").is_err());
    }

    #[test]
    fn the_count_is_found_in_the_report() {
        let report = "==7== Cachegrind, a tool\n==7== \n==7== I   refs:      1,380,177\n";
        assert_eq!(parse_count(report), Some(1_380_177));
        assert_eq!(parse_count("==7== nothing\n"), None);
    }

    #[test]
    fn rows_are_players_and_columns_games() {
        let lines =
            "mcts chess mcts nodes=9\nmcts go:size=9 mcts nodes=9\nperft chess perft depth=2";
        let workloads = parse(lines).unwrap();
        let compared = [(1.0, true), (4.0, true), (0.5, false)]
            .map(|(ratio, alike)| Compared { ratio, alike });
        let expected = "\
| | chess | go | mean |
|---|---:|---:|---:|
| mcts | 1.000 | 4.000 | 2.000 |
| perft | 0.500* |  | 0.500 |

mean 1.260, most 2.000 (mcts)
* instructions a node: the builds did not visit the same number of nodes";
        assert_eq!(table(&workloads, &compared), expected);
    }
}
