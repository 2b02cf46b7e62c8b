//! The board of the endgame solver.

use ludus_games::reversi::bits::{flips, placements};

/// The discs of the side to move and of its opponent, and the parity of empty squares of each
/// quadrant.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct SolverBoard {
    pub own: u64,
    pub other: u64,
    /// Bit `n` is set if quadrant `n` has an odd number of empty squares.
    parity: u32,
}

const QUADRANTS: [u64; 4] =
    [0x0000_0000_0F0F_0F0F, 0x0000_0000_F0F0_F0F0, 0x0F0F_0F0F_0000_0000, 0xF0F0_F0F0_0000_0000];

/// The squares of the odd quadrants for each value of [`SolverBoard::parity`].
const ODD: [u64; 16] = {
    let mut odd = [0; 16];
    let mut parity = 0;
    while parity < 16 {
        let mut quadrant = 0;
        while quadrant < 4 {
            if parity >> quadrant & 1 == 1 {
                odd[parity] |= QUADRANTS[quadrant];
            }
            quadrant += 1;
        }
        parity += 1;
    }
    odd
};

impl SolverBoard {
    pub fn new(own: u64, other: u64) -> SolverBoard {
        let empty = !(own | other);
        let odd = |quadrant: usize| (empty & QUADRANTS[quadrant]).count_ones() % 2;
        let parity = (0..4).fold(0, |parity, quadrant| parity | odd(quadrant) << quadrant);
        SolverBoard { own, other, parity }
    }

    #[inline]
    pub fn empty(self) -> u64 {
        !(self.own | self.other)
    }

    /// The squares of quadrants with an odd number of empty squares: the side that moves there
    /// first also moves there last, if neither plays elsewhere.
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
    pub fn after(self, square: u8, turned: u64) -> SolverBoard {
        let quadrant = u32::from(square >> 5) << 1 | u32::from(square >> 2 & 1);
        SolverBoard {
            own: self.other ^ turned,
            other: self.own ^ turned ^ 1 << square,
            parity: self.parity ^ 1 << quadrant,
        }
    }

    #[inline]
    pub fn passed(self) -> SolverBoard {
        SolverBoard { own: self.other, other: self.own, parity: self.parity }
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
