//! Property values: escapes, white space, compositions, lists of points.

use ludus_core::TextError;
use std::borrow::Cow;

/// Decodes a verbatim value as SGF *Text*: removes escapes and soft line breaks, converts line breaks
/// to `\n` and other white space to spaces.
pub fn text(verbatim: &str) -> String {
    plain(verbatim, '\n')
}

/// Decodes a verbatim value as SGF *SimpleText*: like [`text`], but line breaks become spaces.
pub fn simple_text(verbatim: &str) -> String {
    plain(verbatim, ' ')
}

fn plain(verbatim: &str, line_break: char) -> String {
    let mut plain = String::with_capacity(verbatim.len());
    let mut characters = verbatim.chars().peekable();
    while let Some(character) = characters.next() {
        let escaped = character == '\\';
        let Some(character) = (if escaped { characters.next() } else { Some(character) }) else {
            break; // a lone backslash at the end
        };
        match character {
            '\n' | '\r' => {
                let other = if character == '\n' { '\r' } else { '\n' };
                characters.next_if_eq(&other);
                if !escaped {
                    plain.push(line_break);
                }
            }
            '\t' | '\x0b' | '\x0c' => plain.push(' '),
            _ => plain.push(character),
        }
    }
    plain
}

/// Escapes a text as a verbatim value.
pub fn escape(text: &str) -> Cow<'_, str> {
    escape_all(text, &[']', '\\'])
}

/// Escapes a text as one half of a composition.
pub(super) fn escape_half(text: &str) -> Cow<'_, str> {
    escape_all(text, &[']', '\\', ':'])
}

fn escape_all<'a>(text: &'a str, special: &[char]) -> Cow<'a, str> {
    if !text.contains(special) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if special.contains(&character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    Cow::Owned(escaped)
}

/// Escapes an untrusted verbatim value where necessary, so that it cannot close its bracket; a valid
/// one is unchanged.
pub(super) fn guarded(verbatim: &str) -> Cow<'_, str> {
    if !verbatim.contains([']', '\\']) {
        return Cow::Borrowed(verbatim);
    }
    let mut safe = String::with_capacity(verbatim.len() + 8);
    let mut characters = verbatim.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => safe.extend(['\\', characters.next().unwrap_or('\\')]),
            ']' => safe.push_str("\\]"),
            _ => safe.push(character),
        }
    }
    Cow::Owned(safe)
}

/// Splits a verbatim composition such as `aa:cc` at the first colon that is not escaped; both halves
/// stay verbatim.
pub fn compose(verbatim: &str) -> Option<(&str, &str)> {
    let mut escaped = false;
    let colon = verbatim.bytes().position(|byte| {
        let found = byte == b':' && !escaped;
        escaped = byte == b'\\' && !escaped;
        found
    })?;
    Some((&verbatim[..colon], &verbatim[colon + 1..]))
}

/// The points of a list such as the values of `AB`, rectangles like `aa:cc` expanded row by row, each
/// point once.
pub fn points(values: &[String]) -> Result<Vec<String>, TextError> {
    let mut seen = [[false; LETTERS.len()]; LETTERS.len()];
    let mut points = Vec::new();
    for value in values {
        let error = || TextError::whole("SGF point list", value, "points like dd or aa:cc");
        let (first, last) = compose(value).unwrap_or((value, value));
        let (first, last) = (point(first).ok_or_else(error)?, point(last).ok_or_else(error)?);
        for row in first.1.min(last.1)..=first.1.max(last.1) {
            for column in first.0.min(last.0)..=first.0.max(last.0) {
                if !std::mem::replace(&mut seen[row][column], true) {
                    let letters = [LETTERS[column], LETTERS[row]];
                    points.push(letters.map(char::from).iter().collect());
                }
            }
        }
    }
    Ok(points)
}

/// Letters of the coordinates 0 to 51.
const LETTERS: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

fn point(text: &str) -> Option<(usize, usize)> {
    let index = |letter: u8| LETTERS.iter().position(|&known| known == letter);
    match text.trim_ascii().as_bytes() {
        &[column, row] => Some((index(column)?, index(row)?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_white_space_follow_the_standard() {
        let verbatim = "Meijin NR: yeah, k\\\nhard\\] \\\\ \\:\ta\r\nb\n\rc\rd\\";
        assert_eq!(text(verbatim), "Meijin NR: yeah, khard] \\ : a\nb\nc\nd");
        assert_eq!(simple_text("a\nb\\\r\nc"), "a bc");
        assert_eq!(text(&escape("[a] \\ b")), "[a] \\ b");
    }

    #[test]
    fn compositions_split_at_the_first_bare_colon() {
        assert_eq!(compose("CGoban:1.6.2"), Some(("CGoban", "1.6.2")));
        assert_eq!(compose("a\\:b\\\\:c:d"), Some(("a\\:b\\\\", "c:d")));
        assert_eq!(compose("aa"), None);
        assert_eq!(compose("aa\\:"), None);
    }

    #[test]
    fn guarded_values_cannot_close_their_bracket() {
        assert_eq!(guarded("a\\]b\\\\"), "a\\]b\\\\");
        assert_eq!(guarded("a]b\\"), "a\\]b\\\\");
    }

    #[test]
    fn rectangles_are_filled_and_points_come_once() {
        let list = |values: &[&str]| points(&values.iter().map(|&v| v.into()).collect::<Vec<_>>());
        assert_eq!(list(&["aa:ca", "bb", "ba"]).unwrap(), ["aa", "ba", "ca", "bb"]);
        assert_eq!(list(&["bb:aa"]).unwrap(), ["aa", "ba", "ab", "bb"]);
        assert_eq!(list(&["aa:ZZ", "aa:ZZ"]).unwrap().len(), 52 * 52);
        assert_eq!(
            list(&["d4"]).unwrap_err().to_string(),
            "bad SGF point list \"d4\": expected points like dd or aa:cc"
        );
    }
}
