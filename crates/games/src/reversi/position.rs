//! The position and the rules.

use super::bits::{flips, placements};
use ludus_core::{EndReason, Outcome, Position, Random, Side, position::mix};

/// The move of a side that can place no disc; the others are squares from 0 to 63.
pub const PASS: u8 = 64;

/// A position: the discs of the side to move, those of its opponent, and which side that is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Reversi {
    pub(super) own: u64,
    pub(super) other: u64,
    pub(super) turn: Side,
}

impl Default for Reversi {
    /// The usual four discs in the middle: light on `d4` and `e5`, dark on `e4` and `d5`.
    fn default() -> Reversi {
        Reversi { own: 1 << 28 | 1 << 35, other: 1 << 27 | 1 << 36, turn: Side::First }
    }
}

impl Reversi {
    /// The position with the discs `own` of the side to move, `turn`, and `other` of its opponent.
    pub fn new(own: u64, other: u64, turn: Side) -> Reversi {
        debug_assert!(own & other == 0, "two discs on one square");
        Reversi { own, other, turn }
    }

    /// The discs of the side to move.
    #[inline]
    pub fn own(&self) -> u64 {
        self.own
    }

    /// The discs of its opponent.
    #[inline]
    pub fn other(&self) -> u64 {
        self.other
    }

    /// The discs of `side`.
    #[inline]
    pub fn discs(&self, side: Side) -> u64 {
        if side == self.turn { self.own } else { self.other }
    }

    /// The number of empty squares.
    pub fn empty_squares(&self) -> u32 {
        self.empty().count_ones()
    }

    /// The empty squares.
    #[inline]
    pub fn empty(&self) -> u64 {
        !(self.own | self.other)
    }

    /// The squares where `side` could place a disc if it were to move.
    #[inline]
    pub(super) fn placements(&self, side: Side) -> u64 {
        placements(self.discs(side), self.discs(!side))
    }

    /// Whether the side to move, which can place no disc, may still pass.
    #[inline]
    fn may_pass(&self) -> bool {
        placements(self.other, self.own) != 0
    }

    #[inline]
    fn place(&mut self, square: u8) {
        let turned = flips(self.own, self.other, square);
        debug_assert!(turned != 0 && self.empty() >> square & 1 == 1, "{square} is no placement");
        let own = self.own ^ turned ^ 1 << square;
        self.own = self.other ^ turned;
        self.other = own;
        self.turn = !self.turn;
    }

    #[inline]
    fn pass(&mut self) {
        (self.own, self.other) = (self.other, self.own);
        self.turn = !self.turn;
    }

    /// The first side's discs minus the second's, the empty squares counted for the winner.
    #[inline]
    pub fn final_margin(&self) -> i32 {
        let discs = |side| self.discs(side).count_ones() as i32;
        let lead = discs(Side::First) - discs(Side::Second);
        lead + lead.signum() * self.empty().count_ones() as i32
    }

    #[inline]
    fn final_outcome(&self) -> Outcome {
        match self.final_margin() {
            0 => Outcome::Draw,
            lead if lead > 0 => Outcome::Win(Side::First),
            _ => Outcome::Win(Side::Second),
        }
    }
}

impl Position for Reversi {
    /// A square, or [`PASS`].
    type Move = u8;

    const PERFT_COUNTS_ENDED_GAMES: bool = true;

    #[inline]
    fn turn(&self) -> Side {
        self.turn
    }

    #[inline]
    fn legal_moves(&self, out: &mut Vec<u8>) {
        let mut squares = placements(self.own, self.other);
        if squares == 0 && self.may_pass() {
            out.push(PASS);
        }
        while squares != 0 {
            out.push(squares.trailing_zeros() as u8);
            squares &= squares - 1;
        }
    }

    #[inline]
    fn count_moves(&self) -> usize {
        match placements(self.own, self.other).count_ones() {
            0 => usize::from(self.may_pass()),
            count => count as usize,
        }
    }

    #[inline]
    fn play(&mut self, mv: u8) {
        if mv == PASS {
            debug_assert!(self.placements(self.turn) == 0, "passing is legal only if forced");
            self.pass();
        } else {
            self.place(mv);
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let over = placements(self.own, self.other) == 0 && !self.may_pass();
        over.then(|| self.final_outcome())
    }

    #[inline]
    fn key(&self) -> u64 {
        // The turn comes in last: no disc can cancel it out.
        let discs = mix(mix(self.own) ^ self.other.rotate_left(32));
        discs ^ (self.turn as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    #[inline]
    fn verification_key(&self) -> u32 {
        let words = self.own.wrapping_mul(0x9FB2_1C65_1E98_DF25)
            ^ self.other.wrapping_mul(0xD6E8_FEB8_6659_FD93).rotate_left(29);
        (mix(words) >> 32) as u32 ^ self.turn as u32
    }

    fn colour_flipped(&self) -> Option<Reversi> {
        Some(Reversi { turn: !self.turn, ..*self })
    }

    fn other_to_move(&self) -> Option<Reversi> {
        Some(Reversi { own: self.other, other: self.own, turn: !self.turn })
    }

    fn terminal_reason(&self) -> EndReason {
        if self.own | self.other == u64::MAX {
            EndReason::FullBoard
        } else {
            EndReason::NeitherMoves
        }
    }

    #[inline]
    fn margin(&self) -> Option<f32> {
        self.outcome().map(|_| self.final_margin() as f32)
    }

    /// Draws moves from the bitboard, without a move list.
    fn rollout(&self, random: &mut Random, _: &mut Vec<u8>) -> Outcome {
        let mut position = *self;
        loop {
            let squares = placements(position.own, position.other);
            if squares != 0 {
                position.place(pick_bit(squares, random));
            } else if position.may_pass() {
                position.pass();
            } else {
                return position.final_outcome();
            }
        }
    }

    #[inline]
    fn move_count(&self) -> usize {
        usize::from(PASS) + 1
    }

    #[inline]
    fn move_index(&self, mv: u8) -> usize {
        usize::from(mv)
    }
}

/// A random set bit of `bits`, which must not be 0.
#[inline]
fn pick_bit(mut bits: u64, random: &mut Random) -> u8 {
    for _ in 0..random.below(bits.count_ones() as usize) {
        bits &= bits - 1;
    }
    bits.trailing_zeros() as u8
}
