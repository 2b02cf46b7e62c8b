//! Static exchange evaluation: the material won by a series of captures on one square.
//!
//! Each side captures with its least valuable piece or stops, and x-ray attackers join in as the
//! pieces in front of them leave (the swap algorithm, described by Fritz Reul, "Static Exchange
//! Evaluation with alpha-beta approach", ICGA Journal 2010). Pins are ignored; a king captures only
//! what is not guarded. A pawn that captures on the last rank becomes a queen.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, Square, get_bishop_moves, get_bishop_rays,
    get_king_moves, get_knight_moves, get_pawn_attacks, get_rook_moves, get_rook_rays,
};
use ludus_games::chess::{BACK_RANKS, Chess};

/// Piece values in hundredths of a pawn. The king is never captured.
pub(super) const PIECE_VALUES: [i32; 6] = [100, 320, 335, 510, 980, 0];

#[inline(always)]
pub(super) fn piece_value(piece: Piece) -> i32 {
    PIECE_VALUES[piece as usize]
}

/// Material gain of a promotion to a queen.
pub(super) const PROMOTION_GAIN: i32 = PIECE_VALUES[4] - PIECE_VALUES[0];

/// The pieces of both sides that attack `square` when `occupied` squares block the view.
#[inline]
pub(super) fn attackers(board: &Board, square: Square, occupied: BitBoard) -> BitBoard {
    let of = |piece| board.pieces(piece);
    let diagonal = of(Piece::Bishop) | of(Piece::Queen);
    let straight = of(Piece::Rook) | of(Piece::Queen);
    let near = get_pawn_attacks(square, Color::Black)
        & board.colored_pieces(Color::White, Piece::Pawn)
        | get_pawn_attacks(square, Color::White) & board.colored_pieces(Color::Black, Piece::Pawn)
        | get_knight_moves(square) & of(Piece::Knight)
        | get_king_moves(square) & of(Piece::King);
    let mut far = BitBoard::EMPTY;
    if !(get_bishop_rays(square) & diagonal).is_empty() {
        far |= get_bishop_moves(square, occupied) & diagonal;
    }
    if !(get_rook_rays(square) & straight).is_empty() {
        far |= get_rook_moves(square, occupied) & straight;
    }
    (near | far) & occupied
}

/// The captured piece of `mv` and its square.
#[inline]
pub(super) fn victim(board: &Board, moved: Piece, mv: Move) -> Option<(Piece, Square)> {
    let enemies = board.colors(!board.side_to_move());
    if enemies.has(mv.to) {
        return board.piece_on(mv.to).map(|piece| (piece, mv.to));
    }
    let en_passant = moved == Piece::Pawn && mv.from.file() != mv.to.file();
    en_passant.then(|| (Piece::Pawn, Square::new(mv.to.file(), mv.from.rank())))
}

/// Whether the exchange that `mv` starts wins at least `threshold`.
#[inline]
pub(super) fn see_at_least(position: &Chess, mv: Move, threshold: i32) -> bool {
    let board = position.board();
    let Some(moved) = board.piece_on(mv.from) else { return false };
    if board.colors(board.side_to_move()).has(mv.to) {
        // Castling wins nothing and risks nothing.
        return threshold <= 0;
    }
    let victim = victim(board, moved, mv);
    let placed = mv.promotion.unwrap_or(moved);
    let won = victim.map_or(0, |(piece, _)| piece_value(piece)) + piece_value(placed)
        - piece_value(moved);
    // The balance over the threshold if the exchange stops here, then if the piece is lost.
    let balance = won - threshold;
    if balance < 0 {
        return false;
    }
    let at_stake = piece_value(placed) + if BACK_RANKS.has(mv.to) { PROMOTION_GAIN } else { 0 };
    if moved == Piece::King || balance >= at_stake {
        // A legal move of the king is safe; else even losing the whole piece is affordable.
        return true;
    }
    let mut occupied = (board.occupied() ^ mv.from.bitboard()) | mv.to.bitboard();
    if let Some((_, square)) = victim
        && square != mv.to
    {
        occupied ^= square.bitboard();
    }
    let swap = Swap { board, square: mv.to };
    swap.first_side_wins(occupied, placed, balance)
}

