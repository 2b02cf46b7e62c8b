//! Findings as text: for a terminal, as JSON, and as a document with charts.

use super::{
    DrawKinds, Experiment, ExperimentTask, Figure, FigureValue, FigureVerdict, Findings,
    GoMatchFindings, Interval, Match, MatchFindings, NamedExperiment, Published, SavingsFindings,
    TrainingCost, TrainingTime,
    boards::rows,
    counts_document::{
        NODES_RULE, SUITE_RULE, nodes_json, nodes_lines, nodes_section, suite_chart, suite_json,
        suite_lines, suite_section,
    },
    figures,
    go_document::{BOARDS_RULE, SAVINGS_RULE, boards_chart, boards_section, savings_section},
    pairs::{self, PAIRS_RULE},
};
use ludus_arena::{
    elo::Wdl,
    game::PlayerStats,
    plot::{ShareBar, ShareChart, share_chart},
};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Explanation of the three verdicts, for readers of a document.
const VERDICTS_TEXT: &str = "Each published figure has its own verdict. *Not reproduced*: ours and the published one \
are incompatible. *Reproduced*: they are compatible, and ours is precise enough to have shown a difference. \
*Inconclusive*: they are compatible, but ours rests on too few games; the approximate number that would decide is \
given. Precise enough is a half-width of our own 95 % interval of at most 7 points, unless the experiment fixed \
another beforehand; a score also needs twenty pairs of games.";

/// Rules for figures of matches and trainings, for readers of a document.
const MATCH_RULE: &str = "*Score*, *draws* and *loops* are compatible if the 95 % interval of the difference between \
ours and the published one includes zero; it combines both intervals (Newcombe 1998), so that the uncertainty of a \
source with few games is included. *Better* is incompatible if our interval of the score lies on the other side of one \
half, or is precise and lies on neither side; *fewer loops* likewise, by the interval of the difference of our two \
shares. Effort is compared in positions searched, which are the same on every machine: a published share is compatible \
if neither is more than twice the other, a published limit if ours is below it. It is counted in the training that the \
experiment fixes, not sampled, so it has no interval and is always decisive. Minutes are measured, and decisive if as \
many games were trained as in the source. Scores have intervals over pairs of games, shares have Wilson intervals. A \
*loop* is a game drawn by repetition or no progress with one side ahead: by the endgame database of up to five pieces \
if it covers the last position, otherwise in material; other draws are *real*.";

/// Text of a figure's verdict.
pub(super) fn verdict(figure: &Figure) -> String {
    match figure.games_needed {
        Some(games) => format!("{}: about {games} games would decide", figure.verdict),
        None => figure.verdict.to_string(),
    }
}

/// Summary of an experiment's verdicts.
fn summary(figures: &[Figure], findings: &Findings) -> String {
    if let Findings::Skipped(_) = findings {
        return "left out".to_owned();
    }
    if figures.is_empty() {
        return "no published figure to compare with".to_owned();
    }
    let count =
        |verdict| figures.iter().filter(|figure: &&Figure| figure.verdict == verdict).count();
    let mut text =
        format!("{} of {} figures reproduced", count(FigureVerdict::Reproduced), figures.len());
    for verdict in [FigureVerdict::NotReproduced, FigureVerdict::Inconclusive] {
        if count(verdict) > 0 {
            let _ = write!(text, ", {} {verdict}", count(verdict));
        }
    }
    text
}

pub(super) fn percent(value: f64) -> String {
    format!("{:.1} %", 100.0 * value)
}

pub(super) fn range(interval: &Interval) -> String {
    let Interval { value, low, high } = interval;
    format!("{} [{:.1}, {:.1}]", percent(*value), 100.0 * low, 100.0 * high)
}

pub(super) fn shown(shown: &FigureValue) -> String {
    match shown {
        FigureValue::Share(interval) => range(interval),
        FigureValue::Part(part) => format!("{:.2} %", 100.0 * part),
        FigureValue::AtLeast(part) => format!("at least {:.0} %", 100.0 * part),
        FigureValue::Below(part) => format!("below {:.0} %", 100.0 * part),
        FigureValue::Minutes(minutes) => format!("{minutes:.1}"),
        FigureValue::Words(words) => (*words).to_owned(),
    }
}

