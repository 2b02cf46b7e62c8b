//! Log of a run: the same rows whatever interrupted the run.

use crate::{TrainingError, folder::open_lines};
use ludus_files::AppendFile;
use serde_json::Value;
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// Fields that say what an event is of, beside the field with the event's own name.
const NAMING_FIELDS: [&str; 3] = ["number", "specialist", "set"];

/// Log of a run, a row of JSON for each event.
///
/// A row is named by its event and by what it is an event of: its number, specialist or set. A log
/// has one row of each name. A step writes its row before its checkpoint, so that a killed run lacks
/// none; the step that it has to repeat finds its row there.
pub(crate) struct RunLog {
    path: PathBuf,
    file: AppendFile,
    names: BTreeSet<String>,
}

impl RunLog {
    /// Opens a log, or creates it.
    pub fn open(path: &Path) -> Result<RunLog, TrainingError> {
        let (file, bytes) = open_lines(path)?;
        let text = String::from_utf8_lossy(&bytes);
        let rows = text.lines().filter_map(|line| serde_json::from_str(line).ok());
        let names = rows.map(|row: Value| name_of(&row)).collect();
        Ok(RunLog { path: path.to_owned(), file, names })
    }

    /// Adds a row durably, unless there is one of the same name.
    pub fn add(&mut self, row: &Value) -> Result<(), TrainingError> {
        if self.names.insert(name_of(row)) { self.append(row) } else { Ok(()) }
    }

    /// Adds a row durably, whatever rows there are.
    pub fn append(&mut self, row: &Value) -> Result<(), TrainingError> {
        let line = format!("{row}\n");
        let added = self.file.append(line.as_bytes()).and_then(|()| self.file.sync());
        added.map_err(|error| TrainingError::disk(&self.path, &error))
    }
}

/// Name of a row.
fn name_of(row: &Value) -> String {
    let event = row["event"].as_str().unwrap_or_default();
    let mut name = event.to_owned();
    let own = Some(&row[event]).filter(|value| value.is_number());
    let others = NAMING_FIELDS.iter().filter_map(|&field| row.get(field));
    for value in own.into_iter().chain(others) {
        name += &format!(" {value}");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_log_has_one_row_of_each_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        let rows = [
            json!({ "event": "samples", "train": 9 }),
            json!({ "event": "epoch", "epoch": 1, "error": 0.5 }),
            json!({ "event": "epoch", "epoch": 2, "error": 0.5 }),
            json!({ "event": "session", "specialist": 1, "number": 2 }),
            json!({ "event": "session", "specialist": 2, "number": 1 }),
            json!({ "event": "network", "set": "0101" }),
            json!({ "event": "network", "set": "0110" }),
        ];
        for _ in 0..2 {
            let mut log = RunLog::open(&path).unwrap();
            rows.iter().for_each(|row| log.add(row).unwrap());
            log.add(&json!({ "event": "epoch", "epoch": 1, "error": 0.5, "seconds": 3 })).unwrap();
        }
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text, rows.iter().map(|row| format!("{row}\n")).collect::<String>());
        let mut log = RunLog::open(&path).unwrap();
        log.append(&rows[0]).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{text}{}\n", rows[0]));
    }
}
