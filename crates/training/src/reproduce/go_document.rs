//! Document sections for Go experiments: results by colour, and savings.

use super::{
    Experiment, GoMatchFindings, GoMatches, Interval, Savings, SavingsFindings, SearchCost,
    boards::{Row, rows},
    document::{chart_name, nodes, percent, range, verdict},
    savings::{finished, less, moves, seconds},
};
use ludus_arena::{
    elo::Wdl,
    plot::{ShareBar, ShareChart, share_chart},
};
use std::fmt::Write as _;

/// Rules for results by colour, for readers of a document.
pub const BOARDS_RULE: &str = "Shares of games won, the published ones too, have Wilson's 95 % intervals over the \
games of one colour. *Within* shows whether the published value lies within our interval. A figure is compatible if \
the 95 % interval of the difference between ours and the published one includes zero; it combines both intervals \
(Newcombe 1998). Games that would decide are those of `--games`, half of them of each colour. Games are played without \
openings and differ by their seeds; a forfeit is a loss by an illegal move, a crash or a hang.";

/// Rules for savings, for readers of a document.
pub const SAVINGS_RULE: &str = "Savings are measured in the same positions for both players, over whole games: a \
published share is compatible if neither is more than twice the other. Savings have intervals over the games \
(Student's, of a ratio), of which at least four are required; without that precision only an interval outside those \
limits is conclusive.";

/// Adds a command-line option if it differs from the experiment's value.
fn option(text: &mut String, name: &str, found: &str, usual: &str) {
    if found != usual {
        let _ = write!(text, " --{name} {found}");
    }
}

/// Options shared by experiments of Go.
fn search_options(text: &mut String, found: (u64, u64, &[u8]), usual: (u64, u64, &[u8])) {
    option(text, "games", &found.0.to_string(), &usual.0.to_string());
    option(text, "playouts", &found.1.to_string(), &usual.1.to_string());
    option(text, "sizes", &joined(found.2), &joined(usual.2));
}

fn joined(sizes: &[u8]) -> String {
    sizes.iter().map(u8::to_string).collect::<Vec<_>>().join(",")
}

/// Section of matches of Go, starting with the command that plays them.
pub fn boards_section(
    text: &mut String,
    (name, experiment): (&str, &Experiment),
    boards: &GoMatches,
    found: &GoMatchFindings,
) {
    let sizes: Vec<u8> = found.boards.iter().map(|board| board.size).collect();
    let usual = (boards.games, boards.playouts, &boards.sizes[..]);
    search_options(text, (found.games, found.playouts, &sizes), usual);
    let [opponent, named] = [&found.second, &boards.second].map(|player| format!("\"{player}\""));
    option(text, "opponent", &opponent, &named);
    let _ = write!(
        text,
        "\n\n`{}` v `{}`, at most {} simulations per move, komi {}, seed {}.\n\n\
         | board | colour | games | won | here | published | within | verdict |\n\
         |---|---|---:|---:|---|---|---|---|\n",
        boards.first, found.second, found.playouts, boards.komi, experiment.seed
    );
    let rows = rows(boards, found);
    for (pair, board) in rows.chunks(2).zip(&found.boards) {
        pair.iter().for_each(|row| boards_row(text, experiment, row));
        let [black, white] = board.colours;
        let (won, games) = (black.wins + white.wins, black.games() + white.games());
        let both = Interval::share(won, games);
        let _ = writeln!(
            text,
            "| {0}x{0} | both | {games} | {won} | {1} | | | |",
            board.size,
            interval(both)
        );
    }
    for board in &found.boards {
        let [first, second] = board.efforts.map(|effort| nodes(&effort));
        let _ = write!(
            text,
            "\n{0}x{0}: {first} and {second} simulations per move, as reported by the players",
            board.size
        );
        let [ours, theirs] = board.forfeits;
        if ours + theirs > 0 {
            let _ = write!(text, "; {ours} and {theirs} forfeits");
        }
        text.push_str(".\n");
    }
    let left_out = boards.published.iter().map(|claim| claim.size);
    let left_out: Vec<u8> = left_out.filter(|size| !sizes.contains(size)).collect();
    if !left_out.is_empty() {
        let _ = write!(text, "\nPublished and not played here: boards {}.\n", joined(&left_out));
    }
    let _ = write!(text, "\n![Shares of results]({})\n", chart_name(name));
}

