//! Conformance tests of what [`Position`] adds to the rules: move indices, reversible plies, margins
//! and playouts.

use super::Kit;
use crate::{History, Notation, Options, Outcome, Position, Random};
use std::collections::HashMap;

/// Checks the final score difference of a position.
pub(super) fn check_margin<P: Position>(position: &P, place: &str) {
    let Some(margin) = position.margin() else { return };
    let outcome = position.outcome();
    assert_eq!(outcome, Some(Outcome::from_margin(margin)), "margin {margin}: {place}");
}

/// Recorded rollouts that led to the end of the game, and those judged as the rules judge that end.
#[derive(Default)]
pub(super) struct RolloutCounts {
    recorded: usize,
    finished: usize,
    agreed: usize,
}

impl<P: Notation> Kit<P> {
    pub(super) fn check_indices(&self, position: &P, moves: &[P::Move], place: &str) {
        let count = self.start.move_count();
        assert_eq!(position.move_count(), count, "the number of indices must not change: {place}");
        let mut seen: HashMap<usize, P::Move> = HashMap::new();
        for &mv in moves {
            let text = position.move_text(mv);
            let index = position.move_index(mv);
            assert!(index < count, "index {index} of {text} is not below {count}: {place}");
            assert_eq!(index, self.start.move_index(mv), "the index of {text} changed: {place}");
            if let Some(other) = seen.insert(index, mv).filter(|_| count > 1) {
                let ends = |mv| {
                    let cells = position.move_cells(mv);
                    cells.first().copied().zip(cells.last().copied())
                };
                assert!(
                    ends(mv).is_some() && ends(mv) == ends(other),
                    "{text} and {} share an index: {place}",
                    position.move_text(other)
                );
            }
        }
    }

    /// No position before the last irreversible move comes again.
    pub(super) fn check_reversible_plies(&self, game: &History<P>) {
        for (ply, position) in game.positions().iter().enumerate() {
            let reversible = position.reversible_plies();
            let place = position.text();
            if let Some(&mv) = game.moves().get(ply) {
                let next = position.after(mv).reversible_plies();
                assert!(next <= reversible.saturating_add(1), "reversible plies jump: {place}");
            }
            let before = &game.positions()[..ply.saturating_sub(reversible)];
            assert!(
                before.iter().all(|earlier| earlier != position),
                "a position from before an irreversible move: {place}"
            );
        }
    }

    /// Both sides move forth and, if they can, back: the plies of a repetition are reversible.
    pub(super) fn check_short_cycle(&mut self, position: &P, moves: &[P::Move], place: &str) {
        let Some(forth) = self.random.pick(moves) else { return };
        let mut after = position.after(forth);
        let mut replies = Vec::new();
        after.legal_moves(&mut replies);
        let Some(reply) = self.random.pick(&replies) else { return };
        after.play(reply);
        let mut back = Vec::new();
        after.legal_moves(&mut back);
        for mv in back {
            let third = after.after(mv);
            let mut last = Vec::new();
            third.legal_moves(&mut last);
            for mv in last {
                let fourth = third.after(mv);
                assert!(
                    fourth != *position || fourth.reversible_plies() >= 4,
                    "a repetition after four plies that cannot be: {place}"
                );
            }
        }
    }

    pub(super) fn check_rollout(&mut self, position: &P, place: &str) {
        let seed = self.random.bits();
        let play = || position.rollout(&mut Random::new(seed), &mut Vec::new());
        let outcome: Outcome = play();
        assert!(outcome == play(), "the same seed gave another rollout: {place}");
        if let Some(board) = position.outcome() {
            assert!(board == outcome, "a rollout changed a finished game: {place}");
        }
    }

    /// The moves of a recorded rollout are legal in turn, and its outcome is that of the end they
    /// lead to, if they do: a game may cut very long rollouts.
    pub(super) fn check_recorded_rollout(&mut self, position: &P, place: &str) {
        let mut random = self.random.split("recorded rollout");
        let (mut buffer, mut played) = (Vec::new(), Vec::new());
        let outcome = position.recorded_rollout(&mut random, &mut buffer, &mut played);
        if end_of(position).is_some() {
            assert!(played.is_empty(), "a rollout plays on in a finished game: {place}");
            return;
        }
        let last = replay(&self.options, position, &played, place);
        self.rollouts.recorded += 1;
        let Some(end) = end_of(&last) else { return };
        self.rollouts.finished += 1;
        self.rollouts.agreed += usize::from(outcome == end);
        // Games that count points may estimate the count.
        assert!(
            outcome == end || last.margin().is_some(),
            "a rollout judged its end as {outcome:?}, not {end:?}: {place}"
        );
    }

    /// Estimates of a final count are right more often than not.
    pub(super) fn check_rollout_counts(&self) {
        let RolloutCounts { recorded, finished, agreed } = self.rollouts;
        assert!(recorded == 0 || finished > 0, "none of {recorded} rollouts led to an end");
        assert!(2 * agreed >= finished, "only {agreed} of {finished} rollouts are judged rightly");
    }
}

/// The outcome as far as the position shows it.
fn end_of<P: Position>(position: &P) -> Option<Outcome> {
    position.outcome().or_else(|| position.rule_draw().map(|_| Outcome::Draw))
}

/// The position after `moves`, which must be legal in turn. Playouts need not know of boards that
/// superko forbids: such a move has to be legal without the history.
pub(super) fn replay<P: Notation>(
    options: &Options,
    position: &P,
    moves: &[P::Move],
    place: &str,
) -> P {
    let mut position = position.clone();
    let mut legal = Vec::new();
    for &mv in moves {
        legal.clear();
        position.legal_moves(&mut legal);
        if !legal.contains(&mv) {
            position = P::parse(options, &position.text()).expect("a written position parses");
            legal.clear();
            position.legal_moves(&mut legal);
            assert!(legal.contains(&mv), "playout move {mv:?} at {}: {place}", position.text());
        }
        position.play(mv);
    }
    position
}
