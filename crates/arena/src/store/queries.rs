//! Queries for games.

use super::{Store, StoreError, StoredGame, writer::StoreWriter};
use crate::game::Category;
use ludus_core::{EndReason, Outcome, TextError};
use serde::Serialize;
use sqlx::{QueryBuilder, Row, Sqlite, sqlite::SqliteRow};
use std::{collections::VecDeque, path::Path};

/// Games read at a time, so that readers need constant memory.
const PAGE_SIZE: u64 = 256;

/// Filter and order of games. By default all games, newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameFilter {
    /// Only this game, with any options (`go`), with these (`go:size=9`) or with none (`go:`).
    pub game: Option<String>,
    /// Only this player, with any options (`minimax`) or with these (`minimax:depth=3`).
    pub player: Option<String>,
    /// Only this contest.
    pub contest: Option<ContestFilter>,
    /// Only this result: `first`, `second` or `draw`.
    pub result: Option<String>,
    /// Only games with this text in names, moves, endings or records, ignoring case.
    pub text: Option<String>,
    /// Maximum number of games.
    pub limit: Option<u64>,
    /// Games to skip.
    pub offset: u64,
    /// Order of the games.
    pub order: GameOrder,
}

/// Filter by contest.
#[derive(Clone, Debug, PartialEq)]
pub enum ContestFilter {
    /// The contest with this id.
    Id(i64),
    /// Contests with this name.
    Name(String),
}

/// Order of games.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum GameOrder {
    /// Last stored first.
    #[default]
    Newest,
    /// First stored first.
    Oldest,
}

/// A game with data of its contest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameRow {
    /// Id.
    pub id: i64,
    /// Id of its contest.
    pub contest: i64,
    /// Name of its contest.
    pub contest_name: String,
    /// The game with its options.
    pub game: String,
    /// Build of the program that played it.
    pub build: String,
    /// Build of the first side's player.
    pub first_build: String,
    /// Build of the second side's player.
    pub second_build: String,
    /// The game itself.
    #[serde(flatten)]
    pub played: StoredGame,
}

/// Iterator over the games that match a filter; see [`Store::games`]. It ends after an error.
pub struct StoredGames {
    store: Store,
    filter: GameFilter,
    page: VecDeque<GameRow>,
    /// Id of the last game read.
    last: Option<i64>,
    remaining: u64,
}

impl StoredGames {
    pub(super) fn new(store: Store, filter: GameFilter) -> StoredGames {
        let remaining = filter.limit.unwrap_or(u64::MAX);
        StoredGames { store, filter, page: VecDeque::new(), last: None, remaining }
    }

    fn read_page(&mut self) -> Result<(), StoreError> {
        let (filter, last) = (self.filter.clone(), self.last);
        let wanted = self.remaining.min(PAGE_SIZE);
        self.page = self.store.call(move |writer| writer.page(&filter, last, wanted))?.into();
        if (self.page.len() as u64) < wanted {
            self.remaining = self.page.len() as u64; // that was the last page
        }
        self.last = self.page.back().map(|row| row.id).or(self.last);
        Ok(())
    }
}

impl Iterator for StoredGames {
    type Item = Result<GameRow, StoreError>;

    fn next(&mut self) -> Option<Result<GameRow, StoreError>> {
        if self.page.is_empty()
            && self.remaining > 0
            && let Err(error) = self.read_page()
        {
            self.remaining = 0;
            return Some(Err(error));
        }
        let row = self.page.pop_front()?;
        self.remaining -= 1;
        Some(Ok(row))
    }
}

