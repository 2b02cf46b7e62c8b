//! Lexer: splits one line into tokens and passes them to the builder.

use super::{Dialect, ONLY_MOVE, SUFFIXES, builder::Builder};
use crate::MAX_NODES;

/// One line being read.
pub(super) struct Scanner<'a> {
    pub(super) line: &'a str,
    /// Byte offset of the next token; always at a character boundary.
    pub(super) at: usize,
    pub(super) dialect: &'static Dialect,
    pub(super) builder: &'a mut Builder,
    /// Whether a blank line followed the last tag.
    pub(super) tags_closed: &'a mut bool,
}

/// Reason for the end of scanning, at byte `at`.
pub(super) enum Step {
    LineEnd,
    GameEnd,
    /// At a `{` without `}` in this line.
    CommentOpens,
    /// At a `[` that begins another game although a variation is open.
    TagInVariation,
    TooLarge,
    /// A syntax error: this text was expected.
    Expected(&'static str),
}

/// Bytes that end a move, a result or a number.
static ENDS_TOKEN: [bool; 256] = {
    let mut table = [false; 256];
    let ends = b" \t\r\n\x0b\x0c{}()[];$!?\"*.<>";
    let mut index = 0;
    while index < ends.len() {
        table[ends[index] as usize] = true;
        index += 1;
    }
    table
};

/// Whether a move cannot contain `byte`.
pub(super) fn ends_token(byte: u8) -> bool {
    ENDS_TOKEN[usize::from(byte)]
}

impl Scanner<'_> {
    /// Reads to the end of the line or of the game.
    pub(super) fn scan(&mut self) -> Step {
        while let Some(&byte) = self.line.as_bytes().get(self.at) {
            let stop = match byte {
                b' ' | b'\t' | b'\r' | b'\n' | b'\x0b' | b'\x0c' | b'.' => {
                    self.at += 1;
                    None
                }
                b'{' => self.comment(),
                b';' => {
                    self.builder.add_comment(&self.line[self.at + 1..]);
                    Some(Step::LineEnd)
                }
                b'(' => self.open(),
                b')' if self.builder.close_variation() => {
                    self.at += 1;
                    None
                }
                b')' => Some(Step::Expected("no ) without a ( before it")),
                b'$' | b'!' | b'?' => self.glyph(),
                b'[' => self.tag(),
                b'*' => self.result("*", self.at + 1),
                b'}' | b']' | b'"' | b'<' | b'>' | b'%' => {
                    Some(Step::Expected("a move, a comment, a variation or a result"))
                }
                _ => self.word(),
            };
            if let Some(stop) = stop {
                return stop;
            }
        }
        Step::LineEnd
    }

    fn comment(&mut self) -> Option<Step> {
        let Some(length) = self.line[self.at + 1..].find('}') else {
            return Some(Step::CommentOpens);
        };
        self.builder.add_comment(&self.line[self.at + 1..self.at + 1 + length]);
        self.at += length + 2;
        None
    }

    /// A variation, or a suffix in parentheses such as `(!)`, which PDN allows.
    fn open(&mut self) -> Option<Step> {
        let rest = &self.line.as_bytes()[self.at + 1..];
        let marks = rest.iter().take_while(|byte| b"!?*".contains(byte)).count();
        if marks > 0 && rest.get(marks) == Some(&b')') && self.builder.can_annotate() {
            self.marks(self.at + 1, self.at + 1 + marks);
            self.at += marks + 2;
        } else if self.builder.can_vary() {
            self.builder.open_variation();
            self.at += 1;
        } else {
            return Some(Step::Expected("a move before its variation"));
        }
        None
    }

    fn glyph(&mut self) -> Option<Step> {
        if !self.builder.can_annotate() {
            return Some(Step::Expected("a move before its glyph"));
        }
        let rest = &self.line[self.at..];
        let end = if let Some(digits) = rest.strip_prefix('$') {
            let length = digits.bytes().take_while(u8::is_ascii_digit).count();
            let Ok(glyph) = digits[..length].parse() else {
                return Some(Step::Expected("$ and a number from 0 to 65535"));
            };
            self.builder.add_glyph(glyph);
            self.at + 1 + length
        } else {
            let marks = rest.bytes().take_while(|byte| b"!?".contains(byte)).count();
            self.marks(self.at, self.at + marks);
            self.at + marks
        };
        self.at = end;
        None
    }

    /// Adds the glyphs of a run of `!`, `?` and `*`.
    fn marks(&mut self, start: usize, end: usize) {
        let mut marks = &self.line.as_bytes()[start..end];
        while !marks.is_empty() {
            let known = SUFFIXES.iter().find(|(suffix, _)| marks.starts_with(suffix));
            let (length, glyph) =
                known.map_or((1, ONLY_MOVE), |&(suffix, glyph)| (suffix.len(), glyph));
            self.builder.add_glyph(glyph);
            marks = &marks[length..];
        }
    }

