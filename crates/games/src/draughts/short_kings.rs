//! Move generator of the rule sets with short kings: men move and capture forward only, kings move
//! and capture one square in all directions.

use super::{
    board::{BoardGeometry, Eight, bits},
    generator::Generator,
    moves::{CaptureCounter, CaptureList, CapturePaths, CaptureSink, DraughtsMove},
    position::Draughts,
    rules::Colour,
    static_rules::{RankedCapture, StaticRules, capture_rank},
};
use std::marker::PhantomData;

const SHORT: u32 = Eight::WIDTH;
const LONG: u32 = Eight::LONG_SHIFT;
/// Captures of fewer pieces are never found by two paths: it takes a round trip.
const MIN_LOOP_CAPTURES: u32 = 4;

/// The generator for a rule set.
pub struct ShortKings<R>(PhantomData<R>);

impl<R: StaticRules> Generator for ShortKings<R> {
    const FLYING_KINGS: bool = false;

    #[inline]
    fn can_capture(position: &Draughts) -> bool {
        match position.colour {
            Colour::Black => can_capture::<R, true>(position),
            Colour::White => can_capture::<R, false>(position),
        }
    }

    #[inline(always)]
    fn count(position: &Draughts) -> usize {
        match position.colour {
            Colour::Black => count::<R, true>(*position),
            Colour::White => count::<R, false>(*position),
        }
    }

    #[inline]
    fn list(position: &Draughts, out: &mut Vec<DraughtsMove>) {
        match position.colour {
            Colour::Black => list::<R, true>(*position, out),
            Colour::White => list::<R, false>(*position, out),
        }
    }

    fn paths(position: &Draughts) -> CapturePaths {
        let mut paths = CapturePaths::default();
        match position.colour {
            Colour::Black => captures::<R, true, _>(*position, &mut paths),
            Colour::White => captures::<R, false, _>(*position, &mut paths),
        }
        paths
    }
}

/// Shifts towards the crowning row of the side to move.
#[inline]
fn ahead<const BLACK: bool>(set: u64, distance: u32) -> u64 {
    if BLACK { set << distance } else { set >> distance }
}

/// Shifts away from it.
#[inline]
fn behind<const BLACK: bool>(set: u64, distance: u32) -> u64 {
    if BLACK { set >> distance } else { set << distance }
}

/// Squares, occupied or not, from which a jump ahead over an enemy to an empty square is possible.
struct Jumps {
    near: u64,
    far: u64,
}

impl Jumps {
    #[inline]
    fn new<const BLACK: bool>(other: u64, empty: u64) -> Jumps {
        let from = |distance| behind::<BLACK>(behind::<BLACK>(empty, distance) & other, distance);
        Jumps { near: from(SHORT), far: from(LONG) }
    }

    /// The squares with a jump in either direction.
    #[inline]
    fn ahead(&self) -> u64 {
        self.near | self.far
    }
}

/// The enemies that men can capture.
#[inline]
fn prey_of_men<R: StaticRules>(other: u64, kings: u64) -> u64 {
    if R::SET.men_capture_kings { other } else { other & !kings }
}

/// Squares, occupied or not, from which a king can jump where a man cannot.
#[inline]
fn jumps_of_kings<R: StaticRules, const BLACK: bool>(other: u64, empty: u64) -> u64 {
    let from = |distance| ahead::<BLACK>(ahead::<BLACK>(empty, distance) & other, distance);
    let back = from(SHORT) | from(LONG);
    if R::SET.men_capture_kings { back } else { back | Jumps::new::<BLACK>(other, empty).ahead() }
}

#[inline]
fn can_capture<R: StaticRules, const BLACK: bool>(position: &Draughts) -> bool {
    let Draughts { own, other, kings, .. } = *position;
    let empty = Eight::SQUARES & !(own | other);
    let jumps = Jumps::new::<BLACK>(prey_of_men::<R>(other, kings), empty);
    own & (jumps.ahead() | kings & jumps_of_kings::<R, BLACK>(other, empty)) != 0
}

/// Counts moves by sets, without a list, unless a king captures or some captures are preferred to
/// others.
#[inline(always)]
fn count<R: StaticRules, const BLACK: bool>(position: Draughts) -> usize {
    if R::PREFERS {
        return count_preferred::<R, BLACK>(position);
    }
    let Draughts { own, other, kings, .. } = position;
    let empty = Eight::SQUARES & !(own | other);
    let jumps = Jumps::new::<BLACK>(prey_of_men::<R>(other, kings), empty);
    if own & kings != 0 {
        return count_with_kings::<R, BLACK>(own, other, kings);
    }
    if own & jumps.ahead() != 0 {
        return count_men_jumps::<BLACK>(own, &jumps);
    }
    ((ahead::<BLACK>(own, SHORT) & empty).count_ones()
        + (ahead::<BLACK>(own, LONG) & empty).count_ones()) as usize
}

