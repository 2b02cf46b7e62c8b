//! The table of a contest, in words for people and as data for programs.

use crate::{
    contest::Held,
    elo::{Estimate, Sample, Tally},
    game::Effort,
    plot::{
        CrossTable, LineChart, RatingBar, RatingChart, Series, Unit,
        cross_table as cross_table_plot, line_chart, rating_chart,
    },
    rating::{Anchor, Pairing, Rating, RatingOptions, Ratings, rate},
    sprt::SprtState,
    table::{Cell, Standings},
};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Ratings of all players of a table; the average is 0. Those of two players are the halves of the
/// difference their match shows.
pub fn ratings(standings: &Standings) -> Option<Ratings> {
    let count = standings.players.len();
    if count == 2 {
        return Some(duel_ratings(&standings.cells[0][1]));
    }
    let pairs = (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second)));
    let pairings: Vec<Pairing> = pairs
        .map(|(first, second)| Pairing {
            first,
            second,
            tally: standings.cells[first][second].tally,
        })
        .filter(|pairing| pairing.tally.games() > 0)
        .collect();
    // Pairings hold both colours, so the first move's worth cannot be told from them.
    let options = RatingOptions { first_move: false, anchor: Anchor::Mean, ..Default::default() };
    rate(count, &pairings, &options).ok()
}

fn duel_ratings(cell: &Cell) -> Ratings {
    let half = |elo: Estimate| {
        let half = |number: Option<f64>| number.map(|number| number / 2.0);
        Estimate { value: half(elo.value), low: half(elo.low), high: half(elo.high) }
    };
    let minus = |elo: Estimate| {
        let minus = |number: Option<f64>| number.map(|number| -number);
        Estimate { value: minus(elo.value), low: minus(elo.high), high: minus(elo.low) }
    };
    let elo = half(cell.sample().elo());
    let rating = |elo, tally| Rating { elo, tally, group: 0 };
    Ratings {
        players: vec![rating(elo, cell.tally), rating(minus(elo), cell.tally.mirrored())],
        groups: vec![vec![0, 1]],
        first_move: Estimate::default(),
        draw_rate: cell.tally.draw_ratio(),
    }
}

/// The JSON of `ludus match`: counts of the first player.
pub fn match_json(game: &str, held: &Held, times: Times) -> Value {
    let cell = held.standings.cells[0][1];
    let sample = cell.sample();
    json!({
        "game": game,
        "players": players_json(&held.standings, times),
        "games": cell.tally.games(),
        "played": held.standings.played(),
        "distinct": held.standings.games(),
        "repeats": held.standings.repeats(),
        "wins": cell.tally.wins,
        "draws": cell.tally.draws,
        "losses": cell.tally.losses,
        "forced_draws": cell.forced_draws,
        "loop_draws": cell.loop_draws,
        "pairs": cell.pairs.0,
        "elo": sample.elo(),
        "normalized_elo": sample.normalized_elo(),
        "los": sample.superiority(),
        "sprt": held.sprt,
        "no_new_games": held.no_new_games,
        "complete": held.complete,
        "contest": held.id,
    })
}

