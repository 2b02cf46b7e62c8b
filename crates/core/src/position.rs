//! The game interface of search algorithms.

use crate::{Outcome, Side};
use std::fmt::Debug;

/// A playable position. Positions are values: playing a move changes a copy, nothing is undone.
///
/// Sides strictly alternate: a pass is a move and a multi-jump is one move, so a negamax search
/// needs no special case.
pub trait Position: Clone + Eq + Send + Sync + 'static {
    /// Small and `Copy`; a pass is a move like any other.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;

    /// Whether published perft tables of this game count a game that ended before the last ply as one
    /// leaf (Reversi's do, those of most games do not).
    const PERFT_COUNTS_ENDED_GAMES: bool = false;

    /// The side to move.
    fn turn(&self) -> Side;

    /// Appends every legal move once, in a fixed order. Appends none if and only if the board
    /// itself ends the game. Existing elements of `out` are kept.
    fn legal_moves(&self, out: &mut Vec<Self::Move>);

    /// Number of legal moves; overridden where counting is
    /// cheaper than listing.
    fn count_moves(&self) -> usize {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.len()
    }

    /// Plays `mv`, which must be legal; this may be debug-asserted. Untrusted text goes through
    /// [`Notation::parse_move`](crate::Notation::parse_move) first.
    fn play(&mut self, mv: Self::Move);

    /// The outcome, as far as the board alone shows it: `Some` if and only if there is no legal
    /// move. [`Ending`](crate::Ending) adds endings that depend on the history.
    fn outcome(&self) -> Option<Outcome>;

    /// Hash key: a 64-bit hash of everything `Eq` compares.
    fn key(&self) -> u64;

    /// A second, independent hash with which transposition tables verify their entries. The default
    /// derives it from [`key`](Position::key) and suits only games whose key cannot collide.
    fn verification_key(&self) -> u32 {
        (self.key().wrapping_mul(0x9E6C_63D0_876A_3F6B) >> 32) as u32
    }

    /// The position with colours flipped: sides exchanged and the board turned to match, in games
    /// that have this symmetry.
    fn colour_flipped(&self) -> Option<Self> {
        None
    }

    /// The same board with the other side to move, in games in which every board allows that and the
    /// moves of both sides differ. Mobility evaluations use it.
    fn other_to_move(&self) -> Option<Self> {
        None
    }

    /// The position after `mv`.
    #[inline]
    fn after(&self, mv: Self::Move) -> Self {
        let mut next = self.clone();
        next.play(mv);
        next
    }
}

/// Bit mixer (the finaliser of splitmix64): a bijection, so distinct values stay distinct.
///
/// Bitboard games compute their key from a few words with it on demand, which is cheaper than updating
/// a Zobrist key with every move.
#[inline]
pub const fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}