/// Findings for a terminal.
pub fn text(named: &NamedExperiment, findings: &Findings) -> String {
    let figures = figures(&named.experiment, findings);
    let mut text = format!("{}: {}\n", named.name, named.experiment.title);
    for figure in &figures {
        let (published, ours) = (shown(&figure.published), shown(&figure.ours));
        let _ = writeln!(
            text,
            "  {}: published {published}, here {ours}: {}",
            figure.figure,
            verdict(figure)
        );
    }
    if let Findings::Skipped(reason) = findings {
        let _ = writeln!(text, "  left out: {reason}");
        return text;
    }
    if let (ExperimentTask::Boards(boards), Findings::Boards(found)) =
        (named.experiment.task(), findings)
    {
        for row in rows(boards, found).iter().filter(|row| row.published.is_none()) {
            let ours = row.ours.map_or("no game".to_owned(), |ours| range(&ours));
            let _ = writeln!(text, "  {0}x{0} as {1}: {ours}", row.size, row.colour);
        }
    }
    text += &match (named.experiment.task(), findings) {
        (ExperimentTask::Pairs(pairs), Findings::Pairs(found)) => pairs::lines(pairs, found),
        (ExperimentTask::Suite(suite), Findings::Suite(found)) => suite_lines(suite, found),
        (ExperimentTask::NodeCounts(counts), Findings::NodeCounts(found)) => {
            nodes_lines(counts, found)
        }
        _ => String::new(),
    };
    let _ = writeln!(text, "  {}", summary(&figures, findings));
    text
}

/// Findings as JSON.
pub fn json(named: &NamedExperiment, findings: &Findings) -> Value {
    let NamedExperiment { name, experiment, .. } = named;
    let found = match findings {
        Findings::Match(found) => json!({
            "games": found.cell.wdl.games(),
            "repeats": found.cell.repeats,
            "wins": found.cell.wdl.wins,
            "draws": found.cell.wdl.draws,
            "losses": found.cell.wdl.losses,
            "loops": found.loops,
            "pairs": found.cell.pairs.0,
            "nodes": found.efforts.map(|effort| nodes(&effort)),
        }),
        Findings::Training(found) => {
            let one = |trained: &TrainingCost| {
                json!({
                    "player": trained.player, "games": trained.games, "nodes": trained.nodes,
                    "seconds": trained.seconds, "loops": trained.loops,
                })
            };
            json!({ "trainings": found.iter().map(one).collect::<Vec<Value>>() })
        }
        Findings::Boards(found) => boards_json(experiment, found),
        Findings::Savings(found) => savings_json(found),
        Findings::Skipped(reason) => json!({ "skipped": reason }),
        Findings::Pairs(_) | Findings::Suite(_) | Findings::NodeCounts(_) => {
            table_json(experiment, findings)
        }
    };
    json!({
        "name": name,
        "title": experiment.title,
        "group": experiment.group,
        "seed": experiment.seed,
        "players": players(experiment),
        "found": found,
        "figures": figures(experiment, findings),
    })
}

fn table_json(experiment: &Experiment, findings: &Findings) -> Value {
    match (experiment.task(), findings) {
        (ExperimentTask::Pairs(pairs), Findings::Pairs(found)) => pairs::pairs_json(pairs, found),
        (ExperimentTask::Suite(suite), Findings::Suite(found)) => suite_json(suite, found),
        (ExperimentTask::NodeCounts(counts), Findings::NodeCounts(found)) => {
            nodes_json(counts, found)
        }
        _ => Value::Null,
    }
}

fn players(experiment: &Experiment) -> Vec<&String> {
    match experiment.task() {
        ExperimentTask::Match(played) => vec![&played.first, &played.second],
        ExperimentTask::Training(training) => training.players.iter().collect(),
        ExperimentTask::Boards(boards) => vec![&boards.first, &boards.second],
        ExperimentTask::Savings(savings) => vec![&savings.first, &savings.second],
        ExperimentTask::Pairs(pairs) => pairs.players.iter().map(|it| &it.player).collect(),
        ExperimentTask::Suite(suite) => suite.players.iter().map(|it| &it.player).collect(),
        ExperimentTask::NodeCounts(counts) => counts.players.iter().map(|it| &it.player).collect(),
    }
}

fn boards_json(experiment: &Experiment, found: &GoMatchFindings) -> Value {
    let ExperimentTask::Boards(boards) = experiment.task() else { return Value::Null };
    let rows = rows(boards, found);
    let row = |row: &super::boards::Row| {
        json!({
            "size": row.size, "colour": row.colour, "games": row.wdl.games(),
            "wins": row.wdl.wins, "here": row.ours, "published": row.published,
            "within": row.is_within(),
        })
    };
    let forfeits: Vec<[u64; 2]> = found.boards.iter().map(|board| board.forfeits).collect();
    json!({
        "second": found.second, "playouts": found.playouts, "forfeits": forfeits,
        "boards": rows.iter().map(row).collect::<Vec<_>>(),
    })
}

