//! Files of labelled positions: append-only, in pieces.
//!
//! ```text
//! ludus labelled chess positions 1
//! {"judge":"engine:nodes=5000,eval=hand","positions":1000000, …}
//! pieces of 256 records each, the last one shorter; after each piece its checksum, 8 bytes
//! ```
//!
//! A record is a packed position (27 bytes) and the judge's score for White (2 bytes, least
//! significant first), a mate as its distance from [`Score::WIN`], -32768 for none. A killed process
//! leaves at most one incomplete piece at the end, which is cut off when the file is opened again.

use crate::TrainingError;
use ludus_core::{Score, TextError, position::mix};
use ludus_files::AppendFile;
use ludus_games::chess::PackedChess;
use serde_json::Value;
use std::{io, path::Path};

const MAGIC: &str = "ludus labelled chess positions 1\n";
const FORMAT_NAME: &str = "file of labelled positions";
/// Records of a piece.
pub(super) const RECORDS_PER_PIECE: usize = 256;
const RECORD_LEN: usize = PackedChess::LEN + 2;
const CHECKSUM_LEN: usize = 8;
/// Stored for a position that the judge could not score within its limit.
const NO_SCORE: i16 = i16::MIN;

/// A position with its label.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct LabelledPosition {
    pub position: PackedChess,
    score: i16,
}

impl LabelledPosition {
    /// Labels a position with a score for White, if there is one.
    pub fn new(position: PackedChess, score: Option<Score>) -> LabelledPosition {
        let limit = Score::WIN.0;
        let stored = |score: Score| score.0.clamp(-limit, limit) as i16;
        LabelledPosition { position, score: score.map_or(NO_SCORE, stored) }
    }

    /// Score for White, if there is one.
    pub fn score(self) -> Option<Score> {
        (self.score != NO_SCORE).then(|| Score(self.score.into()))
    }

    fn from_record(record: &[u8]) -> LabelledPosition {
        let (position, score) = record.split_at(PackedChess::LEN);
        LabelledPosition {
            position: PackedChess::from_bytes(position.try_into().expect("the length of one")),
            score: i16::from_le_bytes(score.try_into().expect("two bytes")),
        }
    }
}

/// Bytes of a piece, with its checksum.
pub(super) fn piece_bytes(labelled: &[LabelledPosition]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(labelled.len() * RECORD_LEN + CHECKSUM_LEN);
    for record in labelled {
        bytes.extend(record.position.to_bytes());
        bytes.extend(record.score.to_le_bytes());
    }
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(1, |hash, &byte| mix(hash ^ u64::from(byte)).wrapping_add(1))
}

/// Length of piece `piece` of a file with `positions` records.
fn piece_len(piece: u64, positions: u64) -> usize {
    let first = piece * RECORDS_PER_PIECE as u64;
    let records = positions.saturating_sub(first).min(RECORDS_PER_PIECE as u64) as usize;
    records * RECORD_LEN + CHECKSUM_LEN
}

/// Number of pieces of a file with `positions` records.
pub(super) fn piece_count(positions: u64) -> u64 {
    positions.div_ceil(RECORDS_PER_PIECE as u64)
}

/// A file that is being labelled.
pub(super) struct LabelFile {
    file: AppendFile,
    /// Number of pieces.
    pub pieces: u64,
}

impl LabelFile {
    /// Opens the file for appending, or creates it. `header` is one line of JSON that tells what is
    /// labelled and by whom; a file with another one is refused.
    pub fn open(path: &Path, header: &Value) -> Result<LabelFile, TrainingError> {
        let disk = |error: io::Error| TrainingError::disk(path, &error);
        let (mut file, bytes) = AppendFile::open(path).map_err(disk)?;
        let head = format!("{MAGIC}{header}\n");
        if bytes.len() < head.len() && head.as_bytes().starts_with(&bytes) {
            file.cut(0).and_then(|()| file.append(head.as_bytes())).map_err(disk)?;
            return Ok(LabelFile { file, pieces: 0 });
        }
        if !bytes.starts_with(head.as_bytes()) {
            let expected = "one begun with the same recipe and judge";
            return Err(TextError::whole(FORMAT_NAME, &path.display().to_string(), expected).into());
        }
        let contents = LabelFileContents::parse(&bytes)
            .map_err(|error| TrainingError::from(error).in_file(path))?;
        file.cut(contents.end as u64).map_err(disk)?;
        Ok(LabelFile { file, pieces: contents.pieces })
    }

    /// Appends a piece and syncs it to disk.
    pub fn append(&mut self, piece: &[u8]) -> io::Result<()> {
        self.file.append(piece)?;
        self.pieces += 1;
        self.file.sync()
    }
}

/// Complete pieces of a file.
struct LabelFileContents {
    labelled: Vec<LabelledPosition>,
    positions: u64,
    pieces: u64,
    /// End of the last complete piece.
    end: usize,
}

