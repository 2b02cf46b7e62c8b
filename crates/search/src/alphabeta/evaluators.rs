//! Evaluations for every game, for searches that are to be compared without its hand evaluation.

use ludus_core::{Evaluator, HasEval, Position, Random, Score, position::mix};

/// Nothing is worth anything: only ends of the game count.
#[derive(Copy, Clone, Debug)]
pub struct OnlyEnds;

impl<P: Position> Evaluator<P> for OnlyEnds {
    #[inline]
    fn evaluate(&mut self, _: &P) -> Score {
        Score::DRAW
    }
}

/// The moves of the side to move, less those the other side would have
/// [if it were its turn](HasEval::other_to_move), in games that can tell.
#[derive(Copy, Clone, Debug)]
pub struct Mobility;

impl Mobility {
    /// Hundredths a move is worth: few enough that all the moves of a large board fit.
    const MOVE: i32 = 10;
}

impl<P: HasEval> Evaluator<P> for Mobility {
    fn evaluate(&mut self, position: &P) -> Score {
        let own = position.count_moves() as i32;
        let other = position.other_to_move().map_or(0, |position| position.count_moves() as i32);
        Score::evaluation(Mobility::MOVE * (own - other))
    }
}

/// The random tree of the textbook: every position has a value without sense, always the same,
/// from -50 to 50 hundredths for the side to move.
#[derive(Copy, Clone, Debug)]
pub struct RandomTree {
    salt: u64,
}

impl RandomTree {
    /// The tree of `seed`.
    pub fn new(seed: u64) -> RandomTree {
        RandomTree { salt: Random::new(seed).split("random tree").bits() }
    }
}

impl<P: Position> Evaluator<P> for RandomTree {
    #[inline]
    fn evaluate(&mut self, position: &P) -> Score {
        Score((mix(position.key() ^ self.salt) % 101) as i32 - 50)
    }
}
