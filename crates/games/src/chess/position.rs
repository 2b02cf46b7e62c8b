//! The position and the rules that `cozy-chess` leaves out: draws, equality, keys.

use super::rollout;
use cozy_chess::{
    BitBoard, Board, BoardBuilder, Color, File, Move, Piece, Rank, Square, get_pawn_attacks,
};
use ludus_core::{EndReason, Outcome, Position, Random, Side, position::mix};

/// A position with its clocks.
#[derive(Clone, Debug, Default)]
pub struct Chess {
    pub(super) board: Board,
}

/// Fifty-move rule: plies without a capture or a pawn move that draw; the board counts no further.
const FIFTY_MOVE_PLIES: u8 = 100;

const SQUARES: usize = 64;
const FILES: usize = 8;
/// Knight, bishop, rook, queen.
const PROMOTIONS: usize = 4;

/// The first and the last rank.
pub const BACK_RANKS: BitBoard = BitBoard(0xFF00_0000_0000_00FF);

/// The light squares.
pub const LIGHT_SQUARES: BitBoard = BitBoard(0x55AA_55AA_55AA_55AA);

/// The side that plays `colour`.
#[inline]
pub(super) fn side_of(colour: Color) -> Side {
    match colour {
        Color::White => Side::First,
        Color::Black => Side::Second,
    }
}

impl Chess {
    /// The position on `board`.
    #[inline]
    pub fn new(board: Board) -> Chess {
        Chess { board }
    }

    /// Its board.
    #[inline]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The file of a pawn that has just made a double step and can legally be captured en passant.
    /// The board keeps every double step; only one that can be answered en passant matters.
    #[inline]
    pub fn en_passant(&self) -> Option<File> {
        let file = self.board.en_passant()?;
        let colour = self.board.side_to_move();
        let to = Square::new(file, Rank::Sixth.relative_to(colour));
        let pawns = get_pawn_attacks(to, !colour) & self.board.colored_pieces(colour, Piece::Pawn);
        let legal = |from| self.board.is_legal(Move { from, to, promotion: None });
        pawns.into_iter().any(legal).then_some(file)
    }

    #[inline]
    pub(super) fn has_moves(&self) -> bool {
        self.board.generate_moves(|_| true)
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }

    /// Dead position, in which no sequence of moves leads to mate: bare kings, one knight, or
    /// bishops that all stand on squares of one colour.
    #[inline]
    fn has_insufficient_material(&self) -> bool {
        let pieces = |piece| self.board.pieces(piece);
        if !(pieces(Piece::Pawn) | pieces(Piece::Rook) | pieces(Piece::Queen)).is_empty() {
            return false;
        }
        let (knights, bishops) = (pieces(Piece::Knight), pieces(Piece::Bishop));
        if knights.is_empty() {
            bishops.is_subset(LIGHT_SQUARES) || bishops.is_disjoint(LIGHT_SQUARES)
        } else {
            (knights | bishops).len() == 1
        }
    }

    /// Castling rights in four bits.
    #[inline]
    fn castling(&self) -> u64 {
        [Color::White, Color::Black].iter().fold(0, |bits, &colour| {
            let rights = self.board.castle_rights(colour);
            bits << 2 | u64::from(rights.short.is_some()) << 1 | u64::from(rights.long.is_some())
        })
    }
}

/// Not the board's `same_position`: in version 0.3.4 it takes any piece that can go to the square
/// behind the pawn for an en-passant capture.
impl PartialEq for Chess {
    #[inline]
    fn eq(&self, other: &Chess) -> bool {
        let (ours, theirs) = (&self.board, &other.board);
        ours.hash_without_ep() == theirs.hash_without_ep()
            && Piece::ALL.iter().all(|&piece| ours.pieces(piece) == theirs.pieces(piece))
            && ours.colors(Color::White) == theirs.colors(Color::White)
            && ours.side_to_move() == theirs.side_to_move()
            && self.castling() == other.castling()
            && self.en_passant() == other.en_passant()
    }
}

impl Eq for Chess {}

impl Position for Chess {
    /// Castling is the king's move to the square of its rook.
    type Move = Move;

    const REPETITION_LIMIT: Option<usize> = Some(3);

    #[inline]
    fn turn(&self) -> Side {
        side_of(self.board.side_to_move())
    }

