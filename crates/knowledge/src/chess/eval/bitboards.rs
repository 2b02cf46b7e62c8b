//! Bitboards of one side's pieces and attacks as that side sees them (its own first rank is rank
//! 1): all counting is written once, for a side that moves up the board.

use cozy_chess::{BitBoard, Board, Color, File, Piece, Square, get_king_moves};

const NOT_A: u64 = !0x0101_0101_0101_0101;
const NOT_H: u64 = !0x8080_8080_8080_8080;

#[inline(always)]
pub(super) fn len(squares: BitBoard) -> i32 {
    squares.0.count_ones() as i32
}

#[inline(always)]
pub(super) fn up(squares: BitBoard) -> BitBoard {
    BitBoard(squares.0 << 8)
}

#[inline(always)]
pub(super) fn down(squares: BitBoard) -> BitBoard {
    BitBoard(squares.0 >> 8)
}

/// The squares of a set in order. Unlike the set's own iterator this one ends when the set is
/// empty, without checking each square.
#[inline(always)]
pub(super) fn squares_of(squares: BitBoard) -> impl Iterator<Item = Square> {
    let mut left = squares.0;
    std::iter::from_fn(move || {
        (left != 0).then(|| {
            let square = left.trailing_zeros() as usize;
            left &= left - 1;
            Square::index(square & 63)
        })
    })
}

/// The squares one file to the left and to the right.
#[inline(always)]
pub(super) fn beside(squares: BitBoard) -> BitBoard {
    BitBoard((squares.0 & NOT_A) >> 1 | (squares.0 & NOT_H) << 1)
}

/// `squares` and everything above them.
#[inline(always)]
pub(super) fn fill_up(squares: BitBoard) -> BitBoard {
    let mut fill = squares.0;
    fill |= fill << 8;
    fill |= fill << 16;
    BitBoard(fill | fill << 32)
}

/// `squares` and everything below them.
#[inline(always)]
pub(super) fn fill_down(squares: BitBoard) -> BitBoard {
    let mut fill = squares.0;
    fill |= fill >> 8;
    fill |= fill >> 16;
    BitBoard(fill | fill >> 32)
}

/// King's moves from one square to the other.
#[inline(always)]
pub(super) fn distance(one: Square, other: Square) -> usize {
    const DISTANCES: [[u8; 64]; 64] = {
        let mut distances = [[0; 64]; 64];
        let mut pair = 0_usize;
        while pair < 64 * 64 {
            let (one, other) = (pair / 64, pair % 64);
            let files = (one % 8).abs_diff(other % 8) as u8;
            let ranks = (one / 8).abs_diff(other / 8) as u8;
            distances[one][other] = if files > ranks { files } else { ranks };
            pair += 1;
        }
        distances
    };
    DISTANCES[one as usize][other as usize] as usize
}

/// The pieces of one side.
pub(super) struct SidePieces {
    /// By piece.
    pub pieces: [BitBoard; 6],
    pub all: BitBoard,
    pub king: Square,
    /// Squares the pawns attack.
    pub pawn_attacks: BitBoard,
    /// The king ring: three by three squares around the king, shifted off the edge of the board.
    pub ring: BitBoard,
}

impl SidePieces {
    #[inline(always)]
    pub(super) fn of(board: &Board, colour: Color) -> SidePieces {
        let own = board.colors(colour);
        let view = |squares: BitBoard| match colour {
            Color::White => squares,
            Color::Black => squares.flip_ranks(),
        };
        let of_kind = |piece| view(own & board.pieces(piece));
        let pieces = [
            of_kind(Piece::Pawn),
            of_kind(Piece::Knight),
            of_kind(Piece::Bishop),
            of_kind(Piece::Rook),
            of_kind(Piece::Queen),
            of_kind(Piece::King),
        ];
        let king = Square::index(pieces[Piece::King as usize].0.trailing_zeros() as usize & 63);
        let pawn_attacks = up(beside(pieces[Piece::Pawn as usize]));
        SidePieces { pieces, all: view(own), king, pawn_attacks, ring: ring(king) }
    }

