//! Saving chains that the last move put in atari: by running, unless into a ladder, or by capturing
//! one of the attackers.

use super::PolicyView;
use super::points::Points;
use ludus_games::go::Point;

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize>
    PolicyView<'_, ROOM, STRIDE, LENGTH>
{
    /// The moves of `SIDE` that save its chains in atari beside the last move.
    #[inline(always)]
    pub(super) fn propose_defence<const SIDE: usize>(
        self,
        last: Point,
        ladders: bool,
        out: &mut Points,
    ) {
        let [mut friends, _] = self.beside::<SIDE>(last);
        while friends != 0 {
            let chain = self.chain_behind(last, friends);
            friends &= friends - 1;
            if self.is_in_atari(chain) {
                self.save::<SIDE>(chain, ladders, out);
            }
        }
    }

    /// The moves that save the chain of `SIDE` headed by `chain`, which is in atari.
    pub(super) fn save<const SIDE: usize>(self, chain: Point, ladders: bool, out: &mut Points) {
        let liberty = self.last_liberty(chain).expect("it is in atari");
        let dies =
            self.is_self_atari::<SIDE>(liberty) || ladders && self.is_caught::<SIDE>(liberty, 0);
        if !dies {
            out.add(liberty);
        }
        self.propose_attackers::<SIDE>(chain, out);
    }

    /// The captures of enemy chains beside the chain of `SIDE` at `stone`.
    pub(super) fn propose_attackers<const SIDE: usize>(self, stone: Point, out: &mut Points) {
        let mut here = stone;
        loop {
            self.propose_captures_beside::<SIDE>(here, out);
            here = self.next_stone(here);
            if here == stone {
                break;
            }
        }
    }

    /// The captures of enemy chains beside `stone`.
    #[inline(always)]
    fn propose_captures_beside<const SIDE: usize>(self, stone: Point, out: &mut Points) {
        let [_, mut enemies] = self.beside::<SIDE>(stone);
        while enemies != 0 {
            let attacker = self.chain_behind(stone, enemies);
            enemies &= enemies - 1;
            if self.is_in_atari(attacker) {
                out.add(self.last_liberty(attacker).expect("it is in atari"));
            }
        }
    }
}
