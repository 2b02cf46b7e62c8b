//! What a search should know: captures, promotions, checks, exchanges.

use super::{
    exchange::{self, worth},
    position::{BACK_RANKS, Chess},
};
use cozy_chess::{
    BitBoard, Color, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_line_rays, get_pawn_attacks, get_pawn_quiets, get_rook_moves,
};
use ludus_core::{MoveHint, Outcome, Position, SearchHints};

const SQUARES: usize = 64;
const KINDS: usize = 6;

impl Chess {
    /// The square a pawn that captures en passant goes to, whether or not there is one.
    #[inline]
    fn en_passant_square(&self) -> Option<Square> {
        let rank = Rank::Sixth.relative_to(self.board.side_to_move());
        self.board.en_passant().map(|file| Square::new(file, rank))
    }

    /// By kind, where a man captures or promotes.
    #[inline]
    fn gains(&self) -> [BitBoard; KINDS] {
        let enemies = self.board.colors(!self.board.side_to_move());
        let en_passant = self.en_passant_square().map_or(BitBoard::EMPTY, Square::bitboard);
        let mut gains = [enemies; KINDS];
        gains[Piece::Pawn as usize] |= BACK_RANKS | en_passant;
        gains
    }

    #[inline]
    fn kind(&self, square: Square) -> Piece {
        self.board.piece_on(square).unwrap_or(Piece::King)
    }
}

/// What a man likes about a square before anything else is known, by colour and kind: to be near the
/// middle, for a pawn to be near its goal.
const LIKING: [[[i16; SQUARES]; KINDS]; 2] = {
    let mut liking = [[[0; SQUARES]; KINDS]; 2];
    let mut square = 0;
    while square < SQUARES {
        let (file, rank) = (square as i16 & 7, square as i16 >> 3);
        // 0 in the corners to 6 on the four squares in the middle.
        let nearness =
            if file < 4 { file } else { 7 - file } + if rank < 4 { rank } else { 7 - rank };
        let mut color = 0;
        while color < 2 {
            let of = &mut liking[color];
            of[Piece::Pawn as usize][square] = 10 * if color == 0 { rank } else { 7 - rank };
            of[Piece::Knight as usize][square] = 20 * nearness;
            of[Piece::Bishop as usize][square] = 20 * nearness;
            of[Piece::Rook as usize][square] = 5 * nearness;
            of[Piece::Queen as usize][square] = 20 * nearness;
            color += 1;
        }
        square += 1;
    }
    liking
};

/// A man about to move, with what is the same for all its moves.
struct Mover {
    slot: u16,
    liking: &'static [i16; SQUARES],
    /// What it likes about where it stands.
    here: i32,
    own: BitBoard,
    /// Where it would be taken by a pawn; nothing a pawn cares for.
    danger: BitBoard,
    /// Where it captures or promotes.
    gains: BitBoard,
    /// Where it gives check.
    checks: BitBoard,
}

/// What is the same for all moves of a side.
struct Survey {
    taken_by_pawns: BitBoard,
    gains: [BitBoard; KINDS],
    /// By kind, where a man gives check directly. A promoted pawn is not looked at, nor is what a
    /// man leaving opens.
    checks: [BitBoard; KINDS],
}

impl Survey {
    #[inline]
    fn of(position: &Chess) -> Survey {
        let board = &position.board;
        let color = board.side_to_move();
        // Attacks seen from their targets are attacks of the other colour.
        let enemy_pawns = board.colored_pieces(!color, Piece::Pawn);
        let taken_by_pawns = pawns_that_attack(enemy_pawns, color);
        let king = board.king(!color);
        let diagonal = get_bishop_moves(king, board.occupied());
        let straight = get_rook_moves(king, board.occupied());
        let pawns = get_pawn_attacks(king, !color);
        let knights = get_knight_moves(king);
        let checks = [pawns, knights, diagonal, straight, diagonal | straight, BitBoard::EMPTY];
        Survey { taken_by_pawns, gains: position.gains(), checks }
    }
}