#[inline(never)] // as in `count_with_kings`
fn count_preferred<R: StaticRules, const BLACK: bool>(position: Draughts) -> usize {
    if !can_capture::<R, BLACK>(&position) {
        let Draughts { own, other, kings, .. } = position;
        return count_steps::<BLACK>(own, own & kings, Eight::SQUARES & !(own | other));
    }
    let mut sink = CaptureCounter::<MIN_LOOP_CAPTURES, true>::default();
    captures::<R, BLACK, _>(position, &mut sink);
    sink.count
}

/// Complete jump paths of men. A man only goes forward, so what it has captured or left behind
/// never matters to the rest of its path, and no two paths of one man capture the same pieces:
/// all men can jump at once, as sets.
#[inline]
fn count_men_jumps<const BLACK: bool>(men: u64, jumps: &Jumps) -> usize {
    let near = men & jumps.near;
    let far = men & jumps.far;
    let landed_near = ahead::<BLACK>(near, 2 * SHORT);
    let landed_far = ahead::<BLACK>(far, 2 * LONG);
    let count = near.count_ones() + far.count_ones();
    if (landed_near | landed_far) & jumps.ahead() == 0 {
        return count as usize;
    }
    count_paths::<BLACK>(landed_near, jumps) + count_paths::<BLACK>(landed_far, jumps)
}

/// The number of continuations of men that have `landed`, one path each.
fn count_paths<const BLACK: bool>(landed: u64, jumps: &Jumps) -> usize {
    let mut count = (landed & !jumps.ahead()).count_ones() as usize;
    let near = landed & jumps.near;
    if near != 0 {
        count += count_paths::<BLACK>(ahead::<BLACK>(near, 2 * SHORT), jumps);
    }
    let far = landed & jumps.far;
    if far != 0 {
        count += count_paths::<BLACK>(ahead::<BLACK>(far, 2 * LONG), jumps);
    }
    count
}

#[inline(never)] // rare enough in perft to be kept out of its loop
fn count_with_kings<R: StaticRules, const BLACK: bool>(own: u64, other: u64, kings: u64) -> usize {
    let empty = Eight::SQUARES & !(own | other);
    let jumps = Jumps::new::<BLACK>(prey_of_men::<R>(other, kings), empty);
    let king_jumps = jumps.ahead() | jumps_of_kings::<R, BLACK>(other, empty);
    let own_kings = own & kings;
    if own & jumps.ahead() | own_kings & king_jumps == 0 {
        return count_steps::<BLACK>(own, own_kings, empty);
    }
    let mut sink = CaptureCounter::<MIN_LOOP_CAPTURES, false>::default();
    king_captures::<R, _>(own_kings & king_jumps, other, kings, empty, &mut sink);
    sink.count + count_men_jumps::<BLACK>(own & !kings, &jumps)
}

/// The number of moves without a capture.
#[inline]
fn count_steps<const BLACK: bool>(own: u64, own_kings: u64, empty: u64) -> usize {
    ((ahead::<BLACK>(own, SHORT) & empty).count_ones()
        + (ahead::<BLACK>(own, LONG) & empty).count_ones()
        + (behind::<BLACK>(own_kings, SHORT) & empty).count_ones()
        + (behind::<BLACK>(own_kings, LONG) & empty).count_ones()) as usize
}

#[inline]
fn list<R: StaticRules, const BLACK: bool>(position: Draughts, out: &mut Vec<DraughtsMove>) {
    if can_capture::<R, BLACK>(&position) {
        if R::PREFERS {
            let mut sink = CaptureList::<MIN_LOOP_CAPTURES, true>::new(out);
            captures::<R, BLACK, _>(position, &mut sink);
        } else {
            let mut sink = CaptureList::<MIN_LOOP_CAPTURES, false>::new(out);
            captures::<R, BLACK, _>(position, &mut sink);
        }
        return;
    }
    let Draughts { own, other, kings, .. } = position;
    let kings = own & kings;
    let empty = Eight::SQUARES & !(own | other);
    let step = |distance: u32| if BLACK { distance } else { distance.wrapping_neg() };
    push_steps(ahead::<BLACK>(own, SHORT) & empty, step(SHORT), out);
    push_steps(ahead::<BLACK>(own, LONG) & empty, step(LONG), out);
    if kings != 0 {
        push_steps(behind::<BLACK>(kings, SHORT) & empty, step(SHORT).wrapping_neg(), out);
        push_steps(behind::<BLACK>(kings, LONG) & empty, step(LONG).wrapping_neg(), out);
    }
}

