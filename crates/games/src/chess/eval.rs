//! The evaluation, in hundredths of a pawn: material, where the pieces stand, how far they reach,
//! the pawns, and the kings, who hide while there are attackers and join in when there are none.
//! The whole is scaled down in endings that are hard to win.

use super::position::{Chess, LIGHT_SQUARES, side_of};
use cozy_chess::{
    BitBoard, Board, BoardBuilder, Color, File, Piece, Rank, Square, get_bishop_moves,
    get_king_moves, get_knight_moves, get_rook_moves,
};
use ludus_core::{Composition, Judged, Scoring, Weight, eval::PHASES};

static EVALUATION: Scoring<Chess> =
    Scoring::Product("chess, less if hard to win", &SUM, winning_chances);

static SUM: Scoring<Chess> = Scoring::Sum(
    "all parts",
    &[
        (Weight::flat(1), Scoring::Sum("material", &MATERIAL)),
        (Weight::flat(1), Scoring::Sum("placement", &PLACEMENT)),
        (Weight::flat(1), Scoring::Sum("mobility", &MOBILITY)),
        (Weight::flat(1), Scoring::Sum("pawns", &PAWNS)),
        (Weight::flat(1), Scoring::Sum("kings", &KINGS)),
        (
            Weight::sliding(12, 4),
            Scoring::Count("the move", |p| side_of(p.board.side_to_move()).sign()),
        ),
    ],
);

static MATERIAL: [(Weight, Scoring<Chess>); 6] = [
    (Weight::sliding(90, 110), Scoring::Count("pawns", |p| count(p, Piece::Pawn))),
    (Weight::sliding(325, 310), Scoring::Count("knights", |p| count(p, Piece::Knight))),
    (Weight::sliding(330, 325), Scoring::Count("bishops", |p| count(p, Piece::Bishop))),
    (Weight::sliding(480, 530), Scoring::Count("rooks", |p| count(p, Piece::Rook))),
    (Weight::sliding(950, 960), Scoring::Count("queens", |p| count(p, Piece::Queen))),
    (Weight::sliding(30, 50), Scoring::Count("bishop pair", bishop_pair)),
];

static PLACEMENT: [(Weight, Scoring<Chess>); 8] = [
    (Weight::sliding(20, 0), Scoring::Count("pawns in the centre", centre_pawns)),
    (Weight::sliding(1, 5), Scoring::Count("pawn steps", pawn_steps)),
    (Weight::sliding(8, 5), Scoring::Count("central knights", |p| centrality(p, Piece::Knight))),
    (Weight::sliding(4, 3), Scoring::Count("central bishops", |p| centrality(p, Piece::Bishop))),
    (Weight::sliding(0, 4), Scoring::Count("central queens", |p| centrality(p, Piece::Queen))),
    (Weight::sliding(-15, 0), Scoring::Count("minor pieces at home", minors_at_home)),
    (Weight::sliding(14, 8), Scoring::Count("rooks on files without own pawns", open_rooks)),
    (Weight::sliding(10, 25), Scoring::Count("rooks on the seventh rank", seventh_rooks)),
];

static MOBILITY: [(Weight, Scoring<Chess>); 4] = [
    (Weight::flat(4), Scoring::Count("knight moves", |p| reach(p, Piece::Knight))),
    (Weight::flat(5), Scoring::Count("bishop moves", |p| reach(p, Piece::Bishop))),
    (Weight::sliding(2, 4), Scoring::Count("rook moves", |p| reach(p, Piece::Rook))),
    (Weight::sliding(1, 3), Scoring::Count("queen moves", |p| reach(p, Piece::Queen))),
];

static PAWNS: [(Weight, Scoring<Chess>); 4] = [
    (Weight::sliding(-8, -22), Scoring::Count("doubled pawns", doubled)),
    (Weight::sliding(-12, -15), Scoring::Count("isolated pawns", isolated)),
    (Weight::sliding(1, 4), Scoring::Count("passed pawns, rank squared", passed)),
    (Weight::sliding(6, 4), Scoring::Count("pawns guarded by pawns", guarded)),
];

