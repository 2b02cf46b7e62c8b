//! The one thing algorithms know about games.

use crate::{Outcome, Side};
use std::fmt::Debug;

/// A playable position. Positions are values: playing a move changes a copy, nothing is undone.
///
/// Sides strictly alternate: a pass is a move and a multi-jump is one move, so a negamax search
/// needs no special case.
pub trait Position: Clone + Eq + Send + Sync + 'static {
    /// Small and `Copy`; a pass is a move like any other.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;

    /// Whether the published perft tables of this game go on counting a game that ended before the
    /// last ply as one leaf (Reversi's do, those of most games do not).
    const PERFT_COUNTS_ENDED_GAMES: bool = false;

    /// The side to move.
    fn turn(&self) -> Side;

    /// Appends every legal move once, in a fixed order. Appends none if and only if the board
    /// itself ends the game. What `out` already holds stays.
    fn legal_moves(&self, out: &mut Vec<Self::Move>);

    /// How many moves [`legal_moves`](Position::legal_moves) appends; overridden where counting is
    /// cheaper than listing.
    fn count_moves(&self) -> usize {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.len()
    }

    /// Plays `mv`. Legality is the caller's duty and may be debug-asserted; text from strangers
    /// goes through [`Notation::parse_move`](crate::Notation::parse_move) first.
    fn play(&mut self, mv: Self::Move);

    /// The result, as far as the board alone shows it: `Some` if and only if there is no legal
    /// move. Endings that need the past are [`Ending`](crate::Ending)'s.
    fn outcome(&self) -> Option<Outcome>;

    /// A 64-bit hash of everything `Eq` compares.
    fn key(&self) -> u64;

    /// A second hash for tables that verify their entries. It should not depend on
    /// [`key`](Position::key); the default does and serves only games whose key cannot collide.
    fn check(&self) -> u32 {
        (self.key().wrapping_mul(0x9E6C_63D0_876A_3F6B) >> 32) as u32
    }

    /// The position after `mv`.
    #[inline]
    fn after(&self, mv: Self::Move) -> Self {
        let mut next = self.clone();
        next.play(mv);
        next
    }
}

/// Spreads the bits of `value`: a bijection, so distinct values stay distinct.
///
/// Bitboard games build their key from a few words with it at the moment it is asked for, which is
/// cheaper than keeping a Zobrist key through every move.
#[inline]
pub const fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}
