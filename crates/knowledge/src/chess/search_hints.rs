//! Search hints: captures, promotions, checks, static exchange evaluation.

use super::{
    ChessKnowledge,
    see::{self, piece_value},
};
use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_line_rays, get_pawn_attacks, get_pawn_quiets, get_rook_moves,
};
use ludus_core::{MoveHint, Outcome, Position, SearchHints};
use ludus_games::chess::{BACK_RANKS, Chess};

const SQUARES: usize = 64;
const KINDS: usize = 6;

/// The target square of an en-passant capture, whether or not a pawn can make it.
#[inline]
fn en_passant_square(board: &Board) -> Option<Square> {
    let rank = Rank::Sixth.relative_to(board.side_to_move());
    board.en_passant().map(|file| Square::new(file, rank))
}

/// Squares where a piece captures or promotes, by kind.
#[inline]
fn gain_targets(board: &Board) -> [BitBoard; KINDS] {
    let enemies = board.colors(!board.side_to_move());
    let en_passant = en_passant_square(board).map_or(BitBoard::EMPTY, Square::bitboard);
    let mut gain_targets = [enemies; KINDS];
    gain_targets[Piece::Pawn as usize] |= BACK_RANKS | en_passant;
    gain_targets
}

#[inline]
fn kind(board: &Board, square: Square) -> Piece {
    board.piece_on(square).unwrap_or(Piece::King)
}

/// Piece-square bonus for ordering quiet moves, by colour and kind: nearness to the centre, for a
/// pawn its rank.
const SQUARE_BONUS: [[[i16; SQUARES]; KINDS]; 2] = {
    let mut square_bonus = [[[0; SQUARES]; KINDS]; 2];
    let mut square = 0;
    while square < SQUARES {
        let (file, rank) = (square as i16 & 7, square as i16 >> 3);
        // 0 in the corners to 6 on the four squares in the middle.
        let nearness =
            if file < 4 { file } else { 7 - file } + if rank < 4 { rank } else { 7 - rank };
        let mut colour = 0;
        while colour < 2 {
            let of = &mut square_bonus[colour];
            of[Piece::Pawn as usize][square] = 10 * if colour == 0 { rank } else { 7 - rank };
            of[Piece::Knight as usize][square] = 20 * nearness;
            of[Piece::Bishop as usize][square] = 20 * nearness;
            of[Piece::Rook as usize][square] = 5 * nearness;
            of[Piece::Queen as usize][square] = 20 * nearness;
            colour += 1;
        }
        square += 1;
    }
    square_bonus
};

/// A piece about to move, with everything that is the same for all its moves.
struct PieceContext {
    history_index: u16,
    square_bonus: &'static [i16; SQUARES],
    /// Square bonus of its origin.
    from_bonus: i32,
    own: BitBoard,
    /// Squares attacked by enemy pawns; empty for a pawn.
    pawn_attacked: BitBoard,
    /// Squares where it captures or promotes.
    gain_targets: BitBoard,
    /// Squares where it gives check.
    checks: BitBoard,
}

/// Everything that is the same for all moves of a side.
struct SideContext {
    taken_by_pawns: BitBoard,
    gain_targets: [BitBoard; KINDS],
    /// Squares of direct checks, by kind. Checks by promotion and discovered checks are not seen.
    checks: [BitBoard; KINDS],
}

impl SideContext {
    #[inline]
    fn of(position: &Chess) -> SideContext {
        let board = position.board();
        let colour = board.side_to_move();
        // Attacks seen from their targets are attacks of the other colour.
        let enemy_pawns = board.colored_pieces(!colour, Piece::Pawn);
        let taken_by_pawns = pawns_that_attack(enemy_pawns, colour);
        let king = board.king(!colour);
        let diagonal = get_bishop_moves(king, board.occupied());
        let straight = get_rook_moves(king, board.occupied());
        let pawns = get_pawn_attacks(king, !colour);
        let knights = get_knight_moves(king);
        let checks = [pawns, knights, diagonal, straight, diagonal | straight, BitBoard::EMPTY];
        SideContext { taken_by_pawns, gain_targets: gain_targets(board), checks }
    }
}

