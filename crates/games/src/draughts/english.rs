//! Moves under English rules: men go and capture forward only, kings one step any way.

use super::{
    board::{Board, Eight, bits},
    moves::{Count, List, Move, Sink},
    position::Draughts,
};

const NEAR: u32 = Eight::WIDTH;
const FAR: u32 = Eight::WIDE;

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

/// Squares, taken or not, from which a jump ahead or back over an enemy to an empty square is
/// possible in the direction of `distance`.
#[inline]
fn jumps_ahead<const BLACK: bool>(other: u64, empty: u64, distance: u32) -> u64 {
    behind::<BLACK>(behind::<BLACK>(empty, distance) & other, distance)
}

#[inline]
fn jumps_back<const BLACK: bool>(other: u64, empty: u64, distance: u32) -> u64 {
    ahead::<BLACK>(ahead::<BLACK>(empty, distance) & other, distance)
}

/// The jumps of a position: where men could start one in each direction.
struct Jumps {
    near: u64,
    far: u64,
}

#[inline]
pub(super) fn count<const BLACK: bool>(position: &Draughts) -> usize {
    let Draughts { own, other, kings, .. } = *position;
    let empty = Eight::SQUARES & !(own | other);
    let near = jumps_ahead::<BLACK>(other, empty, NEAR);
    let far = jumps_ahead::<BLACK>(other, empty, FAR);
    let own_kings = own & kings;
    if own_kings != 0 {
        return count_with_kings::<BLACK>(position, empty, &Jumps { near, far });
    }
    let jumps = Jumps { near, far };
    if own & (near | far) != 0 {
        return count_men_jumps::<BLACK>(own, &jumps);
    }
    ((ahead::<BLACK>(own, NEAR) & empty).count_ones()
        + (ahead::<BLACK>(own, FAR) & empty).count_ones()) as usize
}

/// Complete jump paths of men. A man only goes forward, so what it has captured or left behind
/// never matters to the rest of its path, and no two paths of one man capture the same pieces:
/// all men can jump at once, as sets.
#[inline]
fn count_men_jumps<const BLACK: bool>(men: u64, jumps: &Jumps) -> usize {
    let near = men & jumps.near;
    let far = men & jumps.far;
    let landed_near = ahead::<BLACK>(near, 2 * NEAR);
    let landed_far = ahead::<BLACK>(far, 2 * FAR);
    let count = near.count_ones() + far.count_ones();
    if (landed_near | landed_far) & (jumps.near | jumps.far) == 0 {
        return count as usize;
    }
    count_paths::<BLACK>(landed_near, jumps) + count_paths::<BLACK>(landed_far, jumps)
}

fn count_paths<const BLACK: bool>(landed: u64, jumps: &Jumps) -> usize {
    let mut count = (landed & !(jumps.near | jumps.far)).count_ones() as usize;
    let near = landed & jumps.near;
    if near != 0 {
        count += count_paths::<BLACK>(ahead::<BLACK>(near, 2 * NEAR), jumps);
    }
    let far = landed & jumps.far;
    if far != 0 {
        count += count_paths::<BLACK>(ahead::<BLACK>(far, 2 * FAR), jumps);
    }
    count
}

#[inline(never)]
fn count_with_kings<const BLACK: bool>(position: &Draughts, empty: u64, jumps: &Jumps) -> usize {
    let Draughts { own, other, kings, .. } = *position;
    let kings = own & kings;
    let any = jumps.near | jumps.far;
    let back = jumps_back::<BLACK>(other, empty, NEAR) | jumps_back::<BLACK>(other, empty, FAR);
    if own & any | kings & back == 0 {
        return ((ahead::<BLACK>(own, NEAR) & empty).count_ones()
            + (ahead::<BLACK>(own, FAR) & empty).count_ones()
            + (behind::<BLACK>(kings, NEAR) & empty).count_ones()
            + (behind::<BLACK>(kings, FAR) & empty).count_ones()) as usize;
    }
    let mut sink = Count::default();
    king_captures(kings & (any | back), other, empty, &mut sink);
    sink.count + count_men_jumps::<BLACK>(own & !kings, jumps)
}