fn boards_row(text: &mut String, experiment: &Experiment, row: &Row) {
    let within = row.is_within().map_or("", |within| if within { "yes" } else { "no" });
    let verdict = row.figure(experiment).map_or(String::new(), |figure| verdict(&figure));
    let _ = writeln!(
        text,
        "| {0}x{0} | {1} | {2} | {3} | {4} | {5} | {within} | {verdict} |",
        row.size,
        row.colour,
        row.wdl.games(),
        row.wdl.wins,
        interval(row.ours),
        interval(row.published),
    );
}

fn interval(interval: Option<Interval>) -> String {
    interval.map_or("-".to_owned(), |interval| range(&interval))
}

/// Bar chart of the results by colour and board size.
pub fn boards_chart(title: &str, boards: &GoMatches, found: &GoMatchFindings) -> String {
    let mut bars = Vec::new();
    for row in rows(boards, found) {
        let claim = boards.published.iter().find(|claim| claim.size == row.size);
        if let (Some(claim), Some(published)) = (claim, row.published) {
            let won = (published.value * claim.games as f64).round() as u64;
            bars.push(ShareBar {
                name: format!("{0}x{0} {1}, published", row.size, row.colour),
                counts: vec![won, 0, claim.games - won.min(claim.games)],
            });
        }
        let Wdl { wins, draws, losses } = row.wdl;
        bars.push(ShareBar {
            name: format!("{0}x{0} {1}, here", row.size, row.colour),
            counts: vec![wins, draws, losses],
        });
    }
    let parts = &["won", "drawn", "lost"];
    share_chart(&ShareChart { title, parts, bars: &bars, unit: "games" })
}

/// Section of searches of Go, starting with the command that runs them.
pub fn savings_section(
    text: &mut String,
    experiment: &Experiment,
    savings: &Savings,
    found: &SavingsFindings,
) {
    let sizes: Vec<u8> = found.boards.iter().map(|board| board.size).collect();
    let usual = (savings.games, savings.playouts, &savings.sizes[..]);
    search_options(text, (found.games, found.playouts, &sizes), usual);
    let _ = write!(
        text,
        "\n\n`{}` and `{}` in the positions of {} self-play games of the latter on each board, at most {} \
         simulations per move, komi {}, seed {}. Values per move, in this order; *finished* are playouts to the \
         end of the game, and time is processor time on the machine that wrote this document.\n\n\
         | board | part of the game | searches | simulations | finished | fewer | playout moves | fewer | ms | less |\n\
         |---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n",
        savings.first, savings.second, found.games, found.playouts, savings.komi, experiment.seed
    );
    for board in &found.boards {
        for (part, spent) in [
            ("whole games", board.all()),
            ("before half of the points are taken", board.early),
            ("afterwards", board.late),
        ] {
            savings_row(text, board.size, part, &spent);
        }
    }
}

fn savings_row(text: &mut String, size: u8, part: &str, spent: &[SearchCost; 2]) {
    let each = |of: &dyn Fn(&SearchCost) -> f64, digits: usize| {
        let [first, second] =
            spent.each_ref().map(|spent| of(spent) / spent.searches.max(1) as f64);
        format!("{first:.digits$} / {second:.digits$}")
    };
    let _ = writeln!(
        text,
        "| {size}x{size} | {part} | {} | {} | {} | {} | {} | {} | {} | {} |",
        spent[1].searches,
        each(&|spent| spent.simulations as f64, 0),
        each(&finished, 0),
        percent(less(spent, finished)),
        each(&moves, 0),
        percent(less(spent, moves)),
        each(&|spent| 1000.0 * seconds(spent), 1),
        percent(less(spent, seconds)),
    );
}
