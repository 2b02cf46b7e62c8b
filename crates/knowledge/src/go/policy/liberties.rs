//! Liberties as the rules of a policy need them: not their number but whether there is one, or
//! which two.

use super::PolicyView;
use super::points::Points;
use ludus_core::Side;
use ludus_games::go::{
    GoBoard, Point,
    stones::{Stones, count, in_atari, only_at},
};
use ludus_games::with_stones;

/// The low bit of each of the four direct neighbours in a neighbourhood.
const BESIDE: u16 = 0x0055;

/// The first few different liberties of a chain.
#[derive(Copy, Clone)]
pub(super) struct Liberties<const N: usize> {
    points: [Point; N],
    count: usize,
}

impl<const N: usize> Liberties<N> {
    #[inline(always)]
    pub(super) fn as_slice(&self) -> &[Point] {
        &self.points[..self.count.min(N)]
    }
}

/// Stones of the other side and of `side` in atari on the whole board after a stone of `side` on the
/// empty `point`, which must not be suicide. `in_atari` has the stones of the first and of the second
/// side in atari before.
#[inline]
pub fn ataris_after(board: &GoBoard, side: Side, point: Point, in_atari: [usize; 2]) -> [usize; 2] {
    let [gone, new] = with_stones!(board.stones(), stones => {
        let view = PolicyView(stones);
        match side {
            Side::First => [view.taken_out_of_atari::<0>(point), view.brought_in_atari::<0>(point)],
            Side::Second => [view.taken_out_of_atari::<1>(point), view.brought_in_atari::<1>(point)],
        }
    });
    let before = [in_atari[(!side).index()], in_atari[side.index()]];
    std::array::from_fn(|whose| before[whose].saturating_sub(gone[whose]) + new[whose])
}

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize>
    PolicyView<'_, ROOM, STRIDE, LENGTH>
{
    /// The direct neighbours of `point` that are empty, a bit for each.
    #[inline(always)]
    pub(super) fn empty_beside(self, point: Point) -> u16 {
        let around = self.neighbourhood(point);
        !(around | around >> 1) & BESIDE
    }

    /// The neighbour that a bit of [`beside`](Stones::beside) or its like stands for.
    #[inline(always)]
    pub(super) fn behind(point: Point, bits: u16) -> Point {
        Stones::<ROOM, STRIDE, LENGTH>::neighbour(
            point,
            Stones::<ROOM, STRIDE, LENGTH>::STEPS[(bits.trailing_zeros() as usize / 2) & 3],
        )
    }

    /// The chain of the neighbour that a bit of [`beside`](Stones::beside) stands for.
    #[inline(always)]
    pub(super) fn chain_behind(self, point: Point, bits: u16) -> Point {
        self.chain_at(
            point,
            Stones::<ROOM, STRIDE, LENGTH>::STEPS[(bits.trailing_zeros() as usize / 2) & 3],
        )
    }

    /// Whether the chain of the stone at `point` has just one liberty.
    #[inline(always)]
    pub(super) fn is_in_atari(self, point: Point) -> bool {
        in_atari(self.word(point))
    }

    /// Up to `N` different liberties of the chain of the stone at `stone`; fewer are all of them.
    #[inline]
    pub(super) fn first_liberties<const N: usize>(self, stone: Point) -> Liberties<N> {
        let mut liberties = Liberties { points: [Point::NOWHERE; N], count: 0 };
        let mut unseen = count(self.word(stone));
        let mut here = stone;
        while unseen > 0 {
            let mut empty = self.empty_beside(here);
            while empty != 0 {
                let point = Self::behind(here, empty);
                empty &= empty - 1;
                unseen = unseen.saturating_sub(1);
                if !liberties.as_slice().contains(&point) {
                    liberties.points[liberties.count] = point;
                    liberties.count += 1;
                    if liberties.count == N {
                        return liberties;
                    }
                }
            }
            here = self.next_stone(here);
        }
        liberties
    }

    /// The two liberties of the chain of the stone at `stone`, if it has just two.
    #[inline]
    pub(in super::super) fn two_liberties(self, stone: Point) -> Option<[Point; 2]> {
        // A point is beside at most four stones, so more than eight make at least three points.
        if count(self.word(stone)) > 8 {
            return None;
        }
        match *self.first_liberties::<3>(stone).as_slice() {
            [one, other] => Some([one, other]),
            _ => None,
        }
    }

    /// The sums of the pseudo-liberties that a stone of `SIDE` on the empty `point` would have with
    /// the chains it joins, and these chains. Captures are not counted.
    #[inline(always)]
    fn joined_word<const SIDE: usize>(self, point: Point) -> (u64, [Point; 4]) {
        let mut word = self.word_at(point);
        let mut chains = [Point::NOWHERE; 4];
        let [mut friends, _] = self.beside::<SIDE>(point);
        let mut found = 0;
        while friends != 0 {
            let chain = self.chain_behind(point, friends);
            friends &= friends - 1;
            word = word.wrapping_sub(point.liberty());
            if !chains.contains(&chain) {
                word = word.wrapping_add(self.word_at(chain));
                chains[found & 3] = chain;
                found += 1;
            }
        }
        (word, chains)
    }

    /// Whether a stone of `SIDE` on the empty `point` would leave its chain with one liberty, or
    /// with none.
    #[inline]
    pub(in super::super) fn is_self_atari<const SIDE: usize>(self, point: Point) -> bool {
        // A point's own word holds each empty neighbour once.
        if count(self.word_at(point)) >= 2 {
            return false;
        }
        let (word, chains) = self.joined_word::<SIDE>(point);
        let word = word.wrapping_add(self.captured_liberties::<SIDE>(point, &chains));
        in_atari(word)
    }

    /// The pseudo-liberties that a stone of `SIDE` on `point`, joined with `chains`, gets where the
    /// stones it captures were.
    #[inline(always)]
    fn captured_liberties<const SIDE: usize>(self, point: Point, chains: &[Point; 4]) -> u64 {
        let [_, mut enemies] = self.beside::<SIDE>(point);
        let mut word = 0u64;
        while enemies != 0 {
            let enemy = Self::behind(point, enemies);
            enemies &= enemies - 1;
            if only_at(self.word(enemy), point) {
                word = word.wrapping_add(self.holes(enemy, point, chains));
            }
        }
        word
    }

    /// The pseudo-liberties the chain at `captured` leaves to `point` and `chains`.
    #[cold]
    fn holes(self, captured: Point, point: Point, chains: &[Point; 4]) -> u64 {
        let (mut word, mut stone) = (0u64, captured);
        loop {
            for step in Stones::<ROOM, STRIDE, LENGTH>::STEPS {
                let beside = Stones::<ROOM, STRIDE, LENGTH>::neighbour(stone, step) == point
                    || chains.contains(&self.chain_at(stone, step));
                word = word.wrapping_add(u64::from(beside) * stone.liberty());
            }
            stone = self.next_stone(stone);
            if stone == captured {
                return word;
            }
        }
    }

    /// Whether the chain of `SIDE` whose two liberties are the empty `point` and `other` would have
    /// more than two after a stone on `point`.
    #[inline]
    pub(super) fn gains_liberties<const SIDE: usize>(self, point: Point, other: Point) -> bool {
        // `other` is one liberty already, and at most one of the empty neighbours.
        if count(self.word_at(point)) >= 3 {
            return true;
        }
        let (word, chains) = self.joined_word::<SIDE>(point);
        let mut word = word.wrapping_add(self.captured_liberties::<SIDE>(point, &chains));
        for step in Stones::<ROOM, STRIDE, LENGTH>::STEPS {
            let joined = Stones::<ROOM, STRIDE, LENGTH>::neighbour(other, step) == point
                || chains.contains(&self.chain_at(other, step));
            word = word.wrapping_sub(u64::from(joined) * other.liberty());
        }
        count(word) > 0 && !in_atari(word)
    }

    /// Whether a stone of `SIDE` on the empty `point` puts a chain of the other side in atari.
    pub(in super::super) fn gives_atari<const SIDE: usize>(self, point: Point) -> bool {
        self.put_in_atari::<SIDE>(point) > 0
    }

    /// The number of enemy stones that a stone of `SIDE` on the empty `point` puts in atari.
    fn put_in_atari<const SIDE: usize>(self, point: Point) -> usize {
        let [_, mut enemies] = self.beside::<SIDE>(point);
        let mut chains = [Point::NOWHERE; 4];
        let mut stones = 0;
        while enemies != 0 {
            let chain = self.chain_behind(point, enemies);
            let place = enemies.trailing_zeros() as usize / 2;
            enemies &= enemies - 1;
            if chains.contains(&chain) {
                continue;
            }
            chains[place & 3] = chain;
            let mut word = self.word_at(chain);
            for step in Stones::<ROOM, STRIDE, LENGTH>::STEPS {
                let shared = u64::from(self.chain_at(point, step) == chain);
                word = word.wrapping_sub(shared * point.liberty());
            }
            if count(word) > 0 && in_atari(word) {
                stones += self.chain_size(chain);
            }
        }
        stones
    }

    /// The number of own stones that a stone of `SIDE` on the empty `point`, which must not be
    /// suicide, leaves in atari, itself included.
    fn left_in_atari<const SIDE: usize>(self, point: Point) -> usize {
        if !self.is_self_atari::<SIDE>(point) {
            return 0;
        }
        self.joined_size::<SIDE>(point)
    }

    /// The size of the chain that a stone of `SIDE` on the empty `point` would form.
    pub(super) fn joined_size<const SIDE: usize>(self, point: Point) -> usize {
        let (_, chains) = self.joined_word::<SIDE>(point);
        let joined = chains.into_iter().filter(|&chain| chain != Point::NOWHERE);
        1 + joined.map(|chain| self.chain_size(chain)).sum::<usize>()
    }

    /// The numbers of enemy and own stones that a stone of `SIDE` on the empty `point`, which must
    /// not be suicide, puts in atari.
    pub(in super::super) fn brought_in_atari<const SIDE: usize>(self, point: Point) -> [usize; 2] {
        [self.put_in_atari::<SIDE>(point), self.left_in_atari::<SIDE>(point)]
    }

    /// The numbers of enemy and own stones that a stone of `SIDE` on the empty `point` takes out of
    /// atari, by capturing them, by joining them, or by capturing beside them. Those it joins may
    /// be in atari again.
    pub(in super::super) fn taken_out_of_atari<const SIDE: usize>(
        self,
        point: Point,
    ) -> [usize; 2] {
        let (mut seen, mut captured, mut freed) = (Points::new(), 0, 0);
        let [mut friends, mut enemies] = self.beside::<SIDE>(point);
        while friends != 0 {
            let chain = self.chain_behind(point, friends);
            friends &= friends - 1;
            if self.is_in_atari(chain) && seen.add(chain) {
                freed += self.chain_size(chain);
            }
        }
        while enemies != 0 {
            let chain = self.chain_behind(point, enemies);
            enemies &= enemies - 1;
            if self.is_in_atari(chain) && seen.add(chain) {
                captured += self.chain_size(chain);
                freed += self.freed_by_capture::<SIDE>(chain, &mut seen);
            }
        }
        [captured, freed]
    }

    /// The number of stones of `SIDE`, not in `seen`, that leave atari if the chain at `captured`
    /// is removed.
    #[cold]
    fn freed_by_capture<const SIDE: usize>(self, captured: Point, seen: &mut Points) -> usize {
        let (mut freed, mut stone) = (0, captured);
        loop {
            let [mut friends, _] = self.beside::<SIDE>(stone);
            while friends != 0 {
                let chain = self.chain_behind(stone, friends);
                friends &= friends - 1;
                if self.is_in_atari(chain) && seen.add(chain) {
                    freed += self.chain_size(chain);
                }
            }
            stone = self.next_stone(stone);
            if stone == captured {
                return freed;
            }
        }
    }

    /// The only liberty the chain of `SIDE` would have after a stone on `point`, if just one is
    /// left and nothing was captured.
    pub(super) fn liberty_after<const SIDE: usize>(self, point: Point) -> Option<Point> {
        let (word, chains) = self.joined_word::<SIDE>(point);
        let lone = count(word) > 0
            && in_atari(word)
            && self.captured_liberties::<SIDE>(point, &chains) == 0;
        lone.then(|| Point::from_index(((word >> 12 & 0x1F_FFFF) / count(word)) as usize))
    }
}