    /// The same pieces as the other side sees them.
    #[inline(always)]
    pub(super) fn turned(&self) -> SidePieces {
        SidePieces {
            pieces: self.pieces.map(BitBoard::flip_ranks),
            all: self.all.flip_ranks(),
            king: self.king.flip_rank(),
            pawn_attacks: self.pawn_attacks.flip_ranks(),
            ring: self.ring.flip_ranks(),
        }
    }

    #[inline(always)]
    pub(super) fn of_kind(&self, piece: Piece) -> BitBoard {
        self.pieces[piece as usize]
    }

    #[inline(always)]
    pub(super) fn pawns(&self) -> BitBoard {
        self.of_kind(Piece::Pawn)
    }
}

fn ring(king: Square) -> BitBoard {
    const RINGS: [BitBoard; 64] = {
        let mut rings = [BitBoard::EMPTY; 64];
        let mut square = 0;
        while square < 64 {
            let (file, rank) = (square % 8, square / 8);
            let file = if file < 1 {
                1
            } else if file > 6 {
                6
            } else {
                file
            };
            let rank = if rank < 1 {
                1
            } else if rank > 6 {
                6
            } else {
                rank
            };
            let three = 0b111 << (file - 1);
            rings[square] = BitBoard((three | three << 8 | three << 16) << (8 * (rank - 1)));
            square += 1;
        }
        rings
    };
    RINGS[king as usize]
}

/// The attacks of one side.
pub(super) struct Attacks {
    /// By piece; sliders see through own pieces they form batteries with (x-ray).
    pub by: [BitBoard; 6],
    pub any: BitBoard,
    /// Attacked at least twice.
    pub twice: BitBoard,
    /// Pieces that attack squares around the enemy king, by piece from the knight on.
    pub attackers: [i32; 4],
    /// Their attacks on squares beside that king.
    pub hits: i32,
}

impl Attacks {
    /// Attacks of the king and the pawns alone.
    #[inline(always)]
    pub(super) fn of_king_and_pawns(bitboards: &SidePieces) -> Attacks {
        let mut by = [BitBoard::EMPTY; 6];
        let king = get_king_moves(bitboards.king);
        by[Piece::Pawn as usize] = bitboards.pawn_attacks;
        by[Piece::King as usize] = king;
        let pawns = bitboards.pawns().0;
        let both = BitBoard((pawns & NOT_A) << 7 & (pawns & NOT_H) << 9);
        Attacks {
            by,
            any: king | bitboards.pawn_attacks,
            twice: both | king & bitboards.pawn_attacks,
            attackers: [0; 4],
            hits: 0,
        }
    }

    #[inline(always)]
    pub(super) fn add(&mut self, piece: Piece, squares: BitBoard) {
        self.by[piece as usize] |= squares;
        self.twice |= self.any & squares;
        self.any |= squares;
    }

    #[inline(always)]
    pub(super) fn of_kind(&self, piece: Piece) -> BitBoard {
        self.by[piece as usize]
    }

    #[inline(always)]
    pub(super) fn turned(&self) -> Attacks {
        Attacks {
            by: self.by.map(BitBoard::flip_ranks),
            any: self.any.flip_ranks(),
            twice: self.twice.flip_ranks(),
            attackers: self.attackers,
            hits: self.hits,
        }
    }
}

/// Pawn structure: depends on nothing but the pawns and kings of both sides.
#[derive(Copy, Clone)]
pub(super) struct PawnStructure {
    pub passed: BitBoard,
    /// Squares guarded by an own pawn that no enemy pawn can ever attack.
    pub outposts: BitBoard,
    /// Files at the king without an own pawn in front of it.
    pub open_files: i32,
}

/// One side's view of the whole board.
pub(super) struct SideView<'a> {
    pub own: &'a SidePieces,
    pub enemy: &'a SidePieces,
    pub attacks: &'a Attacks,
    pub enemy_attacks: &'a Attacks,
    pub pawn_structure: &'a PawnStructure,
    /// Whether this side is to move.
    pub to_move: bool,
}

/// The file `square` is on, as a set.
#[inline(always)]
pub(super) fn file_of(square: Square) -> BitBoard {
    BitBoard(File::A.bitboard().0 << (square as u32 & 7))
}
