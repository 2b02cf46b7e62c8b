//! King safety: pawn shelter, pawn storm and enemy attacks around the king.
//!
//! Attacks on a king add up to more than their sum. They are counted in units of danger, and every
//! number of units is a term of its own: the evaluation stays linear in its weights. The counts
//! follow the king danger of Stockfish's classical evaluation.

use super::{
    bitboards::{SidePieces, SideView, file_of, len},
    counter::TermCounter,
    terms,
};
use cozy_chess::{
    BitBoard, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves,
};

/// Danger points to one unit (one term).
const DANGER_UNIT: i32 = 8;
/// Points of danger for an attacker of the squares around the king: knight, bishop, rook, queen.
const ATTACKER_DANGER: [i32; 4] = [11, 7, 6, 2];
/// Points for a safe check: knight, bishop, rook, queen.
const SAFE_CHECK_DANGER: [i32; 4] = [100, 82, 135, 95];
/// Points for an unsafe check.
const UNSAFE_CHECK_DANGER: i32 = 17;
/// Points for a weak square around the king.
const WEAK_SQUARE_DANGER: i32 = 24;
/// Points for an attack on a square next to the king.
const HIT_DANGER: i32 = 9;
/// Points for a file at the king without an own pawn in front.
const OPEN_FILE_DANGER: i32 = 8;
/// Points if the attacker has no queen.
const NO_QUEEN_DANGER: i32 = -110;
/// Points for an own knight near the king.
const NEAR_KNIGHT_DANGER: i32 = -12;

/// Counts the square of the own king and the pawns around it; returns the number of files at the
/// king without an own pawn in front.
pub(super) fn shelter(own: &SidePieces, enemy: &SidePieces, side: &mut impl TermCounter) -> i32 {
    side.add(terms::SQUARES + 64 * Piece::King as usize + own.king as usize);
    let pawns = own.pawns() | enemy.pawns();
    side.when(pawns.is_disjoint(file_of(own.king)), terms::KING_FILES);
    side.when(pawns.is_disjoint(wing_of(own.king)), terms::KING_FILES + 1);
    pawns_in_front(own, enemy, side)
}

/// The files a king on `square` has its pawns on.
#[inline]
fn wing_of(square: Square) -> BitBoard {
    let files: u64 = match square.file() as u8 {
        0..=2 => 0x0F,
        3 | 4 => 0x3C,
        _ => 0xF0,
    };
    BitBoard(files * 0x0101_0101_0101_0101)
}

/// Counts the pawns in front of the king and returns the number of files without an own one.
#[inline(always)]
fn pawns_in_front(own: &SidePieces, enemy: &SidePieces, side: &mut impl TermCounter) -> i32 {
    let king = own.king;
    let level = BitBoard(u64::MAX << (8 * (king as u32 >> 3)));
    let own = own.pawns() & level;
    let enemy = enemy.pawns() & level;
    let middle = (king.file() as usize).clamp(1, 6);
    let mut without = 0;
    for file in middle - 1..=middle + 1 {
        let lowest = |pawns: BitBoard| {
            let on_file = pawns.0 & (0x0101_0101_0101_0101 << file);
            // No pawn counts as rank 0: 64 / 8 & 7.
            (on_file.trailing_zeros() >> 3) as usize & 7
        };
        let (shield, storm) = (lowest(own), lowest(enemy));
        let from_edge = file.min(7 - file);
        side.add(terms::SHELTER + 8 * from_edge + shield);
        if shield != 0 && storm == shield + 1 {
            side.add(terms::STORM_STOPPED + storm);
        } else {
            side.add(terms::STORM + 8 * from_edge + storm);
        }
        without += i32::from(shield == 0);
    }
    without
}

/// Squares from which a piece of each kind would give check, and those of them it
/// could move to without being lost for nothing.
struct Checks {
    safe: [BitBoard; 4],
    unsafe_count: i32,
}

#[inline(always)]
fn checks(view: &SideView<'_>, weak: BitBoard) -> Checks {
    let (own, enemy) = (view.own, view.enemy);
    let attacks = |piece| view.enemy_attacks.of_kind(piece);
    let can_land = !enemy.all & (!view.attacks.any | weak & view.enemy_attacks.twice);
    // The queen is no shield: it would have to move away from the check.
    let blockers = (own.all | enemy.all) ^ own.of_kind(Piece::Queen);
    let rays = get_rook_moves(own.king, blockers);
    let diagonals = get_bishop_moves(own.king, blockers);
    let knights = get_knight_moves(own.king) & attacks(Piece::Knight);
    let bishops = diagonals & attacks(Piece::Bishop);
    let rooks = rays & attacks(Piece::Rook);
    let queens = (rays | diagonals) & attacks(Piece::Queen);
    let safe_rooks = rooks & can_land;
    let safe_queens = queens & can_land & !view.attacks.of_kind(Piece::Queen) & !safe_rooks;
    let safe_bishops = bishops & can_land & !safe_queens;
    let safe_knights = knights & can_land;
    let unsafe_checks =
        (rooks & !safe_rooks | bishops & !safe_bishops | knights & !safe_knights) & !enemy.all;
    Checks {
        safe: [safe_knights, safe_bishops, safe_rooks, safe_queens],
        unsafe_count: len(unsafe_checks),
    }
}

/// King danger: counts enemy attacks around the own king.
#[inline(always)]
pub(super) fn danger(view: &SideView<'_>, side: &mut impl TermCounter) {
    let enemy_attacks = view.enemy_attacks;
    let attackers: i32 = enemy_attacks.attackers.iter().sum();
    // Attacked, and guarded by nothing but the king or the queen, once.
    let king_or_queen = view.attacks.of_kind(Piece::King) | view.attacks.of_kind(Piece::Queen);
    let weak = enemy_attacks.any & !view.attacks.twice & (!view.attacks.any | king_or_queen);
    let checks = checks(view, weak);
    let mut danger = 0;
    for (index, &squares) in checks.safe.iter().enumerate() {
        if !squares.is_empty() {
            side.add(terms::SAFE_CHECKS + index);
            danger += SAFE_CHECK_DANGER[index] * (len(squares).min(2) + 1) / 2;
        }
    }
    let mut force = 0;
    if attackers > 0 {
        for (index, &count) in enemy_attacks.attackers.iter().enumerate() {
            side.count(terms::ATTACKERS + index, count);
            force += count * ATTACKER_DANGER[index];
        }
    }
    const CAMP: BitBoard = BitBoard(0x0000_00FF_FFFF_FFFF);
    let flank = wing_of(view.own.king) & CAMP;
    let attacked = enemy_attacks.any & flank;
    let pressure = len(attacked) + len(attacked & enemy_attacks.twice);
    danger += force * attackers
        + WEAK_SQUARE_DANGER * len(weak & view.own.ring)
        + HIT_DANGER * enemy_attacks.hits
        + UNSAFE_CHECK_DANGER * checks.unsafe_count
        + OPEN_FILE_DANGER * view.pawn_structure.open_files
        + pressure * pressure / 20
        - len(view.attacks.any & flank) / 2;
    if view.enemy.of_kind(Piece::Queen).is_empty() {
        danger += NO_QUEEN_DANGER;
    }
    if !get_king_moves(view.own.king).is_disjoint(view.attacks.of_kind(Piece::Knight)) {
        danger += NEAR_KNIGHT_DANGER;
    }
    let units = (danger / DANGER_UNIT).clamp(0, terms::DANGER_LEVELS as i32 - 1);
    side.add(terms::DANGER + units as usize);
}