#[inline]
fn push_steps(targets: u64, distance: u32, out: &mut Vec<DraughtsMove>) {
    for to in bits(targets) {
        out.push(DraughtsMove::quiet(to.wrapping_sub(distance), to));
    }
}

fn captures<R: StaticRules, const BLACK: bool, S: CaptureSink>(position: Draughts, sink: &mut S) {
    let Draughts { own, other, kings, .. } = position;
    let empty = Eight::SQUARES & !(own | other);
    let jumps = Jumps::new::<BLACK>(prey_of_men::<R>(other, kings), empty);
    for from in bits(own & !kings & jumps.ahead()) {
        man_captures::<R, BLACK, S>(from, 1 << from, 0, &jumps, sink);
    }
    king_captures::<R, S>(own & kings, other, kings, empty, sink);
}

fn man_captures<R: StaticRules, const BLACK: bool, S: CaptureSink>(
    from: u32,
    at: u64,
    captured: u64,
    jumps: &Jumps,
    sink: &mut S,
) {
    let near = at & jumps.near;
    let far = at & jumps.far;
    if near | far == 0 {
        let mv = DraughtsMove::capture(from, at.trailing_zeros(), captured);
        // Preferences for kings come with men that cannot capture them.
        let (pieces, kings, kings_in_order) = (captured.count_ones(), 0, 0);
        let rank = capture_rank::<R>(RankedCapture { mv, pieces, kings, kings_in_order });
        // Paths of a man are distinct, so their length does not matter.
        sink.add(mv, 0, rank);
        return;
    }
    for (jumper, distance) in [(near, SHORT), (far, LONG)] {
        if jumper != 0 {
            let over = ahead::<BLACK>(jumper, distance);
            let to = ahead::<BLACK>(over, distance);
            sink.enter(to.trailing_zeros());
            man_captures::<R, BLACK, S>(from, to, captured | over, jumps, sink);
            sink.leave();
        }
    }
}

/// A capturing king: its start, the enemies, all kings and the empty squares.
struct Jumper {
    from: u32,
    other: u64,
    kings: u64,
    empty: u64,
}

/// The captures of a king so far.
#[derive(Copy, Clone, Default)]
struct Captured {
    pieces: u64,
    length: u32,
    /// See [`RankedCapture`].
    kings_in_order: u16,
}

impl Captured {
    #[inline(always)]
    fn and(self, over: u64, is_king: bool) -> Captured {
        let order = u16::from(is_king) << (15 - self.length);
        Captured {
            pieces: self.pieces | over,
            length: self.length + 1,
            kings_in_order: self.kings_in_order | order,
        }
    }
}

fn king_captures<R: StaticRules, S: CaptureSink>(
    jumpers: u64,
    other: u64,
    kings: u64,
    empty: u64,
    sink: &mut S,
) {
    for from in bits(jumpers) {
        let jumper = Jumper { from, other, kings, empty: empty | 1 << from };
        king_jumps::<R, S>(&jumper, 1 << from, Captured::default(), sink);
    }
}

fn king_jumps<R: StaticRules, S: CaptureSink>(
    jumper: &Jumper,
    at: u64,
    captured: Captured,
    sink: &mut S,
) {
    let mut ended = true;
    for direction in Eight::DIRECTIONS {
        let over = at.rotate_left(direction) & jumper.other & !captured.pieces;
        let to = over.rotate_left(direction) & jumper.empty;
        if to != 0 {
            ended = false;
            sink.enter(to.trailing_zeros());
            let is_king = over & jumper.kings != 0;
            king_jumps::<R, S>(jumper, to, captured.and(over, is_king), sink);
            sink.leave();
        }
    }
    if ended && captured.length > 0 {
        let mv = DraughtsMove::capture(jumper.from, at.trailing_zeros(), captured.pieces);
        let rank = capture_rank::<R>(RankedCapture {
            mv,
            pieces: captured.length,
            kings: jumper.kings,
            kings_in_order: captured.kings_in_order,
        });
        sink.add(mv, captured.length, rank);
    }
}
