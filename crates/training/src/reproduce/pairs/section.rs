//! Document section of the pairs: results beside the published ones, draws, cross table, charts.

use super::{
    PairFindings, PairMatch, PairMatches, PairResult,
    figures::{RESULTS, of_pair, published_counts},
    title,
};
use crate::reproduce::{
    Experiment, Figure, FigureVerdict, Interval, NamedExperiment,
    document::{chart_name, nodes, percent, range, verdict},
};
use ludus_arena::{
    elo::Wdl,
    plot::{CrossTable, ShareBar, ShareChart, cross_table, share_chart},
};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Rules for pairs, for readers of a document.
pub(in crate::reproduce) const PAIRS_RULE: &str = "Games of a pair are won, drawn, forced or lost, for the player that \
is named first. *Forced* are draws by length, by repetition and by the no-progress rule together, *drawn* are all \
others: stalemate and insufficient material. Each share has Wilson's 95 % interval, and is compatible with the \
published one if the 95 % interval of their difference includes zero (Newcombe 1998). A statement about a share of games \
is reproduced if the interval of ours lies above the claimed one, or ours is as great and precise enough; it is not \
reproduced if the interval lies below. In a ranking, `>` is better, `>=` not worse and `~` equal, judged by the games \
of the two players, with draws as half a point and Wilson's interval, which is too wide if there are draws. Games that \
would decide are those of `--games`. Elo has intervals over pairs of games.";

/// Section of pairs, starting with the command that plays them.
pub(in crate::reproduce) fn section(
    text: &mut String,
    named: &NamedExperiment,
    pairs: &PairMatches,
    found: &PairFindings,
) {
    header(text, named, pairs, found);
    if pairs.matches.iter().any(|played| played.published.is_some()) {
        published_table(text, &named.experiment, pairs, found);
    }
    results_table(text, pairs, found);
    left_out(text, pairs, found);
    claims_table(text, &named.experiment, pairs, found);
    markdown_cross_table(text, pairs, found);
    for (name, alt) in [
        (cross_table_name(&named.name), "Cross table"),
        (chart_name(&named.name), "Shares of results"),
    ] {
        let _ = write!(text, "\n![{alt}]({name})\n");
    }
}

/// Pairs that were played.
fn played<'a>(
    pairs: &'a PairMatches,
    found: &'a PairFindings,
) -> impl Iterator<Item = (&'a PairMatch, &'a PairResult)> {
    let all = pairs.matches.iter().zip(&found.pairs);
    all.filter(|(_, result)| result.skipped.is_none())
}

fn header(text: &mut String, named: &NamedExperiment, pairs: &PairMatches, found: &PairFindings) {
    let usual = |played: &PairMatch| played.games.unwrap_or(pairs.games);
    let changed = pairs.matches.iter().zip(&found.pairs);
    let changed = changed.clone().find(|(played, result)| result.games != usual(played));
    if let Some((_, result)) = changed {
        let _ = write!(text, " --games {}", result.games);
    }
    let _ = write!(text, "\n\nOpenings: {}", pairs.openings);
    for (name, value) in [
        ("depth", pairs.depth.map(u64::from)),
        ("nodes", pairs.nodes),
        ("at most plies", pairs.max_plies.map(u64::from)),
    ] {
        if let Some(value) = value {
            let _ = write!(text, ", {name} {value}");
        }
    }
    let _ = write!(text, ", seed {}.\n\n| name | player |\n|---|---|\n", named.experiment.seed);
    for player in &pairs.players {
        let _ = writeln!(text, "| {} | `{}` |", player.name, player.player);
    }
}

/// Published results above ours, with a verdict for each.
fn published_table(
    text: &mut String,
    experiment: &Experiment,
    pairs: &PairMatches,
    found: &PairFindings,
) {
    text.push_str(
        "\n| pair | | games | won | drawn | forced | lost | verdict |\n\
         |---|---|---:|---:|---:|---:|---:|---|\n",
    );
    for (played, result) in pairs.matches.iter().zip(&found.pairs) {
        let Some(published) = &played.published else { continue };
        let counts = published_counts(published).map(|count| count.to_string()).join(" | ");
        let _ =
            writeln!(text, "| {} | published | {} | {counts} | |", played.title(), published.games);
        let games = result.cell.wdl.games();
        let counts = match result.skipped {
            Some(_) => ["-"; 4].join(" | "),
            None => result.counts().map(|count| counted(count, games)).join(" | "),
        };
        let verdict = match result.skipped {
            Some(_) => "left out".to_owned(),
            None => row_verdict(&of_pair(experiment, played, result)),
        };
        let _ = writeln!(text, "| | here | {games} | {counts} | {verdict} |");
    }
}

