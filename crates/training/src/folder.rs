//! The folder of a run.

use crate::TrainingError;
use ludus_core::TextError;
use serde_json::Value;
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read, Write},
    path::{Path, PathBuf},
};

/// The folder of a run: its recipe, its log, and what it makes.
pub struct Folder {
    path: PathBuf,
    log: File,
}

/// Whether to go on with an earlier run.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Begin {
    /// Only if there is none yet.
    Anew,
    /// Go on where it was cut off; also begins one that has not begun.
    Resume,
}

const RECIPE: &str = "recipe.toml";
const LOG: &str = "log.jsonl";

impl Folder {
    /// Opens the folder of the run of `recipe`, made if there is none.
    pub fn open(path: &Path, recipe: &str, begin: Begin) -> Result<Folder, TrainingError> {
        let disk = |error: io::Error| TrainingError::disk(path, &error);
        fs::create_dir_all(path).map_err(disk)?;
        let known = match fs::read_to_string(path.join(RECIPE)) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(disk(error)),
        };
        let shown = path.display().to_string();
        match (known, begin) {
            (Some(_), Begin::Anew) => {
                let expected =
                    "a new folder (--out), or --resume to go on with the run in this one";
                return Err(TextError::whole("folder", &shown, expected).into());
            }
            (Some(known), Begin::Resume) if known != recipe => {
                let expected = "the folder of a run of the same recipe";
                return Err(TextError::whole("folder", &shown, expected).into());
            }
            (Some(_), Begin::Resume) => {}
            (None, _) => write_whole(&path.join(RECIPE), recipe.as_bytes())?,
        }
        Ok(Folder { path: path.to_owned(), log: open_lines(&path.join(LOG))?.0 })
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// The bytes of a file in it, if it is there.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, TrainingError> {
        let path = self.file(name);
        match fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(TrainingError::disk(&path, &error)),
        }
    }

    /// Writes a file in it, so that it is there whole or as it was before.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), TrainingError> {
        write_whole(&self.file(name), bytes)
    }

    /// Opens a file of lines in it for appending, made if there is none, and tells what it holds. A
    /// line that was not finished is cut off.
    pub fn lines(&self, name: &str) -> Result<(File, String), TrainingError> {
        let (file, bytes) = open_lines(&self.file(name))?;
        Ok((file, String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// Adds a line to the log.
    pub fn log(&mut self, entry: &Value) -> Result<(), TrainingError> {
        self.log
            .write_all(format!("{entry}\n").as_bytes())
            .map_err(|error| TrainingError::disk(&self.path.join(LOG), &error))
    }
}

/// Opens a file for appending, cuts off a line that was not finished, and tells what is left.
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

/// Writes to a temporary name, brings it to the disk, renames.
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
