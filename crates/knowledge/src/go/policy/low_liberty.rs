//! Chains with two liberties beside the last move: own ones gain more, and the enemy's is kept from
//! gaining any.

use super::PolicyView;
use super::points::Points;
use ludus_games::go::{Point, stones::EMPTY};

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize>
    PolicyView<'_, ROOM, STRIDE, LENGTH>
{
    /// The liberties on which the chain of the last move, if it has two, would gain more, and those
    /// on which chains of `SIDE` with two liberties beside the last move would. `ENEMY` is the
    /// other side.
    #[inline(always)]
    pub(super) fn propose_low_liberty<const SIDE: usize, const ENEMY: usize>(
        self,
        last: Point,
        out: &mut Points,
    ) {
        if self.content(last) == EMPTY {
            return;
        }
        self.propose_gains::<ENEMY>(last, out);
        let [mut friends, _] = self.beside::<SIDE>(last);
        let mut seen = Point::NOWHERE;
        while friends != 0 {
            let friend = Self::behind(last, friends);
            friends &= friends - 1;
            if self.chain(friend) != seen {
                seen = self.chain(friend);
                self.propose_gains::<SIDE>(friend, out);
            }
        }
    }

    /// The liberties of the chain of `SIDE` at `stone`, if it has two, on which it gains more.
    #[inline(always)]
    fn propose_gains<const SIDE: usize>(self, stone: Point, out: &mut Points) {
        if let Some([one, other]) = self.two_liberties(stone) {
            if self.gains_liberties::<SIDE>(one, other) {
                out.add(one);
            }
            if self.gains_liberties::<SIDE>(other, one) {
                out.add(other);
            }
        }
    }
}
