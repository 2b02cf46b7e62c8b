//! Reader: an iterator over games.

use super::{
    Dialect,
    builder::Builder,
    scan::{Scanner, Step, tag_at},
};
use crate::{
    MAX_GAME_BYTES, Record,
    lines::{LineError, Lines},
};
use ludus_core::TextError;
use std::io::BufRead;

/// Iterator over the games of a PGN or PDN file; see [`Format::read`](crate::Format::read).
pub(crate) struct Reader<R> {
    lines: Lines<R>,
    dialect: &'static Dialect,
    /// Byte offset in the current line.
    at: usize,
    builder: Builder,
    comment: Option<OpenComment>,
    /// Size of the current game so far, in bytes.
    size: usize,
    /// Whether the line before the current one was empty.
    after_blank: bool,
    /// Whether a blank line followed the last tag: a repeated tag then begins a new game.
    tags_closed: bool,
    finished: bool,
}

/// A comment whose `}` has not been read yet.
struct OpenComment {
    text: String,
    /// The error if it never comes.
    unclosed: TextError,
}

/// Reason for the end of reading a line.
enum Stop {
    LineEnd,
    GameEnd,
}

/// An error, and the place to continue from.
enum Failure {
    /// Continue after the malformed game.
    Skip(TextError),
    /// Continue at the current place.
    Stay(TextError),
    /// Stop: the file cannot be read.
    Fatal(TextError),
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record, TextError>;

    fn next(&mut self) -> Option<Result<Record, TextError>> {
        if self.finished {
            return None;
        }
        match self.read_game() {
            Ok(game) => game.map(Ok),
            Err(failure) => {
                self.start_game();
                Some(Err(self.recover(failure)))
            }
        }
    }
}

impl<R: BufRead> Reader<R> {
    pub(crate) fn new(reader: R, dialect: &'static Dialect) -> Reader<R> {
        Reader {
            lines: Lines::new(reader, dialect.what),
            dialect,
            at: 0,
            builder: Builder::new(),
            comment: None,
            size: 0,
            after_blank: true,
            tags_closed: false,
            finished: false,
        }
    }

    fn start_game(&mut self) {
        self.builder = Builder::new();
        self.comment = None;
        self.size = 0;
        self.tags_closed = false;
    }

    fn read_game(&mut self) -> Result<Option<Record>, Failure> {
        self.start_game();
        loop {
            if self.at >= self.lines.text().len() && !self.next_line()? {
                return self.end_of_file();
            }
            match self.read_line()? {
                Stop::LineEnd => self.at = self.lines.text().len(),
                Stop::GameEnd => return Ok(Some(self.take_record())),
            }
        }
    }

    /// Advances to the next line and checks for the conditions at its start.
    fn next_line(&mut self) -> Result<bool, Failure> {
        self.after_blank = self.lines.text().trim_ascii().is_empty();
        self.tags_closed |= self.after_blank;
        self.at = 0;
        match self.lines.advance() {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(LineError::TooLong(error)) => return Err(Failure::Skip(error)),
            Err(LineError::Unreadable(error)) => return Err(Failure::Fatal(error)),
        }
        self.size += self.lines.text().len() + 1;
        if self.size > MAX_GAME_BYTES {
            return Err(Failure::Skip(self.lines.too_large(1)));
        }
        // An open comment that reaches the tags of the next game was left unclosed.
        if self.after_blank && is_tag_pair(self.lines.text()) {
            if let Some(comment) = self.comment.take() {
                return Err(Failure::Stay(comment.unclosed));
            }
        } else if self.comment.is_none() && self.lines.text().starts_with('%') {
            self.at = self.lines.text().len();
        }
        Ok(true)
    }

    fn end_of_file(&mut self) -> Result<Option<Record>, Failure> {
        self.finished = true;
        if let Some(comment) = self.comment.take() {
            return Err(Failure::Fatal(comment.unclosed));
        }
        if self.builder.in_variation() {
            return Err(Failure::Fatal(self.lines.error(0, ") to close the variation")));
        }
        let is_game = self.builder.has_moves() || !self.builder.record.tags.is_empty();
        self.builder.finish(None);
        Ok(is_game.then(|| self.take_record()))
    }

    fn take_record(&mut self) -> Record {
        std::mem::replace(&mut self.builder, Builder::new()).record
    }

    /// Skips the rest of a malformed game, so that the next call starts at the next game.
    fn recover(&mut self, failure: Failure) -> TextError {
        let error = match failure {
            Failure::Stay(error) => return error,
            Failure::Fatal(error) => {
                self.finished = true;
                return error;
            }
            Failure::Skip(error) => error,
        };
        loop {
            let after_blank = self.lines.text().trim_ascii().is_empty();
            match self.lines.advance() {
                Ok(true) => {}
                Err(LineError::TooLong(_)) => continue,
                Ok(false) | Err(LineError::Unreadable(_)) => {
                    self.finished = true;
                    return error;
                }
            }
            let text = self.lines.text();
            if text.starts_with('[') && (after_blank || text.starts_with("[Event ")) {
                self.at = 0;
                return error;
            }
        }
    }

    /// Reads the rest of the current line, up to the end of the game.
    fn read_line(&mut self) -> Result<Stop, Failure> {
        self.continue_comment();
        let mut scanner = Scanner {
            line: self.lines.text(),
            at: self.at,
            dialect: self.dialect,
            builder: &mut self.builder,
            tags_closed: &mut self.tags_closed,
        };
        let step = scanner.scan();
        self.at = scanner.at;
        match step {
            Step::LineEnd => Ok(Stop::LineEnd),
            Step::GameEnd => Ok(Stop::GameEnd),
            Step::CommentOpens => {
                let text = self.lines.text()[self.at + 1..].to_owned();
                let unclosed = self.lines.error(self.at, "} to close this comment");
                self.comment = Some(OpenComment { text, unclosed });
                Ok(Stop::LineEnd)
            }
            Step::TagInVariation => {
                Err(Failure::Stay(self.lines.error(self.at, ") to close the variation")))
            }
            Step::TooLarge => Err(Failure::Skip(self.lines.too_large(1))),
            Step::Expected(expected) => Err(Failure::Skip(self.lines.error(self.at, expected))),
        }
    }

    /// Appends the current line to an open comment.
    fn continue_comment(&mut self) {
        let Some(comment) = &mut self.comment else { return };
        let rest = &self.lines.text()[self.at..];
        let end = rest.find('}');
        comment.text.push(' ');
        comment.text.push_str(&rest[..end.unwrap_or(rest.len())]);
        self.at += end.map_or(rest.len(), |end| end + 1);
        if end.is_some() {
            self.builder.add_comment(&comment.text);
            self.comment = None;
        }
    }
}

/// Whether `line` is exactly one tag pair.
fn is_tag_pair(line: &str) -> bool {
    line.starts_with('[')
        && tag_at(line, 0).is_ok_and(|(_, end)| line[end..].trim_ascii().is_empty())
}
