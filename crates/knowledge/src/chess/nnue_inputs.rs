//! NNUE inputs: six kinds of piece, own and enemy, on 64 squares. Each side sees the board from its
//! own edge, mirrored left to right if its king stands on the right half: mirror images share
//! weights.

use super::ChessKnowledge;
use cozy_chess::{Color, Piece};
use ludus_core::{NnueInputs, Side};
use ludus_games::chess::Chess;

const KINDS: usize = Piece::NUM;
const SQUARES: usize = 64;
/// XOR masks that flip the rank and the file of a square.
const FLIP_RANK: usize = 56;
const FLIP_FILE: usize = 7;

impl NnueInputs for ChessKnowledge {
    type Position = Chess;

    type Planes = [u64; 2 * KINDS];

    const INPUTS: usize = 2 * KINDS * SQUARES;
    const ORIENTATIONS: usize = 2;
    const OUTPUT_BUCKETS: usize = 8;
    const EMPTY: Self::Planes = [0; 2 * KINDS];

    #[inline]
    fn planes(position: &Chess) -> Self::Planes {
        let mut planes = Self::EMPTY;
        for piece in Piece::ALL {
            let all = position.board().pieces(piece);
            planes[piece as usize] = (all & position.board().colors(Color::White)).0;
            planes[KINDS + piece as usize] = (all & position.board().colors(Color::Black)).0;
        }
        planes
    }

    #[inline]
    fn orientation(position: &Chess, side: Side) -> usize {
        let colour = if side == Side::First { Color::White } else { Color::Black };
        usize::from(position.board().king(colour) as usize & 4 != 0)
    }

    #[inline]
    fn input(side: Side, orientation: usize, plane: usize, square: usize) -> usize {
        let square = square ^ if orientation == 0 { 0 } else { FLIP_FILE };
        match side {
            Side::First => plane * SQUARES + square,
            Side::Second => (plane + KINDS) % (2 * KINDS) * SQUARES + (square ^ FLIP_RANK),
        }
    }

    #[inline]
    fn output_bucket(position: &Chess) -> usize {
        (position.board().occupied().len() as usize - 1) / 4 % Self::OUTPUT_BUCKETS
    }

    #[inline]
    fn ply_hint(position: &Chess) -> usize {
        let black = position.board().side_to_move() == Color::Black;
        2 * position.board().fullmove_number() as usize + usize::from(black)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{Position, Random};

    /// The active inputs from the view of the side to move and of the other side.
    fn inputs(position: &Chess) -> [Vec<usize>; 2] {
        [position.turn(), !position.turn()].map(|side| {
            let mut inputs = Vec::new();
            for (plane, squares) in ChessKnowledge::planes(position).into_iter().enumerate() {
                let on = (0..SQUARES).filter(|square| squares >> square & 1 != 0);
                let orientation = ChessKnowledge::orientation(position, side);
                inputs.extend(
                    on.map(|square| ChessKnowledge::input(side, orientation, plane, square)),
                );
            }
            inputs.sort_unstable();
            inputs
        })
    }

    #[test]
    fn both_colours_and_both_wings_look_alike() {
        let mut random = Random::new(21);
        let mut seen = [0; ChessKnowledge::OUTPUT_BUCKETS];
        for _ in 0..40 {
            let mut position = Chess::default();
            let mut moves = Vec::new();
            for _ in 0..200 {
                let all = inputs(&position);
                assert_eq!(all[0].len(), position.board().occupied().len() as usize);
                assert!(all.iter().flatten().all(|&input| input < ChessKnowledge::INPUTS));
                let swapped = position.colour_flipped().unwrap();
                assert_eq!(inputs(&swapped), all, "{}", position.board());
                assert_eq!(
                    ChessKnowledge::output_bucket(&swapped),
                    ChessKnowledge::output_bucket(&position)
                );
                // The own king is always seen on the left.
                let king = all[0].iter().find(|&&input| input / SQUARES == Piece::King as usize);
                assert!(king.is_some_and(|king| king % 8 < 4));
                seen[ChessKnowledge::output_bucket(&position)] += 1;
                moves.clear();
                position.legal_moves(&mut moves);
                let Some(mv) = random.pick(&moves) else { break };
                let clock = ChessKnowledge::ply_hint(&position);
                position.play(mv);
                assert_eq!(ChessKnowledge::ply_hint(&position), clock + 1);
            }
        }
        assert!(seen[1..].iter().all(|&count| count > 0), "{seen:?}");
    }
}
