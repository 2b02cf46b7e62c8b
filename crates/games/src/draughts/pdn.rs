//! What Portable Draughts Notation says of a rule set: the `GameType` tag and the `Result` tag.
//!
//! # The two readings of a result
//! PDN took `1-0`, `0-1` and `1/2-1/2` from chess, where White is the first player and both
//! readings agree. In English draughts Black moves first, and files are found with either meaning:
//!
//! * *White won*, as the standard has it: the first number is White's, whoever began;
//! * *the first player won*, as many collections of English games have it: `1-0` is a win of Black.
//!
//! [`Rules::result_tag`] writes, and [`Rules::read_result`] by default reads, the standard's
//! meaning. Whoever knows that a collection uses the other one says so with
//! [`ResultReading::FirstPlayer`]. The point counts `2-0`, `1-1` and `0-2`, common in
//! international draughts, are read in the same way as `1-0`, `1/2-1/2` and `0-1`; they are never
//! written, because every reader knows the chess-like ones.

use super::rules::{Colour, Rules};
use ludus_core::{Outcome, TextError};
use std::fmt;

/// The fields of a `GameType` tag.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct GameType {
    /// The number of the rule set.
    pub number: u32,
    /// Who moves first.
    pub first: Colour,
    /// Columns of the board.
    pub width: usize,
    /// Rows of the board.
    pub height: usize,
    /// `A` for squares such as `c3` or `N` for numbers, and where the first square lies as the
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

/// What the first number of a result counts.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum ResultReading {
    /// White's points.
    #[default]
    White,
    /// The points of the side that moved first.
    FirstPlayer,
}

impl Rules {
    /// The `GameType` of the rule set.
    pub const fn game_type(self) -> GameType {
        let (number, notation) = match self {
            Rules::International => (20, "N2"),
            Rules::English => (21, "N1"),
            Rules::Russian => (25, "A0"),
            Rules::Brazilian => (26, "A0"),
        };
        let size = self.size();
        let first = self.first();
        GameType { number, first, width: size, height: size, notation, inverted: false }
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

    /// The `Result` tag of a finished game, White's points first.
    pub fn result_tag(self, outcome: Outcome) -> &'static str {
        match outcome {
            Outcome::Draw => "1/2-1/2",
            Outcome::Win(side) => match self.colour(side) {
                Colour::White => "1-0",
                Colour::Black => "0-1",
            },
        }
    }

    /// The outcome a `Result` tag tells; `None` for an unfinished game (`*`) and for nonsense.
    pub fn read_result(self, tag: &str, reading: ResultReading) -> Option<Outcome> {
        let winner = match reading {
            ResultReading::White => Colour::White,
            ResultReading::FirstPlayer => self.first(),
        };
        match tag.trim() {
            "1-0" | "2-0" => Some(Outcome::Win(self.side(winner))),
            "0-1" | "0-2" => Some(Outcome::Win(self.side(!winner))),
            "1/2-1/2" | "1-1" => Some(Outcome::Draw),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::Side;

    #[test]
    fn game_types_are_those_of_the_standard() {
        let written = Rules::ALL.map(|rules| rules.game_type().to_string());
        assert_eq!(written, ["21,B,8,8,N1,0", "26,W,8,8,A0,0", "25,W,8,8,A0,0", "20,W,10,10,N2,0"]);
        for (rules, text) in Rules::ALL.into_iter().zip(written) {
            assert_eq!(Rules::from_game_type(&text), Ok(rules));
            assert_eq!(Rules::from_game_type(&text[..2]), Ok(rules));
            assert_eq!(rules.algebraic(), rules.game_type().notation.starts_with('A'));
        }
        let error = Rules::from_game_type("22,W,8,8,N2,1").unwrap_err().to_string();
        assert!(error.contains("25 (russian)"), "{error}");
        assert!(Rules::from_game_type("").is_err());
    }

    #[test]
    fn results_have_two_readings() {
        let rules = Rules::English;
        let white = Some(Outcome::Win(Side::Second));
        assert_eq!(rules.result_tag(Outcome::Win(Side::Second)), "1-0");
        assert_eq!(rules.read_result("1-0", ResultReading::White), white);
        assert_eq!(rules.read_result("0-1", ResultReading::FirstPlayer), white);
        for rules in Rules::ALL {
            for outcome in [Outcome::Draw, Outcome::Win(Side::First), Outcome::Win(Side::Second)] {
                let tag = rules.result_tag(outcome);
                assert_eq!(rules.read_result(tag, ResultReading::White), Some(outcome));
            }
            assert_eq!(rules.read_result("1-1", ResultReading::White), Some(Outcome::Draw));
            assert_eq!(rules.read_result("*", ResultReading::White), None);
        }
        let first = Some(Outcome::Win(Side::First));
        assert_eq!(Rules::International.read_result("2-0", ResultReading::White), first);
        assert_eq!(Rules::International.read_result("2-0", ResultReading::FirstPlayer), first);
    }
}
