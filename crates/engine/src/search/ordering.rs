//! Which move to try first.
//!
//! The move from the table; captures that win something, by what they win; killers (quiet moves
//! that cut off a sister node: Akl and Newborn 1977); the counter-move (the reply that last refuted
//! the opponent's move: Uiterwijk 1992); the other quiet moves by their history (Schaeffer 1989),
//! alone and after the move before; captures that lose material.

use super::table::{NO_MOVE, Ordinal};
use ludus_core::{Position, Tactics};

/// A move to be searched: its score for ordering and its place among the legal moves.
#[derive(Copy, Clone, Debug)]
pub struct Candidate {
    pub score: i32,
    pub ordinal: Ordinal,
}

const TABLE_MOVE: i32 = 1 << 30;
const WINNING: i32 = 1 << 26;
const KILLER: i32 = 1 << 24;
const LOSING: i32 = -(1 << 26);
/// Histories stay within ± this.
pub const HISTORY_MAX: i32 = 1 << 14;

/// Moves after a move are remembered if there are at most so many pairs.
const PAIRS_MAX: usize = 1 << 21;

/// What earlier searches of this game tell about moves; one for each thread.
pub struct Memory<P: Position> {
    slots: usize,
    history: Vec<i16>,
    /// By slot of the move before and slot of the move.
    after: Vec<i16>,
    counters: Vec<Option<P::Move>>,
}

/// The move before: whose it was and its slot.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Before(usize);

impl<P: Tactics> Memory<P> {
    pub fn new() -> Memory<P> {
        let slots = 2 * P::SLOTS;
        let pairs = if slots * slots <= PAIRS_MAX { slots * slots } else { 0 };
        Memory {
            slots,
            history: vec![0; slots],
            after: vec![0; pairs],
            counters: vec![None; slots],
        }
    }

    /// Lets old experience fade, before a new search.
    pub fn fade(&mut self) {
        self.history.iter_mut().for_each(|value| *value /= 2);
    }

    #[inline]
    pub fn index(position: &P, mv: P::Move) -> Before {
        Before(position.turn() as usize * P::SLOTS + position.slot(mv))
    }

    /// How good quiet moves like `mv` have been, alone and after the move before.
    #[inline]
    pub fn quiet_score(&self, mv: Before, before: Option<Before>) -> i32 {
        let alone = i32::from(self.history[mv.0]);
        let after = match before {
            Some(before) if !self.after.is_empty() => {
                i32::from(self.after[before.0 * self.slots + mv.0])
            }
            _ => 0,
        };
        alone + after
    }

    pub fn counter(&self, before: Option<Before>) -> Option<P::Move> {
        before.and_then(|before| self.counters[before.0])
    }

    pub fn set_counter(&mut self, before: Option<Before>, mv: P::Move) {
        if let Some(before) = before {
            self.counters[before.0] = Some(mv);
        }
    }

    /// Learns that `mv` was good or bad, by the size of `bonus`.
    pub fn learn(&mut self, mv: Before, before: Option<Before>, bonus: i32) {
        learn(&mut self.history[mv.0], bonus);
        if let Some(before) = before
            && !self.after.is_empty()
        {
            learn(&mut self.after[before.0 * self.slots + mv.0], bonus);
        }
    }
}

/// Moves `value` towards ±[`HISTORY_MAX`], the slower the nearer it is.
fn learn(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
}

/// What the node knows for ordering its moves.
pub struct Hints<M> {
    pub table_move: Ordinal,
    pub killers: [Option<M>; 2],
    pub counter: Option<M>,
    pub before: Option<Before>,
}

impl<P: Tactics> Memory<P> {
    /// Appends a candidate for each of `moves`.
    pub fn rate(
        &self,
        position: &P,
        moves: &[P::Move],
        hints: &Hints<P::Move>,
        out: &mut Vec<Candidate>,
    ) {
        out.extend(moves.iter().enumerate().map(|(ordinal, &mv)| {
            let ordinal = ordinal as Ordinal;
            let score = if ordinal == hints.table_move && ordinal != NO_MOVE {
                TABLE_MOVE
            } else if position.gain(mv) != 0 {
                WINNING + position.urgency(mv)
            } else if hints.killers[0] == Some(mv) {
                KILLER + 2
            } else if hints.killers[1] == Some(mv) {
                KILLER + 1
            } else if hints.counter == Some(mv) {
                KILLER
            } else {
                let index = Memory::index(position, mv);
                self.quiet_score(index, hints.before) + position.urgency(mv)
            };
            Candidate { score, ordinal }
        }));
    }
}

/// Moves the best of `rest` to its front and returns it. A capture that loses material in the
/// exchange is put back behind the quiet moves when it comes up.
#[inline]
pub fn pick<P: Tactics>(
    position: &P,
    moves: &[P::Move],
    rest: &mut [Candidate],
    check_exchanges: bool,
) -> Candidate {
    loop {
        let mut best = 0;
        for index in 1..rest.len() {
            if rest[index].score > rest[best].score {
                best = index;
            }
        }
        rest.swap(0, best);
        let first = &mut rest[0];
        let winning = first.score >= WINNING / 2 && first.score < TABLE_MOVE;
        if !check_exchanges || !winning || position.exchange_wins(moves[first.ordinal as usize], 0)
        {
            return *first;
        }
        first.score += LOSING - WINNING;
    }
}

impl Candidate {
    /// Whether it is a capture known to lose material.
    pub fn loses(self) -> bool {
        self.score < LOSING / 2
    }

    /// Whether it is a killer or the counter-move.
    pub fn is_refutation(self) -> bool {
        (KILLER..KILLER + 3).contains(&self.score)
    }
}
