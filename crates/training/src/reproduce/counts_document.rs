//! Document sections for suites of problems and for compared searches.

use super::{
    Experiment, NamedExperiment, NodeCounts, NodeFindings, SuiteFindings, SuiteTask,
    document::{chart_name, percent, range, verdict},
    suite_task::{SolvedBy, SuitePlayer, SuiteResult, figure},
};
use crate::reproduce::{Interval, NodeResult};
use ludus_arena::plot::{ShareBar, ShareChart, share_chart};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Rules for suites, for readers of a document.
pub(super) const SUITE_RULE: &str = "A problem counts as solved by two rules. *Key*: the first move keeps the forced \
mate. *Strict*: every move keeps it and the last one mates, against the best defence, the longest and of equals the \
first; the first rule decides the verdict. Shares have Wilson's 95 % intervals over the problems, and are compatible if \
the 95 % interval of their difference includes zero (Newcombe 1998). *By chance* is the exact number of problems that \
uniformly random moves solve, with the range that leaves 2.5 % on each side, and the probability that they solve as many \
as were published.";

/// Rules for compared searches, for readers of a document.
pub(super) const NODES_RULE: &str = "Nodes are counted in the same positions for all players, each without its history. \
The share of one player's nodes in another's has an interval over the positions (Student's, of a ratio): *fewer* is \
reproduced if the interval lies below 100 % and is precise enough, not reproduced if it lies above.";

/// Section of a suite, starting with the command that runs it.
pub(super) fn suite_section(
    text: &mut String,
    experiment: &Experiment,
    suite: &SuiteTask,
    found: &SuiteFindings,
) {
    let problems = found.chances.len();
    let _ = write!(text, "\n\n{problems} problems of {}", suite.file);
    if let Some(count) = suite.each_side {
        let _ = write!(text, ", the first {count} for each side to move");
    }
    let _ = write!(
        text,
        ", seed {}.\n\n| player | | published | key | strict | verdict |\n|---|---|---:|---:|---:|---|\n",
        experiment.seed
    );
    for (player, result) in suite.players.iter().zip(&found.players) {
        suite_row(text, experiment, player, result);
    }
    let (key, strict) = (found.random(SolvedBy::Key), found.random(SolvedBy::Strict));
    let expected = |count: &ludus_arena::suite::chance::SolvedCount| {
        let (low, high) = count.range95();
        format!("{:.2} ({low} to {high})", count.mean())
    };
    let _ =
        writeln!(text, "| by chance | exactly | | {} | {} | |", expected(&key), expected(&strict));
    let after_key = found.random_after_key();
    if after_key.mean() > 0.0 {
        let _ = write!(
            text,
            "\nThe moves after a given key and its defence alone, by chance: {}.\n",
            expected(&after_key)
        );
    }
    for player in &suite.players {
        let Some(published) = player.published.filter(|it| it.problems == problems as u64) else {
            continue;
        };
        let [by_key, by_line] = [&key, &strict].map(|it| it.at_least(published.solved as usize));
        if by_line < 0.5 && by_key > 1e-3 {
            let _ = write!(
                text,
                "\n{} or more, as published for {}, are solved by chance with a probability of {} by the key and {} \
                 strictly.\n",
                published.solved,
                player.name,
                probability(by_key),
                probability(by_line)
            );
        }
    }
}

fn probability(value: f64) -> String {
    if value >= 1e-3 { percent(value) } else { format!("{value:.0e}") }
}

fn suite_row(
    text: &mut String,
    experiment: &Experiment,
    player: &SuitePlayer,
    result: &SuiteResult,
) {
    let published = player.published.map_or("-".to_owned(), |published| {
        format!("{} of {}", published.solved, published.problems)
    });
    if let Some(reason) = &result.skipped {
        let _ = writeln!(
            text,
            "| {} | `{}` | {published} | - | - | left out: {reason} |",
            player.name, player.player
        );
        return;
    }
    let all = result.solved.len() as u64;
    let solved = |rule| {
        let count = result.count(rule);
        let share = Interval::share(count, all).map_or(String::new(), |share| range(&share));
        format!("{count}: {share}")
    };
    let verdict = figure(experiment, player, result).map_or(String::new(), |it| verdict(&it));
    let _ = writeln!(
        text,
        "| {} | `{}` | {published} | {} | {} | {verdict} |",
        player.name,
        player.player,
        solved(SolvedBy::Key),
        solved(SolvedBy::Strict)
    );
}

/// Chart of the problems solved.
pub(super) fn suite_chart(
    named: &NamedExperiment,
    suite: &SuiteTask,
    found: &SuiteFindings,
) -> (String, String) {
    let mut bars = Vec::new();
    for (player, result) in suite.players.iter().zip(&found.players) {
        if let Some(published) = player.published {
            let missed = published.problems - published.solved;
            let counts = vec![published.solved, 0, missed];
            bars.push(ShareBar { name: format!("{}, published", player.name), counts });
        }
        if result.skipped.is_none() {
            let (key, strict) = (result.count(SolvedBy::Key), result.count(SolvedBy::Strict));
            let missed = result.solved.len() as u64 - key;
            let name = format!("{}, here", player.name);
            bars.push(ShareBar { name, counts: vec![strict, key - strict, missed] });
        }
    }
    let parts = ["solved", "first move only", "not solved"];
    let title = &named.experiment.title;
    let chart = ShareChart { title, parts: &parts, bars: &bars, unit: "problems" };
    (chart_name(&named.name), share_chart(&chart))
}

