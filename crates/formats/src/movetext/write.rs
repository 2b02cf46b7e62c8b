//! Writer: tags, then move text in lines of fewer than 80 characters.

use super::{
    Dialect,
    scan::{ends_name, ends_token},
};
use crate::{NodeId, Record};
use ludus_core::Side;
use std::{borrow::Cow, fmt::Write as _};

/// The longest line of move text, in characters.
const MAX_LINE_CHARS: usize = 79;

/// Writes `record`; `starts` makes the first move, with this move number.
pub(crate) fn write(record: &Record, dialect: &Dialect, starts: Side, number: u32) -> String {
    let mut text = String::new();
    for (name, value) in &record.tags {
        write_tag(&mut text, name, value);
    }
    if !record.tags.is_empty() {
        text.push('\n');
    }
    let mut writer =
        Writer { record, out: Wrapped { text, column: 0, glued: true }, number_due: true };
    writer.annotations(Record::ROOT);
    writer.tree(2 * u64::from(number) + starts.index() as u64);
    writer.out.word(&record.result.in_format(dialect.format).text);
    writer.out.text.push_str("\n\n");
    writer.out.text
}

fn write_tag(text: &mut String, name: &str, value: &str) {
    let name = name.replace(|c: char| u8::try_from(c).is_ok_and(ends_name), "_");
    let name = if name.is_empty() { "_" } else { &name };
    let _ = write!(text, "[{name} \"");
    for character in value.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            '\n' | '\r' => text.push(' '),
            _ => text.push(character),
        }
    }
    text.push_str("\"]\n");
}

struct Writer<'a> {
    record: &'a Record,
    out: Wrapped,
    /// Whether the next move needs its number, whichever side moves.
    number_due: bool,
}

/// Output still to be written, in reverse order.
enum Task {
    /// A move and its descendants.
    Move {
        node: NodeId,
        /// Ply `2n` is move `n` of the first side, ply `2n + 1` of the second.
        ply: u64,
        /// Whether its variations follow it, which they do not if it is a variation itself.
        main: bool,
    },
    Open,
    Close,
}

impl Writer<'_> {
    /// Writes all moves. Variations follow the move they replace.
    fn tree(&mut self, first_ply: u64) {
        let first = self.record.next(Record::ROOT);
        let mut tasks: Vec<Task> =
            first.map(|node| Task::Move { node, ply: first_ply, main: true }).into_iter().collect();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Open => self.out.open(),
                Task::Close => self.out.close(),
                Task::Move { node, ply, main } => {
                    self.node(node, ply);
                    self.push_rest(node, ply, main, &mut tasks);
                    continue;
                }
            }
            self.number_due = true;
        }
    }

    /// Schedules the variations of `node` if it is a main move, then its next move.
    fn push_rest(&self, node: NodeId, ply: u64, main: bool, tasks: &mut Vec<Task>) {
        if let Some(next) = self.record.next(node) {
            let ply = ply + u64::from(!self.record[node].mv.is_empty());
            tasks.push(Task::Move { node: next, ply, main: true });
        }
        if main {
            let first = tasks.len();
            let mut beside = self.record.next_sibling(node);
            while let Some(node) = beside {
                tasks.extend([Task::Open, Task::Move { node, ply, main: false }, Task::Close]);
                beside = self.record.next_sibling(node);
            }
            tasks[first..].reverse();
        }
    }

    fn node(&mut self, id: NodeId, ply: u64) {
        let node = &self.record[id];
        self.comments(&node.before);
        if !node.mv.is_empty() {
            if ply.is_multiple_of(2) {
                self.out.word(&format!("{}.", ply / 2));
            } else if self.number_due {
                self.out.word(&format!("{}...", ply / 2));
            }
            self.number_due = false;
            self.out.word(&as_token(&node.mv));
        }
        self.annotations(id);
    }

    /// Writes glyphs and comments after a move, or before the first.
    fn annotations(&mut self, id: NodeId) {
        let node = &self.record[id];
        for nag in &node.nags {
            self.out.word(&format!("${nag}"));
        }
        self.comments(&node.comments);
    }

    fn comments(&mut self, comments: &[String]) {
        for comment in comments {
            let comment = comment.replace(['\n', '\r'], " ");
            let comment = comment.trim_matches(|c: char| c.is_ascii_whitespace());
            if !comment.is_empty() {
                self.out.comment(comment);
                self.number_due = true;
            }
        }
    }
}

/// A move as one token, with special characters replaced.
fn as_token(mv: &str) -> Cow<'_, str> {
    if mv.starts_with('%') || mv.bytes().any(ends_token) {
        let is_special =
            |c: char| u8::try_from(c).is_ok_and(|byte| ends_token(byte) || byte == b'%');
        Cow::Owned(mv.replace(is_special, "_"))
    } else {
        Cow::Borrowed(mv)
    }
}

/// Text wrapped into lines.
struct Wrapped {
    text: String,
    /// Length of the last line in characters.
    column: usize,
    /// Whether the next word follows without a space.
    glued: bool,
}

impl Wrapped {
    fn word(&mut self, word: &str) {
        self.place(word, true);
    }

    fn open(&mut self) {
        self.place("(", true);
        self.glued = true;
    }

    fn close(&mut self) {
        self.glued = true;
        self.place(")", true);
    }

    /// Appends `word` after a space, or on a new line if it does not fit.
    fn place(&mut self, word: &str, may_break: bool) {
        let length = word.chars().count();
        let space = usize::from(!self.glued);
        if may_break && self.column > 0 && self.column + space + length > MAX_LINE_CHARS {
            self.new_line();
        } else if !self.glued {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(word);
        self.column += length;
        self.glued = false;
    }

    fn new_line(&mut self) {
        self.text.push('\n');
        self.column = 0;
        self.glued = true;
    }

    /// Writes a comment. One with a closing brace becomes a `;` comment, which extends to the line end.
    fn comment(&mut self, text: &str) {
        if text.contains('}') {
            self.place(";", false);
            self.text.push_str(text);
            self.new_line();
            return;
        }
        let mut start = "{";
        for word in text.split(' ') {
            // A line must not be empty or start like an escape or a tag, which could confuse readers.
            let may_break = !(word.is_empty() || word.starts_with(['%', '[']));
            if start.is_empty() {
                self.place(word, may_break);
            } else {
                self.place(&format!("{start}{word}"), true);
            }
            start = "";
        }
        self.text.push('}');
        self.column += 1;
    }
}
