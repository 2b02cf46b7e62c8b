//! Report of a contest: as text, JSON and plots.

use crate::{
    contest::ContestResult,
    elo::{Estimate, ScoreSample, Wdl},
    plot::{
        CrossTable, LineChart, RatingBar, RatingChart, Series, Unit,
        cross_table as cross_table_plot, line_chart, rating_chart,
    },
    rating::{Anchor, Pairing, Rating, RatingOptions, Ratings, rate},
    sprt::SprtState,
    table::{
        HeadToHead, Standings,
        columns::{COLUMNS, PlayerRow, grid_columns},
    },
};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Ratings of all players, with an average of 0. With two players each gets half of the match's Elo
/// difference.
pub fn ratings(standings: &Standings) -> Option<Ratings> {
    let count = standings.players.len();
    if count == 2 {
        return Some(match_ratings(&standings.cells[0][1]));
    }
    let pairs = (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second)));
    let pairings: Vec<Pairing> = pairs
        .map(|(first, second)| Pairing { first, second, wdl: standings.cells[first][second].wdl })
        .filter(|pairing| pairing.wdl.games() > 0)
        .collect();
    // Pairings mix both colours, so the first-move advantage cannot be fitted.
    let options = RatingOptions { first_move: false, anchor: Anchor::Mean, ..Default::default() };
    rate(count, &pairings, &options).ok()
}

fn match_ratings(cell: &HeadToHead) -> Ratings {
    let half = |elo: Estimate| {
        let half = |number: Option<f64>| number.map(|number| number / 2.0);
        Estimate { value: half(elo.value), low: half(elo.low), high: half(elo.high) }
    };
    let minus = |elo: Estimate| {
        let minus = |number: Option<f64>| number.map(|number| -number);
        Estimate { value: minus(elo.value), low: minus(elo.high), high: minus(elo.low) }
    };
    let elo = half(cell.sample().elo());
    let rating = |elo, wdl| Rating { elo, wdl, group: 0 };
    Ratings {
        players: vec![rating(elo, cell.wdl), rating(minus(elo), cell.wdl.mirrored())],
        groups: vec![vec![0, 1]],
        first_move: Estimate::default(),
        draw_rate: cell.wdl.draw_ratio(),
    }
}

/// The JSON of `ludus match`: counts of the first player.
pub fn match_json(game: &str, result: &ContestResult, times: ShowTimes) -> Value {
    let cell = result.standings.cells[0][1];
    let sample = cell.sample();
    json!({
        "game": game,
        "players": players_json(&result.standings, times),
        "games": cell.wdl.games(),
        "played": result.standings.played(),
        "distinct": result.standings.games(),
        "repeats": result.standings.repeats(),
        "wins": cell.wdl.wins,
        "draws": cell.wdl.draws,
        "losses": cell.wdl.losses,
        "forced_draws": cell.forced_draws,
        "loop_draws": cell.loop_draws,
        "pairs": cell.pairs.0,
        "elo": sample.elo(),
        "normalized_elo": sample.normalised_elo(),
        "los": sample.superiority(),
        "sprt": result.sprt,
        "no_new_games": result.no_new_games,
        "complete": result.complete,
        "contest": result.id,
    })
}

/// The JSON of `ludus tournament`.
pub fn tournament_json(game: &str, result: &ContestResult, times: ShowTimes) -> Value {
    let standings = &result.standings;
    let row = |cells: &Vec<HeadToHead>| -> Vec<Value> {
        let cell = |cell: &HeadToHead| {
            json!({
                "wins": cell.wdl.wins, "draws": cell.wdl.draws, "losses": cell.wdl.losses,
                "forced_draws": cell.forced_draws, "loop_draws": cell.loop_draws,
                "pairs": cell.pairs.0, "repeats": cell.repeats,
            })
        };
        cells.iter().map(cell).collect()
    };
    let table: Vec<Vec<Value>> = standings.cells.iter().map(row).collect();
    let rated = ratings(standings);
    let rating = |player: usize| {
        let elo = rated.as_ref().map(|ratings| ratings.players[player].elo);
        json!({ "player": standings.players[player], "elo": elo })
    };
    json!({
        "game": game,
        "games": standings.games(),
        "played": standings.played(),
        "distinct": standings.games(),
        "repeats": standings.repeats(),
        "players": players_json(standings, times),
        "table": table,
        "ratings": ranking(standings, rated.as_ref()).into_iter().map(rating).collect::<Vec<_>>(),
        "champion": result.champion.map(|player| &standings.players[player]),
        "complete": result.complete,
        "contest": result.id,
    })
}

