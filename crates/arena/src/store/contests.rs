//! Queries for contests.

use super::{ContestPlayer, PlayerId, Store, StoreError, writer::StoreWriter};
use sqlx::{QueryBuilder, Row, Sqlite, sqlite::SqliteRow};
use std::path::Path;

/// A contest as it is stored, without its games.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredContest {
    /// Id.
    pub id: i64,
    /// Display name.
    pub name: String,
    /// `match` or `tournament`.
    pub kind: String,
    /// The game with its options.
    pub game: String,
    /// Configuration.
    pub config: serde_json::Value,
    /// Build of the program that plays it.
    pub build: String,
    /// Start time, in seconds since 1970.
    pub started_at: i64,
    /// End time, if it is finished.
    pub finished_at: Option<i64>,
    /// Games played so far, repeats included.
    pub games: u64,
}

const SELECT: &str =
    "SELECT c.id, c.name, c.kind, c.game, c.config, c.build, c.started_at, c.finished_at,
        (SELECT count(*) FROM games g WHERE g.contest = c.id)
            + (SELECT count(*) FROM repeats r WHERE r.contest = c.id)
    FROM contests c";

impl Store {
    /// The contests, newest first: at most `limit` of them.
    pub fn contests(&self, limit: u64) -> Result<Vec<StoredContest>, StoreError> {
        self.call(move |writer| {
            let mut query = QueryBuilder::new(SELECT);
            query.push(" ORDER BY c.id DESC LIMIT ");
            query.push_bind(i64::try_from(limit).unwrap_or(i64::MAX));
            writer.contests(query)
        })
    }

    /// The contest with this id.
    pub fn contest(&self, id: i64) -> Result<Option<StoredContest>, StoreError> {
        self.call(move |writer| {
            let mut query = QueryBuilder::new(SELECT);
            query.push(" WHERE c.id = ").push_bind(id);
            Ok(writer.contests(query)?.pop())
        })
    }
}

impl StoreWriter {
    pub(super) fn repeats(&mut self, contest: i64) -> Result<Vec<(u64, u64)>, StoreError> {
        let select = "SELECT number, repeated FROM repeats WHERE contest = $1 ORDER BY number";
        let rows: Vec<(i64, i64)> = self.run(async |connection| {
            sqlx::query_as(select).bind(contest).fetch_all(connection).await
        })?;
        Ok(rows.into_iter().map(|(number, of)| (number as u64, of as u64)).collect())
    }

    pub(super) fn contest_players(
        &mut self,
        contest: i64,
    ) -> Result<Vec<ContestPlayer>, StoreError> {
        let select = "SELECT p.spec, i.spec, i.build FROM contest_players c
            JOIN players p ON p.id = c.player
            JOIN players i ON i.id = c.identity
            WHERE c.contest = $1 ORDER BY p.spec";
        let rows: Vec<(String, String, String)> = self.transact(async |transaction| {
            sqlx::query_as(select).bind(contest).fetch_all(&mut **transaction).await
        })?;
        let player = |(spec, canonical, build)| ContestPlayer {
            spec,
            identity: PlayerId { spec: canonical, build },
        };
        Ok(rows.into_iter().map(player).collect())
    }

    fn contests(
        &mut self,
        mut query: QueryBuilder<Sqlite>,
    ) -> Result<Vec<StoredContest>, StoreError> {
        let rows = self.run(async |connection| query.build().fetch_all(connection).await)?;
        rows.iter().map(|row| read(self.path(), row)).collect()
    }
}

fn read(path: &Path, row: &SqliteRow) -> Result<StoredContest, StoreError> {
    let damaged = |reason: String| StoreError::Damaged { path: path.to_owned(), reason };
    let read = || -> Result<StoredContest, sqlx::Error> {
        let config: String = row.try_get(4)?;
        Ok(StoredContest {
            id: row.try_get(0)?,
            name: row.try_get(1)?,
            kind: row.try_get(2)?,
            game: row.try_get(3)?,
            config: serde_json::from_str(&config)
                .map_err(|error| sqlx::Error::Decode(Box::new(error)))?,
            build: row.try_get(5)?,
            started_at: row.try_get(6)?,
            finished_at: row.try_get(7)?,
            games: row.try_get::<i64, _>(8)?.unsigned_abs(),
        })
    };
    read().map_err(|error| damaged(error.to_string()))
}
