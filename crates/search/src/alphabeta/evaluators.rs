//! Evaluations for every game, for comparing searches without its handcrafted evaluation.

use ludus_core::{Evaluator, Position, Random, Score, position::mix};

/// Evaluates every position as 0: only the end of the game counts.
#[derive(Copy, Clone, Debug)]
pub struct OnlyEnds;

impl<P: Position> Evaluator<P> for OnlyEnds {
    #[inline]
    fn evaluate(&mut self, _: &P) -> Score {
        Score::DRAW
    }
}

/// The moves of the side to move, less those the other side would have
/// [if it were its turn](Position::other_to_move), in games that define that.
#[derive(Copy, Clone, Debug)]
pub struct Mobility;

impl Mobility {
    /// Value of a move in hundredths: small enough that all the moves of a large board fit.
    const MOVE_VALUE: i32 = 10;
}

impl<P: Position> Evaluator<P> for Mobility {
    fn evaluate(&mut self, position: &P) -> Score {
        let own = position.count_moves() as i32;
        let other = position.other_to_move().map_or(0, |position| position.count_moves() as i32);
        Score::evaluation(Mobility::MOVE_VALUE * (own - other))
    }
}

/// The random tree of the textbook: every position has a random value, always the same, from -50 to 50
/// hundredths for the side to move.
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