/// A count with the interval of its share in percent.
fn counted(count: u64, games: u64) -> String {
    Interval::share(count, games).map_or("-".to_owned(), |share| {
        format!("{count} [{:.0}, {:.0}]", 100.0 * share.low, 100.0 * share.high)
    })
}

/// Verdicts of the shares of a pair, those that are not reproduced first.
fn row_verdict(figures: &[Figure]) -> String {
    let mut texts = Vec::new();
    for kind in
        [FigureVerdict::NotReproduced, FigureVerdict::Inconclusive, FigureVerdict::Reproduced]
    {
        let named: Vec<&str> = RESULTS
            .into_iter()
            .zip(figures)
            .filter(|(_, figure)| figure.verdict == kind)
            .map(|(name, _)| name)
            .collect();
        if named.len() == figures.len() && kind == FigureVerdict::Reproduced {
            return kind.to_string();
        }
        if !named.is_empty() {
            texts.push(format!("{kind}: {}", named.join(", ")));
        }
    }
    let needed = figures.iter().filter_map(|figure| figure.games_needed).max();
    if let Some(games) = needed {
        texts.push(format!("about {games} games would decide"));
    }
    texts.join("; ")
}

/// All results, with scores, Elo and kinds of draws.
fn results_table(text: &mut String, pairs: &PairMatches, found: &PairFindings) {
    text.push_str(
        "\n| pair | games | won | drawn | forced | lost | score | Elo | stalemate | material | repetition | \
         no progress | length | other | positions per move |\n\
         |---|---:|---:|---:|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for (pair, result) in played(pairs, found) {
        let wdl = result.cell.wdl;
        let counts = result.counts().map(|count| count.to_string()).join(" | ");
        let score = wdl.score().map_or("-".to_owned(), percent);
        let draws = &result.draws;
        let kinds = [
            draws.stalemate,
            draws.material,
            draws.repetition,
            draws.no_progress,
            draws.length,
            draws.other,
        ];
        let kinds = kinds.map(|count| count.to_string()).join(" | ");
        let [first, second] = result.efforts.map(|effort| nodes(&effort));
        let _ = writeln!(
            text,
            "| {} | {} | {counts} | {score} | {} | {kinds} | {first} / {second} |",
            pair.title(),
            wdl.games(),
            elo(result),
        );
    }
    for (pair, result) in played(pairs, found) {
        if result.cell.repeats > 0 {
            let (title, repeats) = (pair.title(), result.cell.repeats);
            let _ = write!(
                text,
                "\n{title}: {repeats} more games repeated one of these and do not count.\n"
            );
        }
    }
}

/// Elo difference with its interval, as far as it is bounded.
fn elo(result: &PairResult) -> String {
    let elo = result.cell.sample().elo();
    match (elo.value, elo.low, elo.high) {
        (Some(value), Some(low), Some(high)) => format!("{value:+.0} [{low:+.0}, {high:+.0}]"),
        (Some(value), _, _) => format!("{value:+.0}"),
        (None, Some(low), _) => format!("at least {low:+.0}"),
        (None, None, Some(high)) => format!("at most {high:+.0}"),
        (None, None, None) => "-".to_owned(),
    }
}

fn left_out(text: &mut String, pairs: &PairMatches, found: &PairFindings) {
    for (played, result) in pairs.matches.iter().zip(&found.pairs) {
        if let Some(reason) = &result.skipped {
            let _ = write!(text, "\nLeft out: {}: {reason}.\n", played.title());
        }
    }
}

/// Statements and rankings, each with its verdict.
fn claims_table(
    text: &mut String,
    experiment: &Experiment,
    pairs: &PairMatches,
    found: &PairFindings,
) {
    let results: usize = pairs
        .matches
        .iter()
        .zip(&found.pairs)
        .map(|(played, result)| of_pair(experiment, played, result).len())
        .sum();
    let all = super::figures(experiment, pairs, found);
    let claims = &all[results..];
    if claims.is_empty() {
        return;
    }
    text.push_str("\n| statement | claimed | here | verdict |\n|---|---|---|---|\n");
    for figure in claims {
        let [published, ours] =
            [&figure.published, &figure.ours].map(crate::reproduce::document::shown);
        let name = &figure.figure;
        let _ = writeln!(text, "| {name} | {published} | {ours} | {} |", verdict(figure));
    }
}