struct Swap<'a> {
    board: &'a Board,
    square: Square,
}

impl Swap<'_> {
    /// Whether the side that has just put `standing` on the square keeps a balance of at least 0.
    #[inline]
    fn first_side_wins(&self, mut occupied: BitBoard, standing: Piece, balance: i32) -> bool {
        let board = self.board;
        let diagonal = board.pieces(Piece::Bishop) | board.pieces(Piece::Queen);
        let straight = board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
        let mut attackers = attackers(board, self.square, occupied);
        let first = board.side_to_move();
        let mut side = !first;
        // For the side that captures next: what it has if it stops now, one below winning.
        let mut balance = -balance - 1;
        let mut standing = standing;
        loop {
            // `side` loses by stopping (its balance is below 0) and must capture.
            let own = attackers & board.colors(side);
            let Some(piece) = self.least(own) else { break };
            let promotes = piece == Piece::Pawn && self.is_last_rank(side);
            balance += piece_value(standing) + if promotes { PROMOTION_GAIN } else { 0 };
            if balance < 0 {
                break;
            }
            if piece == Piece::King {
                let left = occupied ^ (own & board.pieces(Piece::King));
                let guards = self::attackers(board, self.square, left) & board.colors(!side);
                if guards.is_empty() {
                    side = !side;
                }
                break;
            }
            standing = if promotes { Piece::Queen } else { piece };
            let from = own & board.pieces(piece);
            occupied ^= BitBoard(from.0 & from.0.wrapping_neg());
            if matches!(piece, Piece::Pawn | Piece::Bishop | Piece::Queen) {
                attackers |= get_bishop_moves(self.square, occupied) & diagonal;
            }
            if matches!(piece, Piece::Rook | Piece::Queen) {
                attackers |= get_rook_moves(self.square, occupied) & straight;
            }
            attackers &= occupied;
            balance = -balance - 1;
            side = !side;
        }
        // The side that could not, or did not, capture has lost the exchange.
        side != first
    }

    fn is_last_rank(&self, side: Color) -> bool {
        self.square.rank() == Rank::Eighth.relative_to(side)
    }

    /// The least valuable of `own`.
    #[inline(always)]
    fn least(&self, own: BitBoard) -> Option<Piece> {
        if own.is_empty() {
            return None;
        }
        Piece::ALL.into_iter().find(|&piece| !own.is_disjoint(self.board.pieces(piece)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{Position, Random};

    /// A board without bitboards, for the plain exchange search.
    #[derive(Clone)]
    struct Plain([Option<(Color, Piece)>; 64]);

    const STEPS: [(i8, i8); 8] =
        [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];
    const JUMPS: [(i8, i8); 8] =
        [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

    impl Plain {
        fn of(board: &Board) -> Plain {
            Plain(Square::ALL.map(|square| board.color_on(square).zip(board.piece_on(square))))
        }

        fn at(&self, square: Square) -> Option<(Color, Piece)> {
            self.0[square as usize]
        }

        /// Pieces of `side` that attack `target`, with their squares.
        fn attackers(&self, target: Square, side: Color) -> Vec<(Piece, Square)> {
            let mut found = Vec::new();
            for (index, (file, rank)) in STEPS.into_iter().enumerate() {
                let mut square = target;
                let mut distance = 0;
                while let Some(next) = square.try_offset(file, rank) {
                    (square, distance) = (next, distance + 1);
                    let Some((colour, piece)) = self.at(square) else { continue };
                    let up = if side == Color::White { -1 } else { 1 };
                    let hits = match piece {
                        Piece::Queen => true,
                        Piece::Rook => index < 4,
                        Piece::Bishop => index >= 4,
                        Piece::King => distance == 1,
                        Piece::Pawn => index >= 4 && distance == 1 && rank == up,
                        Piece::Knight => false,
                    };
                    if colour == side && hits {
                        found.push((piece, square));
                    }
                    break;
                }
            }
            for (file, rank) in JUMPS {
                let square = target.try_offset(file, rank);
                if let Some(square) = square
                    && self.at(square) == Some((side, Piece::Knight))
                {
                    found.push((Piece::Knight, square));
                }
            }
            found
        }

        fn put(&self, from: Square, to: Square, placed: Piece) -> Plain {
            let mut next = self.clone();
            next.0[to as usize] = self.at(from).map(|(colour, _)| (colour, placed));
            next.0[from as usize] = None;
            next
        }

        /// The most `side` can win by capturing on `target`: with any piece, or with the least
        /// valuable one on the lowest square.
        fn best(&self, target: Square, side: Color, any: bool) -> i32 {
            let standing = self.at(target).map_or(0, |(_, piece)| piece_value(piece));
            let mut attackers = self.attackers(target, side);
            attackers.sort_by_key(|&(piece, square)| (piece as usize, square as usize));
            if !any {
                attackers.truncate(1);
            }
            let last = Rank::Eighth.relative_to(side);
            let captures = attackers.into_iter().filter_map(|(piece, from)| {
                let promotes = piece == Piece::Pawn && target.rank() == last;
                let placed = if promotes { Piece::Queen } else { piece };
                let next = self.put(from, target, placed);
                if piece == Piece::King && !next.attackers(target, !side).is_empty() {
                    return None;
                }
                let won = standing + piece_value(placed) - piece_value(piece);
                Some(won - next.best(target, !side, any))
            });
            captures.max().unwrap_or(0).max(0)
        }

        fn value(&self, side: Color, mv: Move, any: bool) -> i32 {
            let Some((_, moved)) = self.at(mv.from) else { return 0 };
            if self.at(mv.to).is_some_and(|(colour, _)| colour == side) {
                return 0;
            }
            let mut victim = self.at(mv.to).map_or(0, |(_, piece)| piece_value(piece));
            let placed = mv.promotion.unwrap_or(moved);
            let mut next = self.put(mv.from, mv.to, placed);
            if moved == Piece::Pawn && victim == 0 && mv.from.file() != mv.to.file() {
                next.0[Square::new(mv.to.file(), mv.from.rank()) as usize] = None;
                victim = piece_value(Piece::Pawn);
            }
            victim + piece_value(placed) - piece_value(moved) - next.best(mv.to, !side, any)
        }
    }

    #[test]
    fn agrees_with_a_plain_exchange_search() {
        let mut random = Random::new(5);
        let (mut compared, mut differs) = (0, 0);
        for _ in 0..80 {
            let mut position = Chess::default();
            for _ in 0..120 {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                let side = position.board().side_to_move();
                let plain = Plain::of(position.board());
                for &mv in &moves {
                    let value = plain.value(side, mv, false);
                    for threshold in [value - 50, value, value + 1, 0, -100, 200] {
                        assert_eq!(
                            see_at_least(&position, mv, threshold),
                            value >= threshold,
                            "{mv} in {}: {value}, {threshold}",
                            position.board()
                        );
                    }
                    compared += 1;
                    if random.below(16) == 0 {
                        differs += usize::from(plain.value(side, mv, true) != value);
                    }
                }
                let Some(mv) = random.pick(&moves) else { break };
                position.play(mv);
            }
        }
        assert!(compared > 50_000, "{compared}");
        // Capturing with the least valuable piece is nearly always best.
        assert!(differs * 16 * 200 < compared, "{differs} of {}", compared / 16);
    }

    #[test]
    fn exchanges_everyone_can_count() {
        let cases = [
            // A rook takes an unguarded pawn; a knight a pawn guarded through an x-ray.
            ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),
            ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -220),
            // En passant, guarded; a promotion that is taken; one that takes.
            ("4k3/p7/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", 100),
            ("4k3/1p6/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", 0),
            ("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7b8q", -100),
            ("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7a8q", 510 + 880),
        ];
        for (fen, text, value) in cases {
            let board: Board = fen.parse().unwrap();
            let mv: Move = text.parse().unwrap();
            let position = Chess::new(board);
            assert!(see_at_least(&position, mv, value), "{fen} {text}");
            assert!(!see_at_least(&position, mv, value + 1), "{fen} {text}");
        }
    }
}
