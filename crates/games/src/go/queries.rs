//! Queries about the stones on a board: eyes, suicide, captures, liberties, territory.

use super::{
    point::Point,
    stones::{EMPTY, Stones, content, count, only_at, stone_key},
};
use ludus_core::Side;

/// The low bit of each of the four direct neighbours in a neighbourhood.
const BESIDE: u16 = 0x0055;
/// The low bit of each of the four diagonal neighbours.
const DIAGONAL: u16 = 0x5500;

/// The effect of a move on the board.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct MoveEffect {
    /// The key of the board after it.
    pub key: u128,
    /// Stones on the board after it.
    pub stones: usize,
    /// Stones of the other side it captures.
    pub captured: usize,
}

/// A set of points.
struct PointSet([u64; 16]);

impl PointSet {
    /// Adds `point` and returns whether it was not in the set.
    fn add(&mut self, point: Point) -> bool {
        let bit = 1 << (point.index() % 64);
        let word = &mut self.0[point.index() / 64 % 16];
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize> Stones<ROOM, STRIDE, LENGTH> {
    /// A neighbourhood with the bits of `SIDE`, and one with the bits of the other, at the even
    /// places; the border has both.
    #[inline(always)]
    fn split<const SIDE: usize>(&self, point: Point) -> [u16; 2] {
        let around = self.neighbourhood(point);
        if SIDE == 0 { [around, around >> 1] } else { [around >> 1, around] }
    }

    /// The direct neighbours that are stones of `SIDE` and of the other, at the bits of `BESIDE`.
    #[inline(always)]
    pub fn beside<const SIDE: usize>(&self, point: Point) -> [u16; 2] {
        let [own, other] = self.split::<SIDE>(point);
        [own & !other & BESIDE, other & !own & BESIDE]
    }

    /// Whether the empty `point` has an empty neighbour.
    #[inline(always)]
    pub fn is_open(&self, point: Point) -> bool {
        count(self.word_at(point)) != 0
    }

    /// Whether the empty `point` is an eye of `SIDE`: friends or border on all four sides, and at
    /// the corners at most one enemy, none if a corner is border.
    #[inline(always)]
    pub fn is_eye<const SIDE: usize>(&self, point: Point) -> bool {
        let [own, other] = self.split::<SIDE>(point);
        let enemies = (other & !own & DIAGONAL).count_ones();
        let outside = u32::from(other & own & DIAGONAL != 0);
        own & BESIDE == BESIDE && enemies + outside < 2
    }

    /// Whether a stone of `SIDE` on the empty `point`, which must not be open, would have no
    /// liberty and capture nothing.
    #[inline(always)]
    pub fn is_suicide<const SIDE: usize>(&self, point: Point) -> bool {
        let [friends, enemies] = self.beside::<SIDE>(point);
        let mut dying = 0;
        for (index, step) in Self::STEPS.into_iter().enumerate() {
            let word = self.word_at(self.chain_at(point, step));
            dying |= u16::from(only_at(word, point)) << (2 * index);
        }
        (friends & !dying) | (enemies & dying) == 0
    }

    /// The distinct chains of `stones` beside `point` that have no other liberty; the rest is
    /// [`Point::NOWHERE`].
    fn dying_chains(&self, point: Point, stones: Side) -> [Point; 4] {
        let mut chains = [Point::NOWHERE; 4];
        for (index, step) in Self::STEPS.into_iter().enumerate() {
            let chain = self.chain_at(point, step);
            if self.content_beside(point, step) == content(stones)
                && only_at(self.word_at(chain), point)
                && !chains.contains(&chain)
            {
                chains[index] = chain;
            }
        }
        chains
    }

    /// The key and the number of stones of the chain at `head`.
    fn chain_key(&self, side: Side, head: Point) -> (u128, usize) {
        let (mut key, mut stone) = (0, head);
        loop {
            key ^= stone_key(side, stone);
            stone = self.next_stone(stone);
            if stone == head {
                return (key, self.chain_size(head));
            }
        }
    }

    /// The effect of a stone of `side` on the empty `point`.
    pub fn effect_of(&self, side: Side, point: Point) -> MoveEffect {
        let stones = usize::from(self.counts[0]) + usize::from(self.counts[1]) + 1;
        let mut after = MoveEffect { key: self.key ^ stone_key(side, point), stones, captured: 0 };
        if self.is_open(point) && !self.beside_enemy(side, point) {
            return after;
        }
        for chain in self.dying_chains(point, !side).into_iter().filter(|&c| c != Point::NOWHERE) {
            let (key, size) = self.chain_key(!side, chain);
            after.key ^= key;
            after.captured += size;
        }
        after.stones -= after.captured;
        if after.captured == 0 && !self.is_open(point) && self.is_suicide_for(side, point) {
            after.key ^= stone_key(side, point);
            after.stones -= 1;
            let own = self.dying_chains(point, side);
            for chain in own.into_iter().filter(|&chain| chain != Point::NOWHERE) {
                let (key, size) = self.chain_key(side, chain);
                after.key ^= key;
                after.stones -= size;
            }
        }
        after
    }

    fn beside_enemy(&self, side: Side, point: Point) -> bool {
        match side {
            Side::First => self.beside::<0>(point)[1] != 0,
            Side::Second => self.beside::<1>(point)[1] != 0,
        }
    }

    /// [`is_suicide`](Stones::is_suicide) for a side known at run time.
    #[inline]
    pub fn is_suicide_for(&self, side: Side, point: Point) -> bool {
        match side {
            Side::First => self.is_suicide::<0>(point),
            Side::Second => self.is_suicide::<1>(point),
        }
    }

    /// The only liberty of the chain at `point`, if it has just one.
    #[inline]
    pub fn last_liberty(&self, point: Point) -> Option<Point> {
        let word = self.word(point);
        let sum = word >> 12 & 0x1F_FFFF;
        let liberty = Point(sum.checked_div(count(word))? as u16);
        only_at(word, liberty).then_some(liberty)
    }

    /// The number of different liberties of the chain at `point`.
    pub fn count_liberties(&self, point: Point) -> usize {
        let mut seen = PointSet([0; 16]);
        let (mut liberties, mut stone) = (0, point);
        loop {
            for step in Self::STEPS {
                let neighbour = Self::neighbour(stone, step);
                if self.content_beside(stone, step) == EMPTY && seen.add(neighbour) {
                    liberties += 1;
                }
            }
            stone = self.next_stone(stone);
            if stone == point {
                return liberties;
            }
        }
    }

    /// Empty points of regions that touch only stones of the first side, and only of the second.
    pub fn territory(&self) -> [usize; 2] {
        let mut seen = PointSet([0; 16]);
        let mut territory = [0; 2];
        let mut region = Vec::new();
        for place in 0..self.empty {
            let start = self.empty_at(place);
            let (touched, points) = if !self.is_open(start) {
                (self.touched(start), 1) // most regions after a playout: a shortcut
            } else if seen.add(start) {
                (self.fill_region(start, &mut seen, &mut region), region.len())
            } else {
                continue;
            };
            match touched {
                1 => territory[0] += points,
                2 => territory[1] += points,
                _ => {}
            }
        }
        territory
    }

    /// The sides that have stones beside `point`: 1 for the first, 2 for the second, 3 for both.
    fn touched(&self, point: Point) -> u8 {
        let [first, second] = self.beside::<0>(point);
        u8::from(first != 0) | u8::from(second != 0) << 1
    }

    /// Fills `region` with the empty points connected to `start` and returns the sides that touch
    /// it.
    fn fill_region(&self, start: Point, seen: &mut PointSet, region: &mut Vec<Point>) -> u8 {
        let mut touched = 0;
        region.clear();
        region.push(start);
        let mut next = 0;
        while let Some(&point) = region.get(next) {
            next += 1;
            touched |= self.touched(point);
            for step in Self::STEPS {
                let neighbour = Self::neighbour(point, step);
                if self.content_beside(point, step) == EMPTY && seen.add(neighbour) {
                    region.push(neighbour);
                }
            }
        }
        touched
    }
}
