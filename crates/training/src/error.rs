//! Errors of training runs.

use ludus_core::{PlayerError, TextError};
use ludus_files::LockError;
use std::{io, path::Path};

/// Reason why a run cannot start or continue.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// A recipe, a file of weights or a file of games is wrong.
    #[error(transparent)]
    Text(#[from] TextError),
    /// A player cannot be built, or failed.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A file cannot be read or written.
    #[error("{0}")]
    Disk(String),
    /// Another process is at work on the same files.
    #[error("{0}")]
    Busy(String),
    /// The games were begun by another build.
    #[error("{0}")]
    Build(String),
    /// The stop flag was raised; the run can be resumed.
    #[error("interrupted; continue with --resume")]
    Stopped,
}

impl TrainingError {
    /// Error of reading or writing a file.
    pub(crate) fn disk(path: &Path, error: &io::Error) -> TrainingError {
        TrainingError::Disk(format!("{}: {error}", path.display()))
    }

    /// Error of locking `what`.
    pub(crate) fn lock(what: &Path, error: LockError) -> TrainingError {
        match error {
            LockError::Held(holder) => TrainingError::Busy(format!(
                "{} is in use by {holder}: wait for its end, or stop it",
                what.display()
            )),
            LockError::File(path, error) => TrainingError::disk(&path, &error),
        }
    }

    /// Adds the file name to an error about the contents of a file.
    pub(crate) fn in_file(self, path: &Path) -> TrainingError {
        match self {
            TrainingError::Text(error) => TrainingError::Text(TextError {
                what: format!("{}: {}", path.display(), error.what),
                ..error
            }),
            other => other,
        }
    }
}