impl Mover {
    #[inline]
    fn of(position: &Chess, from: Square, survey: &Survey) -> Mover {
        let board = &position.board;
        let color = board.side_to_move();
        let piece = position.kind(from);
        let liking = &LIKING[color as usize][piece as usize];
        let (danger, here) = match piece {
            Piece::Pawn => (BitBoard::EMPTY, 0),
            _ => (survey.taken_by_pawns, i32::from(liking[from as usize])),
        };
        let gains = survey.gains[piece as usize];
        let slot = slot_of(piece, Square::A1) as u16;
        let checks = survey.checks[piece as usize];
        Mover { slot, liking, here, own: board.colors(color), danger, gains, checks }
    }

    /// Towards the middle, not where a pawn takes, and into the castle.
    #[inline]
    fn preference(&self, to: Square) -> i32 {
        if self.own.has(to) {
            return 150;
        }
        let danger = 200 * i32::from(self.danger.has(to));
        i32::from(self.liking[to as usize]) - self.here - danger
    }

    #[inline]
    fn sketch(&self, position: &Chess, mv: Move) -> MoveHint {
        let is_quiet = !self.gains.has(mv.to);
        let promise = if is_quiet { self.preference(mv.to) } else { position.urgency(mv) };
        let presses = self.checks.has(mv.to);
        MoveHint { slot: self.slot + mv.to as u16, is_quiet, presses, promise }
    }
}

/// The squares from which a pawn of `color` attacks one of `targets`.
#[inline]
fn pawns_that_attack(targets: BitBoard, color: Color) -> BitBoard {
    const NOT_A: u64 = !0x0101_0101_0101_0101;
    const NOT_H: u64 = !0x8080_8080_8080_8080;
    let (left, right) = (targets.0 & NOT_A, targets.0 & NOT_H);
    BitBoard(match color {
        Color::White => left >> 9 | right >> 7,
        Color::Black => left << 7 | right << 9,
    })
}

#[inline]
fn slot_of(piece: Piece, to: Square) -> usize {
    piece as usize * SQUARES + to as usize
}

impl SearchHints for Chess {
    /// By piece and target.
    const SLOTS: usize = KINDS * SQUARES;

    #[inline]
    fn slot(&self, mv: Move) -> usize {
        slot_of(self.kind(mv.from), mv.to)
    }

    #[inline]
    fn gain(&self, mv: Move) -> i32 {
        let promoted = mv.promotion.map_or(0, |piece| worth(piece) - worth(Piece::Pawn));
        let captured = if self.board.colors(!self.board.side_to_move()).has(mv.to) {
            worth(self.kind(mv.to))
        } else if self.en_passant_square() == Some(mv.to)
            && self.board.pieces(Piece::Pawn).has(mv.from)
        {
            worth(Piece::Pawn)
        } else {
            0
        };
        promoted + captured
    }

    /// The most valuable victim first, by the least valuable attacker.
    #[inline]
    fn urgency(&self, mv: Move) -> i32 {
        let gain = self.gain(mv);
        let attacker = match self.kind(mv.from) {
            Piece::King => worth(Piece::Queen) + worth(Piece::Pawn),
            piece => worth(piece),
        };
        // No attacker outweighs the least difference between victims that matters.
        gain - attacker / 16
    }

    #[inline]
    fn preference(&self, mv: Move) -> i32 {
        Mover::of(self, mv.from, &Survey::of(self)).preference(mv.to)
    }

    #[inline]
    fn presses(&self, mv: Move) -> bool {
        Survey::of(self).checks[self.kind(mv.from) as usize].has(mv.to)
    }

    #[inline]
    fn sketch(&self, mv: Move) -> MoveHint {
        Mover::of(self, mv.from, &Survey::of(self)).sketch(self, mv)
    }

