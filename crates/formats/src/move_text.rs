//! Move texts, stored without a heap allocation if short.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{fmt, ops::Deref};

/// The text of a move; dereferences to `str`, created with `from` or `into`.
///
/// Most moves of game records have two to ten bytes: with a `String` each, reading a file would spend
/// half its time in the allocator.
#[derive(Clone)]
pub struct MoveText(Repr);

/// Inline capacity in bytes, which makes it as large as a `String`.
const INLINE_BYTES: usize = 22;

#[derive(Clone)]
enum Repr {
    /// Length in bytes, and the UTF-8 text.
    Short(u8, [u8; INLINE_BYTES]),
    Long(Box<str>),
}

impl MoveText {
    /// The text.
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Repr::Short(length, bytes) => {
                str::from_utf8(&bytes[..usize::from(*length)]).expect("only valid UTF-8 is stored")
            }
            Repr::Long(text) => text,
        }
    }

    /// Whether there is no move.
    pub fn is_empty(&self) -> bool {
        matches!(self.0, Repr::Short(0, _))
    }
}

impl From<&str> for MoveText {
    fn from(text: &str) -> MoveText {
        let mut bytes = [0; INLINE_BYTES];
        MoveText(match bytes.get_mut(..text.len()) {
            Some(start) => {
                start.copy_from_slice(text.as_bytes());
                Repr::Short(text.len() as u8, bytes)
            }
            None => Repr::Long(text.into()),
        })
    }
}

impl From<String> for MoveText {
    fn from(text: String) -> MoveText {
        if text.len() > INLINE_BYTES {
            MoveText(Repr::Long(text.into()))
        } else {
            text.as_str().into()
        }
    }
}

impl Default for MoveText {
    fn default() -> MoveText {
        MoveText(Repr::Short(0, [0; INLINE_BYTES]))
    }
}

impl Deref for MoveText {
    type Target = str;
    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl PartialEq for MoveText {
    fn eq(&self, other: &MoveText) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for MoveText {}

impl PartialEq<&str> for MoveText {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

impl fmt::Debug for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_str().fmt(f)
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl Serialize for MoveText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl<'de> Deserialize<'de> for MoveText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<MoveText, D::Error> {
        String::deserialize(deserializer).map(MoveText::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_and_long_texts_are_the_same_to_the_user() {
        for length in 0..50 {
            let text: String = "é".repeat(length);
            for mv in [MoveText::from(text.as_str()), MoveText::from(text.clone())] {
                assert_eq!(mv, text.as_str());
                assert_eq!(mv.is_empty(), length == 0);
                assert_eq!(mv.to_string(), text);
            }
        }
        assert_eq!(size_of::<MoveText>(), size_of::<String>());
    }
}