/// The games of a contest in the order of their numbers.
pub(super) fn by_index(
    store: Store,
    contest: i64,
) -> impl Iterator<Item = Result<StoredGame, StoreError>> {
    let mut page = VecDeque::new();
    let mut from = Some(0);
    std::iter::from_fn(move || {
        if page.is_empty()
            && let Some(start) = from
        {
            match store.call(move |writer| writer.page_by_index(contest, start)) {
                Err(error) => {
                    from = None;
                    return Some(Err(error));
                }
                Ok(games) => {
                    let is_last = (games.len() as u64) < PAGE_SIZE;
                    let end = games.last().map(|game| game.index + 1);
                    from = if is_last { None } else { end };
                    page = games.into();
                }
            }
        }
        page.pop_front().map(Ok)
    })
}

const COLUMNS: &str = "SELECT g.id, g.contest, c.name, c.game, c.build, g.number,
        f.spec, s.spec, g.opening, g.moves, g.result, g.reason, g.category, g.detail, g.plies,
        g.stats, g.record, g.finished_at, f.build, s.build";
const FROM: &str = " FROM games g
    JOIN contests c ON c.id = g.contest
    JOIN players f ON f.id = g.first_player
    JOIN players s ON s.id = g.second_player
    WHERE 1 = 1";

impl StoreWriter {
    pub(super) fn game(&mut self, id: i64) -> Result<Option<GameRow>, StoreError> {
        let mut query = QueryBuilder::new(COLUMNS);
        query.push(FROM);
        query.push(" AND g.id = ").push_bind(id);
        Ok(self.rows(query)?.pop())
    }

    /// The next games that match `filter` after the one with id `last`.
    fn page(
        &mut self,
        filter: &GameFilter,
        last: Option<i64>,
        wanted: u64,
    ) -> Result<Vec<GameRow>, StoreError> {
        let mut query = QueryBuilder::new(COLUMNS);
        query.push(FROM);
        push_conditions(&mut query, filter);
        let (beyond, direction) = match filter.order {
            GameOrder::Newest => (" AND g.id < ", "DESC"),
            GameOrder::Oldest => (" AND g.id > ", "ASC"),
        };
        if let Some(last) = last {
            query.push(beyond).push_bind(last);
        }
        query.push(" ORDER BY g.id ").push(direction);
        query.push(" LIMIT ").push_bind(wanted as i64);
        if last.is_none() {
            let offset = i64::try_from(filter.offset).unwrap_or(i64::MAX);
            query.push(" OFFSET ").push_bind(offset);
        }
        self.rows(query)
    }

    /// Number of games that match `filter`, ignoring its limit and offset.
    pub(super) fn count(&mut self, filter: &GameFilter) -> Result<u64, StoreError> {
        let mut query = QueryBuilder::new("SELECT count(*)");
        query.push(FROM);
        push_conditions(&mut query, filter);
        let count = self.run(async |connection| {
            query.build_query_scalar::<i64>().fetch_one(connection).await
        })?;
        Ok(count.unsigned_abs())
    }

    /// The games of a contest from number `from` on.
    fn page_by_index(&mut self, contest: i64, from: u64) -> Result<Vec<StoredGame>, StoreError> {
        let mut query = QueryBuilder::new(COLUMNS);
        query.push(FROM);
        query.push(" AND g.contest = ").push_bind(contest);
        query.push(" AND g.number >= ").push_bind(i64::try_from(from).unwrap_or(i64::MAX));
        query.push(" ORDER BY g.number LIMIT ").push_bind(PAGE_SIZE as i64);
        Ok(self.rows(query)?.into_iter().map(|row| row.played).collect())
    }

    fn rows(&mut self, mut query: QueryBuilder<Sqlite>) -> Result<Vec<GameRow>, StoreError> {
        let rows = self.run(async |connection| query.build().fetch_all(connection).await)?;
        rows.iter().map(|row| read(self.path(), row)).collect()
    }
}