    /// Moves of one man follow each other.
    #[inline]
    fn sketches(&self, moves: &[Move], mut each: impl FnMut(MoveHint)) {
        let survey = Survey::of(self);
        for moves in moves.chunk_by(|one, next| one.from == next.from) {
            let mover = Mover::of(self, moves[0].from, &survey);
            for &mv in moves {
                each(mover.sketch(self, mv));
            }
        }
    }

    #[inline]
    fn promising(&self, moves: &[Move], slots: [u16; 3], mut each: impl FnMut(usize, MoveHint)) {
        let survey = Survey::of(self);
        let mut wanted = survey.gains;
        for slot in slots.map(usize::from) {
            if slot < Self::SLOTS {
                wanted[slot / SQUARES].0 |= 1 << (slot % SQUARES);
            }
        }
        let (mut from, mut targets) = (None, BitBoard::EMPTY);
        for (place, &mv) in moves.iter().enumerate() {
            if from != Some(mv.from) {
                (from, targets) = (Some(mv.from), wanted[self.kind(mv.from) as usize]);
            }
            if targets.has(mv.to) {
                each(place, Mover::of(self, mv.from, &survey).sketch(self, mv));
            }
        }
    }

    #[inline]
    fn exchange_wins(&self, mv: Move, threshold: i32) -> bool {
        exchange::wins(self, mv, threshold)
    }

    #[inline]
    fn is_pressed(&self) -> bool {
        self.in_check()
    }

    /// Of promotions only those to a queen.
    #[inline]
    fn noisy_moves(&self, out: &mut Vec<Move>) {
        if self.in_check() {
            self.legal_moves(out);
        } else {
            Captures::of(self).append(out);
        }
    }

    /// With nothing but pawns the right to pass would often be worth more than any move.
    #[inline]
    fn passed(&self) -> Option<Chess> {
        let own = self.board.colors(self.board.side_to_move());
        let slow = self.board.pieces(Piece::Pawn) | self.board.pieces(Piece::King);
        if own.is_subset(slow) {
            return None;
        }
        self.board.null_move().map(|board| Chess { board })
    }

    #[inline]
    fn extension(&self, replies: usize) -> i32 {
        i32::from(replies == 1)
    }

    /// Mates are found by the list of evasions; a stalemate right at the horizon is not worth a
    /// list of moves at every leaf.
    #[inline]
    fn horizon_outcome(&self) -> Option<Outcome> {
        None
    }
}

/// Generates captures and promotions while there is no check.
struct Captures<'a> {
    position: &'a Chess,
    own: BitBoard,
    enemies: BitBoard,
    occupied: BitBoard,
    pinned: BitBoard,
    king: Square,
    color: Color,
}

