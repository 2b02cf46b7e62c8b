//! Knights, bishops, rooks and queens: piece-square terms, mobility, attacks around the enemy king.

use super::{
    bitboards::{Attacks, SidePieces, distance, down, file_of, fill_down, len, squares_of},
    counter::TermCounter,
    terms,
};
use cozy_chess::{
    BitBoard, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_rook_moves,
};
use ludus_games::chess::LIGHT_SQUARES;

/// Ranks four to six.
const OUTPOST_RANKS: BitBoard = BitBoard(0x0000_FFFF_FF00_0000);
/// Ranks two and three.
const LOW_RANKS: BitBoard = BitBoard(0x0000_0000_00FF_FF00);

struct PieceCounter<'a> {
    own: &'a SidePieces,
    enemy: &'a SidePieces,
    occupied: BitBoard,
    /// The mobility area: squares that count as reached.
    open: BitBoard,
    outposts: BitBoard,
    attacks: Attacks,
}

/// Counts the pieces of `own` and returns the attacks of all its pieces.
pub(super) fn count_pieces(
    own: &SidePieces,
    enemy: &SidePieces,
    outposts: BitBoard,
    may_castle: bool,
    side: &mut impl TermCounter,
) -> Attacks {
    let occupied = own.all | enemy.all;
    // A pawn that cannot move, or has not moved yet, is in the way; so is the king.
    let stuck = own.pawns() & (down(occupied) | LOW_RANKS);
    let mut counter = PieceCounter {
        own,
        enemy,
        occupied,
        open: !(stuck | own.of_kind(Piece::King) | enemy.pawn_attacks),
        outposts,
        attacks: Attacks::of_king_and_pawns(own),
    };
    material(own, side);
    counter.knights(side);
    counter.bishops(side);
    counter.rooks(may_castle, side);
    counter.queens(side);
    counter.attacks
}

/// Squares guarded by an own pawn that no enemy pawn can ever attack.
pub(super) fn outposts(own: &SidePieces, enemy: &SidePieces) -> BitBoard {
    OUTPOST_RANKS & own.pawn_attacks & !fill_down(enemy.pawn_attacks)
}

/// Material terms except the pawns themselves.
fn material(own: &SidePieces, side: &mut impl TermCounter) {
    let [pawns, knights, bishops, rooks, queens, _] = own.pieces.map(len);
    for (index, count) in [knights, bishops, rooks, queens].into_iter().enumerate() {
        side.count(terms::MATERIAL + 1 + index, count);
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

impl PieceCounter<'_> {
    /// Records the attacks of a `piece` on `square` and returns its mobility.
    #[inline(always)]
    fn note(
        &mut self,
        piece: Piece,
        square: Square,
        attacks: BitBoard,
        side: &mut impl TermCounter,
    ) -> usize {
        self.attacks.add(piece, attacks);
        side.add(terms::SQUARES + 64 * piece as usize + square as usize);
        if !attacks.is_disjoint(self.enemy.ring) {
            self.attacks.attackers[piece as usize - 1] += 1;
            self.attacks.hits += len(attacks & get_king_moves(self.enemy.king));
        }
        len(attacks & self.open) as usize
    }

    #[inline(always)]
    fn knights(&mut self, side: &mut impl TermCounter) {
        let mut from_king = 0;
        let knights = self.own.of_kind(Piece::Knight);
        for square in squares_of(knights) {
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
    fn bishops(&mut self, side: &mut impl TermCounter) {
        let see_through = self.own.of_kind(Piece::Queen);
        let stuck = self.own.pawns() & down(self.occupied);
        let (mut from_king, mut on_shade, mut stuck_on_shade) = (0, 0, 0);
        for square in squares_of(self.own.of_kind(Piece::Bishop)) {
            let attacks = get_bishop_moves(square, self.occupied ^ see_through);
            let reached = self.note(Piece::Bishop, square, attacks, side);
            side.add(terms::BISHOP_REACH + reached);
            from_king += distance(square, self.own.king) as i32;
            side.when(self.outposts.has(square), terms::OUTPOSTS + 1);
            let shade = if LIGHT_SQUARES.has(square) { LIGHT_SQUARES } else { !LIGHT_SQUARES };
            on_shade += len(self.own.pawns() & shade);
            stuck_on_shade += len(stuck & shade);
        }
        side.count(terms::MINORS + 2, from_king);
        side.count(terms::BAD_BISHOPS, on_shade);
        side.count(terms::BAD_BISHOPS + 1, stuck_on_shade);
    }

    #[inline(always)]
    fn rooks(&mut self, may_castle: bool, side: &mut impl TermCounter) {
        let see_through = self.own.of_kind(Piece::Queen) | self.own.of_kind(Piece::Rook);
        for square in squares_of(self.own.of_kind(Piece::Rook)) {
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
    fn queens(&mut self, side: &mut impl TermCounter) {
        for square in squares_of(self.own.of_kind(Piece::Queen)) {
            let attacks =
                get_bishop_moves(square, self.occupied) | get_rook_moves(square, self.occupied);
            let reached = self.note(Piece::Queen, square, attacks, side);
            side.add(terms::QUEEN_REACH + reached);
        }
    }
}

/// Space: safe squares behind the own central pawns, worth more the more pieces there are to use
/// them (after Stockfish's evaluation of 2013 and later).
pub(super) fn space(
    own: &SidePieces,
    enemy: &SidePieces,
    enemy_any: BitBoard,
    side: &mut impl TermCounter,
) {
    const MIDDLE: BitBoard = BitBoard(0x0000_0000_3C3C_3C00);
    let safe = MIDDLE & !own.pawns() & !enemy.pawn_attacks;
    let pawns = own.pawns();
    let behind = down(pawns) | down(down(pawns)) | down(down(down(pawns)));
    let squares = len(safe) + len(safe & behind & !enemy_any);
    let pieces = len(own.all) - len(pawns);
    side.count(terms::SPACE, squares * pieces / 4);
}
