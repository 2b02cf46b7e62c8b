//! The two players of a game.

use std::ops::Not;

/// One of the two players; `First` moves first from the usual starting position.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// White in chess and international draughts, Black in Go, Reversi and English draughts.
    First,
    /// The opponent of [`Side::First`].
    Second,
}

impl Side {
    /// Both sides, first mover first.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// 0 for the first side, 1 for the second.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// +1 for the first side, −1 for the second: turns "first minus second" into this side's point of view.
    pub const fn sign(self) -> i32 {
        match self {
            Side::First => 1,
            Side::Second => -1,
        }
    }
}

impl Not for Side {
    type Output = Side;
    #[inline]
    fn not(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }
}
