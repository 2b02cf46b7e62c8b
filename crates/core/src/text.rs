//! Parse errors with their location.

use std::fmt;

/// A parse error: what was being read, where, the text found there and the text expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// Kind of text being read, such as `"FEN"` or `"PDN move"`.
    pub what: String,
    /// Line, from 1; 0 if the error is about the text as a whole.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Text found there; empty at the end of the text.
    pub found: String,
    /// Description of valid text.
    pub expected: String,
}

/// Number of characters of the offending text that an error quotes.
const MAX_QUOTED_CHARS: usize = 40;

impl TextError {
    /// An error at byte `offset` of `text`. The quoted text runs to the next white space.
    pub fn at(what: &str, text: &str, offset: usize, expected: impl Into<String>) -> TextError {
        let offset = floor_char_boundary(text, offset);
        let (before, after) = text.split_at(offset);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let mut characters = after.chars();
        let mut found: String = characters
            .by_ref()
            .enumerate()
            .take_while(|&(index, character)| index == 0 || !character.is_whitespace())
            .map(|(_, character)| character)
            .take(MAX_QUOTED_CHARS)
            .collect();
        if found.chars().count() == MAX_QUOTED_CHARS {
            found.push('…');
        }
        TextError {
            what: what.to_owned(),
            line: 1 + before.matches('\n').count(),
            column: 1 + before[line_start..].chars().count(),
            found,
            expected: expected.into(),
        }
    }

    /// An error at byte `offset` of `text` from the message of another parser, such as "unclosed array,
    /// expected `]`".
    pub fn from_parser(what: &str, text: &str, offset: usize, message: &str) -> TextError {
        if let Some(missing) = message.strip_prefix("missing ") {
            return TextError::at(what, text, offset, missing);
        }
        let (problem, expected) =
            message.split_once(", expected ").unwrap_or((message, "something else here"));
        TextError::at(&format!("{what} ({problem})"), text, offset, expected)
    }

    /// An error about the whole of `text`, such as a move that is not legal.
    pub fn whole(what: &str, text: &str, expected: impl Into<String>) -> TextError {
        let mut found: String = text.chars().take(MAX_QUOTED_CHARS).collect();
        if text.chars().nth(MAX_QUOTED_CHARS).is_some() {
            found.push('…');
        }
        TextError { what: what.to_owned(), line: 0, column: 0, found, expected: expected.into() }
    }
}

/// The largest character boundary of `text` that is not past `offset`.
fn floor_char_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TextError { what, line, column, found, expected } = self;
        if *line == 0 {
            return write!(f, "bad {what} {found:?}: expected {expected}");
        }
        write!(f, "bad {what} at line {line}, column {column}: ")?;
        if found.is_empty() {
            write!(f, "it ends here, expected {expected}")
        } else {
            write!(f, "found {found:?}, expected {expected}")
        }
    }
}

impl std::error::Error for TextError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_are_in_characters() {
        let error =
            TextError::at("PGN", "[Ä \"x\"]\né4 oops 1-0", "[Ä \"x\"]\né4 ".len(), "a move");
        assert_eq!(
            error.to_string(),
            "bad PGN at line 2, column 4: found \"oops\", expected a move"
        );
        let error = TextError::at("FEN", "8/8", 3, "another rank");
        assert_eq!(
            error.to_string(),
            "bad FEN at line 1, column 4: it ends here, expected another rank"
        );
        let error = TextError::whole("game", "ches", "one of chess, go");
        assert_eq!(error.to_string(), "bad game \"ches\": expected one of chess, go");
    }

    #[test]
    fn messages_of_other_parsers_are_converted() {
        let error = |message| TextError::from_parser("recipe", "a = [1", 6, message).to_string();
        assert_eq!(
            error("unclosed array, expected `]`"),
            "bad recipe (unclosed array) at line 1, column 7: it ends here, expected `]`"
        );
        assert!(error("missing field `kind`").ends_with("expected field `kind`"));
        assert!(error("duplicate key").starts_with("bad recipe (duplicate key) at line 1"));
    }

    #[test]
    fn offsets_inside_a_character_or_past_the_end_are_clamped() {
        assert_eq!(TextError::at("x", "é", 1, "y").column, 1);
        assert_eq!(TextError::at("x", "é", 99, "y").column, 2);
    }
}
