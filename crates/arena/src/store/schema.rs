//! Opening of the file: creates it, migrates it, or refuses it.

use super::StoreError;
use sqlx::{
    AssertSqlSafe, Connection, Row, SqlSafeStr, SqliteConnection,
    migrate::{MigrateError, Migration, MigrationType, Migrator},
    sqlite::{SqliteConnectOptions, SqliteSynchronous},
};
use std::{borrow::Cow, path::Path, time::Duration};

/// The migrations in order. A released migration never changes; changes are new migrations.
const MIGRATIONS: [(&str, &str); 4] = [
    ("games", include_str!("../../migrations/0001_games.sql")),
    ("documents", include_str!("../../migrations/0002_documents.sql")),
    ("ids", include_str!("../../migrations/0003_ids.sql")),
    ("repeats", include_str!("../../migrations/0004_repeats.sql")),
];

/// The newest version of the schema.
const NEWEST_VERSION: i64 = MIGRATIONS.len() as i64;

/// `PRAGMA application_id` of Ludus files: "ludu".
const APPLICATION_ID: i64 = 0x6c75_6475;

/// Timeout while another program writes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// Opens the file at `path` and migrates it. A refused file is left unchanged.
pub(super) async fn open(path: &Path) -> Result<SqliteConnection, StoreError> {
    let failed = |error: sqlx::Error| StoreError::of_database(path, &error);
    // In WAL mode a commit is durable with FULL, not with NORMAL.
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

/// Refuses files of other programs and of later versions.
async fn check(connection: &mut SqliteConnection, path: &Path) -> Result<(), StoreError> {
    let failed = |error: sqlx::Error| StoreError::of_database(path, &error);
    let tables: i64 = sqlx::query_scalar("SELECT count(*) FROM sqlite_master")
        .fetch_one(&mut *connection)
        .await
        .map_err(failed)?;
    if tables == 0 {
        return Ok(());
    }
    if application_id(connection).await.map_err(failed)? != APPLICATION_ID {
        return Err(StoreError::Foreign(path.to_owned()));
    }
    let row = sqlx::query("SELECT max(version) FROM _sqlx_migrations")
        .fetch_one(&mut *connection)
        .await
        .map_err(failed)?;
    let found: Option<i64> = row.try_get(0).map_err(failed)?;
    match found {
        Some(found) if found > NEWEST_VERSION => Err(newer(path, found)),
        _ => Ok(()),
    }
}

fn newer(path: &Path, found: i64) -> StoreError {
    StoreError::Newer { path: path.to_owned(), found, known: NEWEST_VERSION }
}

/// Runs missing migrations in one transaction, so that two programs that open a new file at the same
/// time do not run them twice.
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
    // The application id comes last: a file that has it has all tables. An up-to-date file is not written
    // to, so that it can be opened while the disk is full.
    if application_id(&mut transaction).await.map_err(failed)? != APPLICATION_ID {
        let mark = AssertSqlSafe(format!("PRAGMA application_id = {APPLICATION_ID}"));
        sqlx::query(mark).execute(&mut *transaction).await.map_err(failed)?;
    }
    transaction.commit().await.map_err(failed)
}

async fn application_id(connection: &mut SqliteConnection) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("PRAGMA application_id").fetch_one(connection).await
}
