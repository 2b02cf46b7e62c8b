//! Colours, and the rule sets by name; `rule_set` says what they are.

use super::rule_set::{
    CROWNED_IN_PASSING, FLYING_KINGS, LARGE_BOARD, NAMES, ONE_WAY_MEN, RULE_SETS, RuleSet,
    WHITE_FIRST,
};
use crate::draughts_rule_sets;
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

macro_rules! rules_enum {
    ($(#[doc = $doc:literal] $name:ident: $board:ident $generator:ident,)+) => {
        /// A rule set by name: the small value that positions carry. [`Rules::set`] says what it is.
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Rules {
            $(#[doc = $doc] $name,)+
        }

        impl Rules {
            /// Every rule set, the default first.
            pub const ALL: [Rules; [$(Rules::$name),+].len()] = [$(Rules::$name),+];
        }
    };
}

draughts_rule_sets!((rules_enum));

impl Rules {
    /// The values of the option `rules`, in the order of [`Rules::ALL`].
    pub(super) const NAMES: &'static [&'static str] = &NAMES;

    /// The differences from other rule sets.
    #[inline]
    pub fn set(self) -> &'static RuleSet {
        &RULE_SETS[self as usize]
    }

    /// The name of the rule set on the command line.
    pub const fn name(self) -> &'static str {
        NAMES[self as usize]
    }

    /// The rule set chosen by the option `rules`.
    pub(super) fn chosen(options: &Options) -> Rules {
        let name = options.text("rules");
        let index = NAMES.iter().position(|known| *known == name);
        Rules::ALL[index.expect("the options allow only these names")]
    }

    /// The first rule set in which a move needs neither a look at the balance nor at the colour of a
    /// crowned man: no balance counts, and on the small board with short kings no man comes back to its own
    /// first row. Only one, because the compiler then knows the rule set in the code that follows: with a
    /// test for all of them perft of the first takes 10 % more instructions.
    pub(super) const WITH_ONE_WAY_MEN: Rules = Rules::ALL[ONE_WAY_MEN.trailing_zeros() as usize];

    #[inline]
    const fn is_in(self, sets: u32) -> bool {
        sets >> self as u32 & 1 != 0
    }

    /// The colour that moves first.
    #[inline]
    pub const fn first(self) -> Colour {
        if self.is_in(WHITE_FIRST) { Colour::White } else { Colour::Black }
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

    /// Whether the board is the large one, 10x10.
    #[inline]
    pub const fn large_board(self) -> bool {
        self.is_in(LARGE_BOARD)
    }

    /// Dark squares in a row: half the side of the board.
    #[inline]
    pub const fn width(self) -> u32 {
        if self.large_board() { 5 } else { 4 }
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
    #[inline]
    pub const fn flying_kings(self) -> bool {
        self.is_in(FLYING_KINGS)
    }

    /// Whether a man that touches the crowning row while capturing goes on as a king.
    #[inline]
    pub const fn crowned_in_passing(self) -> bool {
        self.is_in(CROWNED_IN_PASSING)
    }

    /// Whether squares are written as on a chess board (`c3`) rather than by number.
    pub fn algebraic(self) -> bool {
        self.set().squares.algebraic
    }
}