    #[inline]
    fn legal_moves(&self, out: &mut Vec<Move>) {
        self.board.generate_moves(|moves| {
            let from = moves.from;
            if moves.piece == Piece::Pawn && !moves.to.is_disjoint(BACK_RANKS) {
                out.extend(moves);
            } else {
                // The same without asking for every square whether a pawn promotes there.
                out.extend(moves.to.into_iter().map(|to| Move { from, to, promotion: None }));
            }
            false
        });
    }

    #[inline]
    fn count_moves(&self) -> usize {
        let mut count = 0;
        self.board.generate_moves(|moves| {
            count += moves.len();
            false
        });
        count
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        debug_assert!(self.board.is_legal(mv), "{mv} is illegal");
        self.board.play_unchecked(mv);
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.has_moves() {
            None
        } else if self.in_check() {
            Some(Outcome::Win(!self.turn()))
        } else {
            Some(Outcome::Draw)
        }
    }

    /// The board's Zobrist key, which is kept incrementally, with the en-passant part replaced: it
    /// counts every double step, `Eq` only those that can be answered.
    #[inline]
    fn key(&self) -> u64 {
        let key = self.board.hash_without_ep();
        match self.en_passant() {
            Some(file) => key ^ mix(1 + file as u64),
            None => key,
        }
    }

    /// Four independent products of two words each, so that they can run in parallel.
    #[inline]
    fn verification_key(&self) -> u32 {
        let en_passant = self.en_passant().map_or(0, |file| 1 + file as u64);
        let rest = self.castling() << 8 | en_passant << 4 | self.board.side_to_move() as u64;
        let set = |piece| self.board.pieces(piece).0;
        let white = self.board.colors(Color::White).0;
        let fold = |one: u64, other: u64| {
            let one = u128::from(one ^ 0x6C75_6475_7363_6865);
            let product = one * u128::from(other ^ 0x9FB2_1C65_1E98_DF25);
            product as u64 ^ (product >> 64) as u64
        };
        let hash = fold(white, rest)
            ^ fold(set(Piece::Pawn), set(Piece::King)).rotate_left(13)
            ^ fold(set(Piece::Knight), set(Piece::Queen)).rotate_left(29)
            ^ fold(set(Piece::Bishop), set(Piece::Rook)).rotate_left(43);
        (mix(hash) >> 32) as u32
    }

    /// The board upside down with the colours exchanged.
    fn colour_flipped(&self) -> Option<Chess> {
        let builder = BoardBuilder::from_board(&self.board);
        let mut swapped = builder.clone();
        for square in Square::ALL {
            let piece = builder.square(square).map(|(piece, colour)| (piece, !colour));
            *swapped.square_mut(square.flip_rank()) = piece;
        }
        swapped.side_to_move = !builder.side_to_move;
        swapped.castle_rights.reverse();
        swapped.en_passant = builder.en_passant.map(Square::flip_rank);
        swapped.build().ok().map(|board| Chess { board })
    }

    #[inline]
    fn reversible_plies(&self) -> usize {
        usize::from(self.board.halfmove_clock())
    }

    /// A mate given with the hundredth ply wins: such a game is over, not stalled.
    #[inline]
    fn rule_draw(&self) -> Option<EndReason> {
        if self.has_insufficient_material() {
            return Some(EndReason::Material);
        }
        let stalled = self.board.halfmove_clock() >= FIFTY_MOVE_PLIES;
        (stalled && (!self.in_check() || self.has_moves())).then_some(EndReason::NoProgress)
    }

    fn terminal_reason(&self) -> EndReason {
        if self.in_check() { EndReason::Checkmate } else { EndReason::Stalemate }
    }

    fn rollout(&self, random: &mut Random, _: &mut Vec<Move>) -> Outcome {
        rollout::rollout(self, random)
    }

    /// Every pair of squares, then promotions by side, origin file, target file and piece.
    #[inline]
    fn move_count(&self) -> usize {
        SQUARES * SQUARES + 2 * FILES * FILES * PROMOTIONS
    }

    #[inline]
    fn move_index(&self, mv: Move) -> usize {
        let Some(piece) = mv.promotion else {
            return mv.from as usize * SQUARES + mv.to as usize;
        };
        let side = usize::from(mv.to.rank() == Rank::First);
        let files = (side * FILES + mv.from.file() as usize) * FILES + mv.to.file() as usize;
        SQUARES * SQUARES + files * PROMOTIONS + (piece as usize - Piece::Knight as usize)
    }
}
