//! Line reader: decodes and numbers lines, with a length limit.

use crate::MAX_GAME_BYTES;
use ludus_core::TextError;
use std::io::{BufRead, Read};

/// The current line of a file.
///
/// A line that is not UTF-8 is read as Latin-1, the usual encoding of old files. A byte order mark at
/// the start of the file is skipped.
pub(crate) struct Lines<R> {
    reader: R,
    /// Kind of text being read, for errors.
    what: &'static str,
    text: String,
    number: usize,
    /// A byte offset and the number of characters before it: columns are counted from there, so that a
    /// line with a million errors still takes linear time.
    counted: (usize, usize),
}

pub(crate) const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Failure to read the next line.
#[derive(Debug)]
pub(crate) enum LineError {
    /// The line is longer than a game may be; the next one can be read.
    TooLong(TextError),
    /// The file cannot be read further.
    Unreadable(TextError),
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(reader: R, what: &'static str) -> Lines<R> {
        Lines { reader, what, text: String::new(), number: 0, counted: (0, 0) }
    }

    /// The current line without its end, lone carriage returns replaced by spaces; empty before the
    /// first [`advance`](Lines::advance).
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Goes to the next line; `false` at the end of the file.
    pub(crate) fn advance(&mut self) -> Result<bool, LineError> {
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        bytes.clear();
        let limit = MAX_GAME_BYTES as u64 + 1;
        let read = self.reader.by_ref().take(limit).read_until(b'\n', &mut bytes);
        let read = read.map_err(|error| self.unreadable(&error))?;
        self.number += 1;
        self.counted = (0, 0);
        if read == 0 {
            return Ok(false);
        }
        if read > MAX_GAME_BYTES {
            self.skip_rest_of_line(&bytes)?;
            return Err(LineError::TooLong(self.too_large(1)));
        }
        while bytes.pop_if(|byte| matches!(byte, b'\n' | b'\r')).is_some() {}
        if self.number == 1 && bytes.starts_with(BYTE_ORDER_MARK) {
            bytes.drain(..BYTE_ORDER_MARK.len());
        }
        for byte in bytes.iter_mut().filter(|byte| **byte == b'\r') {
            *byte = b' ';
        }
        self.text = decode(bytes);
        Ok(true)
    }

    /// An error at byte `at` of the current line.
    pub(crate) fn error(&mut self, at: usize, expected: impl Into<String>) -> TextError {
        let (counted, characters) = self.counted;
        let (counted, characters) = if counted <= at { (counted, characters) } else { (0, 0) };
        self.counted = (at, characters + self.text[counted..at].chars().count());
        TextError {
            line: self.number,
            column: 1 + self.counted.1,
            ..TextError::at(self.what, &self.text[at..], 0, expected)
        }
    }

    /// The error for a game past the limits.
    pub(crate) fn too_large(&self, column: usize) -> TextError {
        too_large(self.what, self.number, column)
    }

    fn unreadable(&self, error: &std::io::Error) -> LineError {
        LineError::Unreadable(unreadable(self.what, self.number + 1, error))
    }

    fn skip_rest_of_line(&mut self, start: &[u8]) -> Result<(), LineError> {
        let mut ended = start.ends_with(b"\n");
        while !ended {
            let buffer = match self.reader.fill_buf() {
                Ok(buffer) => buffer,
                Err(error) => return Err(self.unreadable(&error)),
            };
            let newline = buffer.iter().position(|&byte| byte == b'\n');
            ended = newline.is_some() || buffer.is_empty();
            let used = newline.map_or(buffer.len(), |at| at + 1);
            self.reader.consume(used);
        }
        Ok(())
    }
}

/// `bytes` as UTF-8, or else as Latin-1.
pub(crate) fn decode(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes)
        .unwrap_or_else(|error| error.into_bytes().into_iter().map(char::from).collect())
}

/// The error for a game past the limits.
pub(crate) fn too_large(what: &str, line: usize, column: usize) -> TextError {
    TextError {
        what: what.to_owned(),
        line,
        column,
        found: "a larger game".to_owned(),
        expected: format!(
            "at most {} MiB and {} moves in one game",
            MAX_GAME_BYTES >> 20,
            crate::MAX_NODES
        ),
    }
}

/// The error for a file that cannot be read further.
pub(crate) fn unreadable(what: &str, line: usize, error: &std::io::Error) -> TextError {
    TextError {
        what: what.to_owned(),
        line,
        column: 1,
        found: error.to_string(),
        expected: "a readable file".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8]) -> Vec<String> {
        let mut lines = Lines::new(bytes, "test");
        let mut all = Vec::new();
        while lines.advance().unwrap() {
            all.push(lines.text().to_owned());
        }
        all
    }

    #[test]
    fn line_ends_marks_and_encodings() {
        assert_eq!(lines(b"\xef\xbb\xbfa\r\nb\n\nc"), ["a", "b", "", "c"]);
        assert_eq!(lines("é\n".as_bytes()), ["é"]);
        assert_eq!(lines(b"\xe9\xff\n\xc3\xa9"), ["éÿ", "é"]);
        assert_eq!(lines(b""), [""; 0]);
    }

    #[test]
    fn a_line_past_the_limit_is_skipped() {
        let mut bytes = vec![b'x'; MAX_GAME_BYTES + 5];
        bytes.extend(b"\nnext\n");
        let mut lines = Lines::new(bytes.as_slice(), "test");
        assert!(matches!(lines.advance(), Err(LineError::TooLong(_))));
        assert!(lines.advance().unwrap());
        assert_eq!((lines.text(), lines.number), ("next", 2));
    }
}
