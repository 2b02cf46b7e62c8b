//! Results: the text of the file and what it means.

use crate::{Color, Format};
use ludus_core::{Outcome, Side};
use serde::{Deserialize, Serialize};

/// How a game ended, as the file wrote it: `1-0`, `B+3.5`, `2-0`, `*`; empty if it said nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GameResult {
    /// The text.
    pub text: String,
}

/// What a result means.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// White won.
    White,
    /// Black won.
    Black,
    /// A draw.
    Draw,
    /// Over, but neither won nor drawn: PDN's double forfeit `0-0`, SGF's `Void`.
    Neither,
    /// The game goes on, or nothing is said.
    Unfinished,
    /// SGF's `?`, or a text without a known meaning.
    Unknown,
}

/// Whose points stand left of the dash; see [`pdn`](crate::pdn) for why that is a question.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum ResultReading {
    /// White's, as in chess and as PDN is defined.
    #[default]
    WhiteBlack,
    /// The first player's, who is Black in English draughts.
    FirstSecond,
}

impl From<&str> for GameResult {
    fn from(text: &str) -> GameResult {
        GameResult { text: text.to_owned() }
    }
}

impl GameResult {
    /// What the text means, White's points left of the dash.
    pub fn verdict(&self) -> Verdict {
        match self.text.as_str() {
            "1-0" | "2-0" => Verdict::White,
            "0-1" | "0-2" => Verdict::Black,
            "1/2-1/2" | "1/2" | "1-1" | "0" => Verdict::Draw,
            "0-0" => Verdict::Neither,
            "*" | "" => Verdict::Unfinished,
            text if starts_with_ignoring_case(text, "W+") => Verdict::White,
            text if starts_with_ignoring_case(text, "B+") => Verdict::Black,
            text if text.eq_ignore_ascii_case("draw") || text.eq_ignore_ascii_case("jigo") => {
                Verdict::Draw
            }
            text if text.eq_ignore_ascii_case("void") => Verdict::Neither,
            _ => Verdict::Unknown,
        }
    }

    /// What the text means if read so, in a game that `first` begins. SGF's results name their
    /// colour, so the reading changes nothing there.
    pub fn verdict_read(&self, reading: ResultReading, first: Color) -> Verdict {
        let swapped = reading == ResultReading::FirstSecond && first == Color::Black;
        match self.verdict() {
            verdict @ (Verdict::White | Verdict::Black) if swapped && self.has_points() => {
                if verdict == Verdict::White {
                    Verdict::Black
                } else {
                    Verdict::White
                }
            }
            verdict => verdict,
        }
    }

    /// By how many points the game was won, where SGF says so: 3.5 for `B+3.5`.
    pub fn margin(&self) -> Option<f64> {
        let margin = self.text.split_once('+')?.1.trim();
        margin.parse().ok().filter(|points: &f64| points.is_finite())
    }

    /// The result of a game in the words of `format`; `first` is the colour that began it.
    pub fn of(outcome: Option<Outcome>, first: Color, format: Format) -> GameResult {
        Verdict::of(outcome, first).in_format(format)
    }

    /// The same result in the words of `format`; a text that already is in them stays.
    pub fn in_format(&self, format: Format) -> GameResult {
        if format.has_result(&self.text) { self.clone() } else { self.verdict().in_format(format) }
    }

    fn has_points(&self) -> bool {
        self.text.contains('-')
    }
}

impl Verdict {
    /// What `outcome` means in a game that `first` begins; `None` is an unfinished game.
    pub fn of(outcome: Option<Outcome>, first: Color) -> Verdict {
        let winner = match outcome {
            None => return Verdict::Unfinished,
            Some(Outcome::Draw) => return Verdict::Draw,
            Some(Outcome::Win(Side::First)) => first,
            Some(Outcome::Win(Side::Second)) => !first,
        };
        if winner == Color::White { Verdict::White } else { Verdict::Black }
    }