/// Results of every player against every other.
fn grid(pairs: &PairMatches, found: &PairFindings) -> Vec<Vec<Option<[u64; 4]>>> {
    let count = pairs.players.len();
    let mut grid = vec![vec![None; count]; count];
    let place = |name: &str| pairs.players.iter().position(|player| player.name == name);
    for (played, result) in played(pairs, found) {
        if let (Some(first), Some(second)) = (place(&played.first), place(&played.second)) {
            let [won, drawn, forced, lost] = result.counts();
            grid[first][second] = Some([won, drawn, forced, lost]);
            grid[second][first] = Some([lost, drawn, forced, won]);
        }
    }
    grid
}

fn markdown_cross_table(text: &mut String, pairs: &PairMatches, found: &PairFindings) {
    let names: Vec<&str> = pairs.players.iter().map(|player| player.name.as_str()).collect();
    let _ = write!(
        text,
        "\nCross table: won / drawn / forced / lost of the player on the left.\n\n| | {} |\n|---|{}\n",
        names.join(" | "),
        "---|".repeat(names.len())
    );
    for (name, row) in names.iter().zip(grid(pairs, found)) {
        let cell = |cell: Option<[u64; 4]>| {
            cell.map_or(String::new(), |counts| counts.map(|count| count.to_string()).join(" / "))
        };
        let row: Vec<String> = row.into_iter().map(cell).collect();
        let _ = writeln!(text, "| {name} | {} |", row.join(" | "));
    }
}

fn cross_table_name(name: &str) -> String {
    format!("{name}-table.svg")
}

/// Charts of the section: file names and SVG.
pub(in crate::reproduce) fn charts(
    named: &NamedExperiment,
    pairs: &PairMatches,
    found: &PairFindings,
) -> Vec<(String, String)> {
    let heading = &named.experiment.title;
    let mut bars = Vec::new();
    for (played, result) in played(pairs, found) {
        let name = played.title();
        if let Some(published) = &played.published {
            let counts = published_counts(published).to_vec();
            bars.push(ShareBar { name: format!("{name}, published"), counts });
        }
        let name = if played.published.is_some() { "here".to_owned() } else { name };
        bars.push(ShareBar { name, counts: result.counts().to_vec() });
    }
    let chart = ShareChart { title: heading, parts: &RESULTS, bars: &bars, unit: "games" };
    let shares = share_chart(&chart);
    let players: Vec<String> = pairs.players.iter().map(|player| player.name.clone()).collect();
    let wdl = |cell: Option<[u64; 4]>| {
        cell.map_or(Wdl::default(), |[won, drawn, forced, lost]| {
            Wdl::new(won, drawn + forced, lost)
        })
    };
    let results: Vec<Vec<Wdl>> =
        grid(pairs, found).into_iter().map(|row| row.into_iter().map(wdl).collect()).collect();
    let table = cross_table(&CrossTable {
        title: heading,
        players: &players,
        results: &results,
        columns: &[],
    });
    vec![(cross_table_name(&named.name), table), (chart_name(&named.name), shares)]
}

/// Findings as JSON.
pub(in crate::reproduce) fn pairs_json(pairs: &PairMatches, found: &PairFindings) -> Value {
    let pair = |(played, result): (&PairMatch, &PairResult)| {
        let [won, drawn, forced, lost] = result.counts();
        json!({
            "pair": title(&played.first, &played.second),
            "skipped": result.skipped,
            "games": result.cell.wdl.games(),
            "repeats": result.cell.repeats,
            "won": won, "drawn": drawn, "forced": forced, "lost": lost,
            "draws": result.draws,
            "elo": result.cell.sample().elo(),
            "pairs": result.cell.pairs.0,
            "nodes": result.efforts.map(|effort| nodes(&effort)),
        })
    };
    json!({ "pairs": pairs.matches.iter().zip(&found.pairs).map(pair).collect::<Vec<Value>>() })
}

/// Lines for a terminal about pairs without published results, and those left out.
pub(in crate::reproduce) fn lines(pairs: &PairMatches, found: &PairFindings) -> String {
    let mut text = String::new();
    for (played, result) in pairs.matches.iter().zip(&found.pairs) {
        if let Some(reason) = &result.skipped {
            let _ = writeln!(text, "  {}: left out: {reason}", played.title());
        } else if played.published.is_none() {
            let [won, drawn, forced, lost] = result.counts();
            let score = result.score().map_or("no game".to_owned(), |score| range(&score));
            let _ = writeln!(
                text,
                "  {}: {won} won, {drawn} drawn, {forced} forced, {lost} lost: {score}, Elo {}",
                played.title(),
                elo(result)
            );
        }
    }
    text
}