#[inline]
pub(super) fn list<const BLACK: bool>(position: &Draughts, out: &mut Vec<Move>) {
    let Draughts { own, other, kings, .. } = *position;
    let empty = Eight::SQUARES & !(own | other);
    let jumps = Jumps {
        near: jumps_ahead::<BLACK>(other, empty, NEAR),
        far: jumps_ahead::<BLACK>(other, empty, FAR),
    };
    let kings = own & kings;
    let mut jumpers = own & (jumps.near | jumps.far);
    let mut back = 0;
    if kings != 0 {
        back = jumps_back::<BLACK>(other, empty, NEAR) | jumps_back::<BLACK>(other, empty, FAR);
        jumpers |= kings & back;
    }
    if jumpers != 0 {
        let base = out.len();
        captures::<BLACK, _>(jumpers, kings, other, empty, &jumps, &mut List { out, base });
        return;
    }
    let steps = |distance: u32| if BLACK { distance } else { distance.wrapping_neg() };
    push_steps(ahead::<BLACK>(own, NEAR) & empty, steps(NEAR), out);
    push_steps(ahead::<BLACK>(own, FAR) & empty, steps(FAR), out);
    if kings != 0 {
        push_steps(behind::<BLACK>(kings, NEAR) & empty, steps(NEAR).wrapping_neg(), out);
        push_steps(behind::<BLACK>(kings, FAR) & empty, steps(FAR).wrapping_neg(), out);
    }
}

#[inline]
fn push_steps(targets: u64, distance: u32, out: &mut Vec<Move>) {
    for to in bits(targets) {
        out.push(Move::quiet(to.wrapping_sub(distance), to));
    }
}

fn captures<const BLACK: bool, S: Sink>(
    jumpers: u64,
    kings: u64,
    other: u64,
    empty: u64,
    jumps: &Jumps,
    sink: &mut S,
) {
    for from in bits(jumpers & !kings) {
        man_captures::<BLACK, S>(from, 1 << from, 0, jumps, sink);
    }
    king_captures(jumpers & kings, other, empty, sink);
}

fn man_captures<const BLACK: bool, S: Sink>(
    from: u32,
    at: u64,
    captured: u64,
    jumps: &Jumps,
    sink: &mut S,
) {
    let near = at & jumps.near;
    let far = at & jumps.far;
    if near | far == 0 {
        // A man's paths are distinct, so their length is of no interest.
        sink.add(Move::capture(from, at.trailing_zeros(), captured), 0);
        return;
    }
    if near != 0 {
        let over = ahead::<BLACK>(near, NEAR);
        man_captures::<BLACK, S>(from, ahead::<BLACK>(over, NEAR), captured | over, jumps, sink);
    }
    if far != 0 {
        let over = ahead::<BLACK>(far, FAR);
        man_captures::<BLACK, S>(from, ahead::<BLACK>(over, FAR), captured | over, jumps, sink);
    }
}

/// A king on its way: where it started, the enemies and the empty squares it sees.
struct Jumper {
    from: u32,
    other: u64,
    empty: u64,
}

fn king_captures<S: Sink>(jumpers: u64, other: u64, empty: u64, sink: &mut S) {
    for from in bits(jumpers) {
        let jumper = Jumper { from, other, empty: empty | 1 << from };
        king_jumps(&jumper, 1 << from, 0, 0, sink);
    }
}

fn king_jumps<S: Sink>(jumper: &Jumper, at: u64, captured: u64, length: u32, sink: &mut S) {
    let mut ended = true;
    for direction in Eight::DIRECTIONS {
        let over = at.rotate_left(direction) & jumper.other & !captured;
        let to = over.rotate_left(direction) & jumper.empty;
        if to != 0 {
            ended = false;
            king_jumps(jumper, to, captured | over, length + 1, sink);
        }
    }
    if ended {
        sink.add(Move::capture(jumper.from, at.trailing_zeros(), captured), length);
    }
}
