//! Threats: pieces attacked by less valuable ones or hanging (after Stockfish's classical
//! evaluation).

use super::{
    bitboards::{SideView, beside, len, up},
    counter::TermCounter,
    terms,
};
use cozy_chess::{BitBoard, Piece, get_bishop_moves, get_knight_moves, get_rook_moves};

const THIRD_RANK: BitBoard = BitBoard(0x0000_0000_00FF_0000);

/// Counts the threats of the own side.
pub(super) fn threats(view: &SideView<'_>, side: &mut impl TermCounter) {
    let (own, enemy, attacks, enemy_attacks) =
        (view.own, view.enemy, view.attacks, view.enemy_attacks);
    let pieces = enemy.all ^ enemy.pawns() ^ enemy.of_kind(Piece::King);
    // Well guarded: by a pawn, or by two where only one attacks.
    let strong = enemy.pawn_attacks | enemy_attacks.twice & !attacks.twice;
    let weak = enemy.all & !strong & attacks.any;
    let guarded = pieces & strong;

    let minors = attacks.of_kind(Piece::Knight) | attacks.of_kind(Piece::Bishop);
    let by_minors = (weak | guarded) & minors;
    let by_rooks = weak & attacks.of_kind(Piece::Rook);
    if !by_minors.is_empty() {
        for (index, &kind) in enemy.pieces[..5].iter().enumerate() {
            side.count(terms::BY_MINORS + index, len(by_minors & kind));
        }
    }
    if !by_rooks.is_empty() {
        for (index, &kind) in enemy.pieces[..5].iter().enumerate() {
            side.count(terms::BY_ROOKS + index, len(by_rooks & kind));
        }
    }
    let by_king = weak & attacks.of_kind(Piece::King);
    side.when(!by_king.is_empty(), terms::OTHER_THREATS);
    let hanging = weak & (!enemy_attacks.any | pieces & attacks.twice);
    side.count(terms::OTHER_THREATS + 1, len(hanging));
    side.count(terms::OTHER_THREATS + 5, len(enemy_attacks.any & !strong & attacks.any));

    let safe = !enemy_attacks.any | attacks.any;
    let by_pawns = pieces & up(beside(own.pawns() & safe));
    if !by_pawns.is_empty() {
        for (index, &kind) in enemy.pieces[1..5].iter().enumerate() {
            side.count(terms::BY_PAWNS + index, len(by_pawns & kind));
        }
    }
    let empty = !(own.all | enemy.all);
    let step = up(own.pawns()) & empty;
    let steps = step | up(step & THIRD_RANK) & empty;
    let steps = steps & !enemy.pawn_attacks & safe;
    let by_steps = pieces & up(beside(steps)) & !by_pawns;
    side.count(terms::OTHER_THREATS + 2, len(by_steps));
    on_queen(view, strong, side);
}

/// Safe squares from which a piece would attack the queen.
#[inline(always)]
fn on_queen(view: &SideView<'_>, strong: BitBoard, side: &mut impl TermCounter) {
    let queens = view.enemy.of_kind(Piece::Queen);
    let Some(queen) = queens.next_square() else { return };
    let occupied = view.own.all | view.enemy.all;
    let safe = !strong & !view.own.pawns() & !view.enemy.pawn_attacks;
    let knights = view.attacks.of_kind(Piece::Knight) & get_knight_moves(queen) & safe;
    side.count(terms::OTHER_THREATS + 3, len(knights));
    let bishops = view.attacks.of_kind(Piece::Bishop) & get_bishop_moves(queen, occupied);
    let rooks = view.attacks.of_kind(Piece::Rook) & get_rook_moves(queen, occupied);
    let sliders = (bishops | rooks) & safe & view.attacks.twice;
    side.count(terms::OTHER_THREATS + 4, len(sliders));
}