fn players_json(standings: &Standings, times: ShowTimes) -> Vec<Value> {
    let describe = |(player, name): (usize, &String)| {
        let row = PlayerRow { standings, player, elo: Estimate::default() };
        let mut described = json!({ "name": name });
        for column in COLUMNS.iter().filter(|column| column.is_shown(times)) {
            if let Some(field) = column.field {
                described[field] = (column.value)(&row).json();
            }
        }
        described
    };
    standings.players.iter().enumerate().map(describe).collect()
}

fn ranking(standings: &Standings, ratings: Option<&Ratings>) -> Vec<usize> {
    ratings.map_or_else(|| (0..standings.players.len()).collect(), Ratings::ranking)
}

/// Whether text and JSON show times, which no two runs share.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ShowTimes {
    /// Milliseconds per move.
    Shown,
    /// No figures that depend on the machine.
    Hidden,
}

/// The report as text: players by rating, the cross table, incidents.
pub fn text(result: &ContestResult, times: ShowTimes) -> String {
    let standings = &result.standings;
    let rated = ratings(standings);
    let order = ranking(standings, rated.as_ref());
    let mut text = String::new();
    player_table(&mut text, standings, &order, rated.as_ref(), times);
    if standings.players.len() > 2 {
        cross_table(&mut text, standings, &order);
    } else if standings.players.len() == 2 {
        let _ = write!(text, "\n{}, named first:", standings.players[0]);
        match_lines(&mut text, result);
    }
    if standings.repeats() > 0 {
        let (played, distinct) = (standings.played(), standings.games());
        let _ = writeln!(
            text,
            "{played} games, {distinct} distinct: {} repeated an earlier one move for move and are \
             not counted again (deterministic players repeat themselves from the same start)",
            standings.repeats()
        );
    }
    for (player, detail) in &standings.incidents {
        let _ = writeln!(text, "! {}: {detail}", standings.players[*player]);
    }
    if let Some(champion) = result.champion {
        let _ = writeln!(text, "champion: {}", standings.players[champion]);
    }
    if !result.complete {
        let _ = writeln!(text, "not complete: run again with --resume to continue");
    }
    text
}

fn player_table(
    text: &mut String,
    standings: &Standings,
    order: &[usize],
    ratings: Option<&Ratings>,
    times: ShowTimes,
) {
    let width = standings.players.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let columns = || {
        let shown = COLUMNS.iter().filter(|column| column.is_shown(times));
        shown.filter_map(|column| Some((column, column.width?)))
    };
    let _ = write!(text, "  # {:<width$}", "player");
    for (column, width) in columns() {
        let _ = write!(text, " {:>width$}", column.heading);
    }
    text.push('\n');
    for (rank, &player) in order.iter().enumerate() {
        let elo = ratings.map_or(Estimate::default(), |ratings| ratings.players[player].elo);
        let row = PlayerRow { standings, player, elo };
        let _ = write!(text, "{:>3} {:<width$}", rank + 1, standings.players[player]);
        for (column, width) in columns() {
            let _ = write!(text, " {:>width$}", (column.value)(&row).text());
        }
        text.push('\n');
    }
}

/// Cross table: wins-draws-losses of every row against every column.
fn cross_table(text: &mut String, standings: &Standings, order: &[usize]) {
    let cells: Vec<Vec<String>> = order
        .iter()
        .map(|&row| {
            let cell = |&column: &usize| {
                let wdl = standings.cells[row][column].wdl;
                if wdl.games() == 0 {
                    return "·".to_owned();
                }
                format!("{}-{}-{}", wdl.wins, wdl.draws, wdl.losses)
            };
            order.iter().map(cell).collect()
        })
        .collect();
    let width = cells.iter().flatten().map(|cell| cell.chars().count()).max().unwrap_or(1).max(3);
    text.push_str("\nwon-drawn-lost of the row against the column\n   ");
    for number in 1..=order.len() {
        let _ = write!(text, " {number:>width$}");
    }
    text.push('\n');
    for (number, (row, &player)) in cells.iter().zip(order).enumerate() {
        let _ = write!(text, "{:>3}", number + 1);
        for cell in row {
            let _ = write!(text, " {cell:>width$}");
        }
        let _ = writeln!(text, "  {}", standings.players[player]);
    }
}