impl PieceContext {
    #[inline]
    fn of(position: &Chess, from: Square, side_context: &SideContext) -> PieceContext {
        let board = position.board();
        let colour = board.side_to_move();
        let piece = kind(position.board(), from);
        let square_bonus = &SQUARE_BONUS[colour as usize][piece as usize];
        let (pawn_attacked, from_bonus) = match piece {
            Piece::Pawn => (BitBoard::EMPTY, 0),
            _ => (side_context.taken_by_pawns, i32::from(square_bonus[from as usize])),
        };
        let gain_targets = side_context.gain_targets[piece as usize];
        let history_index = piece_target_index(piece, Square::A1) as u16;
        let checks = side_context.checks[piece as usize];
        PieceContext {
            history_index,
            square_bonus,
            from_bonus,
            own: board.colors(colour),
            pawn_attacked,
            gain_targets,
            checks,
        }
    }

    /// Castling first, then towards the centre and away from squares attacked by pawns.
    #[inline]
    fn quiet_bonus(&self, to: Square) -> i32 {
        if self.own.has(to) {
            return 150;
        }
        let pawn_attacked = 200 * i32::from(self.pawn_attacked.has(to));
        i32::from(self.square_bonus[to as usize]) - self.from_bonus - pawn_attacked
    }

    #[inline]
    fn hint(&self, position: &Chess, mv: Move) -> MoveHint {
        let is_quiet = !self.gain_targets.has(mv.to);
        let order_score = if is_quiet {
            self.quiet_bonus(mv.to)
        } else {
            ChessKnowledge.capture_score(position, mv)
        };
        let forces_response = self.checks.has(mv.to);
        MoveHint {
            history_index: self.history_index + mv.to as u16,
            is_quiet,
            forces_response,
            order_score,
        }
    }
}

/// The squares from which a pawn of `colour` attacks one of `targets`.
#[inline]
fn pawns_that_attack(targets: BitBoard, colour: Color) -> BitBoard {
    const NOT_A: u64 = !0x0101_0101_0101_0101;
    const NOT_H: u64 = !0x8080_8080_8080_8080;
    let (left, right) = (targets.0 & NOT_A, targets.0 & NOT_H);
    BitBoard(match colour {
        Color::White => left >> 9 | right >> 7,
        Color::Black => left << 7 | right << 9,
    })
}

#[inline]
fn piece_target_index(piece: Piece, to: Square) -> usize {
    piece as usize * SQUARES + to as usize
}

impl SearchHints<Chess> for ChessKnowledge {
    /// By piece and target square.
    const HISTORY_SIZE: usize = KINDS * SQUARES;

    #[inline]
    fn history_index(self, position: &Chess, mv: Move) -> usize {
        piece_target_index(kind(position.board(), mv.from), mv.to)
    }

    #[inline]
    fn material_gain(self, position: &Chess, mv: Move) -> i32 {
        let promoted =
            mv.promotion.map_or(0, |piece| piece_value(piece) - piece_value(Piece::Pawn));
        let captured = if position.board().colors(!position.board().side_to_move()).has(mv.to) {
            piece_value(kind(position.board(), mv.to))
        } else if en_passant_square(position.board()) == Some(mv.to)
            && position.board().pieces(Piece::Pawn).has(mv.from)
        {
            piece_value(Piece::Pawn)
        } else {
            0
        };
        promoted + captured
    }

    /// MVV-LVA: the most valuable victim first, by the least valuable attacker.
    #[inline]
    fn capture_score(self, position: &Chess, mv: Move) -> i32 {
        let material_gain = self.material_gain(position, mv);
        let attacker = match kind(position.board(), mv.from) {
            Piece::King => piece_value(Piece::Queen) + piece_value(Piece::Pawn),
            piece => piece_value(piece),
        };
        // No attacker outweighs the least difference between victims that matters.
        material_gain - attacker / 16
    }

