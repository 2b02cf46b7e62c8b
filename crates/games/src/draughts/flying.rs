//! Move generator of the rule sets with flying kings: men move forward and capture in all
//! directions, kings move and capture along whole diagonals.

use super::{
    board::{Board, Eight, Ten, bits},
    moves::{CaptureCounter, CaptureList, CapturePaths, CaptureSink, DraughtsMove},
    position::Draughts,
    rules::Colour,
};
use std::marker::PhantomData;

/// The differences between the rule sets with flying kings.
pub(super) trait FlyingRules {
    type Board: Board;
    /// Only captures of the most pieces are legal.
    const MAJORITY: bool;
    /// A man that touches the crowning row while capturing goes on as a king.
    const CROWNS_IN_PASSING: bool;
}

pub(super) struct Brazilian;
impl FlyingRules for Brazilian {
    type Board = Eight;
    const MAJORITY: bool = true;
    const CROWNS_IN_PASSING: bool = false;
}

pub(super) struct Russian;
impl FlyingRules for Russian {
    type Board = Eight;
    const MAJORITY: bool = false;
    const CROWNS_IN_PASSING: bool = true;
}

pub(super) struct International;
impl FlyingRules for International {
    type Board = Ten;
    const MAJORITY: bool = true;
    const CROWNS_IN_PASSING: bool = false;
}

/// Captures of fewer pieces are never found by two paths.
const MIN_LOOP_CAPTURES: u32 = 2;

/// Whether there is a capture.
#[inline]
pub(super) fn can_capture<V: FlyingRules>(position: Draughts) -> bool {
    MoveGenerator::<V>::new(position).can_capture()
}

/// The number of moves.
#[inline(never)] // a call here must not force English positions out of registers
pub(super) fn count<V: FlyingRules>(position: Draughts) -> usize {
    let generator = MoveGenerator::<V>::new(position);
    if !generator.can_capture() {
        return generator.count_quiet();
    }
    if V::MAJORITY {
        let mut sink = CaptureCounter::<MIN_LOOP_CAPTURES, true>::default();
        generator.captures(&mut sink);
        sink.count
    } else {
        let mut sink = CaptureCounter::<MIN_LOOP_CAPTURES, false>::default();
        generator.captures(&mut sink);
        sink.count
    }
}

/// Appends every move.
#[inline(never)]
pub(super) fn list<V: FlyingRules>(position: Draughts, out: &mut Vec<DraughtsMove>) {
    let generator = MoveGenerator::<V>::new(position);
    if !generator.can_capture() {
        generator.list_quiet(out);
    } else if V::MAJORITY {
        generator.captures(&mut CaptureList::<MIN_LOOP_CAPTURES, true>::new(out));
    } else {
        generator.captures(&mut CaptureList::<MIN_LOOP_CAPTURES, false>::new(out));
    }
}

/// Every capture by every path. A king that captures on along the same line does so from
/// the first square behind the captured piece: where it could have rested makes no path.
pub(super) fn paths<V: FlyingRules>(position: Draughts) -> CapturePaths {
    let mut paths = CapturePaths::default();
    MoveGenerator::<V>::new(position).captures(&mut paths);
    if V::MAJORITY {
        paths.keep_longest();
    }
    paths
}

/// The board from the view of the side to move.
struct MoveGenerator<V> {
    men: u64,
    kings: u64,
    other: u64,
    empty: u64,
    colour: Colour,
    variant: PhantomData<V>,
}

impl<V: FlyingRules> MoveGenerator<V> {
    #[inline]
    fn new(position: Draughts) -> MoveGenerator<V> {
        let Draughts { own, other, kings, colour, .. } = position;
        MoveGenerator {
            men: own & !kings,
            kings: own & kings,
            other,
            empty: V::Board::SQUARES & !(own | other),
            colour,
            variant: PhantomData,
        }
    }

    /// The two directions in which men move.
    #[inline]
    fn forward(&self) -> [u32; 2] {
        let [down_left, down_right, up_right, up_left] = V::Board::DIRECTIONS;
        match self.colour {
            Colour::Black => [down_left, down_right],
            Colour::White => [up_right, up_left],
        }
    }

    /// Men that can capture.
    #[inline]
    fn capturing_men(&self) -> u64 {
        let from = |direction: u32| {
            let over = self.empty.rotate_right(direction) & self.other;
            over.rotate_right(direction)
        };
        let [a, b, c, d] = V::Board::DIRECTIONS.map(from);
        self.men & (a | b | c | d)
    }

    fn can_capture(&self) -> bool {
        self.capturing_men() != 0
            || self.kings != 0
                && V::Board::DIRECTIONS.iter().any(|&direction| {
                    let hit = self.slide(self.kings, direction, |_| {}) & self.other;
                    hit.rotate_left(direction) & self.empty != 0
                })
    }

    /// Slides `pieces` over empty squares, showing each set of squares reached, and returns the
    /// first squares that were not empty.
    #[inline]
    fn slide(&self, pieces: u64, direction: u32, mut reached: impl FnMut(u64)) -> u64 {
        let mut stopped = 0;
        let mut moving = pieces;
        while moving != 0 {
            moving = moving.rotate_left(direction);
            stopped |= moving & !self.empty;
            moving &= self.empty;
            reached(moving);
        }
        stopped
    }