    /// The outcome in a game that `first` begins, if there is one.
    pub fn outcome(self, first: Color) -> Option<Outcome> {
        let side = |winner| if winner == first { Side::First } else { Side::Second };
        match self {
            Verdict::White => Some(Outcome::Win(side(Color::White))),
            Verdict::Black => Some(Outcome::Win(side(Color::Black))),
            Verdict::Draw => Some(Outcome::Draw),
            Verdict::Neither | Verdict::Unfinished | Verdict::Unknown => None,
        }
    }

    /// The usual text of this result in `format`.
    pub fn in_format(self, format: Format) -> GameResult {
        let text = match (format, self) {
            (Format::Sgf, Verdict::White) => "W+",
            (Format::Sgf, Verdict::Black) => "B+",
            (Format::Sgf, Verdict::Draw) => "0",
            (Format::Sgf, Verdict::Neither) => "Void",
            (Format::Sgf, Verdict::Unfinished) => "",
            (Format::Sgf, Verdict::Unknown) => "?",
            (_, Verdict::White) => "1-0",
            (_, Verdict::Black) => "0-1",
            (_, Verdict::Draw) => "1/2-1/2",
            (Format::Pdn, Verdict::Neither) => "0-0",
            _ => "*",
        };
        GameResult::from(text)
    }
}

fn starts_with_ignoring_case(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(text: &str) -> Verdict {
        GameResult::from(text).verdict()
    }

    #[test]
    fn every_format_says_who_won() {
        for text in ["1-0", "2-0", "W+R", "W+", "w+12.5"] {
            assert_eq!(verdict(text), Verdict::White, "{text}");
        }
        for text in ["0-1", "0-2", "B+Resign", "b+T"] {
            assert_eq!(verdict(text), Verdict::Black, "{text}");
        }
        for text in ["1/2-1/2", "1-1", "0", "Draw", "draw", "Jigo"] {
            assert_eq!(verdict(text), Verdict::Draw, "{text}");
        }
        assert_eq!(verdict("Void"), Verdict::Neither);
        assert_eq!(verdict("*"), Verdict::Unfinished);
        for text in ["?", "Ünklar", "é", "Black wins"] {
            assert_eq!(verdict(text), Verdict::Unknown, "{text}");
        }
    }

    #[test]
    fn the_two_readings_differ_only_where_black_begins() {
        let result = GameResult::from("1-0");
        let read = |reading, first| result.verdict_read(reading, first);
        assert_eq!(read(ResultReading::WhiteBlack, Color::Black), Verdict::White);
        assert_eq!(read(ResultReading::FirstSecond, Color::Black), Verdict::Black);
        assert_eq!(read(ResultReading::FirstSecond, Color::White), Verdict::White);
        let go = GameResult::from("W+2.5");
        assert_eq!(go.verdict_read(ResultReading::FirstSecond, Color::Black), Verdict::White);
    }

    #[test]
    fn outcomes_become_results_and_back() {
        for first in [Color::White, Color::Black] {
            for outcome in [Outcome::Win(Side::First), Outcome::Win(Side::Second), Outcome::Draw] {
                for format in Format::ALL {
                    let result = GameResult::of(Some(outcome), first, format);
                    assert_eq!(result.verdict().outcome(first), Some(outcome), "{result:?}");
                }
            }
        }
        assert_eq!(GameResult::of(None, Color::White, Format::Pgn).text, "*");
        assert_eq!(GameResult::from("B+3.5").in_format(Format::Pdn).text, "0-1");
        assert_eq!(GameResult::from("2-0").in_format(Format::Pdn).text, "2-0");
        assert_eq!(GameResult::from("2-0").in_format(Format::Pgn).text, "1-0");
        assert_eq!(GameResult::from("2-0").in_format(Format::Sgf).text, "W+");
    }

    #[test]
    fn margins_are_read_where_given() {
        assert_eq!(GameResult::from("B+3.5").margin(), Some(3.5));
        assert_eq!(GameResult::from("W+12").margin(), Some(12.0));
        assert_eq!(GameResult::from("W+R").margin(), None);
        assert_eq!(GameResult::from("W+inf").margin(), None);
        assert_eq!(GameResult::from("1-0").margin(), None);
    }
}
