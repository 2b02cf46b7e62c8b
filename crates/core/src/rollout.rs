//! Random playouts.

use crate::{Ending, Outcome, Random};

/// Random playouts. The default works for every game; games override it with faster code, or where
/// uniformly random moves would not end the game (filling own eyes in Go).
pub trait Rollout: Ending {
    /// Plays uniformly random moves until the game ends and returns the result. `moves` is the
    /// caller's buffer, so that rollouts do not allocate.
    fn rollout(&self, random: &mut Random, moves: &mut Vec<Self::Move>) -> Outcome {
        let mut position = self.clone();
        loop {
            moves.clear();
            position.legal_moves(moves);
            let Some(mv) = random.pick(moves) else { break };
            if position.rule_draw().is_some() {
                return Outcome::Draw;
            }
            position.play(mv);
        }
        position.outcome().expect("a position without moves has an outcome")
    }

    /// A random playout, slower, that appends its moves to `played`.
    fn recorded_rollout(
        &self,
        random: &mut Random,
        moves: &mut Vec<Self::Move>,
        played: &mut Vec<Self::Move>,
    ) -> Outcome {
        let mut position = self.clone();
        loop {
            moves.clear();
            position.legal_moves(moves);
            let Some(mv) = random.pick(moves) else { break };
            if position.rule_draw().is_some() {
                return Outcome::Draw;
            }
            played.push(mv);
            position.play(mv);
        }
        position.outcome().expect("a position without moves has an outcome")
    }
}
