//! Random moves that put own stones in atari: most of them are blunders.

use super::PolicyView;
use super::{PlayoutPolicy, random_chance};
use ludus_core::Random;
use ludus_games::go::{Point, stones::count};

/// Fewest stones of a seki blunder; fewer may be a throw-in.
const MIN_SEKI_STONES: usize = 3;

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize>
    PolicyView<'_, ROOM, STRIDE, LENGTH>
{
    /// Replaces a random self-atari of `SIDE` by a better move, keeps it, or rejects it.
    pub(super) fn reconsider_self_atari<const SIDE: usize, const ENEMY: usize>(
        self,
        point: Point,
        policy: &PlayoutPolicy,
        random: &mut Random,
    ) -> Option<Point> {
        let is_lone = self.beside::<SIDE>(point)[0] == 0;
        let better = match is_lone {
            true if random_chance(policy.shift, random) => self.shift::<SIDE>(point),
            false if random_chance(policy.correction, random) => self.correct::<SIDE>(point),
            _ => None,
        };
        if better.is_some() {
            return better;
        }
        let is_refused = policy.seki && self.spoils_seki::<SIDE, ENEMY>(point)
            || random_chance(policy.rejection, random) && self.is_waste::<SIDE>(point);
        (!is_refused).then_some(point)
    }

    /// For a lone stone of `SIDE` with one liberty that captures nothing: that liberty, if a stone
    /// there has more or captures something.
    pub(super) fn shift<const SIDE: usize>(self, point: Point) -> Option<Point> {
        let other = self.liberty_after::<SIDE>(point)?;
        let better = count(self.word_at(other)) >= 2 || self.captures_at::<SIDE>(other);
        (better && other != self.ko).then_some(other)
    }

    /// Whether a stone of `SIDE` on the empty `point` captures anything.
    fn captures_at<const SIDE: usize>(self, point: Point) -> bool {
        let [_, mut enemies] = self.beside::<SIDE>(point);
        let mut captures = false;
        while enemies != 0 {
            captures |= self.is_in_atari(self.chain_behind(point, enemies));
            enemies &= enemies - 1;
        }
        captures
    }

    /// Whether the empty `point` is self-atari for both sides, and for `SIDE` neither a throw-in
    /// nor a nakade: a point of a seki.
    pub(super) fn spoils_seki<const SIDE: usize, const ENEMY: usize>(self, point: Point) -> bool {
        let [_, enemies] = self.beside::<SIDE>(point);
        enemies != 0
            && self.is_self_atari::<SIDE>(point)
            && self.joined_size::<SIDE>(point) >= MIN_SEKI_STONES
            && self.is_self_atari::<ENEMY>(point)
            && !self.makes_nakade::<SIDE>(point)
    }

    /// For a move of `SIDE` that leaves a chain with one liberty: that liberty, if a stone there is
    /// the better way to use the two.
    pub(super) fn correct<const SIDE: usize>(self, point: Point) -> Option<Point> {
        let other = self.liberty_after::<SIDE>(point)?;
        let better = self.is_sensible::<SIDE>(other) && !self.is_self_atari::<SIDE>(other);
        better.then_some(other)
    }

    /// Whether a self-atari of `SIDE` gives stones away: it joins some, captures none, and is no
    /// nakade. A single stone may be a throw-in.
    pub(super) fn is_waste<const SIDE: usize>(self, point: Point) -> bool {
        self.beside::<SIDE>(point)[0] != 0
            && self.liberty_after::<SIDE>(point).is_some()
            && !self.makes_nakade::<SIDE>(point)
    }
}
