//! Columns of the tables of a contest: one list for its text and JSON, its plot and the page Arena.

use crate::{
    elo::{Estimate, Wdl},
    report::ShowTimes,
    table::Standings,
};
use serde_json::{Value, json};

/// A column with a value for every player.
pub struct Column {
    /// Heading.
    pub heading: &'static str,
    /// Field of a player in the JSON; `None` if the JSON has the value elsewhere.
    pub field: Option<&'static str>,
    /// Width in the text report; `None` if the column is not part of it.
    pub width: Option<usize>,
    /// Whether it is shown beside the grid of the cross table, in plots and on the page.
    pub beside_grid: bool,
    /// Whether its values depend on the machine, so that no two runs share them.
    pub is_time: bool,
    /// The value of a player.
    pub value: fn(&PlayerRow<'_>) -> ColumnValue,
}

/// A player and its rating.
pub struct PlayerRow<'a> {
    pub standings: &'a Standings,
    pub player: usize,
    pub elo: Estimate,
}

/// Value of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnValue {
    Count(u64),
    /// Average per move, with one decimal.
    Average(f64),
    /// Time per move in milliseconds.
    Milliseconds(f64),
    /// Share of the points.
    Score(Wdl),
    /// Points of games.
    Points(Wdl),
    /// Rating, or its bound after wins only or losses only.
    Elo(Estimate),
    /// Half width of the interval of a rating.
    EloError(Estimate),
}

/// All columns, in order. A new one is one entry here; what it shows is counted by [`Standings`].
pub const COLUMNS: &[Column] = &[
    text("Elo", 6, |row| ColumnValue::Elo(row.elo)),
    text("+-", 5, |row| ColumnValue::EloError(row.elo)),
    text("games", 6, |row| ColumnValue::Count(row.total().games())),
    text("score", 7, |row| ColumnValue::Score(row.total())),
    text("first", 7, |row| ColumnValue::Score(row.by_turn()[0])).in_json("as_first"),
    text("second", 7, |row| ColumnValue::Score(row.by_turn()[1])).in_json("as_second"),
    text("won", 6, |row| ColumnValue::Count(row.total().wins)),
    text("drawn", 6, |row| ColumnValue::Count(row.total().draws)),
    text("lost", 6, |row| ColumnValue::Count(row.total().losses)),
    text("forced", 6, |row| ColumnValue::Count(row.standings.total(row.player).forced_draws)),
    text("loop", 5, |row| ColumnValue::Count(row.standings.total(row.player).loop_draws)),
    text("depth", 6, |row| row.average(|stats| stats.depth)).in_json("depth"),
    text("nodes", 10, |row| row.average(|stats| stats.nodes)).in_json("nodes"),
    text("time", 4, |row| ColumnValue::Count(row.standings.time_losses[row.player]))
        .in_json("time_losses"),
    text("faults", 6, |row| ColumnValue::Count(row.standings.forfeits[row.player]))
        .in_json("forfeits"),
    Column {
        is_time: true,
        ..text("ms", 5, |row| {
            ColumnValue::Milliseconds(row.standings.player_stats[row.player].milliseconds_a_move())
        })
        .in_json("ms_per_move")
    },
    beside_grid("Points", |row| ColumnValue::Points(row.total())),
    beside_grid("Score", |row| ColumnValue::Score(row.total())),
];

type ValueOf = fn(&PlayerRow<'_>) -> ColumnValue;

const fn text(heading: &'static str, width: usize, value: ValueOf) -> Column {
    let width = Some(width);
    Column { heading, field: None, width, beside_grid: false, is_time: false, value }
}

const fn beside_grid(heading: &'static str, value: ValueOf) -> Column {
    Column { heading, field: None, width: None, beside_grid: true, is_time: false, value }
}

impl Column {
    const fn in_json(self, field: &'static str) -> Column {
        Column { field: Some(field), ..self }
    }

    /// Whether a report with these times has the column.
    pub fn is_shown(&self, times: ShowTimes) -> bool {
        !self.is_time || times == ShowTimes::Shown
    }
}

impl PlayerRow<'_> {
    fn total(&self) -> Wdl {
        self.standings.total(self.player).wdl
    }

    fn by_turn(&self) -> [Wdl; 2] {
        self.standings.by_turn[self.player]
    }

    fn average(&self, sum: impl Fn(&crate::game::PlayerStats) -> u64) -> ColumnValue {
        let stats = &self.standings.player_stats[self.player];
        let average = if stats.moves == 0 { 0.0 } else { sum(stats) as f64 / stats.moves as f64 };
        ColumnValue::Average((average * 10.0).round() / 10.0)
    }
}

