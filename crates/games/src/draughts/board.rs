//! Squares as bits.

use super::rules::{Colour, Rules};

/// A board, as a set of constants.
pub(super) trait Board {
    /// Dark squares in a row, which is also the distance down to the left.
    const WIDTH: u32;
    /// The distance down to the right.
    const WIDE: u32 = Self::WIDTH + 1;
    /// Every playable square.
    const SQUARES: u64 = squares(Self::WIDTH);
    /// Down left, down right, up right, up left: rotations to the left by so many bits. What leaves
    /// the board lands on a bit that is no square.
    const DIRECTIONS: [u32; 4] =
        [Self::WIDTH, Self::WIDE, 64 - Self::WIDTH, 64 - Self::WIDE];
    /// The row in which men of a colour are crowned.
    const CROWNING: [u64; 2] = [row(Self::WIDTH, 2 * Self::WIDTH - 1), row(Self::WIDTH, 0)];
}

pub(super) struct Eight;
impl Board for Eight {
    const WIDTH: u32 = 4;
}

pub(super) struct Ten;
impl Board for Ten {
    const WIDTH: u32 = 5;
}

/// The squares of a row, 0 for the one at the top.
pub(super) const fn row(width: u32, row: u32) -> u64 {
    ((1 << width) - 1) << (row * width + row / 2)
}

const fn squares(width: u32) -> u64 {
    let mut all = 0;
    let mut index = 0;
    while index < 2 * width {
        all |= row(width, index);
        index += 1;
    }
    all
}

/// The row in which men of `colour` are crowned.
#[inline]
pub(super) fn crowning(rules: Rules, colour: Colour) -> u64 {
    const ROWS: [[u64; 2]; 4] =
        [Eight::CROWNING, Eight::CROWNING, Eight::CROWNING, Ten::CROWNING];
    ROWS[rules as usize][colour as usize]
}

/// The row in front of it, whose pieces only jumps to or from the crowning row can capture, in
/// the rule set in which passing that row crowns.
#[inline]
pub(super) fn crowning_captures(rules: Rules, colour: Colour) -> u64 {
    const ROWS: [[u64; 2]; 4] = [[0; 2], [0; 2], [row(4, 6), row(4, 1)], [0; 2]];
    ROWS[rules as usize][colour as usize]
}

/// The bits of a set, lowest first.
#[inline]
pub(super) fn bits(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros();
        (set != 0).then(|| {
            set &= set - 1;
            bit
        })
    })
}
