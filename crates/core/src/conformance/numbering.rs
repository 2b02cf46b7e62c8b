//! Conformance tests of what is numbered: the inputs of networks and the endings of databases.

use super::random_games;
use crate::{
    NnueInputs, Notation, Position, Random, Side,
    endgame_index::{EndgameIndex, EndgameSlot},
};
use std::collections::HashSet;

/// Bits of a plane.
const SQUARES: usize = 64;

/// Checks the network inputs of `K` at the positions of random games of `spec`, and returns the
/// number of positions that have inputs.
///
/// # Panics
/// At the first violation, naming the position.
pub fn check_nnue_inputs<K>(spec: &str, games: usize) -> usize
where
    K: NnueInputs<Position: Notation>,
{
    assert!(K::EMPTY.as_ref().iter().all(|&plane| plane == 0), "the empty board has no pieces");
    let mut described = 0;
    random_games::<K::Position>(spec, games, |position, moves, random| {
        if !K::has_nnue_inputs(position) {
            return;
        }
        described += 1;
        let place = position.text();
        let own = views::<K>(position, &place);
        let bucket = K::output_bucket(position);
        assert!(bucket < K::OUTPUT_BUCKETS, "output bucket {bucket}: {place}");
        if let Some(flipped) = position.colour_flipped() {
            assert_eq!(views::<K>(&flipped, &place), own, "both colours must look alike: {place}");
            assert_eq!(K::output_bucket(&flipped), bucket, "the bucket of both colours: {place}");
        }
        if let Some(mv) = random.pick(moves) {
            let (before, after) = (K::ply_hint(position), K::ply_hint(&position.after(mv)));
            assert!(after == before + 1 || after == 0, "ply {before}, then {after}: {place}");
        }
    });
    described
}

/// The inputs that are on, as the side to move and the other side see them.
fn views<K: NnueInputs>(position: &K::Position, place: &str) -> [Vec<usize>; 2] {
    let turn = position.turn();
    [turn, !turn].map(|side: Side| {
        let orientation = K::orientation(position, side);
        assert!(orientation < K::ORIENTATIONS, "orientation {orientation}: {place}");
        let planes = K::planes(position);
        assert_eq!(planes.as_ref().len(), K::EMPTY.as_ref().len(), "number of planes: {place}");
        let mut inputs = Vec::new();
        for (plane, &squares) in planes.as_ref().iter().enumerate() {
            let on = (0..SQUARES).filter(|square| squares >> square & 1 != 0);
            inputs.extend(on.map(|square| K::input(side, orientation, plane, square)));
        }
        inputs.sort_unstable();
        assert!(inputs.windows(2).all(|pair| pair[0] < pair[1]), "two pieces, one input: {place}");
        assert!(inputs.iter().all(|&input| input < K::INPUTS), "an input out of range: {place}");
        inputs
    })
}

/// Positions drawn from the slices of each number of pieces.
const DRAWN_POSITIONS: usize = 300;

/// Checks the numbering of endings of `K`: all slices with up to `pieces` pieces, and random
/// positions of them.
///
/// # Panics
/// At the first violation, naming the slice or the position.
pub fn check_endgame_index<K>(pieces: usize)
where
    K: EndgameIndex<Position: Notation>,
{
    assert!((2..=K::MAX_PIECES).contains(&pieces), "a number of pieces that is indexed");
    let mut random = Random::new(1);
    let (mut seen, mut names) = (HashSet::new(), HashSet::new());
    for pieces in 2..=pieces {
        let slices: Vec<usize> = K::groups(pieces).into_iter().flatten().collect();
        for &slice in &slices {
            let name = K::slice_name(slice);
            assert!(
                slice < K::SLICES && seen.insert(slice),
                "slice {name} is out of range or twice"
            );
            assert!(names.insert(name.clone()), "two slices are called {name}");
            assert_eq!(K::slice_pieces(slice), pieces, "pieces of slice {name}");
            assert!(K::position_count(slice) <= K::slice_size(slice), "positions of slice {name}");
        }
        check_whole_slice::<K>(slices[random.below(slices.len())]);
        for _ in 0..DRAWN_POSITIONS {
            let slice = slices[random.below(slices.len())];
            let index = random.below(K::slice_size(slice) as usize) as u64;
            let slot = EndgameSlot { slice, index };
            if let Some(position) = K::position_at(slot) {
                check_ending::<K>(&position, slot, &seen);
            }
        }
    }
}

/// Largest slice that is listed whole.
const MAX_LISTED_INDICES: u64 = 2_000_000;

fn check_whole_slice<K: EndgameIndex<Position: Notation>>(slice: usize) {
    let (size, mut found) = (K::slice_size(slice), 0);
    if size > MAX_LISTED_INDICES {
        return;
    }
    let mut next = 0;
    let mut count = |index: u64, position: &K::Position| {
        assert!(next <= index, "indices must ascend: {}", position.text());
        assert_eq!(
            K::endgame_slot(position),
            Some(EndgameSlot { slice, index }),
            "the slot of a position: {}",
            position.text()
        );
        (next, found) = (index + 1, found + 1);
    };
    let middle = size / 3;
    K::for_each_position(slice, 0..middle, &mut count);
    K::for_each_position(slice, middle..size, &mut count);
    assert_eq!(found, K::position_count(slice), "positions of slice {}", K::slice_name(slice));
}

fn check_ending<K>(position: &K::Position, slot: EndgameSlot, slices: &HashSet<usize>)
where
    K: EndgameIndex<Position: Notation>,
{
    let place = position.text();
    assert!(K::is_tabulated(position), "a position of a slice is tabulated: {place}");
    assert_eq!(K::endgame_slot(position), Some(slot), "the slot of a position: {place}");
    let pieces = K::pieces(position);
    assert_eq!(K::slice_pieces(slot.slice), pieces, "the pieces of a position: {place}");
    let next_slices = K::next_slices(slot.slice);
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    for mv in moves {
        let next = position.after(mv);
        let text = position.move_text(mv);
        assert!(K::pieces(&next) <= pieces, "{text} adds a piece: {place}");
        if K::pieces(&next) < pieces {
            continue;
        }
        assert!(!K::is_converting(position), "{text} takes nothing: {place}");
        let Some(reached) = K::endgame_slot(&next) else { continue };
        assert!(slices.contains(&reached.slice), "{text} leads to an unknown slice: {place}");
        assert!(
            reached.slice == slot.slice || next_slices.contains(&reached.slice),
            "{text} leads to a slice that is not listed: {place}"
        );
        let mut is_taken_back = !same_group::<K>(pieces, slot.slice, reached.slice);
        K::for_each_predecessor(&next, |before| is_taken_back |= before == slot);
        assert!(is_taken_back, "{text} cannot be taken back: {place}");
    }
}

fn same_group<K: EndgameIndex>(pieces: usize, one: usize, other: usize) -> bool {
    K::groups(pieces).iter().any(|group| group.contains(&one) && group.contains(&other))
}