    fn tag(&mut self) -> Option<Step> {
        if self.builder.in_variation() {
            return Some(Step::TagInVariation);
        }
        let tag = tag_at(self.line, self.at);
        let begins_new_game = self.builder.has_moves()
            || *self.tags_closed
                && tag.as_ref().is_ok_and(|((name, _), _)| self.builder.begins_with_tag(name));
        if begins_new_game {
            self.builder.finish(None);
            return Some(Step::GameEnd);
        }
        match tag {
            Ok((tag, end)) => {
                self.builder.record.tags.push(tag);
                *self.tags_closed = false;
                self.at = end;
                None
            }
            Err((at, expected)) => {
                self.at = at;
                Some(Step::Expected(expected))
            }
        }
    }

    /// Scans a move, a move number or a result.
    fn word(&mut self) -> Option<Step> {
        let bytes = self.line.as_bytes();
        let length = bytes[self.at..].iter().take_while(|&&byte| !ends_token(byte));
        let end = self.at + length.count();
        let word = &self.line[self.at..end];
        if bytes[self.at].is_ascii_digit() || !word.is_ascii() {
            if let Some(result) = self.result_of(word) {
                return self.result(result, end);
            }
            if word.bytes().all(|byte| byte.is_ascii_digit()) {
                self.at = end;
                return None;
            }
        } else if word == "e" && self.line[self.at..].starts_with("e.p.") {
            self.at += "e.p.".len();
            return None;
        }
        if self.builder.record.node_count() == MAX_NODES {
            return Some(Step::TooLarge);
        }
        self.builder.add_move(word);
        self.at = end;
        if self.dialect.star_is_glyph && bytes.get(end) == Some(&b'*') {
            self.builder.add_glyph(ONLY_MOVE);
            self.at = end + 1;
        }
        None
    }

    fn result_of(&self, word: &str) -> Option<&'static str> {
        let word = if matches!(word, "1/2" | "½-½") { "1/2-1/2" } else { word };
        self.dialect.results.iter().copied().find(|&result| result == word)
    }

    /// Ends the game with `result`; within a variation a result is ignored.
    fn result(&mut self, result: &'static str, end: usize) -> Option<Step> {
        self.at = end;
        if self.builder.in_variation() {
            return None;
        }
        self.last_comments();
        self.builder.finish(Some(result));
        Some(Step::GameEnd)
    }

    /// Reads comments after the result in the same line, which belong to this game.
    fn last_comments(&mut self) {
        loop {
            let rest = self.line[self.at..].trim_ascii_start();
            let start = self.line.len() - rest.len();
            if let Some(text) = rest.strip_prefix(';') {
                self.builder.add_comment(text);
                self.at = self.line.len();
            } else if let Some((text, _)) =
                rest.strip_prefix('{').and_then(|text| text.split_once('}'))
            {
                self.builder.add_comment(text);
                self.at = start + text.len() + 2;
            } else {
                return;
            }
        }
    }
}

/// Whether the name of a tag cannot contain `byte`.
pub(super) fn ends_name(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'\x0b' || b"\"[](){};".contains(&byte)
}

/// Name and value.
type Tag = (String, String);

/// Parses the tag pair that starts with the `[` at byte `at`: the tag and the offset after it, or the
/// offset of the error and the expected text.
pub(super) fn tag_at(line: &str, at: usize) -> Result<(Tag, usize), (usize, &'static str)> {
    let skip_space = |at: usize| {
        at + line.as_bytes()[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
    };
    let name_start = skip_space(at + 1);
    let name = &line.as_bytes()[name_start..];
    let name_end = name_start + name.iter().take_while(|&&byte| !ends_name(byte)).count();
    if name_end == name_start {
        return Err((name_end, "the name of a tag"));
    }
    let quote = skip_space(name_end);
    if line.as_bytes().get(quote) != Some(&b'"') {
        return Err((quote, "the value of the tag in quotes"));
    }
    let (value, bracket) = quoted(line, quote + 1).map_err(|last_quote| match last_quote {
        Some(last_quote) => (skip_space(last_quote + 1), "] to close the tag"),
        None => (quote, "a closing quote in this line"),
    })?;
    Ok(((line[name_start..name_end].to_owned(), value), bracket + 1))
}

/// Parses a quoted text from byte `start`: the text and the offset of the `]` after it, or else the
/// offset of the last quote. Only a quote followed by `]` closes the text: others are taken as
/// unescaped quotes, which are common in files.
fn quoted(line: &str, start: usize) -> Result<(String, usize), Option<usize>> {
    let mut value = String::new();
    let mut from = start;
    let mut at = start;
    let mut last_quote = None;
    loop {
        match line.as_bytes().get(at).ok_or(last_quote)? {
            b'"' => {
                let rest = line[at + 1..].trim_ascii_start();
                if rest.starts_with(']') {
                    value.push_str(&line[from..at]);
                    return Ok((value, line.len() - rest.len()));
                }
                last_quote = Some(at);
                at += 1;
            }
            b'\\' if matches!(line.as_bytes().get(at + 1), Some(b'"' | b'\\')) => {
                value.push_str(&line[from..at]);
                from = at + 1;
                at += 2;
            }
            _ => at += 1,
        }
    }
}
