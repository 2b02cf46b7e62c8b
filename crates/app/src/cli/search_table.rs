//! `ludus bench --only search`: all textbook searches side by side.

use super::{Common, write_json};
use crate::{error::bad_input, records::write_whole};
use anyhow::Context;
use ludus_core::{Limits, Score};
use ludus_players::{AnalysisControl, Resources, find_game};
use serde::Serialize;
use std::{
    fmt::Write as _,
    fs,
    io::Write,
    path::Path,
    sync::{
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

/// Games and depths; searches begin at the start position.
const SUITE: &[(&str, u32)] = &[("draughts", 9), ("chess", 5), ("reversi", 8), ("connect4", 10)];

const PLAYERS: &[&str] = &[
    "minimax",
    "negamax",
    "alphabeta",
    "alphabeta:fail=hard",
    "aspiration",
    "negascout",
    "pvs",
    "mtdf",
    "sss",
    "dual",
];

/// Searches that take longer are aborted.
const SEARCH_TIMEOUT: Duration = Duration::from_secs(60);

/// Markers around the table in a document.
const TABLE_MARKERS: [&str; 2] = ["<!-- search table -->\n", "<!-- end of search table -->"];

/// One search; its results are `None` if it was aborted.
#[derive(Serialize)]
struct Row {
    game: &'static str,
    depth: u32,
    player: &'static str,
    score: Option<i32>,
    nodes: Option<u64>,
    leaves: Option<u64>,
    seconds: f64,
}

pub fn run(
    game: Option<&str>,
    file: Option<&Path>,
    common: &Common,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut rows = Vec::new();
    let wanted = |&&(name, _): &&(&str, u32)| game.is_none_or(|game| game == name);
    let suite: Vec<_> = SUITE.iter().filter(wanted).collect();
    if suite.is_empty() {
        let names: Vec<&str> = SUITE.iter().map(|&(name, _)| name).collect();
        return Err(bad_input(format!("the searches are compared on {}", names.join(", "))));
    }
    let document = file.map(TableDocument::read).transpose()?;
    for &(game, depth) in suite {
        for &player in PLAYERS {
            rows.push(search(game, depth, player)?);
        }
    }
    match (document, file) {
        (Some(document), Some(file)) => document.write(file, &markdown(&rows)),
        _ if common.json => write_json(out, &rows),
        _ => Ok(write!(out, "{}", markdown(&rows))?),
    }
}

fn search(name: &'static str, depth: u32, player: &'static str) -> anyhow::Result<Row> {
    let (game, options) = find_game(name)?;
    let board = game.open(&options, None)?;
    let stop = AtomicBool::new(false);
    // No time limit, which would make the search start with smaller depths.
    let found = thread::scope(|scope| {
        let (done, wait) = mpsc::channel::<()>();
        let stop = &stop;
        scope.spawn(move || {
            if wait.recv_timeout(SEARCH_TIMEOUT) == Err(RecvTimeoutError::Timeout) {
                stop.store(true, Relaxed);
            }
        });
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let mut progress = AnalysisControl { limits, stop, on_report: &mut |_| {} };
        let found = board.analyze(player, &Resources::default(), &mut progress);
        drop(done);
        found
    })?;
    let done = found.depth == depth;
    Ok(Row {
        game: name,
        depth,
        player,
        score: found.score.filter(|_| done),
        nodes: done.then_some(found.nodes),
        leaves: done.then_some(found.leaves),
        seconds: found.seconds,
    })
}

fn markdown(rows: &[Row]) -> String {
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        if index == 0 || rows[index - 1].game != row.game {
            let space = if index == 0 { "" } else { "\n" };
            let _ = writeln!(
                text,
                "{space}### {} to depth {}\n\n| search | nodes | leaves | seconds | score |\n\
                 |---|---:|---:|---:|---:|",
                row.game, row.depth
            );
        }
        let player = row.player;
        let _ = match (row.nodes, row.leaves, row.score) {
            (Some(nodes), Some(leaves), Some(score)) => writeln!(
                text,
                "| `{player}` | {} | {} | {:.2} | {} |",
                grouped(nodes),
                grouped(leaves),
                row.seconds,
                Score(score)
            ),
            _ => {
                let longest = SEARCH_TIMEOUT.as_secs();
                writeln!(text, "| `{player}` | given up | after | {longest} | s |")
            }
        };
    }
    text
}

/// `1,234,567`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    groups.map(String::from_utf8_lossy).collect::<Vec<_>>().join(",")
}

/// A document with a marked table.
struct TableDocument {
    before: String,
    after: String,
}

impl TableDocument {
    fn read(file: &Path) -> anyhow::Result<TableDocument> {
        let text =
            fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        let [begin, end] = TABLE_MARKERS;
        let parts = text.split_once(begin).and_then(|(before, rest)| {
            let (_, after) = rest.split_once(end)?;
            Some(TableDocument { before: before.to_owned(), after: after.to_owned() })
        });
        parts.ok_or_else(|| {
            let file = file.display();
            bad_input(format!("{file} has no markers for the table: expected {begin}and {end}"))
        })
    }

    fn write(&self, file: &Path, table: &str) -> anyhow::Result<()> {
        let [begin, end] = TABLE_MARKERS;
        let text = format!("{}{begin}\n{table}\n{end}{}", self.before, self.after);
        write_whole(file, |file| Ok(file.write_all(text.as_bytes())?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        let grouped = [0, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(grouped, ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn a_search_given_up_says_so() {
        let row = Row {
            game: "connect4",
            depth: 10,
            player: "minimax",
            score: None,
            nodes: None,
            leaves: None,
            seconds: 60.0,
        };
        assert!(markdown(&[row]).contains("| `minimax` | given up | after | 60 | s |"));
    }
}
