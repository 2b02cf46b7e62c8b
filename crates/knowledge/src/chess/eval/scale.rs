//! Endgame scale factors: endings in which a lead is hard to turn into a win.

use super::bitboards::len;
use cozy_chess::{BitBoard, Board, Color, File, Piece, Rank, Square};
use ludus_games::chess::LIGHT_SQUARES;

const KNIGHT: i32 = 3;
const BISHOP: i32 = 3;
const ROOK: i32 = 5;
const QUEEN: i32 = 9;

/// The value of the pieces of `colour` without its pawns, in pawns.
fn pieces_value(board: &Board, colour: Color) -> i32 {
    let worth = |piece, value| value * len(board.colored_pieces(colour, piece));
    worth(Piece::Knight, KNIGHT)
        + worth(Piece::Bishop, BISHOP)
        + worth(Piece::Rook, ROOK)
        + worth(Piece::Queen, QUEEN)
}

/// The scale factor for the lead of the `strong` side, in hundredths: below 100 in drawish endings.
#[inline]
pub(super) fn scale_factor(board: &Board, strong: Color) -> i32 {
    let pawns = board.colored_pieces(strong, Piece::Pawn);
    // The common case: enough pawns, not all on one edge file, no opposite-coloured bishops.
    let edges = File::A.bitboard() | File::H.bitboard();
    if len(pawns) >= 3 && !pawns.is_subset(edges) && opposite_bishops(board).is_none() {
        return 100;
    }
    full_scale_factor(board, strong, pawns)
}

fn full_scale_factor(board: &Board, strong: Color, pawns: BitBoard) -> i32 {
    let force = pieces_value(board, strong);
    let lead = force - pieces_value(board, !strong);
    if pawns.is_empty() {
        return without_pawns(board, strong, force, lead);
    }
    if lead <= BISHOP && wrong_rook_pawn(board, strong, pawns) {
        return 5;
    }
    match opposite_bishops(board) {
        // The side behind gives its last bishop for the last pawn.
        Some(true) => (25 + 8 * len(pawns)).min(70),
        Some(false) => (65 + 5 * len(pawns)).min(100),
        // One or two pawns can be exchanged, or a piece given up for them.
        None if lead < KNIGHT => (64 + 12 * len(pawns)).min(100),
        None => 100,
    }
}

fn without_pawns(board: &Board, strong: Color, force: i32, lead: i32) -> i32 {
    let knights = board.colored_pieces(strong, Piece::Knight);
    if force <= BISHOP {
        // One minor piece never mates by force.
        0
    } else if force == 2 * KNIGHT && len(knights) == 2 {
        3
    } else if lead <= BISHOP {
        15
    } else {
        100
    }
}

/// Opposite-coloured bishops, one each; the value is whether there are no other pieces.
fn opposite_bishops(board: &Board) -> Option<bool> {
    let bishops = board.pieces(Piece::Bishop);
    let white = bishops & board.colors(Color::White);
    let apart = len(bishops) == 2 && len(white) == 1 && len(bishops & LIGHT_SQUARES) == 1;
    let others =
        board.pieces(Piece::Knight) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    apart.then_some(others.is_empty())
}

/// Whether `pawns` are all on one rook file, the other king holds the corner, and the strong side
/// has no piece but bishops of the wrong colour to drive it out.
fn wrong_rook_pawn(board: &Board, strong: Color, pawns: BitBoard) -> bool {
    let file = if pawns.is_subset(File::A.bitboard()) {
        File::A
    } else if pawns.is_subset(File::H.bitboard()) {
        File::H
    } else {
        return false;
    };
    let own = board.colors(strong);
    let bishops = own & board.pieces(Piece::Bishop);
    if own != pawns | bishops | own & board.pieces(Piece::King) {
        return false;
    }
    let corner = Square::new(file, Rank::Eighth.relative_to(strong));
    let corner_colour = if LIGHT_SQUARES.has(corner) { LIGHT_SQUARES } else { !LIGHT_SQUARES };
    bishops.is_disjoint(corner_colour)
        && super::bitboards::distance(board.king(!strong), corner) <= 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{Position, Random};
    use ludus_games::chess::Chess;

    #[test]
    fn the_short_cut_is_right() {
        let mut random = Random::new(11);
        let mut short = 0;
        for _ in 0..60 {
            let mut position = Chess::default();
            let mut moves = Vec::new();
            for _ in 0..250 {
                moves.clear();
                position.legal_moves(&mut moves);
                let Some(mv) = random.pick(&moves) else { break };
                position.play(mv);
                let board = position.board();
                for colour in Color::ALL {
                    let pawns = board.colored_pieces(colour, Piece::Pawn);
                    let scale = full_scale_factor(board, colour, pawns);
                    assert_eq!(scale_factor(board, colour), scale, "{board}");
                    short += usize::from(scale < 100);
                }
            }
        }
        assert!(short > 100, "positions that are hard to win: {short}");
    }
}
