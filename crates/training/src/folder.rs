//! Folder of a run.

use crate::TrainingError;
use ludus_core::TextError;
use serde_json::Value;
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

/// Folder of a run: recipe, log and everything the run writes.
pub struct RunFolder {
    path: PathBuf,
    log: File,
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

impl RunFolder {
    /// Opens the folder of the run of `recipe`; creates it if it does not exist.
    ///
    /// A run is resumed only with the same recipe, byte for byte.
    pub fn open(path: &Path, recipe: &str, mode: FolderMode) -> Result<RunFolder, TrainingError> {
        let disk = |error: io::Error| TrainingError::disk(path, &error);
        fs::create_dir_all(path).map_err(disk)?;
        let known = match fs::read_to_string(path.join(RECIPE)) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(disk(error)),
        };
        let shown = path.display().to_string();
        match (known, mode) {
            (Some(_), FolderMode::New) => {
                let expected = "a new folder (--out), or --resume to continue the run in this one";
                return Err(TextError::whole("folder", &shown, expected).into());
            }
            (Some(known), FolderMode::Resume) if known != recipe => {
                let expected = "the folder of a run of the same recipe";
                return Err(TextError::whole("folder", &shown, expected).into());
            }
            (Some(_), FolderMode::Resume) => {}
            (None, _) => write_whole(&path.join(RECIPE), recipe.as_bytes())?,
        }
        Ok(RunFolder { path: path.to_owned(), log: open_lines(&path.join(LOG))?.0 })
    }

    /// Path of a file in the folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Contents of a file in the folder, if it exists.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, TrainingError> {
        let path = self.file(name);
        match fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(TrainingError::disk(&path, &error)),
        }
    }

    /// Writes a file atomically: it is complete, or as it was before.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), TrainingError> {
        write_whole(&self.file(name), bytes)
    }

    /// Opens a file of lines for appending and returns its contents; creates it if it does not
    /// exist. An unfinished last line is cut off.
    pub fn lines(&self, name: &str) -> Result<(File, String), TrainingError> {
        let (file, bytes) = open_lines(&self.file(name))?;
        Ok((file, String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Appends a line to the log.
    pub fn log(&mut self, entry: &Value) -> Result<(), TrainingError> {
        self.log
            .write_all(format!("{entry}\n").as_bytes())
            .map_err(|error| TrainingError::disk(&self.path.join(LOG), &error))
    }
}

/// Opens a file for appending, cuts off an unfinished last line, and returns the contents.
pub(crate) fn open_lines(path: &Path) -> Result<(File, Vec<u8>), TrainingError> {
    let disk = |error: io::Error| TrainingError::disk(path, &error);
    let mut file =
        OpenOptions::new().read(true).append(true).create(true).open(path).map_err(disk)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(disk)?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    file.set_len(whole as u64).map_err(disk)?;
    bytes.truncate(whole);
    Ok((file, bytes))
}

/// Writes to a temporary name, syncs, renames.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), TrainingError> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    let partial = PathBuf::from(partial);
    let write = || -> io::Result<()> {
        let mut file = File::create(&partial)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&partial, path)
    };
    write().map_err(|error| TrainingError::disk(path, &error))
}
