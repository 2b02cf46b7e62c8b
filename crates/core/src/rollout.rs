//! Random games.

use crate::{Ending, Outcome, Random};

/// A game can be played out at random. The default serves every game; games override it where the
/// board allows something faster or where uniformly random moves would never end (own eyes in Go).
pub trait Rollout: Ending {
    /// Plays uniformly random moves until the game ends and returns the result. `moves` is the
    /// caller's buffer, so that thousands of rollouts allocate nothing.
    fn rollout(&self, random: &mut Random, moves: &mut Vec<Self::Move>) -> Outcome {
        let mut position = self.clone();
        loop {
            moves.clear();
            position.legal_moves(moves);
            let Some(mv) = random.pick(moves) else { break };
            if position.stalled().is_some() {
                return Outcome::Draw;
            }
            position.play(mv);
        }
        position.outcome().expect("a position without moves has an outcome")
    }

    /// The same kind of game, slower, with the moves it consists of appended to `played`.
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
            if position.stalled().is_some() {
                return Outcome::Draw;
            }
            played.push(mv);
            position.play(mv);
        }
        position.outcome().expect("a position without moves has an outcome")
    }
}
