//! Endgame oracles: endings whose value is known for certain, probed by the search.
//!
//! A search that comes from a larger position takes the oracle's value for every ending it reaches. A
//! root that is known itself needs more, because a search in which every move wins makes no progress.
//! With a distance to the end the shortest win and the longest defence are plain. Without one,
//! positions as large as the root are cut off only where they lost or gained something; the others
//! are searched for a smaller ending.

use super::{
    table::Ordinal,
    trace::Cause,
    worker::{NodeContext, PROVEN, Worker},
};
use crate::tables::{EndgameValue, ProbeResult};
use ludus_core::{Evaluator, Position, Score, SearchHints};
use std::cmp::Reverse;

/// A source of the values of endings, whatever the way there, such as an endgame database.
pub trait EndgameOracle<P>: Send + Sync {
    /// The largest ending known.
    fn max_size(&self) -> usize;

    /// The size of `position`, such as the number of its pieces. No move makes it larger. Called at every
    /// node, so it must be cheap.
    fn size(&self, position: &P) -> usize;

    /// The value of `position`, if it is known.
    fn probe(&self, position: &P) -> Option<ProbeResult>;
}

/// Score of a win of unknown length: less than a proven one, more than any material.
const ENDGAME_WIN: i32 = PROVEN - 2_000;
/// Largest change of such a score for the static evaluation, so that the search prefers the easier wins.
const MAX_EVAL_ADJUSTMENT: i32 = 1_000;

/// The value of the root by the endgame oracle.
#[derive(Copy, Clone, Debug)]
pub(super) struct RootEndgame {
    known: ProbeResult,
    size: usize,
}

impl RootEndgame {
    /// Whether the distance to the end is known, so that there is nothing to search for.
    pub(super) fn is_settled(&self) -> bool {
        self.known.distance.is_some()
    }

    pub(super) fn is_drawn(&self) -> bool {
        self.known.value == EndgameValue::Draw
    }

    /// Whether a position below the root has the root's value and size, so that only a search shows
    /// progress from it.
    fn keeps_root_value(&self, size: usize, value: EndgameValue, ply: usize) -> bool {
        let expected =
            if ply.is_multiple_of(2) { self.known.value } else { self.known.value.flipped() };
        !self.is_settled() && size >= self.size && value == expected
    }
}

impl<P: Position, E: Evaluator<P>, H: SearchHints<P>> Worker<'_, P, E, H> {
    /// The value of a node below the root by the oracle, if it is known and settles the node.
    #[inline]
    pub(super) fn probe_endgame(&mut self, position: &P, context: NodeContext) -> Option<i32> {
        let oracle = self.oracle?;
        let size = oracle.size(position);
        if size > oracle.max_size() {
            return None;
        }
        let known = oracle.probe(position)?;
        if self
            .root
            .endgame
            .is_some_and(|root| root.keeps_root_value(size, known.value, context.ply))
        {
            return None;
        }
        let value = self.endgame_score(position, known, context)?;
        Some(self.leaf(value, Cause::Known))
    }

    fn endgame_score(
        &mut self,
        position: &P,
        known: ProbeResult,
        context: NodeContext,
    ) -> Option<i32> {
        let ply = context.ply as i32;
        let won = match (known.value, known.distance) {
            (EndgameValue::Unknown, _) => return None,
            (EndgameValue::Draw, _) => return Some(Score::DRAW.0),
            (_, Some(plies)) => Score::WIN.0 - ply - i32::from(plies),
            (value, None) => {
                let static_eval = self.evaluate(position, context.key);
                let favour = if value == EndgameValue::Win { static_eval } else { -static_eval };
                ENDGAME_WIN + favour.clamp(-MAX_EVAL_ADJUSTMENT, MAX_EVAL_ADJUSTMENT) - ply
            }
        };
        Some(if known.value == EndgameValue::Win { won } else { -won })
    }

    /// Leaves only the root moves that keep the value of the root, the shortest win or longest defence in
    /// front.
    pub(super) fn probe_endgame_at_root(&mut self, position: &P) {
        let Some(oracle) = self.oracle else { return };
        let size = oracle.size(position);
        if size > oracle.max_size() {
            return;
        }
        let Some(known) = oracle.probe(position) else { return };
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let length = |mv| {
            let next = oracle.probe(&position.after(mv))?;
            (next.value == known.value.flipped()).then_some(next.distance.unwrap_or(u8::MAX))
        };
        let lengths: Vec<Option<u8>> = moves.into_iter().map(length).collect();
        let of = |ordinal: &Ordinal| lengths[usize::from(*ordinal)];
        if lengths.iter().all(Option::is_none) {
            return; // the root is known, but none of the positions after it
        }
        (self.root.order, self.root.inferior_moves) =
            std::mem::take(&mut self.root.order).into_iter().partition(|it| of(it).is_some());
        match known.value {
            EndgameValue::Loss => self.root.order.sort_by_key(|ordinal| Reverse(of(ordinal))),
            _ => self.root.order.sort_by_key(of),
        }
        self.root.endgame = Some(RootEndgame { known, size });
    }
}