impl ColumnValue {
    /// The value as text; `-` where it is unknown.
    pub fn text(&self) -> String {
        // Adding zero makes zero of minus zero.
        let number = |value: Option<f64>| {
            value.map_or("-".to_owned(), |v| format!("{:.0}", v.round() + 0.0))
        };
        match self {
            ColumnValue::Count(count) => count.to_string(),
            ColumnValue::Average(value) | ColumnValue::Milliseconds(value) => format!("{value:.1}"),
            ColumnValue::Score(wdl) => {
                wdl.score().map_or("-".to_owned(), |score| format!("{:.1} %", 100.0 * score))
            }
            ColumnValue::Points(wdl) => format!("{} / {}", wdl.points(), wdl.games()),
            // After wins only, or losses only, there is just a bound.
            ColumnValue::Elo(Estimate { value: None, low: Some(low), .. }) => format!(">{low:.0}"),
            ColumnValue::Elo(Estimate { value: None, high: Some(high), .. }) => {
                format!("<{high:.0}")
            }
            ColumnValue::Elo(elo) => number(elo.value),
            ColumnValue::EloError(elo) => number(elo.error()),
        }
    }

    /// The value as JSON.
    pub fn json(&self) -> Value {
        match self {
            ColumnValue::Count(count) => json!(count),
            ColumnValue::Average(value) | ColumnValue::Milliseconds(value) => json!(value),
            ColumnValue::Score(Wdl { wins, draws, losses })
            | ColumnValue::Points(Wdl { wins, draws, losses }) => {
                json!({ "wins": wins, "draws": draws, "losses": losses })
            }
            ColumnValue::Elo(elo) => json!(elo),
            ColumnValue::EloError(elo) => json!(elo.error()),
        }
    }
}

/// A column beside the grid of a cross table, with the texts of its players in order.
#[derive(Clone, Debug)]
pub struct GridColumn {
    pub heading: &'static str,
    pub values: Vec<String>,
}

/// The columns beside the grid for `players`, who are named by their numbers.
pub fn grid_columns(standings: &Standings, players: &[usize]) -> Vec<GridColumn> {
    let text = |column: &Column, &player: &usize| {
        let row = PlayerRow { standings, player, elo: Estimate::default() };
        (column.value)(&row).text()
    };
    let columns = COLUMNS.iter().filter(|column| column.beside_grid);
    columns
        .map(|column| GridColumn {
            heading: column.heading,
            values: players.iter().map(|player| text(column, player)).collect(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_values_and_bounds_have_texts() {
        let bound = Estimate { value: None, low: Some(120.4), high: None };
        assert_eq!(ColumnValue::Elo(bound).text(), ">120");
        assert_eq!(ColumnValue::Elo(Estimate::default()).text(), "-");
        let even = Estimate { value: Some(-0.4), low: Some(-9.0), high: Some(8.2) };
        assert_eq!(ColumnValue::Elo(even).text(), "0");
        assert_eq!(ColumnValue::Score(Wdl::default()).text(), "-");
        assert_eq!(ColumnValue::Score(Wdl::new(1, 1, 1)).text(), "50.0 %");
        assert_eq!(ColumnValue::Points(Wdl::new(2, 1, 0)).text(), "2.5 / 3");
    }

    #[test]
    fn no_two_columns_of_a_table_share_a_heading_or_a_field() {
        let in_text = COLUMNS.iter().filter(|it| it.width.is_some()).map(|it| it.heading);
        let in_grid = COLUMNS.iter().filter(|it| it.beside_grid).map(|it| it.heading);
        let fields = COLUMNS.iter().filter_map(|it| it.field);
        for mut names in [in_text.collect::<Vec<_>>(), in_grid.collect(), fields.collect()] {
            let count = names.len();
            assert!(count > 1);
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count);
        }
    }
}