/// The JSON of `ludus tournament`.
pub fn tournament_json(game: &str, held: &Held, times: Times) -> Value {
    let standings = &held.standings;
    let row = |cells: &Vec<Cell>| -> Vec<Value> {
        let cell = |cell: &Cell| {
            json!({
                "wins": cell.tally.wins, "draws": cell.tally.draws, "losses": cell.tally.losses,
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
        "champion": held.champion.map(|player| &standings.players[player]),
        "complete": held.complete,
        "contest": held.id,
    })
}

fn players_json(standings: &Standings, times: Times) -> Vec<Value> {
    let describe = |(player, name): (usize, &String)| {
        let effort = standings.efforts[player];
        let [first, second] = standings.by_turn[player];
        let mut described = json!({
            "name": name,
            "depth": average(effort.depth, &effort),
            "nodes": average(effort.nodes, &effort),
            "time_losses": standings.time_losses[player],
            "forfeits": standings.forfeits[player],
            "as_first": tally_json(first),
            "as_second": tally_json(second),
        });
        if times == Times::Shown {
            described["ms_per_move"] = json!(effort.milliseconds_a_move());
        }
        described
    };
    standings.players.iter().enumerate().map(describe).collect()
}

fn tally_json(tally: Tally) -> Value {
    json!({ "wins": tally.wins, "draws": tally.draws, "losses": tally.losses })
}

/// Per move, rounded so that the text of it is short.
fn average(sum: u64, effort: &Effort) -> f64 {
    if effort.moves == 0 { 0.0 } else { (sum as f64 / effort.moves as f64 * 10.0).round() / 10.0 }
}

fn ranking(standings: &Standings, ratings: Option<&Ratings>) -> Vec<usize> {
    ratings.map_or_else(|| (0..standings.players.len()).collect(), Ratings::ranking)
}

/// Whether table and JSON show time, which is never the same twice.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Times {
    /// Milliseconds a move.
    Shown,
    /// Nothing that depends on the machine.
    Hidden,
}

/// The table for people: players by rating, then the cross table, then what went wrong.
pub fn text(held: &Held, times: Times) -> String {
    let standings = &held.standings;
    let rated = ratings(standings);
    let order = ranking(standings, rated.as_ref());
    let mut text = String::new();
    player_table(&mut text, standings, &order, rated.as_ref(), times);
    if standings.players.len() > 2 {
        cross_table(&mut text, standings, &order);
    } else if standings.players.len() == 2 {
        let _ = write!(text, "\n{}, named first:", standings.players[0]);
        duel_lines(&mut text, held);
    }
    if standings.repeats() > 0 {
        let (played, distinct) = (standings.played(), standings.games());
        let _ = writeln!(
            text,
            "{played} games, {distinct} distinct: {} repeated an earlier one move for move and are \
             not counted again (players without chance repeat themselves from the same start)",
            standings.repeats()
        );
    }
    for (player, detail) in &standings.incidents {
        let _ = writeln!(text, "! {}: {detail}", standings.players[*player]);
    }
    if let Some(champion) = held.champion {
        let _ = writeln!(text, "champion: {}", standings.players[champion]);
    }
    if !held.complete {
        let _ = writeln!(text, "not complete: run again with --resume to go on");
    }
    text
}

fn player_table(
    text: &mut String,
    standings: &Standings,
    order: &[usize],
    ratings: Option<&Ratings>,
    times: Times,
) {
    let width = standings.players.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
    let _ = write!(
        text,
        "  # {:<width$} {:>6} {:>5} {:>6} {:>7} {:>7} {:>7} {:>6} {:>6} {:>6} {:>6} {:>5} {:>6} {:>10} {:>4} {:>6}",
        "player",
        "Elo",
        "+-",
        "games",
        "score",
        "first",
        "second",
        "won",
        "drawn",
        "lost",
        "forced",
        "loop",
        "depth",
        "nodes",
        "time",
        "faults"
    );
    text.push_str(if times == Times::Shown { "    ms\n" } else { "\n" });
    for (rank, &player) in order.iter().enumerate() {
        let total = standings.total(player);
        let elo = ratings.map_or(Estimate::default(), |ratings| ratings.players[player].elo);
        let [first, second] = standings.by_turn[player];
        let number = |value: Option<f64>| value.map_or("-".to_owned(), |v| format!("{v:.0}"));
        let percent = |tally: Tally| {
            tally.score().map_or("-".to_owned(), |score| format!("{:.1} %", 100.0 * score))
        };
        // After nothing but wins only a bound is known.
        let rating = match elo {
            Estimate { value: None, low: Some(low), .. } => format!(">{low:.0}"),
            Estimate { value: None, high: Some(high), .. } => format!("<{high:.0}"),
            elo => number(elo.value),
        };
        let effort = standings.efforts[player];
        let _ = write!(
            text,
            "{:>3} {:<width$} {:>6} {:>5} {:>6} {:>7} {:>7} {:>7} {:>6} {:>6} {:>6} {:>6} {:>5} {:>6.1} {:>10.1} {:>4} {:>6}",
            rank + 1,
            standings.players[player],
            rating,
            number(elo.error()),
            total.tally.games(),
            percent(total.tally),
            percent(first),
            percent(second),
            total.tally.wins,
            total.tally.draws,
            total.tally.losses,
            total.forced_draws,
            total.loop_draws,
            average(effort.depth, &effort),
            average(effort.nodes, &effort),
            standings.time_losses[player],
            standings.forfeits[player],
        );
        if times == Times::Shown {
            let _ = write!(text, " {:>5.1}", effort.milliseconds_a_move());
        }
        text.push('\n');
    }
}

/// Won-drawn-lost of every row against every column.
fn cross_table(text: &mut String, standings: &Standings, order: &[usize]) {
    let cells: Vec<Vec<String>> = order
        .iter()
        .map(|&row| {
            let cell = |&column: &usize| {
                let tally = standings.cells[row][column].tally;
                if tally.games() == 0 {
                    return "·".to_owned();
                }
                format!("{}-{}-{}", tally.wins, tally.draws, tally.losses)
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

/// What matters between two players.
fn duel_lines(text: &mut String, held: &Held) {
    let cell = &held.standings.cells[0][1];
    let sample = cell.sample();
    let number = |value: Option<f64>| value.map_or("?".to_owned(), |value| format!("{value:+.1}"));
    let Estimate { value, low, high } = sample.elo();
    let _ = write!(text, " Elo {} [{}, {}]", number(value), number(low), number(high));
    let _ = write!(text, ", normalised {}", number(sample.normalized_elo().value));
    if let Some(superiority) = sample.superiority() {
        let _ = write!(text, ", better with probability {:.1} %", 100.0 * superiority);
    }
    let [none, half, one, more, two] = cell.pairs.0;
    let _ = writeln!(text, "\npairs of games: {none} {half} {one} {more} {two}");
    if let Some(SprtState { llr, lower, upper, verdict }) = held.sprt {
        let why = if held.no_new_games { ": no new games" } else { "" };
        let _ = writeln!(text, "SPRT: LLR {llr:.2} in [{lower:.2}, {upper:.2}], {verdict:?}{why}");
    }
}

/// The totals of all players after so many games, for the chart of scores over time.
pub struct Moment {
    /// Games counted, every one once.
    pub games: u64,
    /// What each player has.
    pub samples: Vec<Sample>,
}

impl Moment {
    /// What the players have now.
    pub fn of(standings: &Standings) -> Moment {
        let players = 0..standings.players.len();
        let samples = players.map(|player| standings.total(player).sample()).collect();
        Moment { games: standings.games(), samples }
    }
}

/// The plots of a contest: file name and SVG.
pub fn plots(title: &str, held: &Held, history: &[Moment]) -> Vec<(&'static str, String)> {
    let standings = &held.standings;
    let rated = ratings(standings);
    let order = ranking(standings, rated.as_ref());
    let names: Vec<String> =
        order.iter().map(|&player| standings.players[player].clone()).collect();
    let row =
        |&row: &usize| order.iter().map(|&column| standings.cells[row][column].tally).collect();
    let results: Vec<Vec<Tally>> = order.iter().map(row).collect();
    let bar = |&player: &usize| RatingBar {
        name: standings.players[player].clone(),
        elo: rated.as_ref().map_or(Estimate::default(), |ratings| ratings.players[player].elo),
        games: standings.total(player).tally.games(),
    };
    let bars: Vec<RatingBar> = order.iter().map(bar).collect();
    vec![
        (
            "cross-table.svg",
            cross_table_plot(&CrossTable { title, players: &names, results: &results }),
        ),
        ("ratings.svg", rating_chart(&RatingChart { title, bars: &bars })),
        ("progress.svg", progress_plot(title, standings, &order, history)),
    ]
}

/// Two players: the Elo difference with its band. More: everybody's score.
fn progress_plot(
    title: &str,
    standings: &Standings,
    order: &[usize],
    history: &[Moment],
) -> String {
    let samples = |player: usize| {
        let played = history.iter().filter(move |moment| moment.samples[player].score().is_some());
        played.map(move |moment| (moment.games as f64, moment.samples[player]))
    };
    let is_duel = standings.players.len() == 2;
    let series: Vec<Series> = if is_duel {
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
        y_label: if is_duel { "Elo" } else { "score" },
        unit: if is_duel { Unit::Number } else { Unit::Percent },
        reference: Some(if is_duel { 0.0 } else { 0.5 }),
        series: &series,
    })
}
