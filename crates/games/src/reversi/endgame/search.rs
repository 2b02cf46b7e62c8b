//! The search proper: null-window searches around the best margin so far (NegaScout), on a table
//! of bounds.

use super::board::{Board, take_square};
use super::last::few_left;
use super::order::{self, Candidate, take_best};
use super::stability::Stability;
use super::table::{Bounds, NO_MOVE, Table};

/// Up to so many empty squares there is no table and no list of moves.
const SHALLOW: u32 = 6;
/// Up to so many, positions go to a table small enough for the processor's cache.
const NEAR: u32 = 10;
/// From so many on, the table may know a move's answer before it is searched.
const LOOK_AHEAD_FROM: u32 = 11;
/// From so many on, moves are put in order by a shallow search.
const PRESEARCH_FROM: u32 = 13;
/// The caller is asked whether to stop about once in so many nodes.
const CHECK_EVERY: u64 = 1 << 15;

/// A running search.
pub(super) struct Search<'a> {
    pub table: &'a mut Table,
    near: Table,
    pub stability: Stability,
    pub nodes: u64,
    pub stop: &'a mut dyn FnMut(u64) -> bool,
    pub next_check: u64,
    pub stopped: bool,
    /// The moves of all nodes on the path that are still to be tried.
    pub buffer: Vec<Candidate>,
}

