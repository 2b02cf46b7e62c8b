//! What can go wrong with the store.

use sqlx::error::DatabaseError;
use std::path::{Path, PathBuf};

/// Why the store did not do what was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The file could not be opened or made.
    #[error("cannot open {}: {reason}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the system says.
        reason: String,
    },
    /// The file is not a SQLite file, or one of another program.
    #[error("{} is not a file of ludus games: expected one that ludus made", .0.display())]
    Foreign(PathBuf),
    /// Parts of the file make no sense.
    #[error("{} is damaged ({reason}): expected a file as ludus wrote it", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The file is of a later version of the program.
    #[error(
        "{} has schema version {found}, this ludus knows up to {known}: use a newer ludus",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The newest version known here.
        known: i64,
    },
    /// The contest has a game of this number already.
    #[error("game {index} of contest {contest} is stored already")]
    Doubled {
        /// The contest.
        contest: i64,
        /// The number of the game.
        index: u64,
    },
    /// There is no such contest.
    #[error("there is no contest {0}")]
    NoContest(i64),
    /// What should be stored cannot be.
    #[error("cannot store {0}")]
    Invalid(String),
    /// The database failed: disk full, locked for too long.
    #[error("cannot use {}: {reason}", path.display())]
    Failed {
        /// The file.
        path: PathBuf,
        /// What it says.
        reason: String,
    },
}

/// Primary result codes of SQLite (<https://sqlite.org/rescode.html>).
const SQLITE_CORRUPT: i64 = 11;
const SQLITE_CANTOPEN: i64 = 14;
const SQLITE_NOTADB: i64 = 26;

impl StoreError {
    /// Whether the file, not the machine, is to blame: the user chose the wrong one.
    pub fn is_about_the_file(&self) -> bool {
        matches!(
            self,
            StoreError::Open { .. }
                | StoreError::Foreign(_)
                | StoreError::Damaged { .. }
                | StoreError::Newer { .. }
        )
    }

    /// An error of the database in our words.
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
