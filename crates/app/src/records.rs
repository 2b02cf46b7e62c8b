//! Files of game records.

use crate::error::{BadInput, bad_input};
use anyhow::Context;
use ludus_arena::provenance::Provenance;
use ludus_core::TextError;
use ludus_files::WholeFile;
use ludus_formats::{Format, Record, WriteOptions};
use ludus_players::{Board, Finish, Game, game_of_record};
use std::{
    fs::File,
    io::{BufRead, BufReader, Write},
    path::Path,
};

/// Kind of a file: a format of game records, or JSON.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FileKind {
    Records(Format),
    Json,
}

impl FileKind {
    pub fn from_name(name: &str) -> Option<FileKind> {
        if name.eq_ignore_ascii_case("json") {
            return Some(FileKind::Json);
        }
        Format::from_name(name).map(FileKind::Records)
    }

    /// The kind by the extension of the path.
    pub fn of(path: &Path) -> anyhow::Result<FileKind> {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension.and_then(FileKind::from_name).ok_or_else(|| {
            bad_input(format!(
                "{}: expected a file name that ends in .pgn, .pdn, .sgf or .json",
                path.display()
            ))
        })
    }

    /// The format of game records, except JSON.
    pub fn format(self) -> Option<Format> {
        match self {
            FileKind::Records(format) => Some(format),
            FileKind::Json => None,
        }
    }
}

/// Opens the file at `path` for reading.
pub fn open(path: &Path) -> anyhow::Result<BufReader<File>> {
    let file = File::open(path)
        .map_err(|error| BadInput(format!("cannot read {}: {error}", path.display())))?;
    Ok(BufReader::new(file))
}

/// Iterates over the games of a file.
pub fn read(
    kind: FileKind,
    mut reader: impl BufRead + 'static,
) -> anyhow::Result<Box<dyn Iterator<Item = Result<Record, TextError>>>> {
    match kind {
        FileKind::Records(format) => Ok(Box::new(format.read(reader))),
        FileKind::Json => {
            let mut text = Vec::new();
            reader.read_to_end(&mut text).map_err(|error| BadInput(error.to_string()))?;
            Ok(Box::new(read_json(&String::from_utf8_lossy(&text))?.into_iter().map(Ok)))
        }
    }
}

/// Parses the games of a JSON document.
pub fn read_json(text: &str) -> Result<Vec<Record>, TextError> {
    let in_place = |error: serde_json::Error| {
        let line_start = text.split_inclusive('\n').take(error.line().saturating_sub(1));
        let offset = line_start.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
        TextError::at("JSON", text, offset, format!("game records ({error})"))
    };
    if text.trim_start().starts_with('[') {
        serde_json::from_str(text).map_err(in_place)
    } else {
        serde_json::from_str(text).map(|record| vec![record]).map_err(in_place)
    }
}

/// Loads the first game of a file, which must be a game of `game`.
pub fn load(path: &Path, game: &dyn Game) -> anyhow::Result<Box<dyn Board>> {
    let name = path.display();
    let kind = FileKind::of(path)?;
    let mut records = read(kind, open(path)?).with_context(|| name.to_string())?;
    let record = records
        .next()
        .ok_or_else(|| bad_input(format!("{name}: expected a game, found none")))?
        .with_context(|| name.to_string())?;
    let (found, options) =
        game_of_record(kind.format(), &record).with_context(|| name.to_string())?;
    if found.id() != game.id() {
        let (found, wanted) = (found.id(), game.id());
        return Err(bad_input(format!("{name}: found a game of {found}, expected {wanted}")));
    }
    found.open_record(&options, &record).with_context(|| name.to_string())
}

/// Checks that a game can be saved at `path`: the extension, and that the file does not exist.
pub fn check_target(path: &Path, game: &dyn Game) -> anyhow::Result<()> {
    check_format(path, game)?;
    check_new(path)
}

/// Checks that the extension of `path` is that of the records of `game`.
pub fn check_format(path: &Path, game: &dyn Game) -> anyhow::Result<()> {
    let wanted = game.record_format();
    if FileKind::of(path)? != FileKind::Records(wanted) {
        return Err(bad_input(format!(
            "{}: games of {} are saved as .{}",
            path.display(),
            game.id(),
            wanted.name()
        )));
    }
    Ok(())
}

/// Checks that a new file can be written at `path`; called before a game, to fail early.
pub fn check_new(path: &Path) -> anyhow::Result<()> {
    let name = path.display();
    if path.exists() {
        return Err(bad_input(format!("{name}: exists, expected a new file name")));
    }
    check_writable(path)
}

/// Checks that a file can be written at `path`.
pub fn check_writable(path: &Path) -> anyhow::Result<()> {
    // A file that is not committed is removed.
    WholeFile::create(path)
        .map(drop)
        .map_err(|error| bad_input(format!("cannot write {}: {error}", path.display())))
}

/// Saves a game.
pub fn save(
    path: &Path,
    board: &dyn Board,
    names: &[String; 2],
    finish: Option<Finish>,
) -> anyhow::Result<()> {
    let record = record(board, names, finish);
    let options = WriteOptions { starts: Some(board.first_turn()), first_number: None };
    let text = board.record_format().write(&record, &options);
    write_whole(path, |file| Ok(file.write_all(text.as_bytes())?))
}

/// The record of a game in its usual format, with tags.
pub fn record(board: &dyn Board, names: &[String; 2], finish: Option<Finish>) -> Record {
    let mut record = board.record(finish);
    let provenance = Provenance {
        event: "Ludus game",
        round: "-".to_owned(),
        names: names.each_ref().map(String::as_str),
        builds: None,
        limits: None,
        seed: None,
        opening: None,
        finish: finish.or_else(|| board.ending()),
        started_at: None,
    };
    provenance.write(board, &mut record);
    record
}

/// Writes a file durably: it is complete, or as it was before.
pub fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut WholeFile) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let cannot_write = || format!("cannot write {}", path.display());
    let mut file = WholeFile::create(path).with_context(cannot_write)?;
    write(&mut file)?;
    file.commit().with_context(cannot_write)
}