    fn count_quiet(&self) -> usize {
        let steps = self.forward().map(|direction| self.men.rotate_left(direction) & self.empty);
        let mut count = steps[0].count_ones() + steps[1].count_ones();
        if self.kings != 0 {
            for direction in V::Board::DIRECTIONS {
                self.slide(self.kings, direction, |reached| count += reached.count_ones());
            }
        }
        count as usize
    }

    fn list_quiet(&self, out: &mut Vec<DraughtsMove>) {
        for direction in self.forward() {
            for to in bits(self.men.rotate_left(direction) & self.empty) {
                out.push(DraughtsMove::quiet(to.wrapping_sub(direction) & 63, to));
            }
        }
        for from in bits(self.kings) {
            for direction in V::Board::DIRECTIONS {
                self.slide(1 << from, direction, |reached| {
                    if reached != 0 {
                        out.push(DraughtsMove::quiet(from, reached.trailing_zeros()));
                    }
                });
            }
        }
    }

    fn captures<S: CaptureSink>(&self, sink: &mut S) {
        for from in bits(self.capturing_men()) {
            self.capturer(from, sink).man(1 << from, 0, 0);
        }
        for from in bits(self.kings) {
            self.capturer(from, sink).king(1 << from, 0, 0, NO_DIRECTION);
        }
    }

    fn capturer<'a, S: CaptureSink>(&self, from: u32, sink: &'a mut S) -> Capturer<'a, V, S> {
        Capturer {
            from,
            other: self.other,
            empty: self.empty | 1 << from,
            crowning: V::Board::CROWNING[self.colour as usize],
            sink,
            variant: PhantomData,
        }
    }
}

/// No direction is skipped.
const NO_DIRECTION: u32 = 0;

/// A piece that captures. Captured pieces stay on the board until it has finished: they cannot be
/// jumped again and they block the way.
struct Capturer<'a, V, S> {
    from: u32,
    other: u64,
    /// Empty squares, the start included.
    empty: u64,
    crowning: u64,
    sink: &'a mut S,
    variant: PhantomData<V>,
}

impl<V: FlyingRules, S: CaptureSink> Capturer<'_, V, S> {
    fn finish(&mut self, to: u32, captured: u64, length: u32) {
        self.sink.add(DraughtsMove::capture(self.from, to, captured), length);
    }

    fn man(&mut self, at: u64, captured: u64, length: u32) {
        let mut ended = true;
        for direction in V::Board::DIRECTIONS {
            let over = at.rotate_left(direction) & self.other & !captured;
            let to = over.rotate_left(direction) & self.empty;
            if to == 0 {
                continue;
            }
            ended = false;
            let captured = captured | over;
            self.sink.enter(to.trailing_zeros());
            if !V::CROWNS_IN_PASSING || to & self.crowning == 0 {
                self.man(to, captured, length + 1);
            } else if !self.king(to, captured, length + 1, NO_DIRECTION) {
                self.finish(to.trailing_zeros(), captured, length + 1);
            }
            self.sink.leave();
        }
        if ended {
            self.finish(at.trailing_zeros(), captured, length);
        }
    }

    /// Captures on from `at`, leaving out direction `skipped`; returns whether that was possible.
    ///
    /// Of the squares a king can land on, those from which it can capture on come first if there
    /// are any. Under the majority rule this leaves out no legal move.
    fn king(&mut self, at: u64, captured: u64, length: u32, skipped: u32) -> bool {
        let mut found = false;
        for direction in V::Board::DIRECTIONS {
            if direction == skipped {
                continue;
            }
            let (over, landings) = self.jump(at, direction, captured);
            if landings == 0 {
                continue;
            }
            found = true;
            let captured = captured | over;
            let mut continued = false;
            // Captures straight ahead are the same from every landing square; only the first tries
            // it.
            let mut skipped = NO_DIRECTION;
            let nearest = over.rotate_left(direction);
            for to in std::iter::once(nearest.trailing_zeros()).chain(bits(landings & !nearest)) {
                self.sink.enter(to);
                continued |= self.king(1 << to, captured, length + 1, skipped);
                self.sink.leave();
                skipped = direction;
            }
            if !continued {
                for to in bits(landings) {
                    self.sink.enter(to);
                    self.finish(to, captured, length + 1);
                    self.sink.leave();
                }
            }
        }
        found
    }

    /// The first piece a king meets from `at`, if it can be captured, and the empty squares behind.
    #[inline]
    fn jump(&self, at: u64, direction: u32, captured: u64) -> (u64, u64) {
        let mut next = at.rotate_left(direction);
        while next & self.empty != 0 {
            next = next.rotate_left(direction);
        }
        let over = next & self.other & !captured;
        let mut landings = 0;
        let mut behind = over.rotate_left(direction) & self.empty;
        while behind != 0 {
            landings |= behind;
            behind = behind.rotate_left(direction) & self.empty;
        }
        (over, landings)
    }
}
