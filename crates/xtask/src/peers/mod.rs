//! `cargo xtask peers`: speeds beside those of other programs, which take turns with Ludus, so that both
//! run under the same conditions; each keeps its best round.
//!
//! Random playouts and simulations beside OpenSpiel's: both play uniformly random games from the start of
//! each game, on one thread, first alone, then as the leaves of a tree search. The convolutional network
//! beside PyTorch's, on one thread each.

mod games;
mod ludus;
mod networks;
mod open_spiel;
mod pytorch;
mod table;

use crate::command;
use anyhow::{Context, Result, bail};
use std::{fs, path::PathBuf};

/// Measurements per program and comparison.
const ROUNDS: usize = 3;

/// Duration of one measurement in seconds.
const MEASUREMENT_SECONDS: u32 = 2;

/// The peers that are compared, and the file for the tables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PeerComparisons {
    /// Only games or only networks.
    pub only: Option<Peer>,
    /// File for the tables in Markdown.
    pub markdown: Option<PathBuf>,
}

/// A kind of peer.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Peer {
    /// OpenSpiel.
    Games,
    /// PyTorch.
    Networks,
}

/// One speed of both programs, each per second.
struct Comparison {
    name: &'static str,
    theirs: f64,
    ours: f64,
    /// Required speed ratio.
    wanted: f64,
}

impl Comparison {
    /// Lets both programs take turns, and keeps the best round of each.
    fn measure(
        name: &'static str,
        wanted: f64,
        peer: &str,
        theirs: impl Fn() -> Result<f64>,
        ours: impl Fn() -> Result<f64>,
    ) -> Result<Comparison> {
        let mut best = Comparison { name, theirs: 0.0, ours: 0.0, wanted };
        for round in 1..=ROUNDS {
            let (theirs, ours) = (theirs()?, ours()?);
            println!("{name} round {round}: {peer} {theirs:.0}/s, Ludus {ours:.0}/s");
            best.theirs = best.theirs.max(theirs);
            best.ours = best.ours.max(ours);
        }
        Ok(best)
    }

    fn ratio(&self) -> f64 {
        self.ours / self.theirs
    }

    fn is_met(&self) -> bool {
        self.ratio() >= self.wanted
    }
}

/// The tables of a kind of peer, and the names of comparisons that were slower than wanted.
#[derive(Default)]
struct Findings {
    markdown: String,
    missed: Vec<String>,
}

impl Findings {
    /// Prints and adds a table, whose rows compare `first`.
    fn add(&mut self, title: &str, about: &str, first: &str, peer: &str, rows: &[Comparison]) {
        print!("\n{title}\n{}", table::plain(first, peer, rows));
        if !self.markdown.is_empty() {
            self.markdown += "\n";
        }
        self.markdown += &table::markdown(about, first, peer, rows);
        let slow = rows.iter().filter(|comparison| !comparison.is_met());
        self.missed.extend(slow.map(|slow| format!("{title} of {}", slow.name)));
    }
}

pub fn run(comparisons: &PeerComparisons) -> Result<()> {
    command::run(&mut command::cargo(&["build", "--release", "--package", "ludus-app"]))?;
    let mut findings = Findings::default();
    if comparisons.only != Some(Peer::Networks) {
        games::compare(&mut findings)?;
    }
    if comparisons.only != Some(Peer::Games) {
        networks::compare(&mut findings)?;
    }
    if let Some(path) = &comparisons.markdown {
        fs::write(path, findings.markdown)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    if !findings.missed.is_empty() {
        bail!("slower than wanted: {}", findings.missed.join(", "));
    }
    Ok(())
}

/// Reads `--only games|networks` and `--markdown FILE` in any order.
pub fn parse(words: &[&str]) -> Option<PeerComparisons> {
    let (pairs, rest) = words.as_chunks::<2>();
    let mut comparisons = PeerComparisons::default();
    for pair in pairs {
        match *pair {
            ["--only", "games"] => comparisons.only = Some(Peer::Games),
            ["--only", "networks"] => comparisons.only = Some(Peer::Networks),
            ["--markdown", file] => comparisons.markdown = Some(file.into()),
            _ => return None,
        }
    }
    rest.is_empty().then_some(comparisons)
}
