//! Errors of the store.

use sqlx::error::DatabaseError;
use std::path::{Path, PathBuf};

/// Error of a store operation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The file could not be opened or created.
    #[error("cannot open {}: {reason}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// Message of the system.
        reason: String,
    },
    /// The file is not an SQLite file, or belongs to another program.
    #[error("{} is not a Ludus database: expected a file created by ludus", .0.display())]
    Foreign(PathBuf),
    /// The file is damaged.
    #[error("{} is damaged ({reason}): expected a file as written by ludus", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Description of the damage.
        reason: String,
    },
    /// The file was written by a later version of the program.
    #[error(
        "{} has schema version {found}, this ludus knows up to {known}: use a newer ludus",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema version.
        found: i64,
        /// Newest schema version known to this program.
        known: i64,
    },
    /// The contest already has a game with this number.
    #[error("game {index} of contest {contest} is already stored")]
    DuplicateGame {
        /// The contest.
        contest: i64,
        /// The number of the game.
        index: u64,
    },
    /// There is no such contest.
    #[error("there is no contest {0}")]
    NoContest(i64),
    /// The data cannot be stored.
    #[error("cannot store {0}")]
    Invalid(String),
    /// The database failed: disk full, locked for too long.
    #[error("cannot use {}: {reason}", path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// Message of the database.
        reason: String,
    },
}

/// Primary result codes of SQLite (<https://sqlite.org/rescode.html>).
const SQLITE_CORRUPT: i64 = 11;
const SQLITE_CANTOPEN: i64 = 14;
const SQLITE_NOTADB: i64 = 26;

impl StoreError {
    /// Whether the cause is the file chosen by the user, rather than the system.
    pub fn is_file_error(&self) -> bool {
        matches!(
            self,
            StoreError::Open { .. }
                | StoreError::Foreign(_)
                | StoreError::Damaged { .. }
                | StoreError::Newer { .. }
        )
    }

    /// Converts a database error.
    pub(super) fn of_database(path: &Path, error: &sqlx::Error) -> StoreError {
        let path = path.to_owned();
        let reason = match error.as_database_error() {
            Some(database) => database.message().to_owned(),
            None => error.to_string(),
        };
        let code = error.as_database_error().and_then(DatabaseError::code);
        let code = code.and_then(|code| code.parse::<i64>().ok()).map(|code| code & 0xff);
        match (code, error) {
            (Some(SQLITE_NOTADB), _) => StoreError::Foreign(path),
            (Some(SQLITE_CORRUPT), _) | (None, sqlx::Error::ColumnDecode { .. }) => {
                StoreError::Damaged { path, reason }
            }
            (Some(SQLITE_CANTOPEN), _) => StoreError::Open { path, reason },
            _ => StoreError::Failed { path, reason },
        }
    }
}