static KINGS: [(Weight, Scoring<Chess>); 5] = [
    (
        Weight::sliding(-18, 0),
        Scoring::Count("missing shelter", |p| {
            shelter_gaps(&p.board, Color::White) - shelter_gaps(&p.board, Color::Black)
        }),
    ),
    (
        Weight::sliding(-10, -2),
        Scoring::Product("danger to White", &WHITE_GAPS, |p| attackers(&p.board, Color::White)),
    ),
    (
        Weight::sliding(10, 2),
        Scoring::Product("danger to Black", &BLACK_GAPS, |p| attackers(&p.board, Color::Black)),
    ),
    (Weight::sliding(-6, 9), Scoring::Count("central kings", |p| centrality(p, Piece::King))),
    (Weight::sliding(12, 0), Scoring::Count("castling rights", castling_rights)),
];

/// Never 0, so that attackers count against a good shelter too.
static WHITE_GAPS: Scoring<Chess> =
    Scoring::Count("White's gaps", |p| 2 + shelter_gaps(&p.board, Color::White));
static BLACK_GAPS: Scoring<Chess> =
    Scoring::Count("Black's gaps", |p| 2 + shelter_gaps(&p.board, Color::Black));

/// `value` for White minus `value` for Black.
fn balance(position: &Chess, value: impl Fn(&Board, Color) -> i32) -> i32 {
    value(&position.board, Color::White) - value(&position.board, Color::Black)
}

fn len(squares: BitBoard) -> i32 {
    squares.len() as i32
}

fn count(position: &Chess, piece: Piece) -> i32 {
    balance(position, |board, color| len(board.colored_pieces(color, piece)))
}

fn bishop_pair(position: &Chess) -> i32 {
    balance(position, |board, color| {
        i32::from(board.colored_pieces(color, Piece::Bishop).len() >= 2)
    })
}

/// How many steps `square` is from `color`'s own edge: 0 to 7.
fn height(square: Square, color: Color) -> i32 {
    square.relative_to(color).rank() as i32
}

/// 0 in the corners to 6 on the four squares in the middle.
fn nearness_to_centre(square: Square) -> i32 {
    let from_edge = |line: i32| line.min(7 - line);
    from_edge(square.file() as i32) + from_edge(square.rank() as i32)
}

fn centrality(position: &Chess, piece: Piece) -> i32 {
    balance(position, |board, color| {
        board.colored_pieces(color, piece).into_iter().map(nearness_to_centre).sum()
    })
}

/// Pawns on d4, e4, d5 and e5.
fn centre_pawns(position: &Chess) -> i32 {
    const CENTRE: BitBoard = BitBoard(0x0000_0018_1800_0000);
    balance(position, |board, color| len(board.colored_pieces(color, Piece::Pawn) & CENTRE))
}

fn pawn_steps(position: &Chess) -> i32 {
    balance(position, |board, color| {
        let pawns = board.colored_pieces(color, Piece::Pawn);
        pawns.into_iter().map(|square| height(square, color) - 1).sum()
    })
}

fn minors_at_home(position: &Chess) -> i32 {
    balance(position, |board, color| {
        let minors = board.pieces(Piece::Knight) | board.pieces(Piece::Bishop);
        len(minors & board.colors(color) & Rank::First.relative_to(color).bitboard())
    })
}

/// One for a file without own pawns, two for a file without any.
fn open_rooks(position: &Chess) -> i32 {
    balance(position, |board, color| {
        let pawns = board.pieces(Piece::Pawn);
        let openness = |rook: Square| {
            let on_file = pawns & rook.file().bitboard();
            match (on_file.is_empty(), on_file.is_disjoint(board.colors(color))) {
                (true, _) => 2,
                (false, own_free) => i32::from(own_free),
            }
        };
        board.colored_pieces(color, Piece::Rook).into_iter().map(openness).sum()
    })
}

fn seventh_rooks(position: &Chess) -> i32 {
    balance(position, |board, color| {
        let seventh = Rank::Seventh.relative_to(color).bitboard();
        len(board.colored_pieces(color, Piece::Rook) & seventh)
    })
}

