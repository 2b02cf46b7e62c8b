//! Inputs of the learned players of the study: planes of a position for its convolutional network, and features of a
//! move for its logistic regression.
//!
//! ```text
//! planes (bit 8 * rank + file, as everywhere in chess)
//!  0 ..  5   white pawns, knights, bishops, rooks, queens, kings
//!  6 .. 11   black ones
//! 12, 13     squares attacked by White, by Black
//! 14         all squares if White is to move (only where it is asked for)
//!
//! features of a move
//!     0 ..  831   board: 13 a square (a1, b1 … h8): empty, the white pieces, the black ones
//!   832 ..  895   square the move starts from
//!   896 ..  959   square it ends on
//!   960 .. 1727   interaction: piece moved x square it ends on
//!  1728 .. 1799   interaction: piece moved x kind of piece captured
//!  1800 .. 2567   interaction: piece moved x square it starts from
//! ```
//!
//! Attacks are pseudo-legal: squares with own pieces and those attacked by pinned pieces count. Castling is a move of
//! the king by two squares; a promotion is described by its squares alone.

use super::see;
use cozy_chess::{
    BitBoard, Board, Color, File, Move, Piece, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};
use ludus_games::chess::Chess;

const SQUARES: usize = 64;
/// White and black pieces.
const PIECES: usize = 12;
/// Empty, and all pieces.
const CONTENTS: usize = 1 + PIECES;
/// First features of each group.
const FROM: usize = CONTENTS * SQUARES;
const TO: usize = FROM + SQUARES;
const PIECE_TO: usize = TO + SQUARES;
const CAPTURE: usize = PIECE_TO + PIECES * SQUARES;
const PIECE_FROM: usize = CAPTURE + PIECES * Piece::NUM;

/// Planes of a position as published.
pub const STUDY_PLANES: usize = 14;
/// Features of a move as published.
pub const STUDY_FEATURES: usize = PIECE_TO;
/// Features of a move with interactions.
pub const STUDY_FEATURES_WITH_INTERACTIONS: usize = PIECE_FROM + PIECES * SQUARES;

/// Names of the planes in their order; the last one is that of the side to move.
pub const STUDY_PLANE_NAMES: [&str; STUDY_PLANES + 1] = [
    "white pawns",
    "white knights",
    "white bishops",
    "white rooks",
    "white queens",
    "white kings",
    "black pawns",
    "black knights",
    "black bishops",
    "black rooks",
    "black queens",
    "black kings",
    "attacked by White",
    "attacked by Black",
    "White to move",
];

/// Appends the planes of `position`: [`STUDY_PLANES`], and with `turn` the one of the side to move.
pub fn study_planes(position: &Chess, turn: bool, out: &mut Vec<u64>) {
    let board = position.board();
    for color in Color::ALL {
        out.extend(Piece::ALL.map(|piece| board.colored_pieces(color, piece).0));
    }
    out.extend(Color::ALL.map(|color| attacks(board, color).0));
    if turn {
        out.push(if board.side_to_move() == Color::White { u64::MAX } else { 0 });
    }
}

/// The squares that `color` attacks.
fn attacks(board: &Board, color: Color) -> BitBoard {
    let occupied = board.occupied();
    let mut attacked = BitBoard::EMPTY;
    for square in board.colors(color) {
        attacked |= match board.piece_on(square) {
            Some(Piece::Pawn) => get_pawn_attacks(square, color),
            Some(Piece::Knight) => get_knight_moves(square),
            Some(Piece::Bishop) => get_bishop_moves(square, occupied),
            Some(Piece::Rook) => get_rook_moves(square, occupied),
            Some(Piece::Queen) => {
                get_bishop_moves(square, occupied) | get_rook_moves(square, occupied)
            }
            Some(Piece::King) => get_king_moves(square),
            None => BitBoard::EMPTY,
        };
    }
    attacked
}

/// Appends the features of the board that are on, which all moves of a position share.
pub fn study_board_features(position: &Chess, out: &mut Vec<u16>) {
    let board = position.board();
    for square in Square::ALL {
        let content = match board.piece_on(square).zip(board.color_on(square)) {
            None => 0,
            Some((piece, color)) => 1 + piece_index(piece, color),
        };
        out.push((square as usize * CONTENTS + content) as u16);
    }
}

/// Appends the features of a legal move that are on, without those of the board.
pub fn study_move_features(position: &Chess, mv: Move, interactions: bool, out: &mut Vec<u16>) {
    let board = position.board();
    let to = study_target(position, mv);
    let mut add = |index: usize| out.push(index as u16);
    add(FROM + mv.from as usize);
    add(TO + to as usize);
    let Some(moved) = board.piece_on(mv.from).filter(|_| interactions) else { return };
    let piece = piece_index(moved, board.side_to_move());
    add(PIECE_TO + piece * SQUARES + to as usize);
    if let Some((victim, _)) = see::victim(board, moved, mv) {
        add(CAPTURE + piece * Piece::NUM + victim as usize);
    }
    add(PIECE_FROM + piece * SQUARES + mv.from as usize);
}

/// The square a move ends on; that of the king in castling.
pub fn study_target(position: &Chess, mv: Move) -> Square {
    if !position.board().colors(position.board().side_to_move()).has(mv.to) {
        return mv.to;
    }
    let file = if mv.to.file() > mv.from.file() { File::G } else { File::C };
    Square::new(file, mv.to.rank())
}

/// The feature of a square that moves start from, and that of one they end on.
pub fn study_square_features(square: Square) -> [usize; 2] {
    [FROM + square as usize, TO + square as usize]
}

fn piece_index(piece: Piece, color: Color) -> usize {
    color as usize * Piece::NUM + piece as usize
}

/// The name of a feature, such as `N on f3`, `from e2` or `P takes q`: white pieces are capital letters.
pub fn study_feature_name(feature: usize) -> String {
    let letter = |index: usize| {
        let letter = char::from(Piece::index(index % Piece::NUM));
        if index < Piece::NUM { letter.to_ascii_uppercase() } else { letter }
    };
    let square = |index: usize| Square::index(index % SQUARES);
    match feature {
        0..FROM => match (feature / CONTENTS, feature % CONTENTS) {
            (at, 0) => format!("{} empty", square(at)),
            (at, piece) => format!("{} on {}", letter(piece - 1), square(at)),
        },
        FROM..TO => format!("from {}", square(feature - FROM)),
        TO..PIECE_TO => format!("to {}", square(feature - TO)),
        PIECE_TO..CAPTURE => {
            let index = feature - PIECE_TO;
            format!("{} to {}", letter(index / SQUARES), square(index))
        }
        CAPTURE..PIECE_FROM => {
            let (mover, victim) =
                ((feature - CAPTURE) / Piece::NUM, (feature - CAPTURE) % Piece::NUM);
            // The victim is of the other colour.
            let victim = if mover < Piece::NUM { victim + Piece::NUM } else { victim };
            format!("{} takes {}", letter(mover), letter(victim))
        }
        _ => {
            let index = feature - PIECE_FROM;
            format!("{} from {}", letter(index / SQUARES), square(index))
        }
    }
}

#[cfg(test)]
#[path = "study_features_tests.rs"]
mod tests;
