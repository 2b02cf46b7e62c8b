//! Game results: the text in the file and its meaning.

use crate::{Format, PieceColour};
use ludus_core::{Outcome, Side};
use serde::{Deserialize, Serialize};

/// The result of a game as written in the file: `1-0`, `B+3.5`, `2-0`, `*`; empty if there is none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GameResult {
    /// The text.
    pub text: String,
}

/// Meaning of a result.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultKind {
    /// White won.
    White,
    /// Black won.
    Black,
    /// A draw.
    Draw,
    /// Neither won nor drawn: PDN's double forfeit `0-0`, SGF's `Void`.
    Neither,
    /// Unfinished, or no result given.
    Unfinished,
    /// SGF's `?`, or an unknown text.
    Unknown,
}

/// Order of the points around the dash; see [`pdn`](crate::pdn) for the ambiguity.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum ResultReading {
    /// White's points first, as in chess and in the definition of PDN.
    #[default]
    WhiteBlack,
    /// The first player's points first; Black moves first in English draughts.
    FirstSecond,
}

impl From<&str> for GameResult {
    fn from(text: &str) -> GameResult {
        GameResult { text: text.to_owned() }
    }
}

impl GameResult {
    /// Meaning of the text, White's points left of the dash.
    pub fn kind(&self) -> ResultKind {
        match self.text.as_str() {
            "1-0" | "2-0" => ResultKind::White,
            "0-1" | "0-2" => ResultKind::Black,
            "1/2-1/2" | "1/2" | "1-1" | "0" => ResultKind::Draw,
            "0-0" => ResultKind::Neither,
            "*" | "" => ResultKind::Unfinished,
            text if starts_with_ignoring_case(text, "W+") => ResultKind::White,
            text if starts_with_ignoring_case(text, "B+") => ResultKind::Black,
            text if text.eq_ignore_ascii_case("draw") || text.eq_ignore_ascii_case("jigo") => {
                ResultKind::Draw
            }
            text if text.eq_ignore_ascii_case("void") => ResultKind::Neither,
            _ => ResultKind::Unknown,
        }
    }

    /// Meaning of the text in this reading, in a game that `first` begins. SGF results name the
    /// winner, so the reading does not matter there.
    pub fn kind_read_as(&self, reading: ResultReading, first: PieceColour) -> ResultKind {
        let swapped = reading == ResultReading::FirstSecond && first == PieceColour::Black;
        match self.kind() {
            kind @ (ResultKind::White | ResultKind::Black) if swapped && self.has_points() => {
                if kind == ResultKind::White {
                    ResultKind::Black
                } else {
                    ResultKind::White
                }
            }
            kind => kind,
        }
    }

    /// Winning margin in points, if SGF gives it: 3.5 for `B+3.5`.
    pub fn margin(&self) -> Option<f64> {
        let margin = self.text.split_once('+')?.1.trim();
        margin.parse().ok().filter(|points: &f64| points.is_finite())
    }

    /// The result of a game as written in `format`; `first` is the colour that moved first.
    pub fn of(outcome: Option<Outcome>, first: PieceColour, format: Format) -> GameResult {
        ResultKind::of(outcome, first).in_format(format)
    }

    /// The same result as written in `format`; a text valid there is kept.
    pub fn in_format(&self, format: Format) -> GameResult {
        if format.has_result(&self.text) { self.clone() } else { self.kind().in_format(format) }
    }

    fn has_points(&self) -> bool {
        self.text.contains('-')
    }
}

impl ResultKind {
    /// The result of `outcome` in a game that `first` begins; `None` is an unfinished game.
    pub fn of(outcome: Option<Outcome>, first: PieceColour) -> ResultKind {
        let winner = match outcome {
            None => return ResultKind::Unfinished,
            Some(Outcome::Draw) => return ResultKind::Draw,
            Some(Outcome::Win(Side::First)) => first,
            Some(Outcome::Win(Side::Second)) => !first,
        };
        if winner == PieceColour::White { ResultKind::White } else { ResultKind::Black }
    }

    /// The outcome in a game that `first` begins, if there is one.
    pub fn outcome(self, first: PieceColour) -> Option<Outcome> {
        let side = |winner| if winner == first { Side::First } else { Side::Second };
        match self {
            ResultKind::White => Some(Outcome::Win(side(PieceColour::White))),
            ResultKind::Black => Some(Outcome::Win(side(PieceColour::Black))),
            ResultKind::Draw => Some(Outcome::Draw),
            ResultKind::Neither | ResultKind::Unfinished | ResultKind::Unknown => None,
        }
    }

    /// The usual text of this result in `format`.
    pub fn in_format(self, format: Format) -> GameResult {
        let text = match (format, self) {
            (Format::Sgf, ResultKind::White) => "W+",
            (Format::Sgf, ResultKind::Black) => "B+",
            (Format::Sgf, ResultKind::Draw) => "0",
            (Format::Sgf, ResultKind::Neither) => "Void",
            (Format::Sgf, ResultKind::Unfinished) => "",
            (Format::Sgf, ResultKind::Unknown) => "?",
            (_, ResultKind::White) => "1-0",
            (_, ResultKind::Black) => "0-1",
            (_, ResultKind::Draw) => "1/2-1/2",
            (Format::Pdn, ResultKind::Neither) => "0-0",
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

    fn kind(text: &str) -> ResultKind {
        GameResult::from(text).kind()
    }

    #[test]
    fn every_format_says_who_won() {
        for text in ["1-0", "2-0", "W+R", "W+", "w+12.5"] {
            assert_eq!(kind(text), ResultKind::White, "{text}");
        }
        for text in ["0-1", "0-2", "B+Resign", "b+T"] {
            assert_eq!(kind(text), ResultKind::Black, "{text}");
        }
        for text in ["1/2-1/2", "1-1", "0", "Draw", "draw", "Jigo"] {
            assert_eq!(kind(text), ResultKind::Draw, "{text}");
        }
        assert_eq!(kind("Void"), ResultKind::Neither);
        assert_eq!(kind("*"), ResultKind::Unfinished);
        for text in ["?", "Ünklar", "é", "Black wins"] {
            assert_eq!(kind(text), ResultKind::Unknown, "{text}");
        }
    }

    #[test]
    fn the_two_readings_differ_only_where_black_begins() {
        let result = GameResult::from("1-0");
        let read = |reading, first| result.kind_read_as(reading, first);
        assert_eq!(read(ResultReading::WhiteBlack, PieceColour::Black), ResultKind::White);
        assert_eq!(read(ResultReading::FirstSecond, PieceColour::Black), ResultKind::Black);
        assert_eq!(read(ResultReading::FirstSecond, PieceColour::White), ResultKind::White);
        let go = GameResult::from("W+2.5");
        assert_eq!(
            go.kind_read_as(ResultReading::FirstSecond, PieceColour::Black),
            ResultKind::White
        );
    }

    #[test]
    fn outcomes_become_results_and_back() {
        for first in [PieceColour::White, PieceColour::Black] {
            for outcome in [Outcome::Win(Side::First), Outcome::Win(Side::Second), Outcome::Draw] {
                for format in Format::ALL {
                    let result = GameResult::of(Some(outcome), first, format);
                    assert_eq!(result.kind().outcome(first), Some(outcome), "{result:?}");
                }
            }
        }
        assert_eq!(GameResult::of(None, PieceColour::White, Format::Pgn).text, "*");
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
