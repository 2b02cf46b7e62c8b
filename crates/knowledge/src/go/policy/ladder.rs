//! Ladder reader: whether a chain that runs from atari is caught anyway.
//!
//! The attacker leaves the target one liberty at every move; the target runs there or captures an
//! attacking stone. It is caught when neither gives it two liberties, and free with three, or when
//! the limit of ataris is reached.

use super::PolicyView;
use super::points::Points;
use ludus_games::go::{
    Point,
    stones::{Stones, count},
};

/// Limit of the attacker's moves in one reading; beyond it the target counts as free.
const MAX_LADDER_ATARIS: u32 = 100;

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize>
    PolicyView<'_, ROOM, STRIDE, LENGTH>
{
    /// Whether a chain of `SIDE` that plays on its last liberty is then caught in a ladder of at
    /// least `ataris` ataris.
    pub(in super::super) fn is_caught<const SIDE: usize>(
        self,
        liberty: Point,
        ataris: u32,
    ) -> bool {
        if count(self.word_at(liberty)) >= 3 || self.runs_into_the_open::<SIDE>(liberty) {
            return false;
        }
        let mut board = *self.0;
        board.play::<SIDE, false>(liberty);
        PolicyView(&board).is_captured_in_ladder::<SIDE>(liberty, MAX_LADDER_ATARIS)
            && !(ataris > 0
                && PolicyView(&board).is_captured_in_ladder::<SIDE>(liberty, ataris - 1))
    }

    /// Whether a chain of `SIDE` that plays on its last liberty, and joins no other there, can run
    /// on to three liberties from either of two. This settles many cases without a copy of the
    /// board.
    fn runs_into_the_open<const SIDE: usize>(self, liberty: Point) -> bool {
        let empty = self.empty_beside(liberty);
        let [friends, _] = self.beside::<SIDE>(liberty);
        // One of the neighbours of a flight is the liberty itself.
        let is_open = |bits| count(self.word_at(Self::behind(liberty, bits))) == 4;
        friends.count_ones() == 1
            && empty.count_ones() == 2
            && is_open(empty)
            && is_open(empty & (empty - 1))
    }

    /// Whether the chain of `SIDE` at `target` is caught in a ladder of at most `max_ataris` ataris
    /// if the other side moves first.
    pub(super) fn is_captured_in_ladder<const SIDE: usize>(
        self,
        target: Point,
        max_ataris: u32,
    ) -> bool {
        let mut ataris_left = MAX_LADDER_ATARIS;
        match SIDE {
            0 => self.attack_ladder::<0, 1>(target, max_ataris, &mut ataris_left),
            _ => self.attack_ladder::<1, 0>(target, max_ataris, &mut ataris_left),
        }
    }

    /// The enemy move that starts a working ladder against the chain of `SIDE` at `target`, which
    /// must have two liberties.
    pub(in super::super) fn ladder_attack<const SIDE: usize>(self, target: Point) -> Option<Point> {
        let [one, other] = self.two_liberties(target)?;
        let mut ataris_left = MAX_LADDER_ATARIS;
        let mut catches = |attack, flight| match SIDE {
            0 => {
                self.catches::<0, 1>(target, [attack, flight], MAX_LADDER_ATARIS, &mut ataris_left)
            }
            _ => {
                self.catches::<1, 0>(target, [attack, flight], MAX_LADDER_ATARIS, &mut ataris_left)
            }
        };
        match catches(one, other) {
            true => Some(one),
            false => catches(other, one).then_some(other),
        }
    }

    /// Whether `ATTACKER`, to move, catches the chain of `SIDE` at `target` with at most
    /// `max_ataris` ataris.
    fn attack_ladder<const SIDE: usize, const ATTACKER: usize>(
        self,
        target: Point,
        max_ataris: u32,
        ataris_left: &mut u32,
    ) -> bool {
        let [one, other] = match *self.first_liberties::<3>(target).as_slice() {
            [one, other] => [one, other],
            ref liberties => return liberties.len() < 2,
        };
        // The target would rather run where there is more space, so that liberty is taken first.
        let room = |point| count(self.word_at(point));
        let [first, second] = if room(one) < room(other) { [other, one] } else { [one, other] };
        self.catches::<SIDE, ATTACKER>(target, [first, second], max_ataris, ataris_left)
            || self.catches::<SIDE, ATTACKER>(target, [second, first], max_ataris, ataris_left)
    }

    /// Whether `ATTACKER` catches the target with a stone on `attack`, which leaves it `flight`,
    /// and with at most `max_ataris` ataris in all.
    fn catches<const SIDE: usize, const ATTACKER: usize>(
        self,
        target: Point,
        [attack, flight]: [Point; 2],
        max_ataris: u32,
        ataris_left: &mut u32,
    ) -> bool {
        let room = count(self.word_at(flight)) - u64::from(self.are_beside(attack, flight));
        if max_ataris == 0
            || room >= 3
            || *ataris_left == 0
            || !self.is_playable::<ATTACKER>(attack)
        {
            return false;
        }
        *ataris_left -= 1;
        // A long ladder on a large board would overflow the stack of a thread.
        let mut board = Box::new(*self.0);
        board.play::<ATTACKER, false>(attack);
        let mut escapes = Points::new();
        PolicyView(&board).escapes::<SIDE>(target, &mut escapes);
        !escapes.as_slice().iter().any(|&escape| {
            let mut board = board.clone();
            board.play::<SIDE, false>(escape);
            !PolicyView(&board).attack_ladder::<SIDE, ATTACKER>(target, max_ataris - 1, ataris_left)
        })
    }

    /// The moves that may save the chain of `SIDE` at `target`, which is in atari.
    fn escapes<const SIDE: usize>(self, target: Point, out: &mut Points) {
        self.propose_attackers::<SIDE>(target, out);
        out.retain(|capture| self.is_playable::<SIDE>(capture));
        let flight = self.last_liberty(target).expect("the attacker has put it in atari");
        if !self.is_self_atari::<SIDE>(flight) {
            out.add(flight);
        }
    }

    /// Whether two points of the board are neighbours.
    fn are_beside(self, one: Point, other: Point) -> bool {
        Stones::<ROOM, STRIDE, LENGTH>::STEPS
            .into_iter()
            .any(|step| Stones::<ROOM, STRIDE, LENGTH>::neighbour(one, step) == other)
    }

    /// Whether a stone of `SIDE` on the empty `point` is legal under simple ko.
    #[inline(always)]
    pub(super) fn is_playable<const SIDE: usize>(self, point: Point) -> bool {
        self.is_open(point) || point != self.ko && !self.is_suicide::<SIDE>(point)
    }
}
