//! Random moves that put own stones in atari: most of them are blunders.

use super::{
    super::{
        point::Point,
        stones::{Stones, count},
    },
    Policy, happens,
};
use ludus_core::Random;

/// Fewer stones than these that are given away may be a throw-in.
const FEWEST_IN_SEKI: usize = 3;

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize> Stones<ROOM, STRIDE, LENGTH> {
    /// What becomes of a random move of `SIDE` that leaves a chain with one liberty: a better one
    /// instead, the same, or none.
    pub(super) fn second_thought<const SIDE: usize, const ENEMY: usize>(
        &self,
        point: Point,
        policy: &Policy,
        random: &mut Random,
    ) -> Option<Point> {
        let is_lone = self.beside::<SIDE>(point)[0] == 0;
        let better = match is_lone {
            true if happens(policy.shift, random) => self.shift::<SIDE>(point),
            false if happens(policy.correction, random) => self.correct::<SIDE>(point),
            _ => None,
        };
        if better.is_some() {
            return better;
        }
        let is_refused = policy.seki && self.spoils_a_seki::<SIDE, ENEMY>(point)
            || happens(policy.rejection, random) && self.is_waste::<SIDE>(point);
        (!is_refused).then_some(point)
    }

    /// For a lone stone of `SIDE` with one liberty that captures nothing: that liberty, if a stone
    /// there has more or captures something.
    pub(super) fn shift<const SIDE: usize>(&self, point: Point) -> Option<Point> {
        let other = self.liberty_after::<SIDE>(point)?;
        let better = count(self.word_at(other)) >= 2 || self.captures_at::<SIDE>(other);
        (better && other != self.ko).then_some(other)
    }

    /// Whether a stone of `SIDE` on the empty `point` captures anything.
    fn captures_at<const SIDE: usize>(&self, point: Point) -> bool {
        let [_, mut enemies] = self.beside::<SIDE>(point);
        let mut captures = false;
        while enemies != 0 {
            captures |= self.is_in_atari(self.chain_behind(point, enemies));
            enemies &= enemies - 1;
        }
        captures
    }

    /// Whether whoever plays on the empty `point` leaves a chain of its own with one liberty, and for
    /// `SIDE` that is neither a throw-in nor an attack on an eye: a point of a seki.
    pub(super) fn spoils_a_seki<const SIDE: usize, const ENEMY: usize>(
        &self,
        point: Point,
    ) -> bool {
        let [_, enemies] = self.beside::<SIDE>(point);
        enemies != 0
            && self.is_self_atari::<SIDE>(point)
            && self.joined_size::<SIDE>(point) >= FEWEST_IN_SEKI
            && self.is_self_atari::<ENEMY>(point)
            && !self.makes_nakade::<SIDE>(point)
    }

    /// For a move of `SIDE` that leaves a chain with one liberty: that liberty, if a stone there is
    /// the better way to use the two.
    pub(super) fn correct<const SIDE: usize>(&self, point: Point) -> Option<Point> {
        let other = self.liberty_after::<SIDE>(point)?;
        let better = self.is_sensible::<SIDE>(other) && !self.is_self_atari::<SIDE>(other);
        better.then_some(other)
    }

    /// Whether a move of `SIDE` that leaves its chain with one liberty gives stones away: it joins
    /// some, captures none, and is no attack on an eye. A single stone may be a throw-in.
    pub(super) fn is_waste<const SIDE: usize>(&self, point: Point) -> bool {
        self.beside::<SIDE>(point)[0] != 0
            && self.liberty_after::<SIDE>(point).is_some()
            && !self.makes_nakade::<SIDE>(point)
    }
}