impl<'a> Search<'a> {
    pub fn new(table: &'a mut Table, stop: &'a mut dyn FnMut(u64) -> bool) -> Search<'a> {
        Search {
            table,
            near: Table::new(1 << 19),
            stability: Stability::new(),
            nodes: 0,
            stop,
            next_check: 0,
            stopped: false,
            buffer: Vec::with_capacity(256),
        }
    }

    /// The margin of the side to move: exact within the window, a bound outside of it, meaningless
    /// if the search was stopped.
    pub fn margin(&mut self, board: Board, alpha: i32, beta: i32) -> i32 {
        let empties = board.empty().count_ones();
        if empties <= 4 {
            few_left(board, alpha, beta, &mut self.nodes)
        } else if empties <= SHALLOW {
            self.shallow(board, alpha, beta, empties)
        } else {
            self.deep(board, alpha, beta, empties)
        }
    }

    /// Five and six empty squares: odd quarters first.
    fn shallow(&mut self, board: Board, alpha: i32, beta: i32, empties: u32) -> i32 {
        self.nodes += 1;
        let moves = board.placements();
        if moves == 0 {
            return self.pass(board, alpha, beta);
        }
        let mut best = -64;
        for mut squares in [moves & board.odd(), moves & !board.odd()] {
            while squares != 0 {
                let square = take_square(&mut squares);
                let next = board.after(square, board.flips(square));
                let lower = alpha.max(best);
                let margin = if empties == 5 {
                    -few_left(next, -beta, -lower, &mut self.nodes)
                } else {
                    -self.shallow(next, -beta, -lower, empties - 1)
                };
                best = best.max(margin);
                if best >= beta {
                    return best;
                }
            }
        }
        best
    }

    fn pass(&mut self, board: Board, alpha: i32, beta: i32) -> i32 {
        let passed = board.passed();
        if passed.placements() == 0 {
            board.final_margin()
        } else {
            -self.margin(passed, -beta, -alpha)
        }
    }

    fn deep(&mut self, board: Board, mut alpha: i32, mut beta: i32, empties: u32) -> i32 {
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.next_check = self.nodes + CHECK_EVERY;
            self.stopped |= (self.stop)(self.nodes);
        }
        if self.stopped {
            return 0;
        }
        if let Some(most) = self.stability_bound(board, alpha) {
            return most;
        }
        let moves = board.placements();
        if moves == 0 {
            return self.pass(board, alpha, beta);
        }
        let mut hint = NO_MOVE;
        if let Some(known) = self.table_for(empties).probe(board) {
            if known.lower >= beta || known.lower == known.upper {
                return known.lower;
            }
            if known.upper <= alpha {
                return known.upper;
            }
            alpha = alpha.max(known.lower);
            beta = beta.min(known.upper);
            hint = known.best;
        }
        let before = self.nodes;
        let start = self.buffer.len();
        order::list(board, moves, &mut self.buffer);
        let best = if empties >= LOOK_AHEAD_FROM
            && let Some(known) = self.known_cut(start, beta)
        {
            known
        } else {
            self.improve_order(start, empties, hint);
            self.search_moves(start, alpha, beta)
        };
        self.buffer.truncate(start);
        if !self.stopped {
            let (lower, upper) = bounds(best.score, alpha, beta);
            let (found, nodes) = (Bounds { lower, upper, best: best.square }, self.nodes - before);
            self.table_for(empties).store(board, found, nodes);
        }
        best.score
    }

    #[inline]
    fn table_for(&mut self, empties: u32) -> &mut Table {
        if empties <= NEAR { &mut self.near } else { self.table }
    }

    /// The most the side to move can still get, if that is no more than `alpha`.
    #[inline]
    fn stability_bound(&self, board: Board, alpha: i32) -> Option<i32> {
        // Discs that are not there cannot be stable.
        let most = |discs: u64| 64 - 2 * discs.count_ones() as i32;
        if most(board.other) + STABILITY_MARGIN > alpha {
            return None;
        }
        let most = most(self.stability.stable(board.other, board.own));
        (most <= alpha).then_some(most)
    }

    /// A move whose answer the table knows to be bad enough.
    fn known_cut(&mut self, start: usize, beta: i32) -> Option<Candidate> {
        for at in start..self.buffer.len() {
            let candidate = self.buffer[at];
            if let Some(known) = self.table.probe(candidate.next)
                && -known.upper >= beta
            {
                return Some(Candidate { score: -known.upper, ..candidate });
            }
        }
        None
    }

    /// Searches the moves from `start` on, best first; the best one, with its margin.
    fn search_moves(&mut self, start: usize, alpha: i32, beta: i32) -> Candidate {
        let mut best: Option<Candidate> = None;
        while self.buffer.len() > start {
            let candidate = take_best(&mut self.buffer, start);
            let so_far = best.map_or(-64, |best| best.score);
            let lower = alpha.max(so_far);
            let margin = if best.is_none() {
                -self.margin(candidate.next, -beta, -lower)
            } else {
                let margin = -self.margin(candidate.next, -lower - 1, -lower);
                if margin > lower && margin < beta {
                    -self.margin(candidate.next, -beta, -margin + 1)
                } else {
                    margin
                }
            };
            if best.is_none() || margin > so_far {
                best = Some(Candidate { score: margin, ..candidate });
            }
            if margin >= beta || self.stopped {
                break;
            }
        }
        best.expect("a node with moves to search")
    }

    fn improve_order(&mut self, start: usize, empties: u32, hint: u8) {
        if empties >= PRESEARCH_FROM {
            let depth = (empties - PRESEARCH_FROM) / 2;
            for at in start..self.buffer.len() {
                let next = self.buffer[at].next;
                let value = order::shallow(
                    next,
                    depth,
                    -i32::MAX,
                    i32::MAX,
                    &mut self.buffer,
                    &mut self.nodes,
                );
                self.buffer[at].score = -value;
            }
        }
        for candidate in &mut self.buffer[start..] {
            if candidate.square == hint {
                candidate.score = i32::MAX;
            }
        }
    }

    /// The best move at the root, with its margin; `None` if there is no square to place a disc on.
    pub fn root(&mut self, board: Board, alpha: i32, beta: i32) -> Option<Candidate> {
        let moves = board.placements();
        if moves == 0 {
            return None;
        }
        self.nodes += 1;
        let start = self.buffer.len();
        order::list(board, moves, &mut self.buffer);
        let hint = self.table.probe(board).map_or(NO_MOVE, |known| known.best);
        self.improve_order(start, board.empty().count_ones(), hint);
        let best = self.search_moves(start, alpha, beta);
        self.buffer.truncate(start);
        if !self.stopped {
            let (lower, upper) = bounds(best.score, alpha, beta);
            self.table.store(board, Bounds { lower, upper, best: best.square }, self.nodes);
        }
        Some(best)
    }
}

/// So many of the opponent's discs may be unstable for a look at them to be worth its time.
const STABILITY_MARGIN: i32 = 8;

/// What a search of the window (`alpha`, `beta`) that returned `margin` proved.
fn bounds(margin: i32, alpha: i32, beta: i32) -> (i32, i32) {
    match margin {
        margin if margin >= beta => (margin, 64),
        margin if margin <= alpha => (-64, margin),
        _ => (margin, margin),
    }
}
