//! Men on squares as the inputs of a network: six kinds, own and others', on 64 squares. Each side
//! sees the board from its own edge, and turned left to right where its king stands on the right
//! half: positions that are mirror images share what is learned.

use super::position::Chess;
use cozy_chess::{Color, Piece};
use ludus_core::{NnueInputs, Side};

const KINDS: usize = Piece::NUM;
const SQUARES: usize = 64;
/// A square with its rank counted from the other edge, and with its file.
const OTHER_EDGE: usize = 56;
const OTHER_WING: usize = 7;

impl NnueInputs for Chess {
    type Sets = [u64; 2 * KINDS];

    const INPUTS: usize = 2 * KINDS * SQUARES;
    const ASPECTS: usize = 2;
    const STAGES: usize = 8;
    const EMPTY: Self::Sets = [0; 2 * KINDS];

    #[inline]
    fn sets(&self) -> Self::Sets {
        let mut sets = Self::EMPTY;
        for piece in Piece::ALL {
            let all = self.board.pieces(piece);
            sets[piece as usize] = (all & self.board.colors(Color::White)).0;
            sets[KINDS + piece as usize] = (all & self.board.colors(Color::Black)).0;
        }
        sets
    }

    #[inline]
    fn aspect(&self, side: Side) -> usize {
        let color = if side == Side::First { Color::White } else { Color::Black };
        usize::from(self.board.king(color) as usize & 4 != 0)
    }

    #[inline]
    fn input(side: Side, aspect: usize, set: usize, square: usize) -> usize {
        let square = square ^ if aspect == 0 { 0 } else { OTHER_WING };
        match side {
            Side::First => set * SQUARES + square,
            Side::Second => (set + KINDS) % (2 * KINDS) * SQUARES + (square ^ OTHER_EDGE),
        }
    }

    #[inline]
    fn stage(&self) -> usize {
        (self.board.occupied().len() as usize - 1) / 4 % Self::STAGES
    }

    #[inline]
    fn clock(&self) -> usize {
        let black = self.board.side_to_move() == Color::Black;
        2 * self.board.fullmove_number() as usize + usize::from(black)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{HasEval, Position, Random};

    /// The inputs that are on, as the side to move and as the other side sees them.
    fn inputs(position: &Chess) -> [Vec<usize>; 2] {
        [position.turn(), !position.turn()].map(|side| {
            let mut inputs = Vec::new();
            for (set, squares) in position.sets().into_iter().enumerate() {
                let on = (0..SQUARES).filter(|square| squares >> square & 1 != 0);
                let aspect = position.aspect(side);
                inputs.extend(on.map(|square| Chess::input(side, aspect, set, square)));
            }
            inputs.sort_unstable();
            inputs
        })
    }

    #[test]
    fn both_colours_and_both_wings_look_alike() {
        let mut random = Random::new(21);
        let mut seen = [0; Chess::STAGES];
        for _ in 0..40 {
            let mut position = Chess::default();
            let mut moves = Vec::new();
            for _ in 0..200 {
                let all = inputs(&position);
                assert_eq!(all[0].len(), position.board.occupied().len() as usize);
                assert!(all.iter().flatten().all(|&input| input < Chess::INPUTS));
                let swapped = position.swapped().unwrap();
                assert_eq!(inputs(&swapped), all, "{}", position.board);
                assert_eq!(swapped.stage(), position.stage());
                // The own king is always seen on the left.
                let king = all[0].iter().find(|&&input| input / SQUARES == Piece::King as usize);
                assert!(king.is_some_and(|king| king % 8 < 4));
                seen[position.stage()] += 1;
                moves.clear();
                position.legal_moves(&mut moves);
                let Some(mv) = random.pick(&moves) else { break };
                let clock = position.clock();
                position.play(mv);
                assert_eq!(position.clock(), clock + 1);
            }
        }
        assert!(seen[1..].iter().all(|&count| count > 0), "{seen:?}");
    }
}