impl Captures<'_> {
    #[inline]
    fn of(position: &Chess) -> Captures<'_> {
        let board = &position.board;
        let color = board.side_to_move();
        Captures {
            position,
            own: board.colors(color),
            enemies: board.colors(!color),
            occupied: board.occupied(),
            pinned: board.pinned(),
            king: board.king(color),
            color,
        }
    }

    fn append(&self, out: &mut Vec<Move>) {
        self.pawns(out);
        let pieces = |piece| self.position.board.pieces(piece) & self.own;
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
            let guards = exchange::attackers(&self.position.board, to, without_king);
            if guards.is_disjoint(self.enemies) {
                out.push(Move { from: self.king, to, promotion: None });
            }
        }
    }

    #[inline]
    fn pawns(&self, out: &mut Vec<Move>) {
        let board = &self.position.board;
        let pawns = board.pieces(Piece::Pawn) & self.own;
        let last_but_one = Rank::Seventh.relative_to(self.color).bitboard();
        for from in pawns & (pawns_that_attack(self.enemies, self.color) | last_but_one) {
            let mut to = get_pawn_attacks(from, self.color) & self.enemies;
            if last_but_one.has(from) {
                to |= get_pawn_quiets(from, self.color, self.occupied);
            }
            if self.pinned.has(from) {
                to &= get_line_rays(self.king, from);
            }
            push_pawn(from, to, out);
        }
        if let Some(to) = self.position.en_passant_square() {
            for from in get_pawn_attacks(to, !self.color) & pawns {
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
        let captures = position.board.colors(!position.board.side_to_move()).has(mv.to)
            || position.kind(mv.from) == Piece::Pawn && mv.from.file() != mv.to.file();
        (captures || mv.promotion.is_some()) && matches!(mv.promotion, None | Some(Piece::Queen))
    }

    /// The slot of some move, or none's.
    fn one_slot(position: &Chess, moves: &[Move], index: usize) -> u16 {
        moves.get(7 * index).map_or(u16::MAX, |&mv| position.slot(mv) as u16)
    }

    fn check(position: &Chess) {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut noisy = Vec::new();
        position.noisy_moves(&mut noisy);
        let mut expected = moves.clone();
        expected.retain(|&mv| position.is_pressed() || is_noisy(position, mv));
        assert_eq!(sorted(noisy), sorted(expected), "{}", position.board);
        let mut sketches = Vec::new();
        position.sketches(&moves, |sketch| sketches.push(sketch));
        let one_by_one = moves.iter().map(|&mv| {
            let is_quiet = position.gain(mv) == 0;
            let promise = if is_quiet { position.preference(mv) } else { position.urgency(mv) };
            let (slot, presses) = (position.slot(mv) as u16, position.presses(mv));
            MoveHint { slot, is_quiet, presses, promise }
        });
        assert_eq!(sketches, one_by_one.collect::<Vec<MoveHint>>(), "{}", position.board);
        let slots = [0, 1, 2].map(|index| one_slot(position, &moves, index));
        let mut promising = Vec::new();
        position.promising(&moves, slots, |place, sketch| promising.push((place, sketch)));
        let mut expected: Vec<(usize, MoveHint)> = sketches.into_iter().enumerate().collect();
        expected.retain(|(_, sketch)| !sketch.is_quiet || slots.contains(&sketch.slot));
        assert_eq!(promising, expected, "{}", position.board);
        for mv in moves {
            assert!(position.slot(mv) < Chess::SLOTS);
            let quiet = !is_noisy(position, mv) && mv.promotion.is_none();
            assert_eq!(position.gain(mv) == 0, quiet, "{mv} in {}", position.board);
            let castles = position.board.colors(position.board.side_to_move()).has(mv.to);
            if !castles && mv.promotion.is_none() {
                let gives_check = position.after(mv).board.checkers().has(mv.to);
                assert_eq!(position.presses(mv), gives_check, "{mv} in {}", position.board);
            }
            // A bare gain is all an exchange can win.
            assert!(!position.exchange_wins(mv, position.gain(mv) + 1));
        }
        if let Some(passed) = position.passed() {
            assert!(passed.turn() != position.turn() && passed.en_passant().is_none());
        } else {
            let pieces = position.board.colors(position.board.side_to_move())
                & !(position.board.pieces(Piece::Pawn) | position.board.pieces(Piece::King));
            assert!(position.is_pressed() || pieces.is_empty());
        }
    }

    #[test]
    fn noisy_moves_are_the_captures_among_the_legal_ones() {
        let mut random = Random::new(9);
        let starts = [
            Chess::default().board,
            "r3k2r/1P2Pp2/8/3pP3/1b2b3/2P5/p2N4/1R2K2R w Kkq d6 0 1".parse().unwrap(),
            "8/1P1n1P2/6k1/KPpP3r/8/8/3p1p2/4B3 w - c6 0 1".parse().unwrap(),
        ];
        for game in 0..150 {
            let mut position = Chess { board: starts[game % starts.len()].clone() };
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
        let position = Chess { board };
        let urgency = |text: &str| position.urgency(text.parse().unwrap());
        let order = ["e5d6", "a3d6", "e5f6", "f3f6"];
        assert!(order.is_sorted_by_key(|text| -urgency(text)), "{:?}", order.map(urgency));
        let preference = |text: &str| position.preference(text.parse().unwrap());
        assert!(preference("f3e4") > preference("f3h1") && preference("f3d5").abs() < 200);
    }
}
