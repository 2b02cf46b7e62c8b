//! Reader: splits the file into game trees and parses each.

use super::parse::Parser;
use crate::{
    MAX_GAME_BYTES, Record,
    lines::{BYTE_ORDER_MARK, decode, too_large, unreadable},
};
use ludus_core::TextError;
use std::io::BufRead;

const WHAT: &str = "SGF";

/// Iterator over the games of an SGF file; see [`Format::read`](crate::Format::read).
pub(crate) struct Reader<R> {
    reader: R,
    place: Place,
    finished: bool,
}

/// A location in the file, both numbers from 1.
#[derive(Copy, Clone)]
struct Place {
    line: usize,
    column: usize,
}

impl Place {
    fn is_start(self) -> bool {
        (self.line, self.column) == (1, 1)
    }

    fn pass(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        if let Some(last) = bytes.iter().rposition(|&byte| byte == b'\n') {
            self.line += bytes.iter().filter(|&&byte| byte == b'\n').count();
            self.column = 1;
            rest = &bytes[last + 1..];
        }
        // UTF-8 continuation bytes take no column.
        self.column += rest.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
    }
}

/// State of the search for the next game tree.
#[derive(Copy, Clone)]
enum State {
    /// Before the `(`.
    Outside,
    /// After `(`, before the `;` that makes it a game tree.
    Opened,
    /// In a tree, outside values, with this many open parentheses.
    Tree(usize),
    Value(usize),
    Escape(usize),
    Done,
}

impl State {
    fn after(self, byte: u8) -> State {
        match (self, byte) {
            (State::Outside | State::Opened, b'(') => State::Opened,
            (State::Opened, b';') => State::Tree(1),
            (State::Opened, _) if byte.is_ascii_whitespace() => State::Opened,
            (State::Outside | State::Opened, _) => State::Outside,
            (State::Tree(depth), b'[') => State::Value(depth),
            (State::Tree(depth), b'(') => State::Tree(depth + 1),
            (State::Tree(1), b')') => State::Done,
            (State::Tree(depth), b')') => State::Tree(depth - 1),
            (State::Value(depth), b']') => State::Tree(depth),
            (State::Value(depth), b'\\') => State::Escape(depth),
            (State::Escape(depth), _) => State::Value(depth),
            (state, _) => state,
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Record, TextError>;

    fn next(&mut self) -> Option<Result<Record, TextError>> {
        if self.finished {
            return None;
        }
        let (tree, start) = match self.next_tree() {
            Ok(found) => found?,
            Err(error) => return Some(Err(error)),
        };
        let tree = decode(tree);
        Some(Parser::new(&tree).record().map_err(|problem| {
            let error = TextError::at(WHAT, &tree, problem.at, problem.expected);
            let column = if error.line == 1 { start.column - 1 } else { 0 } + error.column;
            TextError { line: error.line + start.line - 1, column, ..error }
        }))
    }
}

impl<R: BufRead> Reader<R> {
    pub(crate) fn new(reader: R) -> Reader<R> {
        Reader { reader, place: Place { line: 1, column: 1 }, finished: false }
    }

    /// The bytes and the start of the next game tree; `None` at the end of the file. A truncated tree
    /// is returned as it is: the parser reports the error.
    fn next_tree(&mut self) -> Result<Option<(Vec<u8>, Place)>, TextError> {
        let mut tree = Vec::new();
        let mut start = self.place;
        let mut state = State::Outside;
        let mut oversized = false;
        while !matches!(state, State::Done) {
            let chunk = match self.reader.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.finished = true;
                    return Err(unreadable(WHAT, self.place.line, &error));
                }
            };
            if chunk.is_empty() {
                self.finished = true;
                break;
            }
            let marked = self.place.is_start() && chunk.starts_with(BYTE_ORDER_MARK);
            let mut begin = if marked { BYTE_ORDER_MARK.len() } else { 0 };
            let mut used = begin;
            while used < chunk.len() && !matches!(state, State::Done) {
                state = state.after(chunk[used]);
                if matches!(state, State::Opened) && chunk[used] == b'(' {
                    self.place.pass(&chunk[begin..used]);
                    (begin, start, oversized) = (used, self.place, false);
                    tree.clear();
                }
                used += 1;
            }
            self.place.pass(&chunk[begin..used]);
            oversized |= tree.len() + used - begin > MAX_GAME_BYTES;
            if !matches!(state, State::Outside) && !oversized {
                tree.extend_from_slice(&chunk[begin..used]);
            }
            self.reader.consume(used);
        }
        match state {
            State::Outside | State::Opened => Ok(None),
            _ if oversized => Err(too_large(WHAT, start.line, start.column)),
            _ => Ok(Some((tree, start))),
        }
    }
}
