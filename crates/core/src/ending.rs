//! Endings, also those that need the game so far.

use crate::{History, Outcome, Position, TextError};
use std::fmt;

/// Why a game is over.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// The board itself, in a game that has no word for it.
    Board,
    /// The king is attacked and cannot be saved.
    Checkmate,
    /// The side to move is not in check and has no legal move.
    Stalemate,
    /// Three of one side stand in a row.
    ThreeInARow,
    /// Four of one side stand in a row.
    FourInARow,
    /// No cell is free.
    FullBoard,
    /// The loser has no pieces left.
    NoPieces,
    /// The loser has no legal move left.
    NoMoves,
    /// Neither side has a legal move left.
    NeitherMoves,
    /// Both sides passed.
    Passes,
    /// The same position came back once too often.
    Repetition,
    /// Too many moves in a row without progress, as the game counts it.
    NoProgress,
    /// Neither side has enough material left to win.
    Material,
    /// A side used up its time.
    Time,
    /// A side gave up.
    Resignation,
    /// Both sides agreed on a draw.
    Agreement,
    /// A side broke the rules of the game or of its protocol, or stopped answering.
    Forfeit,
    /// The judge of a match decided by its resign, draw or knowledge rules.
    Adjudication,
    /// The game was cut at its longest permitted length.
    Length,
}

impl Reason {
    /// All of them.
    pub const ALL: [Reason; 19] = [
        Reason::Board,
        Reason::Checkmate,
        Reason::Stalemate,
        Reason::ThreeInARow,
        Reason::FourInARow,
        Reason::FullBoard,
        Reason::NoPieces,
        Reason::NoMoves,
        Reason::NeitherMoves,
        Reason::Passes,
        Reason::Repetition,
        Reason::NoProgress,
        Reason::Material,
        Reason::Time,
        Reason::Resignation,
        Reason::Agreement,
        Reason::Forfeit,
        Reason::Adjudication,
        Reason::Length,
    ];

    /// The name it is stored by. It never changes, whatever the [words](fmt::Display) for people are.
    pub fn id(self) -> &'static str {
        match self {
            Reason::Board => "board",
            Reason::Checkmate => "checkmate",
            Reason::Stalemate => "stalemate",
            Reason::ThreeInARow => "three-in-a-row",
            Reason::FourInARow => "four-in-a-row",
            Reason::FullBoard => "full-board",
            Reason::NoPieces => "no-pieces",
            Reason::NoMoves => "no-moves",
            Reason::NeitherMoves => "neither-moves",
            Reason::Passes => "passes",
            Reason::Repetition => "repetition",
            Reason::NoProgress => "no-progress",
            Reason::Material => "material",
            Reason::Time => "time",
            Reason::Resignation => "resignation",
            Reason::Agreement => "agreement",
            Reason::Forfeit => "forfeit",
            Reason::Adjudication => "adjudication",
            Reason::Length => "length",
        }
    }

    /// The reason stored as `id`.
    ///
    /// # Errors
    /// If no reason has this id.
    pub fn from_id(id: &str) -> Result<Reason, TextError> {
        Reason::ALL.into_iter().find(|reason| reason.id() == id).ok_or_else(|| {
            let ids: Vec<&str> = Reason::ALL.into_iter().map(Reason::id).collect();
            TextError::whole("reason for an ending", id, format!("one of {}", ids.join(", ")))
        })
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Board => "on the board",
            Reason::Checkmate => "by checkmate",
            Reason::Stalemate => "by stalemate",
            Reason::ThreeInARow => "with three in a row",
            Reason::FourInARow => "with four in a row",
            Reason::FullBoard => "on a full board",
            Reason::NoPieces => "as the other side has no pieces left",
            Reason::NoMoves => "as the other side has no moves left",
            Reason::NeitherMoves => "as neither side can move",
            Reason::Passes => "after two passes",
            Reason::Repetition => "by repetition",
            Reason::NoProgress => "without progress",
            Reason::Material => "by insufficient material",
            Reason::Time => "on time",
            Reason::Resignation => "by resignation",
            Reason::Agreement => "by agreement",
            Reason::Forfeit => "by forfeit",
            Reason::Adjudication => "by adjudication",
            Reason::Length => "by length",
        })
    }
}

/// How many moves of `line`, played after `game`, it takes to end the game; all if none does.
pub fn moves_to_end<P: Ending>(game: &mut History<P>, line: &[P::Move]) -> usize {
    let mut played = 0;
    for &mv in line {
        game.push(mv);
        played += 1;
        if P::ending(game).is_some() {
            break;
        }
    }
    for _ in 0..played {
        game.pop();
    }
    played
}

/// When a game is over. The defaults suit a game that always ends on the board.
pub trait Ending: Position {
    /// How many occurrences of one position make a draw, if any number does.
    const REPETITIONS: Option<usize> = None;

    /// A draw by rule although moves remain, as far as this position shows it: dead material, or a
    /// no-progress counter that rides beside the board, outside `Eq` and key. Playouts stop here,
    /// so it must be cheap.
    #[inline]
    fn stalled(&self) -> Option<Reason> {
        None
    }

    /// For at most how many plies back the same position may have occurred: those since the last
    /// move that cannot be undone.
    #[inline]
    fn reversible_plies(&self) -> usize {
        usize::MAX
    }

    /// What ended the game on the board, at a position that has an outcome.
    fn decision(&self) -> Reason {
        Reason::Board
    }

    /// The result of the game so far and why, or `None` while it goes on.
    fn ending(game: &History<Self>) -> Option<(Outcome, Reason)> {
        let position = game.last();
        if let Some(outcome) = position.outcome() {
            return Some((outcome, position.decision()));
        }
        if let Some(reason) = position.stalled() {
            return Some((Outcome::Draw, reason));
        }
        let repeated = Self::REPETITIONS.is_some_and(|limit| game.repetitions() >= limit);
        repeated.then_some((Outcome::Draw, Reason::Repetition))
    }

    /// By how many points the first side is ahead in the final count, in games that count points.
    fn margin(&self) -> Option<f32> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stores hold. A new reason adds a line; a line that is there never changes.
    const STORED: &str = "board checkmate stalemate three-in-a-row four-in-a-row full-board no-pieces no-moves \
        neither-moves passes repetition no-progress material time resignation agreement \
        forfeit adjudication length";

    #[test]
    fn ids_never_change() {
        let ids: Vec<&str> = Reason::ALL.into_iter().map(Reason::id).collect();
        assert_eq!(ids.join(" "), STORED);
        for reason in Reason::ALL {
            assert_eq!(Reason::from_id(reason.id()), Ok(reason));
        }
        let error = Reason::from_id("by checkmate").unwrap_err().to_string();
        assert!(error.contains("\"by checkmate\"") && error.contains("stalemate"), "{error}");
    }
}