    #[inline]
    fn quiet_bonus(self, position: &Chess, mv: Move) -> i32 {
        PieceContext::of(position, mv.from, &SideContext::of(position)).quiet_bonus(mv.to)
    }

    #[inline]
    fn forces_response(self, position: &Chess, mv: Move) -> bool {
        SideContext::of(position).checks[kind(position.board(), mv.from) as usize].has(mv.to)
    }

    #[inline]
    fn hint(self, position: &Chess, mv: Move) -> MoveHint {
        PieceContext::of(position, mv.from, &SideContext::of(position)).hint(position, mv)
    }

    /// Uses that the moves of one piece follow each other.
    #[inline]
    fn hints(self, position: &Chess, moves: &[Move], mut each: impl FnMut(MoveHint)) {
        let side_context = SideContext::of(position);
        for moves in moves.chunk_by(|one, next| one.from == next.from) {
            let piece_context = PieceContext::of(position, moves[0].from, &side_context);
            for &mv in moves {
                each(piece_context.hint(position, mv));
            }
        }
    }

    #[inline]
    fn priority_hints(
        self,
        position: &Chess,
        moves: &[Move],
        slots: [u16; 3],
        mut each: impl FnMut(usize, MoveHint),
    ) {
        let side_context = SideContext::of(position);
        let mut wanted = side_context.gain_targets;
        for history_index in slots.map(usize::from) {
            if history_index < Self::HISTORY_SIZE {
                wanted[history_index / SQUARES].0 |= 1 << (history_index % SQUARES);
            }
        }
        let (mut from, mut targets) = (None, BitBoard::EMPTY);
        for (place, &mv) in moves.iter().enumerate() {
            if from != Some(mv.from) {
                (from, targets) = (Some(mv.from), wanted[kind(position.board(), mv.from) as usize]);
            }
            if targets.has(mv.to) {
                each(place, PieceContext::of(position, mv.from, &side_context).hint(position, mv));
            }
        }
    }

    #[inline]
    fn see_at_least(self, position: &Chess, mv: Move, threshold: i32) -> bool {
        see::see_at_least(position, mv, threshold)
    }

    #[inline]
    fn must_respond(self, position: &Chess) -> bool {
        position.in_check()
    }

    /// Promotions only to a queen.
    #[inline]
    fn noisy_moves(self, position: &Chess, out: &mut Vec<Move>) {
        if position.in_check() {
            position.legal_moves(out);
        } else {
            Captures::of(position).append(out);
        }
    }

    /// None with bare king and pawns: there zugzwang is likely, which null-move pruning misjudges.
    #[inline]
    fn null_move(self, position: &Chess) -> Option<Chess> {
        let own = position.board().colors(position.board().side_to_move());
        let slow = position.board().pieces(Piece::Pawn) | position.board().pieces(Piece::King);
        if own.is_subset(slow) {
            return None;
        }
        position.board().null_move().map(Chess::new)
    }

    #[inline]
    fn extension(self, _: &Chess, replies: usize) -> i32 {
        i32::from(replies == 1)
    }

    /// Mates are found by the list of evasions; a stalemate right at the horizon is not worth a
    /// move generation at every leaf.
    #[inline]
    fn horizon_outcome(self, _: &Chess) -> Option<Outcome> {
        None
    }
}

/// Generator of captures and promotions for positions without check.
struct Captures<'a> {
    position: &'a Chess,
    own: BitBoard,
    enemies: BitBoard,
    occupied: BitBoard,
    pinned: BitBoard,
    king: Square,
    colour: Color,
}

