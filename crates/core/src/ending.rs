//! Reasons for the end of a game.

use crate::{History, Position, TextError};
use std::fmt;

/// Reason for the end of a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// Final position, in games without a more specific term.
    Board,
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// Three in a row.
    ThreeInARow,
    /// Four in a row.
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
    /// Repetition of the position.
    Repetition,
    /// No-progress rule, such as the fifty-move rule.
    NoProgress,
    /// Insufficient material.
    Material,
    /// Loss on time.
    Time,
    /// Resignation.
    Resignation,
    /// Draw agreement.
    Agreement,
    /// Forfeit: a side broke the rules of the game or of its protocol, or stopped responding.
    Forfeit,
    /// Adjudication of a match by its resign, draw or tablebase rules.
    Adjudication,
    /// Maximum game length reached.
    Length,
}

impl EndReason {
    /// All of them.
    pub const ALL: [EndReason; 19] = [
        EndReason::Board,
        EndReason::Checkmate,
        EndReason::Stalemate,
        EndReason::ThreeInARow,
        EndReason::FourInARow,
        EndReason::FullBoard,
        EndReason::NoPieces,
        EndReason::NoMoves,
        EndReason::NeitherMoves,
        EndReason::Passes,
        EndReason::Repetition,
        EndReason::NoProgress,
        EndReason::Material,
        EndReason::Time,
        EndReason::Resignation,
        EndReason::Agreement,
        EndReason::Forfeit,
        EndReason::Adjudication,
        EndReason::Length,
    ];

    /// The identifier used in storage. It never changes, unlike the [display text](fmt::Display).
    pub fn id(self) -> &'static str {
        match self {
            EndReason::Board => "board",
            EndReason::Checkmate => "checkmate",
            EndReason::Stalemate => "stalemate",
            EndReason::ThreeInARow => "three-in-a-row",
            EndReason::FourInARow => "four-in-a-row",
            EndReason::FullBoard => "full-board",
            EndReason::NoPieces => "no-pieces",
            EndReason::NoMoves => "no-moves",
            EndReason::NeitherMoves => "neither-moves",
            EndReason::Passes => "passes",
            EndReason::Repetition => "repetition",
            EndReason::NoProgress => "no-progress",
            EndReason::Material => "material",
            EndReason::Time => "time",
            EndReason::Resignation => "resignation",
            EndReason::Agreement => "agreement",
            EndReason::Forfeit => "forfeit",
            EndReason::Adjudication => "adjudication",
            EndReason::Length => "length",
        }
    }

    /// The reason stored as `id`.
    ///
    /// # Errors
    /// If no reason has this id.
    pub fn from_id(id: &str) -> Result<EndReason, TextError> {
        EndReason::ALL.into_iter().find(|reason| reason.id() == id).ok_or_else(|| {
            let ids: Vec<&str> = EndReason::ALL.into_iter().map(EndReason::id).collect();
            TextError::whole("reason for an ending", id, format!("one of {}", ids.join(", ")))
        })
    }
}

impl fmt::Display for EndReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            EndReason::Board => "on the board",
            EndReason::Checkmate => "by checkmate",
            EndReason::Stalemate => "by stalemate",
            EndReason::ThreeInARow => "with three in a row",
            EndReason::FourInARow => "with four in a row",
            EndReason::FullBoard => "on a full board",
            EndReason::NoPieces => "as the other side has no pieces left",
            EndReason::NoMoves => "as the other side has no moves left",
            EndReason::NeitherMoves => "as neither side can move",
            EndReason::Passes => "after two passes",
            EndReason::Repetition => "by repetition",
            EndReason::NoProgress => "without progress",
            EndReason::Material => "by insufficient material",
            EndReason::Time => "on time",
            EndReason::Resignation => "by resignation",
            EndReason::Agreement => "by agreement",
            EndReason::Forfeit => "by forfeit",
            EndReason::Adjudication => "by adjudication",
            EndReason::Length => "by length",
        })
    }
}

/// Number of moves of `line` until the game ends, or all of them if it does not end.
pub fn moves_to_end<P: Position>(game: &mut History<P>, line: &[P::Move]) -> usize {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Identifiers in stores. New reasons are appended; existing ones never change.
    const STORED: &str = "board checkmate stalemate three-in-a-row four-in-a-row full-board no-pieces no-moves \
        neither-moves passes repetition no-progress material time resignation agreement \
        forfeit adjudication length";

    #[test]
    fn ids_never_change() {
        let ids: Vec<&str> = EndReason::ALL.into_iter().map(EndReason::id).collect();
        assert_eq!(ids.join(" "), STORED);
        for reason in EndReason::ALL {
            assert_eq!(EndReason::from_id(reason.id()), Ok(reason));
        }
        let error = EndReason::from_id("by checkmate").unwrap_err().to_string();
        assert!(error.contains("\"by checkmate\"") && error.contains("stalemate"), "{error}");
    }
}