fn push_conditions(query: &mut QueryBuilder<Sqlite>, filter: &GameFilter) {
    if let Some(game) = &filter.game {
        push_game(query, "c.game", game);
    }
    if let Some(player) = &filter.player {
        // Two subqueries, so that the indices of both columns are used.
        for (before, column) in [(" AND (", "g.first_player"), (" OR ", "g.second_player")] {
            query.push(before).push(column);
            query.push(" IN (SELECT id FROM players WHERE spec = ").push_bind(player.clone());
            query.push(" OR recipe = ").push_bind(player.clone()).push(")");
        }
        query.push(")");
    }
    match &filter.contest {
        Some(ContestFilter::Id(id)) => drop(query.push(" AND g.contest = ").push_bind(*id)),
        Some(ContestFilter::Name(name)) => {
            query.push(" AND c.name = ").push_bind(name.clone());
        }
        None => {}
    }
    if let Some(result) = &filter.result {
        query.push(" AND g.result = ").push_bind(result.clone());
    }
    if let Some(text) = &filter.text {
        let pattern = format!("%{}%", escaped(&text.to_lowercase()));
        let columns = [
            "f.spec",
            "s.spec",
            "c.name",
            "g.opening",
            "g.moves",
            "g.category",
            "g.detail",
            "g.record",
        ];
        for (index, column) in columns.iter().enumerate() {
            query.push(if index == 0 { " AND (" } else { " OR " });
            query.push(format_args!("lower({column}) LIKE ")).push_bind(pattern.clone());
            query.push(" ESCAPE '\\'");
        }
        // Reasons are stored by id, but searched by text too.
        for reason in EndReason::ALL {
            if format!("{} {reason}", reason.id()).contains(&text.to_lowercase()) {
                query.push(" OR g.reason = ").push_bind(reason.id());
            }
        }
        query.push(")");
    }
}

/// Adds the condition that `column` matches `game`, as in [`GameFilter::game`].
pub(super) fn push_game(query: &mut QueryBuilder<Sqlite>, column: &str, game: &str) {
    let exact = game.strip_suffix(':').unwrap_or(game);
    query.push(format_args!(" AND ({column} = ")).push_bind(exact.to_owned());
    if !game.contains(':') {
        query.push(format_args!(" OR {column} LIKE "));
        query.push_bind(format!("{}:%", escaped(game))).push(" ESCAPE '\\'");
    }
    query.push(")");
}

/// Escapes `text` for a LIKE pattern.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}

/// A row of [`COLUMNS`].
fn read(path: &Path, row: &SqliteRow) -> Result<GameRow, StoreError> {
    let damaged = |reason: String| StoreError::Damaged { path: path.to_owned(), reason };
    let read = || -> Result<GameRow, sqlx::Error> {
        let stats: &str = row.try_get(15)?;
        let played = StoredGame {
            index: row.try_get::<i64, _>(5)?.unsigned_abs(),
            first: row.try_get(6)?,
            second: row.try_get(7)?,
            opening: row.try_get(8)?,
            moves: row.try_get(9)?,
            result: known(row.try_get(10)?, Outcome::from_id)?,
            reason: known(row.try_get(11)?, EndReason::from_id)?,
            category: row
                .try_get::<Option<&str>, _>(12)?
                .map(|id| known(id, Category::from_id))
                .transpose()?,
            detail: row.try_get(13)?,
            plies: row.try_get(14)?,
            stats: serde_json::from_str(stats).map_err(|error| {
                sqlx::Error::Decode(format!("statistics {stats}: {error}").into())
            })?,
            record: row.try_get(16)?,
            finished_at: row.try_get(17)?,
        };
        Ok(GameRow {
            id: row.try_get(0)?,
            contest: row.try_get(1)?,
            contest_name: row.try_get(2)?,
            game: row.try_get(3)?,
            build: row.try_get(4)?,
            first_build: row.try_get(18)?,
            second_build: row.try_get(19)?,
            played,
        })
    };
    read().map_err(|error| damaged(error.to_string()))
}

/// The value of `id`; an unknown id is an error.
fn known<T>(
    id: &str,
    from_id: impl FnOnce(&str) -> Result<T, TextError>,
) -> Result<T, sqlx::Error> {
    from_id(id).map_err(|error| sqlx::Error::Decode(Box::new(error)))
}