impl Captures<'_> {
    #[inline]
    fn of(position: &Chess) -> Captures<'_> {
        let board = position.board();
        let colour = board.side_to_move();
        Captures {
            position,
            own: board.colors(colour),
            enemies: board.colors(!colour),
            occupied: board.occupied(),
            pinned: board.pinned(),
            king: board.king(colour),
            colour,
        }
    }

    fn append(&self, out: &mut Vec<Move>) {
        self.pawns(out);
        let pieces = |piece| self.position.board().pieces(piece) & self.own;
        for from in pieces(Piece::Knight) & !self.pinned {
            push(from, get_knight_moves(from) & self.enemies, out);
        }
        for from in pieces(Piece::Bishop) {
            self.push_slider(from, get_bishop_moves(from, self.occupied), out);
        }
        for from in pieces(Piece::Rook) {
            self.push_slider(from, get_rook_moves(from, self.occupied), out);
        }
        for from in pieces(Piece::Queen) {
            let both = get_bishop_moves(from, self.occupied) | get_rook_moves(from, self.occupied);
            self.push_slider(from, both, out);
        }
        let without_king = self.occupied ^ self.king.bitboard();
        for to in get_king_moves(self.king) & self.enemies {
            let guards = see::attackers(self.position.board(), to, without_king);
            if guards.is_disjoint(self.enemies) {
                out.push(Move { from: self.king, to, promotion: None });
            }
        }
    }

    #[inline]
    fn pawns(&self, out: &mut Vec<Move>) {
        let board = self.position.board();
        let pawns = board.pieces(Piece::Pawn) & self.own;
        let last_but_one = Rank::Seventh.relative_to(self.colour).bitboard();
        for from in pawns & (pawns_that_attack(self.enemies, self.colour) | last_but_one) {
            let mut to = get_pawn_attacks(from, self.colour) & self.enemies;
            if last_but_one.has(from) {
                to |= get_pawn_quiets(from, self.colour, self.occupied);
            }
            if self.pinned.has(from) {
                to &= get_line_rays(self.king, from);
            }
            push_pawn(from, to, out);
        }
        if let Some(to) = en_passant_square(self.position.board()) {
            for from in get_pawn_attacks(to, !self.colour) & pawns {
                let mv = Move { from, to, promotion: None };
                if board.is_legal(mv) {
                    out.push(mv);
                }
            }
        }
    }

    #[inline]
    fn push_slider(&self, from: Square, reached: BitBoard, out: &mut Vec<Move>) {
        let mut to = reached & self.enemies;
        if self.pinned.has(from) {
            to &= get_line_rays(self.king, from);
        }
        push(from, to, out);
    }
}

#[inline]
fn push(from: Square, targets: BitBoard, out: &mut Vec<Move>) {
    for to in targets {
        out.push(Move { from, to, promotion: None });
    }
}

