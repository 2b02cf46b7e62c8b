//! Rollouts: uniformly random games.

use super::position::Draughts;
use ludus_core::{Ending, Outcome, Position, Random, Rollout};

impl Rollout for Draughts {
    /// Like the default, but a side without moves has lost even if the counters claim a draw.
    fn rollout(&self, random: &mut Random, moves: &mut Vec<Self::Move>) -> Outcome {
        let mut position = *self;
        loop {
            moves.clear();
            position.legal_moves(moves);
            let Some(mv) = random.pick(moves) else {
                return Outcome::Win(!position.turn());
            };
            if position.rule_draw().is_some() {
                return Outcome::Draw;
            }
            position.play(mv);
        }
    }
}
