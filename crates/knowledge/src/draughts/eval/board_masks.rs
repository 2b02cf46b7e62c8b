//! Masks: parts of the board as sets of squares, for Black; rotated by 180 degrees they are
//! White's.

use ludus_games::draughts::board::{BoardGeometry, row};

/// A board rotated by 180 degrees.
pub(super) const fn rotate<B: BoardGeometry>(set: u64) -> u64 {
    set.reverse_bits() >> B::SQUARES.leading_zeros()
}

/// Masks of the board that the evaluation uses.
pub(super) trait BoardMasks: BoardGeometry + Sized {
    const LAST: u32 = 2 * Self::WIDTH - 1;

    /// The outermost columns.
    const EDGE: u64 = {
        let inner = Self::SQUARES
            & Self::SQUARES.rotate_right(Self::DIRECTIONS[0])
            & Self::SQUARES.rotate_right(Self::DIRECTIONS[1]);
        let down = Self::SQUARES & !inner & !row(Self::WIDTH, Self::LAST);
        down | rotate::<Self>(down)
    };

    /// The middle: four columns by two rows, six by four on the larger board.
    const CENTRE: u64 = {
        let mut rows = 0;
        let mut index = 3;
        while index + 3 <= Self::LAST {
            rows |= row(Self::WIDTH, index);
            index += 1;
        }
        rows & !Self::EDGE
    };

    /// The right half of the columns as the board is drawn.
    const RIGHT: u64 = {
        let mut squares = 0;
        let mut index = 0;
        while index <= Self::LAST {
            // Dark squares of even rows stand one column further to the right.
            let left = (Self::WIDTH + (index & 1)) / 2;
            let kept = (1u64 << (Self::WIDTH - left)) - 1;
            squares |= kept << (row(Self::WIDTH, index).trailing_zeros() + left);
            index += 1;
        }
        squares
    };

    /// Rows 0, 2, 4 and so on.
    const EVEN_ROWS: u64 = Self::SQUARES & !Self::ADVANCE[0];

    /// The number of a square's row in binary: the rows with the lowest bit, with the next and so
    /// on. Four counts then add up the rows of all men.
    const ADVANCE: [u64; 4] = {
        let mut planes = [0; 4];
        let mut index = 0;
        while index <= Self::LAST {
            let mut bit = 0;
            while bit < planes.len() {
                if index >> bit & 1 == 1 {
                    planes[bit] |= row(Self::WIDTH, index);
                }
                bit += 1;
            }
            index += 1;
        }
        planes
    };

    /// The diagonal from the bottom left to the top right corner.
    const LONG_DIAGONAL: u64 = {
        let mut squares = 0;
        let corner = row(Self::WIDTH, Self::LAST);
        let mut square = corner & corner.wrapping_neg();
        while square != 0 {
            squares |= square;
            square = square.rotate_left(Self::DIRECTIONS[2]) & Self::SQUARES;
        }
        squares
    };

    /// The two corners without a corner square: squares 1 and 5, and their opposites.
    const DOUBLE_CORNERS: u64 = {
        let top = 1 | 1u64.rotate_left(Self::DIRECTIONS[0]);
        top | rotate::<Self>(top)
    };

    /// The rows from which Black is at most `MAX_RUNAWAY_ROWS` rows from being crowned.
    const FAR_ROWS: u64 = {
        let mut squares = 0;
        let mut index = Self::LAST - super::term_layout::MAX_RUNAWAY_ROWS as u32;
        while index < Self::LAST {
            squares |= row(Self::WIDTH, index);
            index += 1;
        }
        squares
    };
}

impl<B: BoardGeometry> BoardMasks for B {}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_games::draughts::{
        Rules,
        board::{Eight, Ten, bits},
        squares,
    };

    /// The squares of a board whose row and column are `wanted`.
    fn set(rules: Rules, wanted: impl Fn(usize, usize) -> bool) -> u64 {
        let all = ludus_games::draughts::board::all_squares(rules);
        let is_wanted = |&square: &u32| {
            let (row, column) = squares::place(rules, square);
            wanted(row, column)
        };
        bits(all).filter(is_wanted).map(|square| 1u64 << square).sum()
    }

    fn check<B: BoardGeometry>(rules: Rules) {
        let last = rules.size() - 1;
        assert_eq!(B::EDGE, set(rules, |_, column| column == 0 || column == last));
        assert_eq!(B::RIGHT, set(rules, |_, column| column > last / 2));
        assert_eq!(B::EVEN_ROWS, set(rules, |row, _| row % 2 == 0));
        assert_eq!(B::LONG_DIAGONAL, set(rules, |row, column| row + column == last));
        assert_eq!(B::FAR_ROWS, set(rules, |row, _| row < last && row + 3 >= last));
        for (bit, plane) in B::ADVANCE.into_iter().enumerate() {
            assert_eq!(plane, set(rules, |row, _| row >> bit & 1 == 1));
        }
        let central = |row, column| (3..=last - 3).contains(&row) && column != 0 && column != last;
        assert_eq!(B::CENTRE, set(rules, central));
    }

    #[test]
    fn masks_cover_what_they_name() {
        check::<Eight>(Rules::English);
        check::<Ten>(Rules::International);
        let numbers = |set| bits(set).map(|bit| squares::number(Rules::English, bit));
        assert!(numbers(Eight::DOUBLE_CORNERS).eq([1, 5, 28, 32]));
    }
}