#[inline]
fn push_pawn(from: Square, targets: BitBoard, out: &mut Vec<Move>) {
    for to in targets {
        let promotion = BACK_RANKS.has(to).then_some(Piece::Queen);
        out.push(Move { from, to, promotion });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::Random;

    fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
        moves
            .sort_by_key(|mv| (mv.from as usize, mv.to as usize, mv.promotion.map(|p| p as usize)));
        moves
    }

    fn is_noisy(position: &Chess, mv: Move) -> bool {
        let captures = position.board().colors(!position.board().side_to_move()).has(mv.to)
            || kind(position.board(), mv.from) == Piece::Pawn && mv.from.file() != mv.to.file();
        (captures || mv.promotion.is_some()) && matches!(mv.promotion, None | Some(Piece::Queen))
    }

    /// The history index of some move, or of none.
    fn one_slot(position: &Chess, moves: &[Move], index: usize) -> u16 {
        moves
            .get(7 * index)
            .map_or(u16::MAX, |&mv| ChessKnowledge.history_index(position, mv) as u16)
    }

    fn check(position: &Chess) {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut noisy = Vec::new();
        ChessKnowledge.noisy_moves(position, &mut noisy);
        let mut expected = moves.clone();
        expected.retain(|&mv| ChessKnowledge.must_respond(position) || is_noisy(position, mv));
        assert_eq!(sorted(noisy), sorted(expected), "{}", position.board());
        let mut hints = Vec::new();
        ChessKnowledge.hints(position, &moves, |hint| hints.push(hint));
        let one_by_one = moves.iter().map(|&mv| {
            let is_quiet = ChessKnowledge.material_gain(position, mv) == 0;
            let order_score = if is_quiet {
                ChessKnowledge.quiet_bonus(position, mv)
            } else {
                ChessKnowledge.capture_score(position, mv)
            };
            let (history_index, forces_response) = (
                ChessKnowledge.history_index(position, mv) as u16,
                ChessKnowledge.forces_response(position, mv),
            );
            MoveHint { history_index, is_quiet, forces_response, order_score }
        });
        assert_eq!(hints, one_by_one.collect::<Vec<MoveHint>>(), "{}", position.board());
        let slots = [0, 1, 2].map(|index| one_slot(position, &moves, index));
        let mut priority_hints = Vec::new();
        ChessKnowledge.priority_hints(position, &moves, slots, |place, hint| {
            priority_hints.push((place, hint));
        });
        let mut expected: Vec<(usize, MoveHint)> = hints.into_iter().enumerate().collect();
        expected.retain(|(_, hint)| !hint.is_quiet || slots.contains(&hint.history_index));
        assert_eq!(priority_hints, expected, "{}", position.board());
        for mv in moves {
            assert!(ChessKnowledge.history_index(position, mv) < ChessKnowledge::HISTORY_SIZE);
            let quiet = !is_noisy(position, mv) && mv.promotion.is_none();
            assert_eq!(
                ChessKnowledge.material_gain(position, mv) == 0,
                quiet,
                "{mv} in {}",
                position.board()
            );
            let castles = position.board().colors(position.board().side_to_move()).has(mv.to);
            if !castles && mv.promotion.is_none() {
                let gives_check = position.after(mv).board().checkers().has(mv.to);
                assert_eq!(
                    ChessKnowledge.forces_response(position, mv),
                    gives_check,
                    "{mv} in {}",
                    position.board()
                );
            }
            // An exchange never wins more than the material gain of its first move.
            assert!(!ChessKnowledge.see_at_least(
                position,
                mv,
                ChessKnowledge.material_gain(position, mv) + 1
            ));
        }
        if let Some(null_move) = ChessKnowledge.null_move(position) {
            assert!(null_move.turn() != position.turn() && null_move.en_passant().is_none());
        } else {
            let pieces = position.board().colors(position.board().side_to_move())
                & !(position.board().pieces(Piece::Pawn) | position.board().pieces(Piece::King));
            assert!(ChessKnowledge.must_respond(position) || pieces.is_empty());
        }
    }

    #[test]
    fn noisy_moves_are_the_captures_among_the_legal_ones() {
        let mut random = Random::new(9);
        let starts = [
            Chess::default().board().clone(),
            "r3k2r/1P2Pp2/8/3pP3/1b2b3/2P5/p2N4/1R2K2R w Kkq d6 0 1".parse().unwrap(),
            "8/1P1n1P2/6k1/KPpP3r/8/8/3p1p2/4B3 w - c6 0 1".parse().unwrap(),
        ];
        for game in 0..150 {
            let mut position = Chess::new(starts[game % starts.len()].clone());
            for _ in 0..100 {
                check(&position);
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                let Some(mv) = random.pick(&moves) else { break };
                position.play(mv);
            }
        }
    }

    #[test]
    fn the_order_is_by_victim_then_attacker() {
        let board = "4k3/8/3q1r2/4P3/8/B4Q2/8/4K3 w - - 0 1".parse().unwrap();
        let position = Chess::new(board);
        let capture_score =
            |text: &str| ChessKnowledge.capture_score(&position, text.parse().unwrap());
        let order = ["e5d6", "a3d6", "e5f6", "f3f6"];
        assert!(
            order.is_sorted_by_key(|text| -capture_score(text)),
            "{:?}",
            order.map(capture_score)
        );
        let quiet_bonus = |text: &str| ChessKnowledge.quiet_bonus(&position, text.parse().unwrap());
        assert!(quiet_bonus("f3e4") > quiet_bonus("f3h1") && quiet_bonus("f3d5").abs() < 200);
    }
}
