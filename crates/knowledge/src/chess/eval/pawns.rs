//! Pawns: structure and passed pawns.

use super::{
    bitboards::{
        SidePieces, SideView, beside, distance, down, file_of, fill_down, fill_up, len, squares_of,
        up,
    },
    counter::TermCounter,
    terms,
};
use cozy_chess::{BitBoard, Piece, Square};

#[inline(always)]
fn rank(square: Square) -> usize {
    square as usize >> 3
}

/// Counts the terms of `own` pawns alone and with the kings; returns the passed pawns.
pub(super) fn structure(
    own: &SidePieces,
    enemy: &SidePieces,
    side: &mut impl TermCounter,
) -> BitBoard {
    let pawns = own.pawns();
    side.count(terms::MATERIAL, len(pawns));
    for pawn in squares_of(pawns) {
        side.add(terms::SQUARES + pawn as usize);
    }
    // Squares enemy pawns can still advance to, and squares they attack on the way.
    let ahead_of_enemies = fill_down(down(enemy.pawns()));
    let stopped = ahead_of_enemies | beside(ahead_of_enemies);
    let foremost = pawns & !fill_down(down(pawns));
    let passed = foremost & !stopped;
    let unopposed = pawns & !ahead_of_enemies;

    let files = fill_up(fill_down(pawns));
    let isolated = pawns & !beside(files);
    let held_up = up(pawns) & enemy.pawn_attacks & !fill_up(own.pawn_attacks);
    let backward = down(held_up) & !isolated;
    side.count(terms::WEAKNESSES, len(pawns & fill_up(up(pawns))));
    side.count(terms::WEAKNESSES + 1, len(isolated));
    side.count(terms::WEAKNESSES + 2, len(backward));
    side.count(terms::WEAKNESSES + 3, len(isolated & unopposed));
    side.count(terms::WEAKNESSES + 4, len(backward & unopposed));

    for pawn in squares_of(pawns & own.pawn_attacks) {
        side.add(terms::SUPPORTED + rank(pawn));
    }
    for pawn in squares_of(pawns & beside(pawns)) {
        side.add(terms::SIDE_BY_SIDE + rank(pawn));
    }
    for pawn in squares_of(foremost & unopposed & !passed) {
        // A candidate has as many helpers beside or behind as there are enemy pawns guarding its
        // way.
        let neighbours = beside(file_of(pawn));
        let ahead = BitBoard(u64::MAX << (8 * (rank(pawn) + 1)));
        let helpers = pawns & neighbours & !ahead;
        let guards = enemy.pawns() & neighbours & ahead;
        side.when(len(helpers) >= len(guards), terms::CANDIDATES + rank(pawn));
    }
    for pawn in squares_of(passed) {
        passer(own, enemy, pawn, passed, side);
    }
    passed
}

/// Counts one of the `passed` pawns in relation to the kings.
fn passer(
    own: &SidePieces,
    enemy: &SidePieces,
    pawn: Square,
    passed: BitBoard,
    side: &mut impl TermCounter,
) {
    let rank = rank(pawn);
    side.add(terms::PASSED + rank);
    side.when(own.pawn_attacks.has(pawn), terms::PROTECTED + rank);
    let beside_pawn = beside(pawn.bitboard());
    let around = beside_pawn | up(beside_pawn) | down(beside_pawn);
    side.when(!around.is_disjoint(passed), terms::CONNECTED + rank);

    let next = Square::index((pawn as usize + 8) & 63);
    let row = 8 * (rank.max(2) - 2);
    side.add(terms::OWN_KING + row + distance(own.king, next));
    side.add(terms::ENEMY_KING + row + distance(enemy.king, next));
}

/// Counts the passed pawns in relation to the pieces around them.
pub(super) fn passers(view: &SideView<'_>, side: &mut impl TermCounter) {
    let enemy_pieces = view.enemy.all ^ view.enemy.pawns() ^ view.enemy.of_kind(Piece::King);
    for pawn in squares_of(view.pawn_structure.passed) {
        let rank = rank(pawn);
        let above = BitBoard(u64::MAX << (8 * (rank + 1)));
        let file = file_of(pawn);
        let path = file & above;
        let next = up(pawn.bitboard());
        if !next.is_disjoint(view.enemy.all) {
            side.add(terms::BLOCKED + rank);
        } else if path.is_disjoint(view.enemy.all | view.enemy_attacks.any) {
            side.add(terms::FREE_PATH + rank);
        } else if next.is_disjoint(view.enemy_attacks.any) {
            side.add(terms::SAFE_STEP + rank);
        }
        let behind = file & !above;
        let rooks = |bitboards: &SidePieces| !behind.is_disjoint(bitboards.of_kind(Piece::Rook));
        side.when(rooks(view.own), terms::PASSERS_AND_PIECES);
        side.when(rooks(view.enemy), terms::PASSERS_AND_PIECES + 1);
        if enemy_pieces.is_empty() {
            side.when(outruns_king(view, pawn, path), terms::PASSERS_AND_PIECES + 2);
        }
    }
}

/// The rule of the square: a pawn on its second rank starts with a double step.
#[inline]
fn outruns_king(view: &SideView<'_>, pawn: Square, path: BitBoard) -> bool {
    let goal = Square::index(56 + pawn.file() as usize);
    let steps = (7 - rank(pawn)).min(5);
    let late = usize::from(!view.to_move);
    let free = path.is_disjoint(view.own.all | view.enemy.all);
    free && distance(view.enemy.king, goal) > steps + late
}
