//! The rule sets and what tells them apart.

use ludus_core::Side;

/// The colour of a piece. Black stands on the low square numbers and moves towards the high ones.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Colour {
    Black,
    White,
}

impl std::ops::Not for Colour {
    type Output = Colour;
    #[inline]
    fn not(self) -> Colour {
        match self {
            Colour::Black => Colour::White,
            Colour::White => Colour::Black,
        }
    }
}

/// A rule set.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Rules {
    English,
    Brazilian,
    Russian,
    International,
}

impl Rules {
    pub const ALL: [Rules; 4] =
        [Rules::English, Rules::Brazilian, Rules::Russian, Rules::International];

    /// Who moves first.
    #[inline]
    pub const fn first(self) -> Colour {
        match self {
            Rules::English => Colour::Black,
            _ => Colour::White,
        }
    }

    /// The side that has the pieces of `colour`.
    #[inline]
    pub const fn side(self, colour: Colour) -> Side {
        if colour as u8 == self.first() as u8 { Side::First } else { Side::Second }
    }
}