impl LabelFileContents {
    fn parse(bytes: &[u8]) -> Result<LabelFileContents, TextError> {
        let bad_head = || {
            let expected = format!("{:?} and a line of JSON with its positions", MAGIC.trim_end());
            let text = String::from_utf8_lossy(&bytes[..bytes.len().min(MAGIC.len())]);
            TextError::at(FORMAT_NAME, &text, 0, expected)
        };
        let rest = bytes.strip_prefix(MAGIC.as_bytes()).ok_or_else(bad_head)?;
        let newline = rest.iter().position(|&byte| byte == b'\n').ok_or_else(bad_head)?;
        let header: Value = serde_json::from_slice(&rest[..newline]).map_err(|_| bad_head())?;
        let positions = header["positions"].as_u64().ok_or_else(bad_head)?;
        let (mut labelled, mut pieces) = (Vec::new(), 0);
        let mut end = MAGIC.len() + newline + 1;
        while pieces < piece_count(positions) {
            let Some(piece) = bytes.get(end..end + piece_len(pieces, positions)) else { break };
            let (records, sum) = piece.split_at(piece.len() - CHECKSUM_LEN);
            if sum != checksum(records).to_le_bytes() {
                let expected = "an undamaged piece; delete the file to label its positions again";
                return Err(TextError::whole(FORMAT_NAME, &format!("piece {pieces}"), expected));
            }
            labelled.extend(records.chunks(RECORD_LEN).map(LabelledPosition::from_record));
            (pieces, end) = (pieces + 1, end + piece.len());
        }
        Ok(LabelFileContents { labelled, positions, pieces, end })
    }
}

/// Reads a complete file.
///
/// # Errors
/// If it is damaged or not complete.
pub(super) fn read_labelled(path: &Path) -> Result<Vec<LabelledPosition>, TrainingError> {
    let bytes = ludus_files::read(path).map_err(|error| TrainingError::disk(path, &error))?;
    let in_file = |error: TextError| TrainingError::from(error).in_file(path);
    let LabelFileContents { labelled, positions, end, .. } =
        LabelFileContents::parse(&bytes).map_err(in_file)?;
    if labelled.len() as u64 != positions || end != bytes.len() {
        let found = format!("{} of {positions} positions", labelled.len());
        let expected = "the file of a run that has labelled all its positions";
        return Err(in_file(TextError::whole(FORMAT_NAME, &found, expected)));
    }
    if let Some(record) = labelled.iter().position(|label| label.position.unpack().is_none()) {
        let expected = "27 bytes of a legal position";
        return Err(in_file(TextError::whole(FORMAT_NAME, &format!("record {record}"), expected)));
    }
    Ok(labelled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_games::chess::Chess;
    use serde_json::json;
    use std::fs;

    fn labelled(count: usize) -> Vec<LabelledPosition> {
        let position = PackedChess::new(&Chess::default());
        let scores = [Some(0), Some(-250), Some(31_000 - 3), Some(3 - 31_000), None];
        scores
            .into_iter()
            .cycle()
            .take(count)
            .map(|score| LabelledPosition::new(position, score.map(Score)))
            .collect()
    }

    #[test]
    fn a_file_is_read_as_written_and_continued_after_a_whole_piece() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("positions.bin");
        let header = json!({ "positions": 600 });
        let all = labelled(600);
        let mut file = LabelFile::open(&path, &header).unwrap();
        for piece in all.chunks(RECORDS_PER_PIECE) {
            file.append(&piece_bytes(piece)).unwrap();
        }
        assert_eq!((file.pieces, piece_count(600)), (3, 3));
        assert_eq!(read_labelled(&path).unwrap(), all);
        let scores: Vec<Option<i32>> = all[..5].iter().map(|it| Some(it.score()?.0)).collect();
        assert_eq!(scores, [Some(0), Some(-250), Some(30_997), Some(-30_997), None]);
        let whole = fs::read(&path).unwrap();
        for cut in [0, 5, whole.len() - 1, whole.len() - 3000, whole.len() - 9000, 40] {
            fs::write(&path, &whole[..cut]).unwrap();
            let error = read_labelled(&path).map(|_| ()).unwrap_err().to_string();
            assert!(error.contains("positions.bin"), "{error}");
            let mut file = LabelFile::open(&path, &header).unwrap();
            for piece in all.chunks(RECORDS_PER_PIECE).skip(file.pieces as usize) {
                file.append(&piece_bytes(piece)).unwrap();
            }
            assert!(fs::read(&path).unwrap() == whole, "cut at {cut}");
        }
    }

    #[test]
    fn damaged_and_foreign_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("positions.bin");
        let header = json!({ "positions": 300 });
        let mut file = LabelFile::open(&path, &header).unwrap();
        for piece in labelled(300).chunks(RECORDS_PER_PIECE) {
            file.append(&piece_bytes(piece)).unwrap();
        }
        let other = LabelFile::open(&path, &json!({ "positions": 301 })).err().unwrap();
        assert!(other.to_string().contains("the same recipe and judge"), "{other}");
        let whole = fs::read(&path).unwrap();
        let mut damaged = whole.clone();
        damaged[8000] ^= 1;
        fs::write(&path, damaged).unwrap();
        for error in [read_labelled(&path).err(), LabelFile::open(&path, &header).err()] {
            let error = error.unwrap().to_string();
            assert!(error.contains("piece 1") || error.contains("piece 0"), "{error}");
            assert!(error.contains("positions.bin"), "{error}");
        }
        fs::write(&path, [whole, vec![0]].concat()).unwrap();
        assert!(read_labelled(&path).is_err(), "nothing after the last piece");
        for text in ["", "labels\n", "ludus labelled chess positions 1\nno json\n"] {
            fs::write(&path, text).unwrap();
            let error = read_labelled(&path).unwrap_err().to_string();
            assert!(error.contains("positions.bin") && error.contains("JSON"), "{error}");
        }
    }
}
