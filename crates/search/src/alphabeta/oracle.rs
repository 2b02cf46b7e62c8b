//! Endings whose value is known for certain, asked about on the way.
//!
//! A search that comes from a larger position takes the oracle's word for every ending it reaches. A
//! root that is known itself needs more, because a search in which every move wins makes no progress.
//! With a distance to the end the shortest win and the longest defence are plain. Without one,
//! positions as large as the root are cut off only where they lost or gained something; the others
//! are searched for a smaller ending.

use super::{
    table::Ordinal,
    trace::Cause,
    worker::{PROVEN, Place, Worker},
};
use crate::tables::{Known, Value};
use ludus_core::{Ending, Evaluator, Score, SearchHints};
use std::cmp::Reverse;

/// Who knows the value of endings, whatever the way there.
pub trait Oracle<P>: Send + Sync {
    /// The largest ending known.
    fn largest(&self) -> usize;

    /// How large `position` is, such as the number of its pieces. No move makes it larger. Asked at
    /// every node, so it must be cheap.
    fn size(&self, position: &P) -> usize;

    /// What is known of `position`.
    fn ask(&self, position: &P) -> Option<Known>;
}

/// A win that is known, but not how long it takes: less than a proven one, more than any material.
const WON: i32 = PROVEN - 2_000;
/// How far the evaluation may move such a score, so that the search prefers the easier wins.
const SPREAD: i32 = 1_000;

/// What a search knows of its root.
#[derive(Copy, Clone, Debug)]
pub(super) struct RootKnown {
    known: Known,
    size: usize,
}

impl RootKnown {
    /// Whether the end is so well known that there is nothing to search for.
    pub(super) fn is_settled(&self) -> bool {
        self.known.distance.is_some()
    }

    pub(super) fn is_drawn(&self) -> bool {
        self.known.value == Value::Draw
    }

    /// Whether a position found on the way is worth no less and no more than the root, so that only
    /// a search tells how to get on from it.
    fn is_on_the_way(&self, size: usize, value: Value, ply: usize) -> bool {
        let expected =
            if ply.is_multiple_of(2) { self.known.value } else { self.known.value.turned() };
        !self.is_settled() && size >= self.size && value == expected
    }
}

impl<P: Ending + SearchHints, E: Evaluator<P>> Worker<'_, P, E> {
    /// The value of a node below the root, if the oracle knows it and its word is enough.
    #[inline]
    pub(super) fn known(&mut self, position: &P, place: Place) -> Option<i32> {
        let oracle = self.oracle?;
        let size = oracle.size(position);
        if size > oracle.largest() {
            return None;
        }
        let known = oracle.ask(position)?;
        if self.root.known.is_some_and(|root| root.is_on_the_way(size, known.value, place.ply)) {
            return None;
        }
        let value = self.score_of(position, known, place)?;
        Some(self.leaf(value, Cause::Known))
    }

    fn score_of(&mut self, position: &P, known: Known, place: Place) -> Option<i32> {
        let ply = place.ply as i32;
        let won = match (known.value, known.distance) {
            (Value::Unknown, _) => return None,
            (Value::Draw, _) => return Some(Score::DRAW.0),
            (_, Some(plies)) => Score::WIN.0 - ply - i32::from(plies),
            (value, None) => {
                let judged = self.evaluate(position, place.key);
                let favour = if value == Value::Win { judged } else { -judged };
                WON + favour.clamp(-SPREAD, SPREAD) - ply
            }
        };
        Some(if known.value == Value::Win { won } else { -won })
    }

    /// Leaves only those moves at the root that keep what it is worth, the quickest win or longest
    /// defence in front.
    pub(super) fn consult_at_root(&mut self, position: &P) {
        let Some(oracle) = self.oracle else { return };
        let size = oracle.size(position);
        if size > oracle.largest() {
            return;
        }
        let Some(known) = oracle.ask(position) else { return };
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let length = |mv| {
            let next = oracle.ask(&position.after(mv))?;
            (next.value == known.value.turned()).then_some(next.distance.unwrap_or(u8::MAX))
        };
        let lengths: Vec<Option<u8>> = moves.into_iter().map(length).collect();
        let of = |ordinal: &Ordinal| lengths[usize::from(*ordinal)];
        if lengths.iter().all(Option::is_none) {
            return; // it knows the root, but not enough of what comes next
        }
        (self.root.order, self.root.worse) =
            std::mem::take(&mut self.root.order).into_iter().partition(|it| of(it).is_some());
        match known.value {
            Value::Loss => self.root.order.sort_by_key(|ordinal| Reverse(of(ordinal))),
            _ => self.root.order.sort_by_key(of),
        }
        self.root.known = Some(RootKnown { known, size });
    }
}