/// The squares `color`'s pawns attack.
fn pawn_attacks(board: &Board, color: Color) -> BitBoard {
    let pawns = board.colored_pieces(color, Piece::Pawn).0;
    let (left, right) = (pawns & !File::A.bitboard().0, pawns & !File::H.bitboard().0);
    BitBoard(match color {
        Color::White => left << 7 | right << 9,
        Color::Black => left >> 9 | right >> 7,
    })
}

/// The squares a piece on `square` attacks.
fn attacks(board: &Board, piece: Piece, square: Square) -> BitBoard {
    match piece {
        Piece::Knight => get_knight_moves(square),
        Piece::Bishop => get_bishop_moves(square, board.occupied()),
        Piece::Rook => get_rook_moves(square, board.occupied()),
        Piece::Queen => {
            get_bishop_moves(square, board.occupied()) | get_rook_moves(square, board.occupied())
        }
        Piece::King => get_king_moves(square),
        Piece::Pawn => BitBoard::EMPTY,
    }
}

/// Squares the pieces reach that hold no own piece and that no pawn guards.
fn reach(position: &Chess, piece: Piece) -> i32 {
    balance(position, |board, color| {
        let open = !(board.colors(color) | pawn_attacks(board, !color));
        let reached = |square| len(attacks(board, piece, square) & open);
        board.colored_pieces(color, piece).into_iter().map(reached).sum()
    })
}

fn doubled(position: &Chess) -> i32 {
    balance(position, |board, color| {
        let pawns = board.colored_pieces(color, Piece::Pawn);
        let extra = |file: File| (len(pawns & file.bitboard()) - 1).max(0);
        File::ALL.into_iter().map(extra).sum()
    })
}

fn isolated(position: &Chess) -> i32 {
    balance(position, |board, color| {
        let pawns = board.colored_pieces(color, Piece::Pawn);
        let alone = |pawn: &Square| (pawns & pawn.file().adjacent()).is_empty();
        pawns.into_iter().filter(alone).count() as i32
    })
}

/// The squares in front of `square` as `color` sees it, on its own and the neighbouring files.
fn front_span(square: Square, color: Color) -> BitBoard {
    let ahead = match color {
        Color::White => BitBoard(u64::MAX.checked_shl(8 * (square.rank() as u32 + 1)).unwrap_or(0)),
        Color::Black => BitBoard((1 << (8 * square.rank() as u32)) - 1),
    };
    ahead & (square.file().bitboard() | square.file().adjacent())
}

/// The squares of the heights of pawns no enemy pawn can stop or capture.
fn passed(position: &Chess) -> i32 {
    balance(position, |board, color| {
        let enemies = board.colored_pieces(!color, Piece::Pawn);
        let free = |pawn: &Square| (enemies & front_span(*pawn, color)).is_empty();
        let pawns = board.colored_pieces(color, Piece::Pawn);
        pawns.into_iter().filter(free).map(|pawn| height(pawn, color).pow(2)).sum()
    })
}

fn guarded(position: &Chess) -> i32 {
    balance(position, |board, color| {
        len(board.colored_pieces(color, Piece::Pawn) & pawn_attacks(board, color))
    })
}

/// Over the two or three files at and beside the king: one for each on which no own pawn stands
/// one or two ranks in front of it, and one more for each without any pawn.
fn shelter_gaps(board: &Board, color: Color) -> i32 {
    let king = board.king(color);
    let pawns = board.pieces(Piece::Pawn);
    let two_up = if color == Color::White { 2 } else { -2 };
    let beyond = king.try_offset(0, two_up).map_or(BitBoard::EMPTY, |up| front_span(up, color));
    let shield = pawns & board.colors(color) & front_span(king, color) & !beyond;
    let files = king.file().adjacent() | king.file().bitboard();
    let gaps = |file: File| {
        let column = file.bitboard();
        i32::from(shield.is_disjoint(column)) + i32::from(pawns.is_disjoint(column))
    };
    File::ALL.into_iter().filter(|file| !files.is_disjoint(file.bitboard())).map(gaps).sum()
}

