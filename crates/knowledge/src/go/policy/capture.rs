//! Captures: of the chain of the last move, and of any chain on the board.
//!
//! The first answers a stone that was just put in atari or left there. The second needs all chains
//! in atari; see [`ChainsInAtari`].

use super::{PolicyView, points::Points};
use ludus_core::Side;
use ludus_games::go::{
    Point,
    stones::{BORDER, EMPTY, content},
};

/// Stones of all chains that may be in atari, by side.
///
/// A chain comes into atari only by a move beside it or of its own, so it is enough to look at
/// those chains after every move; a chain that has left atari is dropped at the next look.
#[derive(Clone)]
pub(super) struct ChainsInAtari([Points; 2]);

impl ChainsInAtari {
    pub(super) fn new() -> ChainsInAtari {
        ChainsInAtari([Points::new(), Points::new()])
    }
}

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize>
    PolicyView<'_, ROOM, STRIDE, LENGTH>
{
    /// Finds all chains in atari.
    pub(super) fn find_chains_in_atari(self, in_atari_chains: &mut ChainsInAtari) {
        in_atari_chains.0.iter_mut().for_each(Points::clear);
        for row in 0..self.size {
            for column in 0..self.size {
                let point = Point::from_index(row * STRIDE + column);
                let stone = self.content(point);
                let is_head = !matches!(stone, EMPTY | BORDER) && self.chain(point) == point;
                if is_head && self.is_in_atari(point) {
                    in_atari_chains.0[usize::from(stone) - 1].add(point);
                }
            }
        }
    }

    /// Records the chains in atari after a move of `SIDE` on `point`.
    #[inline(always)]
    pub(super) fn record_chains_in_atari<const SIDE: usize>(
        self,
        point: Point,
        in_atari_chains: &mut ChainsInAtari,
    ) {
        let [_, mut enemies] = self.beside::<SIDE>(point);
        while enemies != 0 {
            let enemy = Self::behind(point, enemies);
            enemies &= enemies - 1;
            if self.is_in_atari(enemy) {
                self.add_chain_in_atari(enemy, &mut in_atari_chains.0[1 - SIDE]);
            }
        }
        if self.is_in_atari(point) && self.content(point) != EMPTY {
            self.add_chain_in_atari(point, &mut in_atari_chains.0[SIDE]);
        }
    }

    fn add_chain_in_atari(self, stone: Point, stones: &mut Points) {
        if stones.is_full() {
            stones.retain(|stone| self.content(stone) != EMPTY && self.is_in_atari(stone));
        }
        stones.add(stone);
    }

    /// Counts the stones of each side in atari; drops chains that have left atari.
    pub(super) fn count_stones_in_atari(self, in_atari_chains: &mut ChainsInAtari) -> [usize; 2] {
        let mut counts = [0; 2];
        for (side, stones) in in_atari_chains.0.iter_mut().enumerate() {
            let mut chains = Points::new();
            stones.retain(|stone| {
                let counts_here = self.content(stone) == content(Side::BOTH[side])
                    && self.is_in_atari(stone)
                    && chains.add(self.chain(stone));
                counts[side] += usize::from(counts_here) * self.chain_size(stone);
                counts_here
            });
        }
        counts
    }

    /// The move that captures the chain of the last move, if it is in atari.
    #[inline(always)]
    pub(super) fn propose_capture(self, last: Point, out: &mut Points) {
        if self.content(last) != EMPTY && self.is_in_atari(last) {
            out.add(self.last_liberty(last).expect("it is in atari"));
        }
    }

    /// Every move of `SIDE` that captures something.
    #[inline(always)]
    pub(super) fn propose_global_captures<const SIDE: usize>(
        self,
        in_atari_chains: &mut ChainsInAtari,
        out: &mut Points,
    ) {
        let enemy = content(Side::BOTH[1 - SIDE]);
        in_atari_chains.0[1 - SIDE].retain(|stone| {
            let liberty = match self.content(stone) == enemy && self.is_in_atari(stone) {
                true => self.last_liberty(stone),
                false => None,
            };
            if let Some(liberty) = liberty {
                out.add(liberty);
            }
            liberty.is_some()
        });
    }
}
