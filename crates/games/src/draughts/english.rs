//! Move generator of English draughts: men move and capture forward only, kings are short.

use super::{
    board::{Board, Eight, bits},
    moves::{CaptureCounter, CaptureList, CapturePaths, CaptureSink, DraughtsMove},
    position::Draughts,
};

const SHORT: u32 = Eight::WIDTH;
const LONG: u32 = Eight::LONG_SHIFT;
/// Captures of fewer pieces are never found by two paths: it takes a round trip.
const MIN_LOOP_CAPTURES: u32 = 4;

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

/// Squares, occupied or not, from which a jump back is possible.
#[inline]
fn jumps_back<const BLACK: bool>(other: u64, empty: u64) -> u64 {
    let from = |distance| ahead::<BLACK>(ahead::<BLACK>(empty, distance) & other, distance);
    from(SHORT) | from(LONG)
}

/// Whether there is a capture.
#[inline]
pub(super) fn can_capture<const BLACK: bool>(position: &Draughts) -> bool {
    let Draughts { own, other, kings, .. } = *position;
    let empty = Eight::SQUARES & !(own | other);
    let jumps = Jumps::new::<BLACK>(other, empty);
    own & (jumps.ahead() | kings & jumps_back::<BLACK>(other, empty)) != 0
}

/// The number of moves, counted by sets, without a list, unless a king captures.
#[inline(always)]
pub(super) fn count<const BLACK: bool>(position: Draughts) -> usize {
    let Draughts { own, other, kings, .. } = position;
    let empty = Eight::SQUARES & !(own | other);
    let jumps = Jumps::new::<BLACK>(other, empty);
    if own & kings != 0 {
        return count_with_kings::<BLACK>(position, empty, &jumps);
    }
    if own & jumps.ahead() != 0 {
        return count_men_jumps::<BLACK>(own, &jumps);
    }
    ((ahead::<BLACK>(own, SHORT) & empty).count_ones()
        + (ahead::<BLACK>(own, LONG) & empty).count_ones()) as usize
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
fn count_with_kings<const BLACK: bool>(position: Draughts, empty: u64, jumps: &Jumps) -> usize {
    let Draughts { own, other, kings, .. } = position;
    let kings = own & kings;
    let king_jumps = jumps.ahead() | jumps_back::<BLACK>(other, empty);
    if own & jumps.ahead() | kings & king_jumps == 0 {
        return ((ahead::<BLACK>(own, SHORT) & empty).count_ones()
            + (ahead::<BLACK>(own, LONG) & empty).count_ones()
            + (behind::<BLACK>(kings, SHORT) & empty).count_ones()
            + (behind::<BLACK>(kings, LONG) & empty).count_ones()) as usize;
    }
    let mut sink = CaptureCounter::<MIN_LOOP_CAPTURES, false>::default();
    king_captures(kings & king_jumps, other, empty, &mut sink);
    sink.count + count_men_jumps::<BLACK>(own & !kings, jumps)
}

/// Appends every move.
#[inline]
pub(super) fn list<const BLACK: bool>(position: Draughts, out: &mut Vec<DraughtsMove>) {
    let Draughts { own, other, kings, .. } = position;
    let kings = own & kings;
    let empty = Eight::SQUARES & !(own | other);
    let jumps = Jumps::new::<BLACK>(other, empty);
    if own & jumps.ahead() != 0 || kings & jumps_back::<BLACK>(other, empty) != 0 {
        captures::<BLACK, _>(position, &mut CaptureList::<MIN_LOOP_CAPTURES, false>::new(out));
        return;
    }
    let step = |distance: u32| if BLACK { distance } else { distance.wrapping_neg() };
    push_steps(ahead::<BLACK>(own, SHORT) & empty, step(SHORT), out);
    push_steps(ahead::<BLACK>(own, LONG) & empty, step(LONG), out);
    if kings != 0 {
        push_steps(behind::<BLACK>(kings, SHORT) & empty, step(SHORT).wrapping_neg(), out);
        push_steps(behind::<BLACK>(kings, LONG) & empty, step(LONG).wrapping_neg(), out);
    }
}

/// Every capture by every path.
pub(super) fn paths<const BLACK: bool>(position: Draughts) -> CapturePaths {
    let mut paths = CapturePaths::default();
    captures::<BLACK, _>(position, &mut paths);
    paths
}

#[inline]
fn push_steps(targets: u64, distance: u32, out: &mut Vec<DraughtsMove>) {
    for to in bits(targets) {
        out.push(DraughtsMove::quiet(to.wrapping_sub(distance), to));
    }
}

fn captures<const BLACK: bool, S: CaptureSink>(position: Draughts, sink: &mut S) {
    let Draughts { own, other, kings, .. } = position;
    let kings = own & kings;
    let empty = Eight::SQUARES & !(own | other);
    let jumps = Jumps::new::<BLACK>(other, empty);
    for from in bits(own & !kings & jumps.ahead()) {
        man_captures::<BLACK, S>(from, 1 << from, 0, &jumps, sink);
    }
    king_captures(kings, other, empty, sink);
}

fn man_captures<const BLACK: bool, S: CaptureSink>(
    from: u32,
    at: u64,
    captured: u64,
    jumps: &Jumps,
    sink: &mut S,
) {
    let near = at & jumps.near;
    let far = at & jumps.far;
    if near | far == 0 {
        // Paths of a man are distinct, so their length does not matter.
        sink.add(DraughtsMove::capture(from, at.trailing_zeros(), captured), 0);
        return;
    }
    for (jumper, distance) in [(near, SHORT), (far, LONG)] {
        if jumper != 0 {
            let over = ahead::<BLACK>(jumper, distance);
            let to = ahead::<BLACK>(over, distance);
            sink.enter(to.trailing_zeros());
            man_captures::<BLACK, S>(from, to, captured | over, jumps, sink);
            sink.leave();
        }
    }
}

/// A capturing king: its start, the enemies and the empty squares.
struct Jumper {
    from: u32,
    other: u64,
    empty: u64,
}

fn king_captures<S: CaptureSink>(jumpers: u64, other: u64, empty: u64, sink: &mut S) {
    for from in bits(jumpers) {
        let jumper = Jumper { from, other, empty: empty | 1 << from };
        king_jumps(&jumper, 1 << from, 0, 0, sink);
    }
}

fn king_jumps<S: CaptureSink>(jumper: &Jumper, at: u64, captured: u64, length: u32, sink: &mut S) {
    let mut ended = true;
    for direction in Eight::DIRECTIONS {
        let over = at.rotate_left(direction) & jumper.other & !captured;
        let to = over.rotate_left(direction) & jumper.empty;
        if to != 0 {
            ended = false;
            sink.enter(to.trailing_zeros());
            king_jumps(jumper, to, captured | over, length + 1, sink);
            sink.leave();
        }
    }
    if ended && length > 0 {
        sink.add(DraughtsMove::capture(jumper.from, at.trailing_zeros(), captured), length);
    }
}
