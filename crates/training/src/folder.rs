//! Folder of a run.

use crate::{TrainingError, log::RunLog};
use ludus_core::TextError;
use ludus_files::{AppendFile, FileLock, LockHolder};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Folder of a run: recipe, log and everything the run writes. While it is open, no other process
/// can open it.
pub struct RunFolder {
    path: PathBuf,
    log: RunLog,
    _lock: FileLock,
}

/// Whether a run is new or resumed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FolderMode {
    /// A new run; refused if the folder has one already.
    New,
    /// Resumes an interrupted run, or starts one that has not begun.
    Resume,
}

const RECIPE: &str = "recipe.toml";
const LOG: &str = "log.jsonl";
const LOCK: &str = "run.lock";

impl RunFolder {
    /// Opens the folder of the run of `recipe`; creates it if it does not exist.
    ///
    /// A run is resumed only with the same recipe, byte for byte.
    pub fn open(path: &Path, recipe: &str, mode: FolderMode) -> Result<RunFolder, TrainingError> {
        create_folder(path)?;
        let shown = path.display().to_string();
        let lock = FileLock::acquire(&path.join(LOCK))
            .map_err(|error| TrainingError::lock(path, error))?;
        let file = path.join(RECIPE);
        let known = ludus_files::read_existing(&file)
            .map_err(|error| TrainingError::disk(&file, &error))?;
        match (known, mode) {
            (Some(_), FolderMode::New) => {
                let expected = "a new folder (--out), or --resume to continue the run in this one";
                return Err(TextError::whole("folder", &shown, expected).into());
            }
            (Some(known), FolderMode::Resume) if known != recipe.as_bytes() => {
                let expected = "the folder of a run of the same recipe";
                return Err(TextError::whole("folder", &shown, expected).into());
            }
            (Some(_), FolderMode::Resume) => {}
            (None, _) => write_whole(&file, recipe.as_bytes())?,
        }
        Ok(RunFolder { path: path.to_owned(), log: RunLog::open(&path.join(LOG))?, _lock: lock })
    }

    /// The process that runs in the folder at `path`, if there is one.
    pub fn holder(path: &Path) -> Option<LockHolder> {
        FileLock::holder(&path.join(LOCK))
    }

    /// Path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Contents of a file in the folder, if it exists.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, TrainingError> {
        let path = self.file(name);
        ludus_files::read_existing(&path).map_err(|error| TrainingError::disk(&path, &error))
    }

    /// Writes a file durably: it is complete, or as it was before.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), TrainingError> {
        write_whole(&self.file(name), bytes)
    }

    /// Opens a file of lines for appending and returns its contents; creates it if it does not
    /// exist. An unfinished last line is cut off.
    pub fn lines(&self, name: &str) -> Result<(AppendFile, String), TrainingError> {
        let (file, bytes) = open_lines(&self.file(name))?;
        Ok((file, String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Adds a row to the log, unless it has one of the same name.
    pub fn log(&mut self, row: &Value) -> Result<(), TrainingError> {
        self.log.add(row)
    }

    /// Adds a row to the log, whatever rows it has.
    pub(crate) fn log_again(&mut self, row: &Value) -> Result<(), TrainingError> {
        self.log.append(row)
    }
}

/// Opens a file for appending, cuts off an unfinished last line, and returns the contents.
pub(crate) fn open_lines(path: &Path) -> Result<(AppendFile, Vec<u8>), TrainingError> {
    AppendFile::open_lines(path).map_err(|error| TrainingError::disk(path, &error))
}

/// Locks the file at `path`, by a file beside it.
pub(crate) fn lock_file(path: &Path) -> Result<FileLock, TrainingError> {
    let mut lock = path.as_os_str().to_owned();
    lock.push(".lock");
    FileLock::acquire(Path::new(&lock)).map_err(|error| TrainingError::lock(path, error))
}

/// Creates a folder and those above it, durably.
pub(crate) fn create_folder(path: &Path) -> Result<(), TrainingError> {
    ludus_files::create_folder(path).map_err(|error| TrainingError::disk(path, &error))
}

/// Writes a file durably and whole.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), TrainingError> {
    ludus_files::write(path, bytes).map_err(|error| TrainingError::disk(path, &error))
}
