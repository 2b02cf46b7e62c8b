//! The perfect solver: the exact score of any position, with the number of plies to the end.
//!
//! Connect Four was solved by James D. Allen and Victor Allis in 1988; the first player wins with
//! the 41st disc. This solver needs no book for that. Its parts:
//!
//! - Bitboards and scores by the number of discs, after John Tromp's and Pascal Pons's solvers;
//!   from the latter's tutorial also the narrowing of a score by null-window searches, the
//!   restriction to moves that do not lose at once, and move ordering by threats (`search`).
//! - Allis's zugzwang rules, as far as they prove bounds without search (`zugzwang`).
//! - A transposition table in which discs that can no longer matter have no colour, so that more
//!   positions coincide; in the late game it is small enough for the processor's cache (`table`).
//! - Enhanced transposition cutoffs (Jonathan Schaeffer and Aske Plaat, 1996) near the root.

mod cells;
mod search;
mod table;
#[cfg(test)]
mod tests;
mod zugzwang;

use cells::CENTRE_FIRST;
use ludus_core::{Outcome, Position, Score, Side};
use ludus_games::connect4::Connect4;
use search::{CELLS, Node, Search};
use std::{sync::atomic::AtomicBool, time::Instant};
use table::{Bounds, Tables};

/// Finds exact scores; proved bounds stay in tables for later calls.
pub struct Connect4Solver {
    bytes: u64,
    /// Created at first use, with a size that suits the position.
    tables: Option<Tables>,
}

/// Limits of a solver run, and the nodes used so far.
pub struct Connect4SolverBudget<'a> {
    /// Set by another thread to stop.
    pub stop: &'a AtomicBool,
    /// Time limit.
    pub deadline: Option<Instant>,
    /// Node limit.
    pub node_limit: u64,
    /// Nodes visited: calls of the search on a position.
    pub nodes: u64,
}

impl<'a> Connect4SolverBudget<'a> {
    /// No limits, until `stop` is set.
    pub fn unlimited(stop: &'a AtomicBool) -> Connect4SolverBudget<'a> {
        Connect4SolverBudget { stop, deadline: None, node_limit: u64::MAX, nodes: 0 }
    }

    /// An upper bound of the nodes still to be visited: it limits the table, because a large one
    /// takes too long to create for a short search, which would not fill it.
    fn nodes_left(&self) -> u64 {
        const NODES_A_MILLISECOND: u64 = 20_000;
        let time = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let by_time = time
            .map_or(u64::MAX, |time| (time.as_millis() as u64).saturating_mul(NODES_A_MILLISECOND));
        by_time.min(self.node_limit.saturating_sub(self.nodes))
    }
}

impl Connect4Solver {
    /// A solver with tables of about `bytes`, at least 32 MB.
    pub fn new(bytes: u64) -> Connect4Solver {
        Connect4Solver { bytes, tables: None }
    }

    /// Clears the tables.
    pub fn clear(&mut self) {
        self.tables = None;
    }

    /// The exact score of `position`, or `None` if the budget was exhausted.
    pub fn score(
        &mut self,
        position: &Connect4,
        budget: &mut Connect4SolverBudget<'_>,
    ) -> Option<Score> {
        self.value(position, budget).map(|value| score(value, position))
    }

    /// The exact score of the legal move `column`, for the side that makes it, or `None` if the
    /// budget was exhausted.
    pub fn move_score(
        &mut self,
        position: &Connect4,
        column: u8,
        budget: &mut Connect4SolverBudget<'_>,
    ) -> Option<Score> {
        self.value(&position.after(column), budget).map(|value| score(-value, position))
    }

    /// A best move of `position` and its exact score. `None` if the budget was exhausted or the
    /// game is over.
    pub fn best(
        &mut self,
        position: &Connect4,
        budget: &mut Connect4SolverBudget<'_>,
    ) -> Option<(u8, Score)> {
        let value = self.value(position, budget)?;
        Some((self.move_keeping(position, value, budget)?, score(value, position)))
    }

