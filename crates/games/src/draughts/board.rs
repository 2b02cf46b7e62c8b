//! Bitboards; the layout is drawn in the documentation of the `draughts` module.

use super::rules::{Colour, Rules};

/// A board, as a set of constants.
pub trait BoardGeometry {
    /// Dark squares in a row, which is also the distance down to the left.
    const WIDTH: u32;
    /// The distance down to the right.
    const LONG_SHIFT: u32 = Self::WIDTH + 1;
    /// Every playable square.
    const SQUARES: u64 = squares(Self::WIDTH);
    /// Down left, down right, up right, up left, as amounts of left rotation. A piece
    /// that leaves the board lands on a bit that is no square.
    const DIRECTIONS: [u32; 4] =
        [Self::WIDTH, Self::LONG_SHIFT, 64 - Self::WIDTH, 64 - Self::LONG_SHIFT];
    /// The row in which men are crowned, by colour.
    const CROWNING: [u64; 2] = [row(Self::WIDTH, 2 * Self::WIDTH - 1), row(Self::WIDTH, 0)];
    /// The first and the last row.
    const OUTER: u64 = Self::CROWNING[0] | Self::CROWNING[1];
}

/// 8x8.
pub struct Eight;
impl BoardGeometry for Eight {
    const WIDTH: u32 = 4;
}

/// 10x10.
pub struct Ten;
impl BoardGeometry for Ten {
    const WIDTH: u32 = 5;
}

/// The squares of a row, 0 for the one at the top.
pub const fn row(width: u32, row: u32) -> u64 {
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

/// Every square of the board of `rules`.
#[inline]
pub fn all_squares(rules: Rules) -> u64 {
    if rules.large_board() { Ten::SQUARES } else { Eight::SQUARES }
}

/// The four directions on the board of `rules`.
#[inline]
pub fn directions(rules: Rules) -> [u32; 4] {
    if rules.large_board() { Ten::DIRECTIONS } else { Eight::DIRECTIONS }
}

/// The row in which men of `colour` are crowned.
#[inline]
pub fn crowning(rules: Rules, colour: Colour) -> u64 {
    const ROWS: [[u64; 2]; 2] = [Eight::CROWNING, Ten::CROWNING];
    ROWS[usize::from(rules.large_board())][colour as usize]
}

/// The row in front of the crowning row, in rule sets in which a man is crowned in passing. A man
/// captures a piece there if and only if it touches the crowning row, so its captures show
/// whether it was crowned.
#[inline]
pub fn crowning_captures(rules: Rules, colour: Colour) -> u64 {
    if !rules.crowned_in_passing() {
        return 0;
    }
    let width = rules.width();
    match colour {
        Colour::Black => row(width, 2 * width - 2),
        Colour::White => row(width, 1),
    }
}

/// The long diagonal from the bottom left to the top right corner of an 8x8 board.
pub const MAIN_ROAD: u64 = {
    let mut road = 0;
    let mut square = Eight::CROWNING[0] & Eight::CROWNING[0].wrapping_neg();
    while square != 0 {
        road |= square;
        square = (square >> Eight::WIDTH) & Eight::SQUARES;
    }
    road
};

/// The board rotated by 180 degrees.
pub fn rotated(rules: Rules, set: u64) -> u64 {
    set.reverse_bits() >> all_squares(rules).leading_zeros()
}

/// The bits of a set, lowest first.
#[inline]
pub fn bits(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros();
        (set != 0).then(|| {
            set &= set - 1;
            bit
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draughts::squares;

    #[test]
    fn boards_have_their_squares() {
        assert_eq!(Eight::SQUARES, 0x7_FBFD_FEFF);
        assert_eq!(Eight::SQUARES.count_ones(), 32);
        assert_eq!(Ten::SQUARES.count_ones(), 50);
        assert_eq!(MAIN_ROAD.count_ones(), 8);
        assert_eq!(rotated(Rules::English, MAIN_ROAD), MAIN_ROAD);
    }

    #[test]
    fn a_step_leads_to_the_neighbour_or_off_the_board() {
        let steps = [(1, usize::MAX), (1, 1), (usize::MAX, 1), (usize::MAX, usize::MAX)];
        for rules in Rules::ALL {
            for square in bits(all_squares(rules)) {
                let (row, column) = squares::place(rules, square);
                for (direction, (down, right)) in directions(rules).into_iter().zip(steps) {
                    let mirrored = rules.set().squares.mirrored;
                    let right = if mirrored { right.wrapping_neg() } else { right };
                    let beside = (row.wrapping_add(down), column.wrapping_add(right));
                    let expected = squares::at(rules, beside.0, beside.1);
                    let stepped = (1u64 << square).rotate_left(direction) & all_squares(rules);
                    assert_eq!(stepped, expected.map_or(0, |bit| 1 << bit));
                }
            }
        }
    }
}
