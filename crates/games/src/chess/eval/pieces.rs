//! Knights, bishops, rooks and queens: where they stand, how far they reach, what they attack
//! around the enemy king.

use super::{
    men::{Men, Reach, Side, distance, down, file_of, fill_down, len},
    terms,
};
use crate::chess::position::LIGHT_SQUARES;
use cozy_chess::{
    BitBoard, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves,
};
use ludus_core::linear::Tally;

/// Ranks four to six.
const OUTPOST_RANKS: BitBoard = BitBoard(0x0000_FFFF_FF00_0000);
/// Ranks two and three.
const LOW_RANKS: BitBoard = BitBoard(0x0000_0000_00FF_FF00);

struct Walk<'a> {
    own: &'a Men,
    enemy: &'a Men,
    occupied: BitBoard,
    /// Squares that count as reached.
    open: BitBoard,
    outposts: BitBoard,
    reach: Reach,
}

/// Counts the pieces of `own` and returns what all its men attack.
pub(super) fn walk<T: Tally>(
    own: &Men,
    enemy: &Men,
    may_castle: bool,
    side: &mut Side<'_, T>,
) -> Reach {
    let occupied = own.all | enemy.all;
    // A pawn that cannot move, or has not moved yet, is in the way; so is the king.
    let stuck = own.pawns() & (down(occupied) | LOW_RANKS);
    // Where an enemy pawn could still come to drive a piece away.
    let driven = fill_down(enemy.pawn_attacks);
    let mut walk = Walk {
        own,
        enemy,
        occupied,
        open: !(stuck | own.of_kind(Piece::King) | enemy.pawn_attacks),
        outposts: OUTPOST_RANKS & own.pawn_attacks & !driven,
        reach: Reach::of_king_and_pawns(own),
    };
    material(own, side);
    walk.knights(side);
    walk.bishops(side);
    walk.rooks(may_castle, side);
    walk.queens(side);
    walk.reach
}

fn material<T: Tally>(own: &Men, side: &mut Side<'_, T>) {
    let [pawns, knights, bishops, rooks, queens, _] = own.pieces.map(len);
    for (index, count) in [pawns, knights, bishops, rooks, queens].into_iter().enumerate() {
        side.count(terms::MATERIAL + index, count);
    }
    side.count(terms::IMBALANCE, pawns * knights);
    side.count(terms::IMBALANCE + 1, pawns * bishops);
    side.count(terms::IMBALANCE + 2, pawns * rooks);
    side.when(rooks >= 2, terms::IMBALANCE + 3);
    side.count(terms::IMBALANCE + 4, rooks * queens);
    let light = own.of_kind(Piece::Bishop) & LIGHT_SQUARES;
    let pair = !light.is_empty() && light != own.of_kind(Piece::Bishop);
    side.when(pair, terms::BISHOP_PAIR);
}

impl Walk<'_> {
    /// Notes what a `piece` on `square` attacks and returns how many squares it reaches.
    #[inline(always)]
    fn note<T: Tally>(
        &mut self,
        piece: Piece,
        square: Square,
        attacks: BitBoard,
        side: &mut Side<'_, T>,
    ) -> usize {
        self.reach.add(piece, attacks);
        side.add(terms::SQUARES + 64 * piece as usize + square as usize);
        if !attacks.is_disjoint(self.enemy.ring) {
            self.reach.attackers[piece as usize - 1] += 1;
            self.reach.hits += len(attacks & get_king_moves(self.enemy.king));
        }
        len(attacks & self.open) as usize
    }

    #[inline(always)]
    fn knights<T: Tally>(&mut self, side: &mut Side<'_, T>) {
        let mut from_king = 0;
        let knights = self.own.of_kind(Piece::Knight);
        for square in knights {
            let attacks = get_knight_moves(square);
            let reached = self.note(Piece::Knight, square, attacks, side);
            side.add(terms::KNIGHT_REACH + reached);
            from_king += distance(square, self.own.king) as i32;
            if self.outposts.has(square) {
                side.add(terms::OUTPOSTS);
            } else {
                let near = attacks & self.outposts & !self.own.all;
                side.when(!near.is_empty(), terms::OUTPOSTS + 2);
            }
        }
        side.count(terms::MINORS + 1, from_king);
        let shielded = (knights | self.own.of_kind(Piece::Bishop))
            & down(self.own.pawns() | self.enemy.pawns());
        side.count(terms::MINORS, len(shielded));
    }

    #[inline(always)]
    fn bishops<T: Tally>(&mut self, side: &mut Side<'_, T>) {
        let see_through = self.own.of_kind(Piece::Queen);
        for square in self.own.of_kind(Piece::Bishop) {
            let attacks = get_bishop_moves(square, self.occupied ^ see_through);
            let reached = self.note(Piece::Bishop, square, attacks, side);
            side.add(terms::BISHOP_REACH + reached);
            side.count(terms::MINORS + 2, distance(square, self.own.king) as i32);
            side.when(self.outposts.has(square), terms::OUTPOSTS + 1);
            let shade = if LIGHT_SQUARES.has(square) { LIGHT_SQUARES } else { !LIGHT_SQUARES };
            let pawns = self.own.pawns() & shade;
            side.count(terms::BAD_BISHOPS, len(pawns));
            side.count(terms::BAD_BISHOPS + 1, len(pawns & down(self.occupied)));
        }
    }

    #[inline(always)]
    fn rooks<T: Tally>(&mut self, may_castle: bool, side: &mut Side<'_, T>) {
        let see_through = self.own.of_kind(Piece::Queen) | self.own.of_kind(Piece::Rook);
        for square in self.own.of_kind(Piece::Rook) {
            let attacks = get_rook_moves(square, self.occupied ^ see_through);
            let reached = self.note(Piece::Rook, square, attacks, side);
            side.add(terms::ROOK_REACH + reached);
            let file = file_of(square);
            if file.is_disjoint(self.own.pawns()) {
                let open = file.is_disjoint(self.enemy.pawns());
                side.add(terms::ROOKS + usize::from(open));
            } else if reached <= 3 {
                let (king, rook) = (self.own.king.file() as u8, square.file() as u8);
                let shut_in = (king < 4) == (rook < king);
                side.when(shut_in, terms::ROOKS + 2);
                side.when(shut_in && !may_castle, terms::ROOKS + 3);
            }
        }
    }

    #[inline(always)]
    fn queens<T: Tally>(&mut self, side: &mut Side<'_, T>) {
        for square in self.own.of_kind(Piece::Queen) {
            let attacks =
                get_bishop_moves(square, self.occupied) | get_rook_moves(square, self.occupied);
            let reached = self.note(Piece::Queen, square, attacks, side);
            side.add(terms::QUEEN_REACH + reached);
        }
    }
}

/// Safe squares behind the own pawns in the middle, more of them counting the more pieces there
/// are to use them (after Stockfish's evaluation of 2013 and later).
pub(super) fn space<T: Tally>(own: &Men, enemy: &Men, enemy_any: BitBoard, side: &mut Side<'_, T>) {
    const MIDDLE: BitBoard = BitBoard(0x0000_0000_3C3C_3C00);
    let safe = MIDDLE & !own.pawns() & !enemy.pawn_attacks;
    let pawns = own.pawns();
    let behind = down(pawns) | down(down(pawns)) | down(down(down(pawns)));
    let squares = len(safe) + len(safe & behind & !enemy_any);
    let pieces = len(own.all) - len(pawns);
    side.count(terms::SPACE, squares * pieces / 4);
}
