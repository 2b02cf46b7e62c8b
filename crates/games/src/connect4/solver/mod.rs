//! The perfect solver: the exact score of any position, with the number of plies to the end.
//!
//! Connect Four was solved by James D. Allen and Victor Allis in 1988; the first player wins with
//! the 41st disc. This solver needs no book for that. What it is made of:
//!
//! - Bitboards and the number of discs as the measure of a win's distance, after John Tromp's and
//!   Pascal Pons's solvers; from the latter's tutorial also the narrowing of a score by yes-or-no
//!   searches, the moves that do not lose at once, and the order of moves by the threats they make
//!   (`search`).
//! - Allis's rules of zugzwang, as far as they prove something without search (`zugzwang`).
//! - A table in which discs that can no longer matter have no colour, so that far more positions
//!   are the same one; small enough in the late game to stay in the processor's cache (`table`).
//! - Enhanced transposition cut-offs (Jonathan Schaeffer and Aske Plaat, 1996) near the root.

mod cells;
mod search;
mod table;
#[cfg(test)]
mod tests;
mod zugzwang;

use super::position::Connect4;
use cells::CENTRE_FIRST;
use ludus_core::{Outcome, Position, Score, Side};
use search::{CELLS, Node, Search};
use std::{sync::atomic::AtomicBool, time::Instant};
use table::{Bounds, Tables};

/// Finds exact scores. What it has proved it keeps in tables for the next question.
pub struct Solver {
    bytes: u64,
    /// Made when first needed, as large as the position deserves.
    tables: Option<Tables>,
}

/// What the answers may cost together, and what they have cost so far.
pub struct Effort<'a> {
    /// Raised by another thread to stop now.
    pub stop: &'a AtomicBool,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// How many nodes to visit at most.
    pub node_limit: u64,
    /// Nodes visited: calls of the search on a position.
    pub nodes: u64,
}

impl<'a> Effort<'a> {
    /// As much as it takes, until `stop` is raised.
    pub fn unlimited(stop: &'a AtomicBool) -> Effort<'a> {
        Effort { stop, deadline: None, node_limit: u64::MAX, nodes: 0 }
    }

    /// More nodes than can still be visited. A large table takes longer to make than a short time
    /// allows, and nobody would fill it.
    fn nodes_left(&self) -> u64 {
        const NODES_A_MILLISECOND: u64 = 20_000;
        let time = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let by_time = time
            .map_or(u64::MAX, |time| (time.as_millis() as u64).saturating_mul(NODES_A_MILLISECOND));
        by_time.min(self.node_limit.saturating_sub(self.nodes))
    }
}

impl Solver {
    /// A solver with about `bytes` of memory for what it has proved, at least 32 MB.
    pub fn new(bytes: u64) -> Solver {
        Solver { bytes, tables: None }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.tables = None;
    }

    /// The exact score of `position`, or `None` if the effort was spent before.
    pub fn score(&mut self, position: &Connect4, effort: &mut Effort<'_>) -> Option<Score> {
        self.value(position, effort).map(|value| score(value, position))
    }

    /// The exact score of the legal move `column`, seen by the side that makes it, or `None` if the
    /// effort was spent before.
    pub fn move_score(
        &mut self,
        position: &Connect4,
        column: u8,
        effort: &mut Effort<'_>,
    ) -> Option<Score> {
        self.value(&position.after(column), effort).map(|value| score(-value, position))
    }

    /// A best move of `position` and its exact score. `None` if the effort was spent before, or if
    /// the game is over.
    pub fn best(&mut self, position: &Connect4, effort: &mut Effort<'_>) -> Option<(u8, Score)> {
        let value = self.value(position, effort)?;
        Some((self.move_worth(position, value, effort)?, score(value, position)))
    }

    /// Best play from `position` to the end of the game, or as much of it as the effort allows.
    pub fn line(&mut self, position: &Connect4, effort: &mut Effort<'_>) -> Vec<u8> {
        let mut line = Vec::new();
        let Some(mut value) = self.value(position, effort) else { return line };
        let mut position = *position;
        while let Some(column) = self.move_worth(&position, value, effort) {
            line.push(column);
            position.play(column);
            value = -value;
        }
        line
    }

    /// The move to play when the effort was spent too early: the one of which the tables know the
    /// best, and not one that loses at once if there is another. `None` if the game is over.
    pub fn guess(&self, position: &Connect4) -> Option<u8> {
        let known = |column: &u8| {
            let bounds = self.known(&position.after(*column));
            (-bounds.upper, -bounds.lower)
        };
        // Of equals the last is taken, so the centre comes last.
        moves(position).rev().max_by_key(known)
    }

