//! Reading and writing in any of the three formats.

use crate::{GameResult, Record, movetext, pdn, pgn, sgf};
use ludus_core::{RecordFormat, Side, TextError};
use std::io::BufRead;

/// A format of game records.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Portable Game Notation.
    Pgn,
    /// Portable Draughts Notation.
    Pdn,
    /// Smart Game Format.
    Sgf,
}

/// Options of a writer that the record does not determine.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct WriteOptions {
    /// The side that makes the first move. By default from the tag `FEN` if it is one of chess (PGN) or
    /// accompanied by `GameType` (PDN), otherwise the first side.
    pub starts: Option<Side>,
    /// The number of the first move; by default that of a chess `FEN`, otherwise 1.
    pub first_number: Option<u32>,
}

impl From<RecordFormat> for Format {
    fn from(format: RecordFormat) -> Format {
        match format {
            RecordFormat::Pgn => Format::Pgn,
            RecordFormat::Pdn => Format::Pdn,
            RecordFormat::Sgf => Format::Sgf,
        }
    }
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 3] = [Format::Pgn, Format::Pdn, Format::Sgf];

    /// The name, which is also the file extension: `pgn`, `pdn` or `sgf`.
    pub fn name(self) -> &'static str {
        match self {
            Format::Pgn => "pgn",
            Format::Pdn => "pdn",
            Format::Sgf => "sgf",
        }
    }

    /// The format called `name`, in capitals or not.
    pub fn from_name(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name))
    }

    /// The format of a file, by the extension of its path.
    pub fn from_path(path: &str) -> Option<Format> {
        path.rsplit_once('.').and_then(|(_, extension)| Format::from_name(extension))
    }

    /// Iterates over the games of a file. After a malformed game it continues with the next one, if it
    /// can be found; after a read error it ends.
    pub fn read<R: BufRead>(self, reader: R) -> Records<R> {
        Records(match self {
            Format::Pgn => Reader::Movetext(Box::new(movetext::Reader::new(reader, &pgn::DIALECT))),
            Format::Pdn => Reader::Movetext(Box::new(movetext::Reader::new(reader, &pdn::DIALECT))),
            Format::Sgf => Reader::Sgf(sgf::Reader::new(reader)),
        })
    }

    /// The text of one game. Concatenated texts are a file of games.
    pub fn write(self, record: &Record, options: &WriteOptions) -> String {
        match self {
            Format::Pgn => pgn::write(record, options),
            Format::Pdn => pdn::write(record, options),
            Format::Sgf => sgf::write(record, options),
        }
    }

    /// `record` with the tags the format requires, in the required order: the seven tag roster of PGN,
    /// `FF` and `CA` of SGF. Reading after [`write`](Format::write) gives this record.
    pub fn completed(self, record: &Record) -> Record {
        match self {
            Format::Pgn => pgn::completed(record),
            Format::Pdn => pdn::completed(record),
            Format::Sgf => sgf::completed(record),
        }
    }

    /// Whether `text` is a valid result in this format.
    pub(crate) fn has_result(self, text: &str) -> bool {
        match self {
            Format::Pgn => pgn::DIALECT.results.contains(&text),
            Format::Pdn => pdn::DIALECT.results.contains(&text),
            Format::Sgf => !pdn::DIALECT.results.contains(&text),
        }
    }

    /// Converts the result of `record` to this format, also in the tag `Result`.
    pub fn translate_result(self, record: &mut Record) {
        record.result = record.result.in_format(self);
        for (_, value) in record.tags.iter_mut().filter(|(name, _)| name == "Result") {
            *value = GameResult::from(value.as_str()).in_format(self).text;
        }
    }
}

/// The games of a file; see [`Format::read`].
pub struct Records<R>(Reader<R>);

enum Reader<R> {
    Movetext(Box<movetext::Reader<R>>),
    Sgf(sgf::Reader<R>),
}

impl<R: BufRead> Iterator for Records<R> {
    type Item = Result<Record, TextError>;

    fn next(&mut self) -> Option<Result<Record, TextError>> {
        match &mut self.0 {
            Reader::Movetext(reader) => reader.next(),
            Reader::Sgf(reader) => reader.next(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_go_by_name_and_extension() {
        for format in Format::ALL {
            assert_eq!(Format::from_name(format.name()), Some(format));
        }
        assert_eq!(Format::from_path("games/my.games.PGN"), Some(Format::Pgn));
        assert_eq!(Format::from_path("a.pdn"), Some(Format::Pdn));
        assert_eq!(Format::from_path("sgf"), None);
        assert_eq!(Format::from_path("a.json"), None);
        assert_eq!(Format::from(RecordFormat::Sgf), Format::Sgf);
    }
}
