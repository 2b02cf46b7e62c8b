//! Outcome of a finished game.

use crate::{Side, TextError};

/// Outcome of a finished game, in absolute terms (never relative to the side to move).
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This side won.
    Win(Side),
    /// A draw.
    Draw,
}

impl Outcome {
    /// The identifier used in storage: `first`, `second` or `draw`. It never changes.
    pub fn id(self) -> &'static str {
        match self {
            Outcome::Win(Side::First) => "first",
            Outcome::Win(Side::Second) => "second",
            Outcome::Draw => "draw",
        }
    }

    /// The outcome stored as `id`.
    ///
    /// # Errors
    /// If no outcome has this id.
    pub fn from_id(id: &str) -> Result<Outcome, TextError> {
        let all = [Outcome::Win(Side::First), Outcome::Win(Side::Second), Outcome::Draw];
        let found = all.into_iter().find(|outcome| outcome.id() == id);
        found.ok_or_else(|| TextError::whole("result", id, "first, second or draw"))
    }

    /// The side that won, if any.
    #[inline]
    pub fn winner(self) -> Option<Side> {
        match self {
            Outcome::Win(side) => Some(side),
            Outcome::Draw => None,
        }
    }

    /// +1 for a win of `side`, −1 for its loss, 0 for a draw.
    #[inline]
    pub fn value(self, side: Side) -> f32 {
        match self {
            Outcome::Draw => 0.0,
            Outcome::Win(winner) if winner == side => 1.0,
            Outcome::Win(_) => -1.0,
        }
    }

    /// The outcome of a final score difference, first side minus second side.
    pub fn from_margin(first_minus_second: f32) -> Outcome {
        if first_minus_second > 0.0 {
            Outcome::Win(Side::First)
        } else if first_minus_second < 0.0 {
            Outcome::Win(Side::Second)
        } else {
            Outcome::Draw
        }
    }
}