fn savings_json(found: &SavingsFindings) -> Value {
    let boards: Vec<Value> = found
        .boards
        .iter()
        .map(|board| json!({ "size": board.size, "early": board.early, "late": board.late }))
        .collect();
    json!({ "games": found.games, "playouts": found.playouts, "boards": boards })
}

pub(super) fn nodes(effort: &PlayerStats) -> f64 {
    (effort.nodes as f64 / effort.moves.max(1) as f64).round()
}

/// Document of several experiments, as Markdown.
pub fn document(title: &str, found: &[(NamedExperiment, Findings)]) -> String {
    let rules = rules(found).join("\n\n");
    let mut text =
        format!("# Reproduced: {title}\n\n{rules}\n\n| experiment | verdict |\n|---|---|\n");
    for (named, findings) in found {
        let figures = figures(&named.experiment, findings);
        let _ = writeln!(text, "| {} | {} |", named.experiment.title, summary(&figures, findings));
    }
    for (named, findings) in found {
        section(&mut text, named, findings);
    }
    text
}

/// Rules that apply to these experiments.
fn rules(found: &[(NamedExperiment, Findings)]) -> Vec<&'static str> {
    let mut rules = vec![VERDICTS_TEXT];
    for (named, _) in found {
        let rule = match named.experiment.task() {
            ExperimentTask::Match(_) | ExperimentTask::Training(_) => MATCH_RULE,
            ExperimentTask::Boards(_) => BOARDS_RULE,
            ExperimentTask::Savings(_) => SAVINGS_RULE,
            ExperimentTask::Pairs(_) => PAIRS_RULE,
            ExperimentTask::Suite(_) => SUITE_RULE,
            ExperimentTask::NodeCounts(_) => NODES_RULE,
        };
        if !rules.contains(&rule) {
            rules.push(rule);
        }
    }
    rules
}

/// Puts `part`, the document of a group, into another document: in its own place if it has one
/// there, else at the end. Everything else stays as it is.
pub fn merged(document: &str, group: &str, part: &str) -> String {
    let [begin, end] = ["begin", "end"].map(|word| format!("<!-- {word} {group} -->"));
    let lower =
        |line: &str| if line.starts_with('#') { format!("#{line}\n") } else { format!("{line}\n") };
    let part: String = part.lines().map(lower).collect();
    let place = document.find(&begin).and_then(|start| {
        let length = document[start..].find(&end)? + end.len();
        Some((&document[..start], document[start + length..].trim_start_matches('\n')))
    });
    let (before, after) = place.unwrap_or((document, ""));
    let before =
        if before.is_empty() { String::new() } else { format!("{}\n\n", before.trim_end()) };
    let after = if after.is_empty() { String::new() } else { format!("\n{after}") };
    format!("{before}{begin}\n\n{part}\n{end}\n{after}")
}

fn section(text: &mut String, named: &NamedExperiment, findings: &Findings) {
    let NamedExperiment { name, experiment, .. } = named;
    let _ = write!(text, "\n## {}\n\nPublished: {}\n\n", experiment.title, experiment.source);
    let _ = write!(text, "    ludus reproduce {name}");
    match (experiment.task(), findings) {
        (ExperimentTask::Match(played), Findings::Match(found)) => {
            match_section(text, named, played, found);
        }
        (ExperimentTask::Training(training), Findings::Training(found)) => {
            training_section(text, training, found, experiment.seed);
        }
        (ExperimentTask::Boards(boards), Findings::Boards(found)) => {
            boards_section(text, (name, experiment), boards, found);
        }
        (ExperimentTask::Savings(savings), Findings::Savings(found)) => {
            savings_section(text, experiment, savings, found);
        }
        (ExperimentTask::Pairs(pairs), Findings::Pairs(found)) => {
            pairs::section(text, named, pairs, found);
        }
        (ExperimentTask::Suite(suite), Findings::Suite(found)) => {
            suite_section(text, experiment, suite, found);
            let _ = write!(text, "\n![Problems solved]({})\n", chart_name(name));
        }
        (ExperimentTask::NodeCounts(counts), Findings::NodeCounts(found)) => {
            nodes_section(text, experiment, counts, found);
        }
        (_, Findings::Skipped(reason)) => {
            let _ = write!(text, "\n\nLeft out: {reason}\n");
        }
        _ => {}
    }
    // The tables of the others have a verdict column of their own.
    if matches!(
        findings,
        Findings::Match(_) | Findings::Training(_) | Findings::Savings(_) | Findings::NodeCounts(_)
    ) {
        figures_table(text, experiment, findings);
    }
    precisions(text, experiment);
    if !experiment.why.is_empty() {
        let _ = write!(text, "\n{}\n", experiment.why.trim());
    }
}