/// How strongly the squares around `color`'s king are attacked, in hundredths: pieces count by
/// their power, and only together do they make a threat.
fn attackers(board: &Board, color: Color) -> i32 {
    let ring = get_king_moves(board.king(color));
    let strength = |piece, power: i32| {
        let pieces = board.colored_pieces(!color, piece);
        let hits = |square: &Square| !(attacks(board, piece, *square) & ring).is_empty();
        power * pieces.into_iter().filter(hits).count() as i32
    };
    let total = strength(Piece::Knight, 2)
        + strength(Piece::Bishop, 2)
        + strength(Piece::Rook, 3)
        + strength(Piece::Queen, 5);
    (total * total * 4).min(400)
}

fn castling_rights(position: &Chess) -> i32 {
    balance(position, |board, color| {
        let rights = board.castle_rights(color);
        i32::from(rights.short.is_some()) + i32::from(rights.long.is_some())
    })
}

/// The value of the pieces of `color` without its pawns, in pawns.
fn pieces_value(board: &Board, color: Color) -> i32 {
    let worth = |piece, value| value * len(board.colored_pieces(color, piece));
    worth(Piece::Knight, 3)
        + worth(Piece::Bishop, 3)
        + worth(Piece::Rook, 5)
        + worth(Piece::Queen, 9)
}

/// In hundredths: without pawns a lead of less than a rook seldom wins, and bishops on different
/// shades often hold a pawn or two.
fn winning_chances(position: &Chess) -> i32 {
    let board = &position.board;
    let [white, black] = [Color::White, Color::Black].map(|color| pieces_value(board, color));
    if board.pieces(Piece::Pawn).is_empty() && (white - black).abs() <= 3 {
        return 25;
    }
    let bishops = board.pieces(Piece::Bishop);
    let shade = |color| (bishops & board.colors(color) & LIGHT_SQUARES).len();
    let opposite = bishops.len() == 2
        && (bishops & board.colors(Color::White)).len() == 1
        && shade(Color::White) != shade(Color::Black);
    if opposite && white == 3 && black == 3 { 60 } else { 100 }
}

/// By the pieces that are gone: a minor counts one, a rook two, a queen four, of 24 in all.
fn phase(position: &Chess) -> i32 {
    let left = |piece, weight| weight * len(position.board.pieces(piece));
    let left = left(Piece::Knight, 1)
        + left(Piece::Bishop, 1)
        + left(Piece::Rook, 2)
        + left(Piece::Queen, 4);
    (24 - left) * PHASES / 24
}

impl Judged for Chess {
    type Hand = Composition<Chess>;

    fn hand() -> Composition<Chess> {
        Composition::new(&EVALUATION, phase)
    }

    /// By the count every player knows: pawn 1, knight and bishop 3, rook 5, queen 9.
    fn material(&self) -> Option<i32> {
        const WORTH: [(Piece, i32); 5] = [
            (Piece::Pawn, 100),
            (Piece::Knight, 300),
            (Piece::Bishop, 300),
            (Piece::Rook, 500),
            (Piece::Queen, 900),
        ];
        let of = |color| -> i32 {
            let worth =
                |(piece, worth)| self.board.colored_pieces(color, piece).len() as i32 * worth;
            WORTH.into_iter().map(worth).sum()
        };
        Some(of(Color::White) - of(Color::Black))
    }

    /// Turned upside down, the colours exchanged.
    fn swapped(&self) -> Option<Chess> {
        let builder = BoardBuilder::from_board(&self.board);
        let mut swapped = builder.clone();
        for square in Square::ALL {
            let man = builder.square(square).map(|(piece, color)| (piece, !color));
            *swapped.square_mut(square.flip_rank()) = man;
        }
        swapped.side_to_move = !builder.side_to_move;
        swapped.castle_rights.reverse();
        swapped.en_passant = builder.en_passant.map(Square::flip_rank);
        swapped.build().ok().map(|board| Chess { board })
    }
}
