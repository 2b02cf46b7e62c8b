//! Move generator of the rule sets with flying kings: men move forward, kings move and capture along
//! whole diagonals.

use super::{
    board::{BoardGeometry, bits},
    generator::Generator,
    moves::{CaptureCounter, CaptureList, CapturePaths, CaptureSink, DraughtsMove},
    position::Draughts,
    rule_set::CapturePreference,
    rules::Colour,
    static_rules::{RankedCapture, StaticRules, capture_rank},
};
use std::marker::PhantomData;

/// Captures of fewer pieces are never found by two paths.
const MIN_LOOP_CAPTURES: u32 = 2;

/// The generator for a rule set.
pub struct FlyingKings<R>(PhantomData<R>);

impl<R: StaticRules> Generator for FlyingKings<R> {
    const FLYING_KINGS: bool = true;

    #[inline]
    fn can_capture(position: &Draughts) -> bool {
        View::<R>::new(*position).can_capture()
    }

    #[inline]
    fn count(position: &Draughts) -> usize {
        count::<R>(*position)
    }

    #[inline]
    fn list(position: &Draughts, out: &mut Vec<DraughtsMove>) {
        list::<R>(*position, out);
    }

    /// A king that captures on along the same line does so from the first square behind the captured
    /// piece: where it could have rested makes no path.
    fn paths(position: &Draughts) -> CapturePaths {
        let mut paths = CapturePaths::default();
        View::<R>::new(*position).captures(&mut paths);
        paths
    }
}

#[inline(never)] // a call here must not force English positions out of registers
fn count<R: StaticRules>(position: Draughts) -> usize {
    let view = View::<R>::new(position);
    if !view.can_capture() {
        return view.count_quiet();
    }
    if R::PREFERS {
        let mut sink = CaptureCounter::<MIN_LOOP_CAPTURES, true>::default();
        view.captures(&mut sink);
        sink.count
    } else {
        let mut sink = CaptureCounter::<MIN_LOOP_CAPTURES, false>::default();
        view.captures(&mut sink);
        sink.count
    }
}

#[inline(never)]
fn list<R: StaticRules>(position: Draughts, out: &mut Vec<DraughtsMove>) {
    let view = View::<R>::new(position);
    if !view.can_capture() {
        view.list_quiet(out);
    } else if R::PREFERS {
        view.captures(&mut CaptureList::<MIN_LOOP_CAPTURES, true>::new(out));
    } else {
        view.captures(&mut CaptureList::<MIN_LOOP_CAPTURES, false>::new(out));
    }
}

/// The board from the view of the side to move.
struct View<R> {
    men: u64,
    /// The kings of both sides.
    kings: u64,
    other: u64,
    empty: u64,
    colour: Colour,
    variant: PhantomData<R>,
}

impl<R: StaticRules> View<R> {
    #[inline]
    fn new(position: Draughts) -> View<R> {
        let Draughts { own, other, kings, colour, .. } = position;
        View {
            men: own & !kings,
            kings,
            other,
            empty: R::Board::SQUARES & !(own | other),
            colour,
            variant: PhantomData,
        }
    }

    /// The two directions in which men move.
    #[inline]
    fn forward(&self) -> [u32; 2] {
        forward::<R>(self.colour)
    }

    #[inline]
    fn own_kings(&self) -> u64 {
        self.kings & !self.other
    }

    /// Men that can capture.
    #[inline]
    fn capturing_men(&self) -> u64 {
        let from = |direction: u32| {
            let over = self.empty.rotate_right(direction) & self.other;
            over.rotate_right(direction)
        };
        if R::SET.men_capture_backwards {
            let [a, b, c, d] = R::Board::DIRECTIONS.map(from);
            self.men & (a | b | c | d)
        } else {
            let [a, b] = self.forward().map(from);
            self.men & (a | b)
        }
    }

    fn can_capture(&self) -> bool {
        let kings = self.own_kings();
        self.capturing_men() != 0
            || kings != 0
                && R::Board::DIRECTIONS.iter().any(|&direction| {
                    let hit = self.slide(kings, direction, |_| {}) & self.other;
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
        let kings = self.own_kings();
        if kings != 0 {
            for direction in R::Board::DIRECTIONS {
                self.slide(kings, direction, |reached| count += reached.count_ones());
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
        for from in bits(self.own_kings()) {
            for direction in R::Board::DIRECTIONS {
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
        for from in bits(self.own_kings()) {
            self.capturer(from, sink).king(1 << from, 0, 0, NO_DIRECTION);
        }
    }

    fn capturer<'a, S: CaptureSink>(&self, from: u32, sink: &'a mut S) -> Capturer<'a, R, S> {
        Capturer {
            from,
            other: self.other,
            kings: self.kings,
            empty: self.empty | 1 << from,
            colour: self.colour,
            sink,
            variant: PhantomData,
        }
    }
}

/// The two directions in which men of `colour` move.
#[inline]
fn forward<R: StaticRules>(colour: Colour) -> [u32; 2] {
    let [down_left, down_right, up_right, up_left] = R::Board::DIRECTIONS;
    match colour {
        Colour::Black => [down_left, down_right],
        Colour::White => [up_right, up_left],
    }
}

/// No direction is skipped.
const NO_DIRECTION: u32 = 0;

/// A piece that captures. Captured pieces stay on the board until it has finished: they cannot be
/// jumped again and they block the way.
struct Capturer<'a, R, S> {
    from: u32,
    other: u64,
    /// The kings of both sides before the move.
    kings: u64,
    /// Empty squares, the start included.
    empty: u64,
    colour: Colour,
    sink: &'a mut S,
    variant: PhantomData<R>,
}

impl<R: StaticRules, S: CaptureSink> Capturer<'_, R, S> {
    fn finish(&mut self, to: u32, captured: u64, length: u32) {
        let mv = DraughtsMove::capture(self.from, to, captured);
        let kings_in_order = const { no_preference_by_order::<R>() };
        let (pieces, kings) = (length, self.kings);
        let rank = capture_rank::<R>(RankedCapture { mv, pieces, kings, kings_in_order });
        self.sink.add(mv, length, rank);
    }

    fn man(&mut self, at: u64, captured: u64, length: u32) {
        let mut ended = true;
        for direction in R::Board::DIRECTIONS {
            if !R::SET.men_capture_backwards && !forward::<R>(self.colour).contains(&direction) {
                continue;
            }
            let over = at.rotate_left(direction) & self.other & !captured;
            let to = over.rotate_left(direction) & self.empty;
            if to == 0 {
                continue;
            }
            ended = false;
            let captured = captured | over;
            self.sink.enter(to.trailing_zeros());
            if !R::SET.crowned_in_passing || to & R::Board::CROWNING[self.colour as usize] == 0 {
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
    /// are any. Where the most pieces must be captured this leaves out no legal move.
    fn king(&mut self, at: u64, captured: u64, length: u32, skipped: u32) -> bool {
        let mut found = false;
        for direction in R::Board::DIRECTIONS {
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

/// The order of captured kings, which no rule set with flying kings asks for: it is not followed here.
const fn no_preference_by_order<R: StaticRules>() -> u16 {
    let mut index = 0;
    while index < R::SET.capture_preferences.len() {
        assert!(!matches!(R::SET.capture_preferences[index], CapturePreference::KingsFirst));
        index += 1;
    }
    0
}