/// Precisions fixed by the experiment itself, with their reasons.
fn precisions(text: &mut String, experiment: &Experiment) {
    let points = |precision: f64| format!("{:.1} points", 100.0 * precision);
    if let (Some(precision), Some(why)) = (experiment.precision, &experiment.precision_why) {
        let _ = write!(text, "\nPrecise enough here: {}. {}\n", points(precision), why.trim());
    }
    for (name, figure) in &experiment.figures {
        let (points, why) = (points(figure.precision), figure.precision_why.trim());
        let _ = write!(text, "\nPrecise enough for *{name}*: {points}. {why}\n");
    }
}

fn figures_table(text: &mut String, experiment: &Experiment, findings: &Findings) {
    text.push_str("\n| figure | published | here | verdict |\n|---|---|---|---|\n");
    for figure in figures(experiment, findings) {
        let (published, ours) = (shown(&figure.published), shown(&figure.ours));
        let _ =
            writeln!(text, "| {} | {published} | {ours} | {} |", figure.figure, verdict(&figure));
    }
}

fn match_section(
    text: &mut String,
    named: &NamedExperiment,
    played: &Match,
    found: &MatchFindings,
) {
    let games = found.cell.wdl.games();
    let all = games + found.cell.repeats;
    if all != played.games {
        let _ = write!(text, " --games {all}");
    }
    let _ =
        write!(text, "\n\n`{}` v `{}`, openings: {}", played.first, played.second, played.openings);
    for (what, value) in [
        ("depth", played.depth.map(u64::from)),
        ("nodes", played.nodes),
        ("at most plies", played.max_plies.map(u64::from)),
    ] {
        if let Some(value) = value {
            let _ = write!(text, ", {what} {value}");
        }
    }
    let [first, second] = found.efforts.map(|effort| nodes(&effort));
    let repeated = match found.cell.repeats {
        0 => String::new(),
        repeats => format!("; {repeats} more games repeated one of these and do not count"),
    };
    let _ = write!(
        text,
        ", seed {}; {first} and {second} positions per move{repeated}.\n\n",
        named.experiment.seed
    );
    match &found.forced {
        Some(draws) => forced_rows(text, played, found, draws),
        None => loop_rows(text, played, found),
    }
    let _ = write!(text, "\n![Shares of results]({})\n", chart_name(&named.name));
}

fn number(value: Option<u64>) -> String {
    value.map_or("-".to_owned(), |value| value.to_string())
}

/// Published and our results with forced draws apart.
fn forced_rows(text: &mut String, played: &Match, found: &MatchFindings, draws: &DrawKinds) {
    text.push_str(
        "| | games | won | drawn | forced | lost | score |\n|---|---:|---:|---:|---:|---:|---|\n",
    );
    let Published { games, won, drawn, forced, lost, .. } = played.published;
    let tally = won.zip(drawn).zip(forced).zip(lost);
    let tally = tally.map(|(((won, drawn), forced), lost)| Wdl::new(won, drawn + forced, lost));
    let score = |score: Option<Interval>| score.map_or("-".to_owned(), |score| range(&score));
    let [won, drawn, forced, lost] = [won, drawn, forced, lost].map(number);
    let published = score(tally.and_then(|tally| Interval::score(tally.into())));
    let _ = writeln!(
        text,
        "| published | {games} | {won} | {drawn} | {forced} | {lost} | {published} |"
    );
    let Wdl { wins, losses, .. } = found.cell.wdl;
    let (all, ours) = (found.cell.wdl.games(), score(Interval::score(found.cell.sample())));
    let (drawn, forced) = (draws.drawn(), draws.forced());
    let _ = writeln!(text, "| here | {all} | {wins} | {drawn} | {forced} | {losses} | {ours} |");
}

