//! Uniformly random playouts in which nobody fills an eye of his own.

use super::{
    board::{Sized, Board, with_stones},
    point::Point, stones::Stones,
};
use ludus_core::{Random, Side};

/// Plays random moves on `board`, `turn` first, until neither side has a sensible move, and returns
/// the area of the first side minus that of the second.
///
/// Every move is drawn with equal chance from all that are legal under simple ko without suicide
/// and that fill no eye of the mover's; a side without any passes. Cycles longer than a ko are cut
/// after three moves a point.
pub fn play_out(board: &mut Board, turn: Side, random: &mut Random) -> i32 {
    with_stones!(&mut board.stones, stones => stones.play_out(turn, random))
}

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize> Stones<ROOM, STRIDE, LENGTH> {
    fn play_out(&mut self, turn: Side, random: &mut Random) -> i32 {
        let mut turn = turn;
        let mut passed = false;
        let points = self.size * self.size;
        for _ in 0..3 * points {
            let moved = match turn {
                Side::First => self.step::<0>(random),
                Side::Second => self.step::<1>(random),
            };
            if !moved && passed {
                break;
            }
            passed = !moved;
            turn = !turn;
        }
        self.settled_area()
    }

    #[inline(always)]
    fn step<const SIDE: usize>(&mut self, random: &mut Random) -> bool {
        if let Some(point) = self.draw_move::<SIDE>(random) {
            self.play::<SIDE, false>(point);
            true
        } else {
            self.ko = Point::NOWHERE;
            false
        }
    }

    /// One of the sensible moves, each with the same chance: draws from the empty points and puts
    /// every refused one behind those still to draw from.
    #[inline(always)]
    fn draw_move<const SIDE: usize>(&mut self, random: &mut Random) -> Option<Point> {
        let mut untried = self.empty;
        while untried > 0 {
            let place = random.below(untried);
            let point = self.empty_at(place);
            if self.sensible::<SIDE>(point) {
                return Some(point);
            }
            untried -= 1;
            self.swap_empties(place, untried);
        }
        None
    }

    fn settled_area(&self) -> i32 {
        let [first, second] = self.counts.map(i32::from);
        let mut margin = first - second;
        for place in 0..self.empty {
            let around = self.neighbourhood(self.empty_at(place));
            let (low, high) = (around & 0x55, around >> 1 & 0x55);
            let (b, w) = (low & !high != 0, high & !low != 0);
            margin += i32::from(b && !w) - i32::from(w && !b);
        }
        margin
    }
}
