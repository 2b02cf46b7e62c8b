//! Why a run could not go on.

use ludus_core::{PlayerError, TextError};
use std::{io, path::Path};

/// Why a run could not begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// A recipe, a file of weights or a file of games is wrong.
    #[error(transparent)]
    Text(#[from] TextError),
    /// A player cannot be made or failed.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The disk failed.
    #[error("{0}")]
    Disk(String),
    /// Games were begun by another build.
    #[error("{0}")]
    Build(String),
    /// Somebody raised the stop flag; the run can be resumed.
    #[error("interrupted, --resume goes on")]
    Stopped,
}

impl TrainingError {
    /// What went wrong with a file.
    pub(crate) fn disk(path: &Path, error: &io::Error) -> TrainingError {
        TrainingError::Disk(format!("{}: {error}", path.display()))
    }
}