/// Published and our results with loops apart.
fn loop_rows(text: &mut String, played: &Match, found: &MatchFindings) {
    let games = found.cell.wdl.games();
    text.push_str(
        "| | games | won | real draws | loops | lost | score |\n|---|---:|---:|---:|---:|---:|---|\n",
    );
    let published = &played.published;
    let real = published.drawn.zip(published.loops).map(|(drawn, loops)| drawn - loops);
    let drawn_only = published.drawn.filter(|_| published.loops.is_none());
    let real = drawn_only.map_or_else(|| number(real), |drawn| format!("{drawn} in all"));
    let wdl = published.won.zip(published.drawn).zip(published.lost);
    let wdl = wdl.map(|((won, drawn), lost)| Wdl::new(won, drawn, lost));
    let score = wdl.and_then(|wdl| Interval::score(wdl.into()));
    let _ = writeln!(
        text,
        "| published | {} | {} | {real} | {} | {} | {} |",
        published.games,
        number(published.won),
        number(published.loops),
        number(published.lost),
        score.map_or("-".to_owned(), |score| range(&score)),
    );
    let Wdl { wins, draws, losses } = found.cell.wdl;
    let score = Interval::score(found.cell.sample());
    let _ = writeln!(
        text,
        "| here | {games} | {wins} | {} | {} | {losses} | {} |",
        draws - found.loops,
        found.loops,
        score.map_or("-".to_owned(), |score| range(&score)),
    );
}

fn training_section(text: &mut String, training: &TrainingTime, found: &[TrainingCost], seed: u64) {
    let td = &training.td;
    let _ = write!(
        text,
        "\n\nEqual training: {} sessions of {} games, search depth {}, seed {seed}. Processor time is \
         that of the machine that wrote this document.\n\n\
         | player | training games | positions | share of the most | processor time | loops |\n\
         |---|---:|---:|---:|---:|---:|\n",
        td.sessions, td.games, td.look_ahead
    );
    let most = found.iter().map(|trained| trained.nodes).max().unwrap_or(0).max(1);
    for trained in found {
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {:.1} s | {} |",
            trained.player,
            trained.games,
            trained.nodes,
            percent(trained.nodes as f64 / most as f64),
            trained.seconds,
            trained.loops,
        );
    }
}

pub(super) fn chart_name(name: &str) -> String {
    format!("{name}.svg")
}

/// Charts of an experiment's section: file names and SVG.
pub fn charts(named: &NamedExperiment, findings: &Findings) -> Vec<(String, String)> {
    let title = &named.experiment.title;
    let svg = match (named.experiment.task(), findings) {
        (ExperimentTask::Match(played), Findings::Match(found)) => {
            match_chart(title, played, found)
        }
        (ExperimentTask::Boards(boards), Findings::Boards(found)) => {
            boards_chart(title, boards, found)
        }
        (ExperimentTask::Pairs(pairs), Findings::Pairs(found)) => {
            return pairs::charts(named, pairs, found);
        }
        (ExperimentTask::Suite(suite), Findings::Suite(found)) => {
            return vec![suite_chart(named, suite, found)];
        }
        _ => return Vec::new(),
    };
    vec![(chart_name(&named.name), svg)]
}

fn match_chart(title: &str, played: &Match, found: &MatchFindings) -> String {
    let published = &played.published;
    // Draws shown apart: forced ones if they were published, else loops.
    let (apart, found_apart, apart_name) = match &found.forced {
        Some(draws) => (published.forced.unwrap_or(0), draws.forced(), "forced"),
        None => (published.loops.unwrap_or(0), found.loops, "drawn by a loop"),
    };
    let drawn = published.drawn.unwrap_or(0) + published.forced.unwrap_or(0);
    // If neither wins nor losses were published, decided games are shown without a winner.
    let undivided = published.won.map_or(published.games - drawn, |_| 0);
    let Wdl { wins, draws, losses } = found.cell.wdl;
    let bars = [
        ShareBar {
            name: "published".to_owned(),
            counts: vec![
                published.won.unwrap_or(0),
                drawn - apart.min(drawn),
                apart,
                published.lost.unwrap_or(0),
                undivided,
            ],
        },
        ShareBar {
            name: "here".to_owned(),
            counts: vec![wins, draws - found_apart, found_apart, losses, 0],
        },
    ];
    let parts = ["won", "drawn", apart_name, "lost", "won or lost"];
    let parts = if undivided > 0 { &parts[..] } else { &parts[..4] };
    share_chart(&ShareChart { title, parts, bars: &bars, unit: "games" })
}
