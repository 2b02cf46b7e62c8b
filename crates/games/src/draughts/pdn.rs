//! The `GameType` tag of Portable Draughts Notation (PDN), which names the rule set.
//!
//! For the two readings of a `Result` tag (White's points first, or the first player's) see
//! `ludus-formats`.

use super::{
    rule_set::TABLE,
    rules::{Colour, Rules},
};
use ludus_core::TextError;
use std::fmt;

/// The fields of a `GameType` tag.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct GameType {
    /// The number of the rule set.
    pub number: u32,
    /// The colour that moves first.
    pub first: Colour,
    /// Number of columns.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// `A` for squares such as `c3` or `N` for numbers, and the corner of the first square as the
    /// first player sees the board: 0 bottom left, 1 bottom right, 2 top left, 3 top right.
    pub notation: &'static str,
    /// Whether the lower left corner is no playing square.
    pub inverted: bool,
}

/// The value of the tag, such as `20,W,10,10,N2,0`.
impl fmt::Display for GameType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let GameType { number, first, width, height, notation, inverted } = self;
        let inverted = u8::from(*inverted);
        write!(f, "{number},{},{width},{height},{notation},{inverted}", first.letter())
    }
}

impl Rules {
    /// The `GameType` of the rule set.
    pub const fn game_type(self) -> GameType {
        let set = TABLE[self as usize];
        let first_below = matches!(set.first, Colour::White);
        let notation = match (set.squares.algebraic, set.squares.from_below == first_below) {
            (true, _) => "A0",
            (false, true) => "N1",
            (false, false) => "N2",
        };
        let size = self.size();
        GameType {
            number: set.game_type,
            first: set.first,
            width: size,
            height: size,
            notation,
            inverted: set.squares.mirrored,
        }
    }

    /// The rule set of a `GameType` tag. Only the number counts: the other fields are optional,
    /// and squares are understood by number and by letter alike.
    pub fn from_game_type(text: &str) -> Result<Rules, TextError> {
        let number = text.split(',').next().unwrap_or_default().trim().parse();
        let known = |rules: &Rules| number == Ok(rules.game_type().number);
        Rules::ALL.into_iter().find(known).ok_or_else(|| {
            let known =
                Rules::ALL.map(|rules| format!("{} ({})", rules.game_type().number, rules.name()));
            TextError::whole("GameType", text, format!("one of {}", known.join(", ")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_types_are_those_of_the_standard() {
        let written = Rules::ALL.map(|rules| rules.game_type().to_string());
        let standard = [
            "21,B,8,8,N1,0",
            "26,W,8,8,A0,0",
            "25,W,8,8,A0,0",
            "20,W,10,10,N2,0",
            "22,W,8,8,N2,1",
            "24,W,8,8,N1,1",
            "29,W,8,8,A0,0",
            "23,B,8,8,N1,0",
        ];
        assert_eq!(written, standard);
        for (rules, text) in Rules::ALL.into_iter().zip(written) {
            assert_eq!(Rules::from_game_type(&text), Ok(rules));
            assert_eq!(Rules::from_game_type(&text[..2]), Ok(rules));
            assert_eq!(rules.algebraic(), rules.game_type().notation.starts_with('A'));
        }
        let error = Rules::from_game_type("40,W,10,10,N2,0").unwrap_err().to_string();
        assert!(error.contains("25 (russian)"), "{error}");
        assert!(Rules::from_game_type("").is_err());
    }
}
