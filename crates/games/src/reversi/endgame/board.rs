//! A board as the solver sees it.

use super::super::bits::{flips, placements};

/// The discs of the side to move and of its opponent, and which quarters of the board have an odd
/// number of empty squares.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Board {
    pub own: u64,
    pub other: u64,
    /// Bit `n` is set if quarter `n` has an odd number of empty squares.
    parity: u32,
}

const QUARTERS: [u64; 4] =
    [0x0000_0000_0F0F_0F0F, 0x0000_0000_F0F0_F0F0, 0x0F0F_0F0F_0000_0000, 0xF0F0_F0F0_0000_0000];

/// The squares of the odd quarters for each value of [`Board::parity`].
const ODD: [u64; 16] = {
    let mut odd = [0; 16];
    let mut parity = 0;
    while parity < 16 {
        let mut quarter = 0;
        while quarter < 4 {
            if parity >> quarter & 1 == 1 {
                odd[parity] |= QUARTERS[quarter];
            }
            quarter += 1;
        }
        parity += 1;
    }
    odd
};

impl Board {
    pub fn new(own: u64, other: u64) -> Board {
        let empty = !(own | other);
        let odd = |quarter: usize| (empty & QUARTERS[quarter]).count_ones() % 2;
        let parity = (0..4).fold(0, |parity, quarter| parity | odd(quarter) << quarter);
        Board { own, other, parity }
    }

    #[inline]
    pub fn empty(self) -> u64 {
        !(self.own | self.other)
    }

    /// The squares of quarters with an odd number of empty squares: whoever moves there first also
    /// moves there last, if nobody goes elsewhere.
    #[inline]
    pub fn odd(self) -> u64 {
        ODD[(self.parity & 15) as usize]
    }

    #[inline]
    pub fn placements(self) -> u64 {
        placements(self.own, self.other)
    }

    #[inline]
    pub fn flips(self, square: u8) -> u64 {
        flips(self.own, self.other, square)
    }

    /// The board after a disc on `square` turned over `turned`.
    #[inline]
    pub fn after(self, square: u8, turned: u64) -> Board {
        let quarter = u32::from(square >> 5) << 1 | u32::from(square >> 2 & 1);
        Board {
            own: self.other ^ turned,
            other: self.own ^ turned ^ 1 << square,
            parity: self.parity ^ 1 << quarter,
        }
    }

    #[inline]
    pub fn passed(self) -> Board {
        Board { own: self.other, other: self.own, parity: self.parity }
    }

    /// The margin of the side to move if the game ends here: the empty squares go to the winner.
    #[inline]
    pub fn final_margin(self) -> i32 {
        let (own, other) = (self.own.count_ones() as i32, self.other.count_ones() as i32);
        match own - other {
            0 => 0,
            lead if lead > 0 => 64 - 2 * other,
            _ => 2 * own - 64,
        }
    }
}

/// Takes the lowest square out of `squares`, which must not be empty.
#[inline]
pub(super) fn take_square(squares: &mut u64) -> u8 {
    let square = squares.trailing_zeros() as u8;
    *squares &= squares.wrapping_sub(1);
    square
}
