//! The connection to the file, which is opened again after every error.

use super::{StoreError, schema};
use sqlx::{AssertSqlSafe, Connection, SqliteConnection};
use std::path::{Path, PathBuf};
use tokio::runtime::Runtime;

/// A connection to the file of a store.
///
/// When the disk is full or fails, SQLite rolls back by itself, and sqlx, whose own rollback then fails,
/// counts one open transaction too many for ever. So a connection that has failed is closed, and the next
/// job opens another one.
pub(super) struct StoreConnection {
    path: PathBuf,
    runtime: Runtime,
    open: Option<SqliteConnection>,
    /// Pages to which the file may grow, for tests of a full disk.
    max_pages: Option<u32>,
}

impl StoreConnection {
    pub(super) fn open(path: &Path) -> Result<StoreConnection, StoreError> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().map_err(|error| {
            StoreError::Open { path: path.to_owned(), reason: error.to_string() }
        })?;
        let mut connection =
            StoreConnection { path: path.to_owned(), runtime, open: None, max_pages: None };
        connection.run(async |_| Ok(()))?;
        Ok(connection)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Runs `work` on the connection, which is opened first if the last job failed.
    pub(super) fn run<T>(
        &mut self,
        work: impl AsyncFnOnce(&mut SqliteConnection) -> Result<T, sqlx::Error>,
    ) -> Result<T, StoreError> {
        let StoreConnection { path, runtime, open, max_pages } = self;
        runtime.block_on(async {
            let mut connection = match open.take() {
                Some(connection) => connection,
                None => schema::open(path).await?,
            };
            let done = match limit(&mut connection, *max_pages).await {
                Ok(()) => work(&mut connection).await,
                Err(error) => Err(error),
            };
            match done {
                Ok(value) => {
                    *open = Some(connection);
                    Ok(value)
                }
                Err(error) => {
                    let error = StoreError::of_database(path, &error);
                    let _ = connection.close().await; // the first error is the one to report
                    Err(error)
                }
            }
        })
    }

    pub(super) fn set_max_pages(&mut self, pages: u32) {
        self.max_pages = Some(pages);
    }

    /// Closes the connection. Everything is committed already.
    pub(super) fn close(&mut self) {
        if let Some(connection) = self.open.take() {
            let _ = self.runtime.block_on(connection.close());
        }
    }
}

/// Sets the limit of pages, which a new connection does not have.
async fn limit(
    connection: &mut SqliteConnection,
    max_pages: Option<u32>,
) -> Result<(), sqlx::Error> {
    if let Some(pages) = max_pages {
        let limit = AssertSqlSafe(format!("PRAGMA max_page_count = {pages}"));
        sqlx::query(limit).execute(connection).await?;
    }
    Ok(())
}
