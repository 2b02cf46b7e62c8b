//! Ladders: whether a chain that runs from atari is caught all the same.
//!
//! The hunter leaves the prey one liberty at every move; the prey runs there or captures a hunter.
//! It is caught when neither gives it two liberties, and free with three, or when the reader has
//! seen so many moves that it is no ladder of this board.

use super::{
    super::{
        point::Point,
        stones::{Stones, count},
    },
    points::Points,
};

/// After so many moves of the hunter the prey counts as free.
const PATIENCE: u32 = 100;

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize> Stones<ROOM, STRIDE, LENGTH> {
    /// Whether a chain of `SIDE` that plays on its last liberty is then caught in a ladder, though not
    /// with fewer than so many ataris.
    pub(in super::super) fn is_caught<const SIDE: usize>(
        &self,
        liberty: Point,
        ataris: u32,
    ) -> bool {
        if count(self.word_at(liberty)) >= 3 || self.runs_into_the_open::<SIDE>(liberty) {
            return false;
        }
        let mut board = *self;
        board.play::<SIDE, false>(liberty);
        board.is_hunted_down::<SIDE>(liberty, PATIENCE)
            && !(ataris > 0 && board.is_hunted_down::<SIDE>(liberty, ataris - 1))
    }

    /// Whether a chain of `SIDE` that plays on its last liberty, and joins no other there, can run on
    /// to three liberties from either of two. This settles many cases without a copy of the board.
    fn runs_into_the_open<const SIDE: usize>(&self, liberty: Point) -> bool {
        let empty = self.empty_beside(liberty);
        let [friends, _] = self.beside::<SIDE>(liberty);
        // One of the neighbours of a flight is the liberty itself.
        let is_open = |bits| count(self.word_at(Self::behind(liberty, bits))) == 4;
        friends.count_ones() == 1
            && empty.count_ones() == 2
            && is_open(empty)
            && is_open(empty & (empty - 1))
    }

    /// Whether the chain of `SIDE` at `prey` is caught in a ladder of at most so many ataris if the other
    /// side moves first.
    pub(super) fn is_hunted_down<const SIDE: usize>(&self, prey: Point, most: u32) -> bool {
        let mut patience = PATIENCE;
        match SIDE {
            0 => self.hunt::<0, 1>(prey, most, &mut patience),
            _ => self.hunt::<1, 0>(prey, most, &mut patience),
        }
    }

    /// Where the other side starts a ladder that catches the chain of `SIDE` at `prey`, if this has
    /// two liberties and there is a ladder.
    pub(in super::super) fn ladder_attack<const SIDE: usize>(&self, prey: Point) -> Option<Point> {
        let [one, other] = self.two_liberties(prey)?;
        let mut patience = PATIENCE;
        let mut catches = |attack, flight| match SIDE {
            0 => self.catches::<0, 1>(prey, [attack, flight], PATIENCE, &mut patience),
            _ => self.catches::<1, 0>(prey, [attack, flight], PATIENCE, &mut patience),
        };
        match catches(one, other) {
            true => Some(one),
            false => catches(other, one).then_some(other),
        }
    }

    /// Whether `HUNTER`, to move, catches the chain of `SIDE` at `prey` with at most so many ataris.
    fn hunt<const SIDE: usize, const HUNTER: usize>(
        &self,
        prey: Point,
        most: u32,
        patience: &mut u32,
    ) -> bool {
        let [one, other] = match *self.first_liberties::<3>(prey).as_slice() {
            [one, other] => [one, other],
            ref liberties => return liberties.len() < 2,
        };
        // The prey would rather run where there is more room, so that is tried first.
        let room = |point| count(self.word_at(point));
        let [first, second] = if room(one) < room(other) { [other, one] } else { [one, other] };
        self.catches::<SIDE, HUNTER>(prey, [first, second], most, patience)
            || self.catches::<SIDE, HUNTER>(prey, [second, first], most, patience)
    }

    /// Whether `HUNTER` catches the prey with a stone on `attack`, which leaves it `flight`, and with at
    /// most so many ataris in all.
    fn catches<const SIDE: usize, const HUNTER: usize>(
        &self,
        prey: Point,
        [attack, flight]: [Point; 2],
        most: u32,
        patience: &mut u32,
    ) -> bool {
        let room = count(self.word_at(flight)) - u64::from(self.are_beside(attack, flight));
        if most == 0 || room >= 3 || *patience == 0 || !self.is_playable::<HUNTER>(attack) {
            return false;
        }
        *patience -= 1;
        // A long ladder on a large board would overflow the stack of a thread.
        let mut board = Box::new(*self);
        board.play::<HUNTER, false>(attack);
        let mut escapes = Points::new();
        board.escapes::<SIDE>(prey, &mut escapes);
        !escapes.as_slice().iter().any(|&escape| {
            let mut board = board.clone();
            board.play::<SIDE, false>(escape);
            !board.hunt::<SIDE, HUNTER>(prey, most - 1, patience)
        })
    }

    /// The moves that may save the chain of `SIDE` at `prey`, which is in atari.
    fn escapes<const SIDE: usize>(&self, prey: Point, out: &mut Points) {
        self.propose_attackers::<SIDE>(prey, out);
        out.retain(|capture| self.is_playable::<SIDE>(capture));
        let flight = self.last_liberty(prey).expect("the hunter has put it in atari");
        if !self.is_self_atari::<SIDE>(flight) {
            out.add(flight);
        }
    }

    /// Whether two points of the board are neighbours.
    fn are_beside(&self, one: Point, other: Point) -> bool {
        Self::STEPS.into_iter().any(|step| Self::neighbour(one, step) == other)
    }

    /// Whether a stone of `SIDE` on the empty `point` is legal under simple ko.
    #[inline(always)]
    pub(super) fn is_playable<const SIDE: usize>(&self, point: Point) -> bool {
        self.is_open(point) || point != self.ko && !self.is_suicide::<SIDE>(point)
    }
}