/// Summary of a match: Elo, pairs of games, SPRT.
fn match_lines(text: &mut String, result: &ContestResult) {
    let cell = &result.standings.cells[0][1];
    let sample = cell.sample();
    let number = |value: Option<f64>| value.map_or("?".to_owned(), |value| format!("{value:+.1}"));
    let Estimate { value, low, high } = sample.elo();
    let _ = write!(text, " Elo {} [{}, {}]", number(value), number(low), number(high));
    let _ = write!(text, ", normalised {}", number(sample.normalised_elo().value));
    if let Some(superiority) = sample.superiority() {
        let _ = write!(text, ", better with probability {:.1} %", 100.0 * superiority);
    }
    let [none, half, one, more, two] = cell.pairs.0;
    let _ = writeln!(text, "\npairs of games: {none} {half} {one} {more} {two}");
    if let Some(SprtState { llr, lower, upper, verdict }) = result.sprt {
        let why = if result.no_new_games { ": no new games" } else { "" };
        let _ = writeln!(text, "SPRT: LLR {llr:.2} in [{lower:.2}, {upper:.2}], {verdict:?}{why}");
    }
}

/// Totals of all players after a number of games, for the chart of scores over time.
pub struct StandingsSnapshot {
    /// Distinct games counted.
    pub games: u64,
    /// Results of each player.
    pub samples: Vec<ScoreSample>,
}

impl StandingsSnapshot {
    /// Takes a snapshot of the standings.
    pub fn of(standings: &Standings) -> StandingsSnapshot {
        let players = 0..standings.players.len();
        let samples = players.map(|player| standings.total(player).sample()).collect();
        StandingsSnapshot { games: standings.games(), samples }
    }
}

/// Plots of a contest: file names and SVG.
pub fn plots(
    title: &str,
    result: &ContestResult,
    history: &[StandingsSnapshot],
) -> Vec<(&'static str, String)> {
    let standings = &result.standings;
    let rated = ratings(standings);
    let order = ranking(standings, rated.as_ref());
    let names: Vec<String> =
        order.iter().map(|&player| standings.players[player].clone()).collect();
    let row = |&row: &usize| order.iter().map(|&column| standings.cells[row][column].wdl).collect();
    let results: Vec<Vec<Wdl>> = order.iter().map(row).collect();
    let bar = |&player: &usize| RatingBar {
        name: standings.players[player].clone(),
        elo: rated.as_ref().map_or(Estimate::default(), |ratings| ratings.players[player].elo),
        games: standings.total(player).wdl.games(),
    };
    let bars: Vec<RatingBar> = order.iter().map(bar).collect();
    vec![
        (
            "cross-table.svg",
            cross_table_plot(&CrossTable {
                title,
                players: &names,
                results: &results,
                columns: &grid_columns(standings, &order),
            }),
        ),
        ("ratings.svg", rating_chart(&RatingChart { title, bars: &bars })),
        ("progress.svg", progress_plot(title, standings, &order, history)),
    ]
}

/// With two players the Elo difference with its band, with more the score of each.
fn progress_plot(
    title: &str,
    standings: &Standings,
    order: &[usize],
    history: &[StandingsSnapshot],
) -> String {
    let samples = |player: usize| {
        let played =
            history.iter().filter(move |snapshot| snapshot.samples[player].score().is_some());
        played.map(move |snapshot| (snapshot.games as f64, snapshot.samples[player]))
    };
    let is_match = standings.players.len() == 2;
    let series: Vec<Series> = if is_match {
        vec![Series::elo(&standings.players[0], samples(0))]
    } else {
        order
            .iter()
            .map(|&player| Series::score(&standings.players[player], samples(player)))
            .collect()
    };
    line_chart(&LineChart {
        title,
        x_label: "distinct games",
        y_label: if is_match { "Elo" } else { "score" },
        unit: if is_match { Unit::Number } else { Unit::Percent },
        reference: Some(if is_match { 0.0 } else { 0.5 }),
        series: &series,
    })
}