    /// Best play from `position` to the end of the game, or as much of it as the budget allows.
    pub fn line(&mut self, position: &Connect4, budget: &mut Connect4SolverBudget<'_>) -> Vec<u8> {
        let mut line = Vec::new();
        let Some(mut value) = self.value(position, budget) else { return line };
        let mut position = *position;
        while let Some(column) = self.move_keeping(&position, value, budget) {
            line.push(column);
            position.play(column);
            value = -value;
        }
        line
    }

    /// The move to play when the budget is exhausted: the one with the best known bounds, and not
    /// one that loses at once if there is another. `None` if the game is over.
    pub fn best_known_move(&self, position: &Connect4) -> Option<u8> {
        let rating = |column: &u8| {
            let bounds = self.known_bounds(&position.after(*column));
            (-bounds.upper, -bounds.lower)
        };
        // Of equal moves the last is taken, so the centre comes last.
        moves(position).rev().max_by_key(rating)
    }

    /// The score of `position`, counted from the end of the game.
    fn value(&mut self, position: &Connect4, budget: &mut Connect4SolverBudget<'_>) -> Option<i32> {
        let Bounds { mut lower, mut upper } = self.known_bounds(position);
        let Some(node) = Node::new(position) else { return Some(lower) };
        let mut search = Search::new(self.tables(position, budget), budget);
        while lower < upper {
            let alpha = next_alpha(lower, upper, position.turn());
            let bound = search.bound(&node, alpha)?;
            if bound > alpha {
                lower = bound;
            } else {
                upper = bound;
            }
        }
        Some(lower)
    }

    /// A move that leads to `value`, the score of `position`: one known from the tables, else
    /// the one closest to the centre. Searching all moves would often cost more than the score did.
    fn move_keeping(
        &mut self,
        position: &Connect4,
        value: i32,
        budget: &mut Connect4SolverBudget<'_>,
    ) -> Option<u8> {
        let mut open = Vec::new();
        for column in moves(position) {
            let bounds = self.known_bounds(&position.after(column));
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
            if Search::new(self.tables(&child, budget), budget).bound(&node, -value)? <= -value {
                return Some(column);
            }
        }
        None
    }

    /// Bounds of the score of `position` that are known without search.
    fn known_bounds(&self, position: &Connect4) -> Bounds {
        let empty = position.empty_cells() as i32;
        match (position.outcome(), Node::new(position)) {
            (Some(Outcome::Draw), _) => Bounds::exactly(0),
            (Some(_), _) => Bounds::exactly(-(empty / 2 + 1)),
            (None, None) => Bounds::exactly((empty + 1) / 2),
            (None, Some(node)) if node.loses_at_once() => Bounds::exactly(-empty / 2),
            (None, Some(node)) => {
                let stored =
                    self.tables.as_ref().map_or(Bounds::UNKNOWN, |tables| node.stored(tables));
                node.bounds().and(stored)
            }
        }
    }

    /// The tables, large enough for `position` and the budget.
    fn tables(&mut self, position: &Connect4, budget: &Connect4SolverBudget<'_>) -> &Tables {
        let useful_bytes = Tables::useful_bytes(position.all().count_ones());
        let bytes = useful_bytes.min(budget.nodes_left().saturating_mul(16)).min(self.bytes);
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

/// The next null window between two bounds: first whether the first player wins, then whether the
/// win is as late as possible, then in growing steps. (Late wins are the hard ones; bisection from
/// the beginning costs a sixth more nodes on the empty board.)
fn next_alpha(lower: i32, upper: i32, turn: Side) -> i32 {
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

/// Converts a score in discs from the end of the game to plies from `position`.
fn score(value: i32, position: &Connect4) -> Score {
    let discs = position.all().count_ones() as i32;
    let own = discs / 2;
    let other = discs - own;
    let each = CELLS / 2;
    match value.signum() {
        1 => Score(Score::WIN.0 - (2 * (each + 1 - value - own) - 1)),
        -1 => Score(2 * (each + 1 + value - other) - Score::WIN.0),
        _ => Score::DRAW,
    }
}
