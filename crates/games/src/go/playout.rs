//! Uniformly random playouts that fill no own eye.

use super::{board::GoBoard, point::Point, stones::Stones};
use crate::with_stones;
use ludus_core::{Random, Side};

/// Plays random moves on `board`, `turn` first, until both sides pass, and returns the area of the
/// first side minus that of the second. `passes` is the number of passes just before.
///
/// Every move is drawn with equal chance from all that are legal under simple ko without suicide
/// and that fill no eye of the mover's ([`GoBoard::is_eye`]); a side without any passes. Cycles
/// longer than a ko are cut after three moves a point.
pub fn play_out(board: &mut GoBoard, turn: Side, passes: u8, random: &mut Random) -> i32 {
    play_out_recorded(board, turn, passes, random, |_| {})
}

/// [`play_out`] that calls `note` with every move; `None` is a pass.
pub fn play_out_recorded(
    board: &mut GoBoard,
    turn: Side,
    passes: u8,
    random: &mut Random,
    note: impl FnMut(Option<Point>),
) -> i32 {
    with_stones!(&mut board.stones, stones => stones.play_out(turn, passes, random, note))
}

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize> Stones<ROOM, STRIDE, LENGTH> {
    fn play_out(
        &mut self,
        mut turn: Side,
        mut passes: u8,
        random: &mut Random,
        mut note: impl FnMut(Option<Point>),
    ) -> i32 {
        for _ in 0..3 * self.size * self.size {
            let moved = match turn {
                Side::First => self.play_random::<0>(random),
                Side::Second => self.play_random::<1>(random),
            };
            note(moved);
            passes = if moved.is_some() { 0 } else { passes + 1 };
            if passes >= 2 {
                break;
            }
            turn = !turn;
        }
        self.area()
    }

    /// Makes a random sensible move, or passes and returns `None`.
    #[inline(always)]
    fn play_random<const SIDE: usize>(&mut self, random: &mut Random) -> Option<Point> {
        let point = self.draw_move::<SIDE>(random);
        if let Some(point) = point {
            self.play::<SIDE, false>(point);
        } else {
            self.ko = Point::NOWHERE;
        }
        point
    }

    /// One of the sensible moves, each with the same chance: draws from the empty points and puts
    /// every refused one behind those still to draw from.
    #[inline(always)]
    fn draw_move<const SIDE: usize>(&mut self, random: &mut Random) -> Option<Point> {
        let mut untried = self.empty;
        while untried > 0 {
            let place = random.below(untried);
            let point = self.empty_at(place);
            if self.is_sensible::<SIDE>(point) {
                return Some(point);
            }
            untried -= 1;
            self.swap_empties(place, untried);
        }
        None
    }

    /// Whether a playout may place a stone on the empty `point`: not into an eye of its own, not
    /// into death, not back into a ko. A point with an empty neighbour is none of these.
    #[inline(always)]
    pub fn is_sensible<const SIDE: usize>(&self, point: Point) -> bool {
        self.is_open(point)
            || !self.is_eye::<SIDE>(point) && point != self.ko && !self.is_suicide::<SIDE>(point)
    }

    /// The area of the first side minus that of the second: stones and what they surround.
    pub fn area(&self) -> i32 {
        let [first, second] = self.counts.map(i32::from);
        let [first_territory, second_territory] = self.territory().map(|points| points as i32);
        first + first_territory - second - second_territory
    }
}
