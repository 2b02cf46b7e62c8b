//! The search: principal variation search (NegaScout) with a table of bounds.

use super::board::{SolverBoard, take_square};
use super::last_squares::solve_last_squares;
use super::move_ordering::{self, Candidate, take_best};
use super::stability::Stability;
use super::table::{Bounds, BoundsTable, NO_MOVE};

/// Shallow search up to this number of empty squares: no table and no move list.
const MAX_SHALLOW_EMPTIES: u32 = 6;
/// Up to this number of empty squares a small table is used, which fits the processor's cache.
const MAX_SMALL_TABLE_EMPTIES: u32 = 10;
/// Enhanced transposition cutoffs from this number of empty squares on.
const MIN_ETC_EMPTIES: u32 = 11;
/// Ordering by a shallow search from this number of empty squares on.
const MIN_PRESEARCH_EMPTIES: u32 = 13;
/// Nodes between two calls of `stop`.
const CHECK_INTERVAL_NODES: u64 = 1 << 15;

/// A running search.
pub(super) struct EndgameSearch<'a> {
    pub table: &'a mut BoundsTable,
    small_table: BoundsTable,
    pub stability: Stability,
    pub nodes: u64,
    pub stop: &'a mut dyn FnMut(u64) -> bool,
    pub next_check: u64,
    pub stopped: bool,
    /// The moves of all nodes on the path that are still to be tried.
    pub buffer: Vec<Candidate>,
}

impl<'a> EndgameSearch<'a> {
    pub fn new(
        table: &'a mut BoundsTable,
        stop: &'a mut dyn FnMut(u64) -> bool,
    ) -> EndgameSearch<'a> {
        EndgameSearch {
            table,
            small_table: BoundsTable::new(1 << 19),
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
    pub fn margin(&mut self, board: SolverBoard, alpha: i32, beta: i32) -> i32 {
        let empties = board.empty().count_ones();
        if empties <= 4 {
            solve_last_squares(board, alpha, beta, &mut self.nodes)
        } else if empties <= MAX_SHALLOW_EMPTIES {
            self.shallow(board, alpha, beta, empties)
        } else {
            self.deep(board, alpha, beta, empties)
        }
    }

    /// Parity ordering for five and six empty squares: odd quadrants first.
    fn shallow(&mut self, board: SolverBoard, alpha: i32, beta: i32, empties: u32) -> i32 {
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
                    -solve_last_squares(next, -beta, -lower, &mut self.nodes)
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

    fn pass(&mut self, board: SolverBoard, alpha: i32, beta: i32) -> i32 {
        let passed = board.passed();
        if passed.placements() == 0 {
            board.final_margin()
        } else {
            -self.margin(passed, -beta, -alpha)
        }
    }

    fn deep(&mut self, board: SolverBoard, mut alpha: i32, mut beta: i32, empties: u32) -> i32 {
        self.nodes += 1;
        if self.nodes >= self.next_check {
            self.next_check = self.nodes + CHECK_INTERVAL_NODES;
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
        let mut hash_move = NO_MOVE;
        if let Some(known) = self.table_for(empties).probe(board) {
            if known.lower >= beta || known.lower == known.upper {
                return known.lower;
            }
            if known.upper <= alpha {
                return known.upper;
            }
            alpha = alpha.max(known.lower);
            beta = beta.min(known.upper);
            hash_move = known.best;
        }
        let before = self.nodes;
        let start = self.buffer.len();
        move_ordering::list_moves(board, moves, &mut self.buffer);
        let best = if empties >= MIN_ETC_EMPTIES
            && let Some(known) = self.transposition_cutoff(start, beta)
        {
            known
        } else {
            self.improve_order(start, empties, hash_move);
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
    fn table_for(&mut self, empties: u32) -> &mut BoundsTable {
        if empties <= MAX_SMALL_TABLE_EMPTIES { &mut self.small_table } else { self.table }
    }

    /// Stability cutoff: the most the side to move can still get, if at most `alpha`.
    #[inline]
    fn stability_bound(&self, board: SolverBoard, alpha: i32) -> Option<i32> {
        // A quick bound first: the opponent's discs are the most that can be stable.
        let most = |discs: u64| 64 - 2 * discs.count_ones() as i32;
        if most(board.other) + STABILITY_MARGIN > alpha {
            return None;
        }
        let most = most(self.stability.stable(board.other, board.own));
        (most <= alpha).then_some(most)
    }

    /// Enhanced transposition cutoff: a move whose resulting board is known to be at least `beta`.
    fn transposition_cutoff(&mut self, start: usize, beta: i32) -> Option<Candidate> {
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

    /// Principal variation search of the moves from `start` on, best first; the best one, with its margin.
    fn search_moves(&mut self, start: usize, alpha: i32, beta: i32) -> Candidate {
        let mut best: Option<Candidate> = None;
        while self.buffer.len() > start {
            let candidate = take_best(&mut self.buffer, start);
            let best_margin = best.map_or(-64, |best| best.score);
            let lower = alpha.max(best_margin);
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
            if best.is_none() || margin > best_margin {
                best = Some(Candidate { score: margin, ..candidate });
            }
            if margin >= beta || self.stopped {
                break;
            }
        }
        best.expect("a node with moves to search")
    }

    /// Move ordering for the search: by a shallow search if many squares are empty, and the hash move
    /// first.
    fn improve_order(&mut self, start: usize, empties: u32, hash_move: u8) {
        if empties >= MIN_PRESEARCH_EMPTIES {
            let depth = (empties - MIN_PRESEARCH_EMPTIES) / 2;
            for at in start..self.buffer.len() {
                let next = self.buffer[at].next;
                let value = move_ordering::shallow(
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
            if candidate.square == hash_move {
                candidate.score = i32::MAX;
            }
        }
    }

    /// The best move at the root, with its margin; `None` if there is no square to place a disc on.
    pub fn root(&mut self, board: SolverBoard, alpha: i32, beta: i32) -> Option<Candidate> {
        let moves = board.placements();
        if moves == 0 {
            return None;
        }
        self.nodes += 1;
        let start = self.buffer.len();
        move_ordering::list_moves(board, moves, &mut self.buffer);
        let hash_move = self.table.probe(board).map_or(NO_MOVE, |known| known.best);
        self.improve_order(start, board.empty().count_ones(), hash_move);
        let best = self.search_moves(start, alpha, beta);
        self.buffer.truncate(start);
        if !self.stopped {
            let (lower, upper) = bounds(best.score, alpha, beta);
            self.table.store(board, Bounds { lower, upper, best: best.square }, self.nodes);
        }
        Some(best)
    }
}

/// Margin within which the quick bound must be of `alpha` for computing stability.
const STABILITY_MARGIN: i32 = 8;

/// The bounds proved by a search of the window (`alpha`, `beta`) that returned `margin`.
fn bounds(margin: i32, alpha: i32, beta: i32) -> (i32, i32) {
    match margin {
        margin if margin >= beta => (margin, 64),
        margin if margin <= alpha => (-64, margin),
        _ => (margin, margin),
    }
}