    /// The score of `position`, counted from the end of the game.
    fn value(&mut self, position: &Connect4, effort: &mut Effort<'_>) -> Option<i32> {
        let Bounds { mut lower, mut upper } = self.known(position);
        let Some(node) = Node::new(position) else { return Some(lower) };
        let mut search = Search::new(self.tables(position, effort), effort);
        while lower < upper {
            let alpha = next_test(lower, upper, position.turn());
            let bound = search.bound(&node, alpha)?;
            if bound > alpha {
                lower = bound;
            } else {
                upper = bound;
            }
        }
        Some(lower)
    }

    /// A move that leads to `value`, the score of `position`: one the tables know if they do, else
    /// the one closest to the centre. To find which moves are worse would often cost more than the
    /// score did.
    fn move_worth(
        &mut self,
        position: &Connect4,
        value: i32,
        effort: &mut Effort<'_>,
    ) -> Option<u8> {
        let mut open = Vec::new();
        for column in moves(position) {
            let bounds = self.known(&position.after(column));
            if bounds.upper <= -value {
                return Some(column);
            }
            if bounds.lower <= -value {
                open.push(column);
            }
        }
        for column in open {
            let child = position.after(column);
            let Some(node) = Node::new(&child) else { continue }; // known above
            if Search::new(self.tables(&child, effort), effort).bound(&node, -value)? <= -value {
                return Some(column);
            }
        }
        None
    }

    /// What is known of the score of `position` without search.
    fn known(&self, position: &Connect4) -> Bounds {
        let empty = position.empty_cells() as i32;
        match (position.outcome(), Node::new(position)) {
            (Some(Outcome::Draw), _) => Bounds::exactly(0),
            (Some(_), _) => Bounds::exactly(-(empty / 2 + 1)),
            (None, None) => Bounds::exactly((empty + 1) / 2),
            (None, Some(node)) if node.loses_at_once() => Bounds::exactly(-empty / 2),
            (None, Some(node)) => {
                let stored =
                    self.tables.as_ref().map_or(Bounds::NONE, |tables| node.stored(tables));
                node.bounds().and(stored)
            }
        }
    }

    /// The tables, large enough for `position` and what may be spent on it.
    fn tables(&mut self, position: &Connect4, effort: &Effort<'_>) -> &Tables {
        let worthwhile = Tables::worthwhile(position.all.count_ones());
        let bytes = worthwhile.min(effort.nodes_left().saturating_mul(16)).min(self.bytes);
        if self.tables.as_ref().is_some_and(|tables| tables.can_grow_to(bytes)) {
            self.tables = None;
        }
        self.tables.get_or_insert_with(|| Tables::new(bytes))
    }
}

/// The columns that are not full, those in the centre first; none if the game is over.
fn moves(position: &Connect4) -> impl DoubleEndedIterator<Item = u8> {
    let landings = position.landings();
    CENTRE_FIRST
        .into_iter()
        .filter(move |&column| landings & cells::column_mask(column) != 0)
        .map(|column| column as u8)
}

/// The score to compare with next, when the right one lies between two bounds: first whether the
/// first player wins, then whether the win is as late as it can be, then in growing steps. (Late
/// wins are the hard ones; to halve the range from the beginning costs the empty board a sixth more
/// nodes.)
fn next_test(lower: i32, upper: i32, turn: Side) -> i32 {
    let first_wins = if turn == Side::First { 0 } else { -1 };
    let middle = (lower + upper).div_euclid(2);
    if lower > first_wins {
        (2 * lower - 1).min(middle).clamp(lower, upper - 1)
    } else if upper <= first_wins {
        (2 * upper).max(middle).clamp(lower, upper - 1)
    } else {
        first_wins
    }
}

/// A score in plies from `position`, of one counted in discs from the end of the game.
fn score(value: i32, position: &Connect4) -> Score {
    let discs = position.all.count_ones() as i32;
    let own = discs / 2;
    let other = discs - own;
    let each = CELLS / 2;
    match value.signum() {
        1 => Score(Score::WIN.0 - (2 * (each + 1 - value - own) - 1)),
        -1 => Score(2 * (each + 1 + value - other) - Score::WIN.0),
        _ => Score::DRAW,
    }
}