/// Section of compared searches, starting with the command that runs them.
pub(super) fn nodes_section(
    text: &mut String,
    experiment: &Experiment,
    counts: &NodeCounts,
    found: &NodeFindings,
) {
    let files: Vec<String> = counts
        .positions
        .iter()
        .map(|source| match source.count {
            Some(count) => format!("{count} of {}", source.file),
            None => source.file.clone(),
        })
        .collect();
    let _ = write!(text, "\n\n{} positions ({})", found.positions.len(), files.join(", "));
    if let Some(depth) = counts.depth {
        let _ = write!(text, ", depth {depth}");
    }
    let _ = write!(
        text,
        ", seed {}.\n\n| name | player | nodes | median | share of the most | share with 95 % interval |\n\
         |---|---|---:|---:|---:|---|\n",
        experiment.seed
    );
    let most = found.players.iter().max_by_key(|player| player.sum());
    for (player, result) in counts.players.iter().zip(&found.players) {
        if let Some(reason) = &result.skipped {
            let (name, player) = (&player.name, &player.player);
            let _ = writeln!(text, "| {name} | `{player}` | - | - | left out: {reason} | |");
            continue;
        }
        let most_nodes = most.map_or(1, NodeResult::sum).max(1);
        let share = most.and_then(|most| result.share_of(most));
        let _ = writeln!(
            text,
            "| {} | `{}` | {} | {} | {} | {} |",
            player.name,
            player.player,
            result.sum(),
            result.median(),
            percent(result.sum() as f64 / most_nodes as f64),
            share.map_or("-".to_owned(), |share| range(&share)),
        );
    }
    for claim in &counts.fewer {
        let result = |name: &str| {
            let place = counts.players.iter().position(|player| player.name == name)?;
            found.players.get(place).filter(|result| result.skipped.is_none())
        };
        if let (Some(ours), Some(theirs)) = (result(&claim.player), result(&claim.of)) {
            let _ = write!(
                text,
                "\n{} searches fewer nodes than {} in {} of {} positions.\n",
                claim.player,
                claim.of,
                ours.fewer_than(theirs),
                found.positions.len()
            );
        }
    }
}

/// Findings of a suite as JSON.
pub(super) fn suite_json(suite: &SuiteTask, found: &SuiteFindings) -> Value {
    let player = |(player, result): (&SuitePlayer, &SuiteResult)| {
        json!({
            "name": player.name, "player": player.player, "skipped": result.skipped,
            "key": result.count(SolvedBy::Key), "strict": result.count(SolvedBy::Strict),
        })
    };
    json!({
        "problems": found.chances.len(),
        "players": suite.players.iter().zip(&found.players).map(player).collect::<Vec<Value>>(),
        "by_chance": {
            "key": found.random(SolvedBy::Key).mean(),
            "strict": found.random(SolvedBy::Strict).mean(),
            "after_key": found.random_after_key().mean(),
        },
    })
}

/// Findings of compared searches as JSON.
pub(super) fn nodes_json(counts: &NodeCounts, found: &NodeFindings) -> Value {
    let players = counts.players.iter().zip(&found.players).map(|(player, result)| {
        json!({
            "name": player.name, "player": player.player, "skipped": result.skipped,
            "nodes": result.sum(), "median": result.median(),
        })
    });
    json!({ "positions": found.positions.len(), "players": players.collect::<Vec<Value>>() })
}

/// Lines for a terminal about the players of a suite.
pub(super) fn suite_lines(suite: &SuiteTask, found: &SuiteFindings) -> String {
    let mut text = String::new();
    for (player, result) in suite.players.iter().zip(&found.players) {
        let name = &player.name;
        let _ = match &result.skipped {
            Some(reason) => writeln!(text, "  {name}: left out: {reason}"),
            None => {
                let (key, strict) = (result.count(SolvedBy::Key), result.count(SolvedBy::Strict));
                let all = result.solved.len();
                writeln!(text, "  {name}: {key} keys, {strict} strictly solved of {all}")
            }
        };
    }
    let [key, strict] = [SolvedBy::Key, SolvedBy::Strict].map(|rule| found.random(rule).mean());
    let _ = writeln!(text, "  by chance: {key:.2} keys, {strict:.2} strictly solved");
    text
}

/// Lines for a terminal about the players of compared searches.
pub(super) fn nodes_lines(counts: &NodeCounts, found: &NodeFindings) -> String {
    let mut text = String::new();
    for (player, result) in counts.players.iter().zip(&found.players) {
        let name = &player.name;
        let _ = match &result.skipped {
            Some(reason) => writeln!(text, "  {name}: left out: {reason}"),
            None => writeln!(text, "  {name}: {} nodes", result.sum()),
        };
    }
    text
}
