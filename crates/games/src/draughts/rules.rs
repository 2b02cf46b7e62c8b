//! The rule sets and their differences.

use ludus_core::{Options, Side};
use std::ops::Not;

/// The colour of a piece. Black stands on the low square numbers and moves towards the high ones.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Colour {
    Black,
    White,
}

impl Not for Colour {
    type Output = Colour;
    #[inline]
    fn not(self) -> Colour {
        match self {
            Colour::Black => Colour::White,
            Colour::White => Colour::Black,
        }
    }
}

impl Colour {
    /// The usual name.
    pub const fn name(self) -> &'static str {
        match self {
            Colour::Black => "Black",
            Colour::White => "White",
        }
    }

    /// The letter in PDN.
    pub const fn letter(self) -> char {
        match self {
            Colour::Black => 'B',
            Colour::White => 'W',
        }
    }
}

/// A rule set.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Rules {
    /// 8x8, Black first, short kings, men capture forward only, free choice of capture.
    English,
    /// International rules on 8x8.
    Brazilian,
    /// 8x8, flying kings, free choice of capture, crowned in passing.
    Russian,
    /// 10x10, flying kings, the most pieces must be captured.
    International,
}

impl Rules {
    /// Every rule set, the default first.
    pub const ALL: [Rules; 4] =
        [Rules::English, Rules::Brazilian, Rules::Russian, Rules::International];

    /// The values of the option `rules`, in the order of [`Rules::ALL`].
    pub(super) const NAMES: &'static [&'static str] =
        &["english", "brazilian", "russian", "international"];

    /// The name of the rule set on the command line.
    pub const fn name(self) -> &'static str {
        Rules::NAMES[self as usize]
    }

    /// The rule set chosen by the option `rules`.
    pub(super) fn chosen(options: &Options) -> Rules {
        let name = options.text("rules");
        let index = Rules::NAMES.iter().position(|known| *known == name);
        Rules::ALL[index.expect("the options allow only these names")]
    }

    /// The colour that moves first.
    #[inline]
    pub const fn first(self) -> Colour {
        match self {
            Rules::English => Colour::Black,
            Rules::Brazilian | Rules::Russian | Rules::International => Colour::White,
        }
    }

    /// The side that has the pieces of `colour`.
    #[inline]
    pub const fn side(self, colour: Colour) -> Side {
        if colour as u8 == self.first() as u8 { Side::First } else { Side::Second }
    }

    /// The colour of the pieces of `side`.
    pub fn colour(self, side: Side) -> Colour {
        match side {
            Side::First => self.first(),
            Side::Second => !self.first(),
        }
    }

    /// Dark squares in a row: half the side of the board.
    #[inline]
    pub(super) const fn width(self) -> u32 {
        match self {
            Rules::International => 5,
            Rules::English | Rules::Brazilian | Rules::Russian => 4,
        }
    }

    /// Squares along one side of the board.
    pub const fn size(self) -> usize {
        2 * self.width() as usize
    }

    /// Dark squares of the board, numbered from 1.
    pub const fn squares(self) -> u32 {
        2 * self.width() * self.width()
    }

    /// Men of one side at the start.
    pub const fn men(self) -> u32 {
        self.width() * (self.width() - 1)
    }

    /// Whether kings move along whole diagonals.
    pub const fn flying_kings(self) -> bool {
        !matches!(self, Rules::English)
    }

    /// Whether squares are written as on a chess board (`c3`) rather than by number.
    pub const fn algebraic(self) -> bool {
        matches!(self, Rules::Brazilian | Rules::Russian)
    }

    /// The sign between the squares of a capture.
    pub(super) const fn capture_sign(self) -> char {
        match self {
            Rules::Russian => ':',
            Rules::English | Rules::Brazilian | Rules::International => 'x',
        }
    }
}
