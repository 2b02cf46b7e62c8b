//! Rollouts: uniformly random games.

use super::position::Draughts;
use ludus_core::{Outcome, Position, Random};

/// Like the default, but a side without moves has lost even if the counters claim a draw.
pub(super) fn rollout(
    start: &Draughts,
    random: &mut Random,
    moves: &mut Vec<<Draughts as Position>::Move>,
) -> Outcome {
    let mut position = *start;
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
