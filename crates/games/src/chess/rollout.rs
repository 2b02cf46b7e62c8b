//! Rollouts: uniformly random games.

use super::position::Chess;
use cozy_chess::{BitBoard, Move, Piece, PieceMoves, Rank, Square};
use ludus_core::{Outcome, Position, Random};

/// Upper bound of move sets: sixteen pieces, and two en-passant captures listed apart.
const MAX_MOVE_SETS: usize = 18;

const PROMOTIONS: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// Draws each move from the target sets of the generator without listing moves. Repetition is
/// not checked; the fifty-move rule ends every game.
pub(super) fn rollout(start: &Chess, random: &mut Random) -> Outcome {
    let mut position = start.clone();
    let mut sets = MoveSets::new();
    loop {
        if position.rule_draw().is_some() {
            return Outcome::Draw;
        }
        sets.fill(&position);
        if sets.moves == 0 {
            break;
        }
        position.board.play_unchecked(sets.get(random.below(sets.moves)));
    }
    position.outcome().expect("a position without moves has an outcome")
}

/// The legal moves of a position, as one set of target squares a piece.
struct MoveSets {
    sets: [PieceMoves; MAX_MOVE_SETS],
    length: usize,
    moves: usize,
}

impl MoveSets {
    fn new() -> MoveSets {
        let none = PieceMoves { piece: Piece::King, from: Square::A1, to: BitBoard::EMPTY };
        MoveSets { sets: [none; MAX_MOVE_SETS], length: 0, moves: 0 }
    }

    #[inline]
    fn fill(&mut self, position: &Chess) {
        (self.length, self.moves) = (0, 0);
        position.board.generate_moves(|moves| {
            self.sets[self.length] = moves;
            self.length += 1;
            self.moves += moves.len();
            false
        });
    }

    /// Move number `index`, in the order of `legal_moves`.
    #[inline]
    fn get(&self, mut index: usize) -> Move {
        let fits = |moves: &&PieceMoves| {
            let here = index < moves.len();
            if !here {
                index -= moves.len();
            }
            here
        };
        let moves = self.sets[..self.length].iter().find(fits).expect("an index below the count");
        // A pawn that can promote can do nothing else.
        let promotes = moves.piece == Piece::Pawn
            && matches!(first(moves.to).rank(), Rank::First | Rank::Eighth);
        let promotion = promotes.then(|| PROMOTIONS[index % 4]);
        let to = nth(moves.to, if promotes { index / 4 } else { index });
        Move { from: moves.from, to, promotion }
    }
}

fn first(squares: BitBoard) -> Square {
    squares.next_square().expect("sets of moves are not empty")
}

#[inline]
fn nth(squares: BitBoard, index: usize) -> Square {
    first(BitBoard((0..index).fold(squares.0, |bits, _| bits & (bits - 1))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_the_legal_moves_in_their_order() {
        let mut random = Random::new(11);
        let mut sets = MoveSets::new();
        for _ in 0..100 {
            let mut position = Chess::default();
            for _ in 0..200 {
                let mut moves = Vec::new();
                position.legal_moves(&mut moves);
                sets.fill(&position);
                let drawn: Vec<Move> = (0..sets.moves).map(|index| sets.get(index)).collect();
                assert_eq!(drawn, moves);
                let Some(mv) = random.pick(&moves) else { break };
                position.play(mv);
            }
        }
    }
}
