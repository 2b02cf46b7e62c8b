//! Opens the file: makes it, brings it up to date, or refuses it.

use super::StoreError;
use sqlx::{
    AssertSqlSafe, Connection, Row, SqlSafeStr, SqliteConnection,
    migrate::{MigrateError, Migration, MigrationType, Migrator},
    sqlite::{SqliteConnectOptions, SqliteSynchronous},
};
use std::{borrow::Cow, path::Path, time::Duration};

/// The migrations in order. One that was released never changes; a change is another one.
const MIGRATIONS: [(&str, &str); 4] = [
    ("games", include_str!("../../migrations/0001_games.sql")),
    ("documents", include_str!("../../migrations/0002_documents.sql")),
    ("ids", include_str!("../../migrations/0003_ids.sql")),
    ("repeats", include_str!("../../migrations/0004_repeats.sql")),
];

/// The newest version of the schema.
const KNOWN: i64 = MIGRATIONS.len() as i64;

/// Marks our files (`PRAGMA application_id`): "ludu".
const APPLICATION_ID: i64 = 0x6c75_6475;

/// How long to wait for another program that writes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// Opens the file at `path` and brings it up to date. A refused file stays as it was.
pub(super) async fn open(path: &Path) -> Result<SqliteConnection, StoreError> {
    let failed = |error: sqlx::Error| StoreError::of_database(path, &error);
    // A commit is on the disk when it returns: in WAL mode that takes FULL, not NORMAL.
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .foreign_keys(true)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(BUSY_TIMEOUT);
    let mut connection = SqliteConnection::connect_with(&options).await.map_err(failed)?;
    check(&mut connection, path).await?;
    sqlx::query("PRAGMA journal_mode = WAL").fetch_one(&mut connection).await.map_err(failed)?;
    migrate(&mut connection, path).await?;
    Ok(connection)
}

/// Refuses files of other programs and of later versions of this one.
async fn check(connection: &mut SqliteConnection, path: &Path) -> Result<(), StoreError> {
    let failed = |error: sqlx::Error| StoreError::of_database(path, &error);
    let tables: i64 = sqlx::query_scalar("SELECT count(*) FROM sqlite_master")
        .fetch_one(&mut *connection)
        .await
        .map_err(failed)?;
    if tables == 0 {
        return Ok(());
    }
    let application: i64 = sqlx::query_scalar("PRAGMA application_id")
        .fetch_one(&mut *connection)
        .await
        .map_err(failed)?;
    if application != APPLICATION_ID {
        return Err(StoreError::Foreign(path.to_owned()));
    }
    let row = sqlx::query("SELECT max(version) FROM _sqlx_migrations")
        .fetch_one(&mut *connection)
        .await
        .map_err(failed)?;
    let found: Option<i64> = row.try_get(0).map_err(failed)?;
    match found {
        Some(found) if found > KNOWN => Err(newer(path, found)),
        _ => Ok(()),
    }
}

fn newer(path: &Path, found: i64) -> StoreError {
    StoreError::Newer { path: path.to_owned(), found, known: KNOWN }
}

/// Runs the migrations the file lacks, all in one transaction: two programs that open a new file
/// at the same time do not run them twice.
async fn migrate(connection: &mut SqliteConnection, path: &Path) -> Result<(), StoreError> {
    let failed = |error: sqlx::Error| StoreError::of_database(path, &error);
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await.map_err(failed)?;
    let migrations = MIGRATIONS.iter().zip(1..).map(|(&(name, sql), version)| {
        let kind = MigrationType::Simple;
        Migration::new(version, Cow::Borrowed(name), kind, sql.into_sql_str(), false)
    });
    let migrator = Migrator::with_migrations(migrations.collect());
    migrator.run_direct(None, &mut *transaction, false).await.map_err(|error| match error {
        MigrateError::Execute(error) | MigrateError::ExecuteMigration(error, _) => failed(error),
        MigrateError::VersionMissing(found) => newer(path, found),
        other => StoreError::Damaged { path: path.to_owned(), reason: other.to_string() },
    })?;
    // The mark last: a file that has it has all its tables.
    let mark = AssertSqlSafe(format!("PRAGMA application_id = {APPLICATION_ID}"));
    sqlx::query(mark).execute(&mut *transaction).await.map_err(failed)?;
    transaction.commit().await.map_err(failed)
}
