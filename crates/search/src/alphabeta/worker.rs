//! One thread of a search: its state, and what the parts of the search share.

use super::{
    budget::Budget,
    oracle::{EndgameOracle, RootEndgame},
    ordering::{Candidate, HistoryIndex, HistoryTables, QuietMove},
    params::SearchParams,
    path::{self, SearchPath},
    reductions::ReductionTable,
    settings::SearchSettings,
    table::{Bound, Ordinal, TableEntry, TableStats, TranspositionTable, prefetch},
    trace::{Cause, Trace},
};
use ludus_core::{Eval, Evaluator, Position, Score, SearchHints};
use std::ops::AddAssign;

/// Ply at which lines end with the static evaluation.
pub const MAX_PLY: usize = 200;

pub const INFINITE: i32 = Score::INFINITE.0;
/// Scores beyond this are proven results.
pub const PROVEN: i32 = Score::EVAL_MAX.0;

/// Entries of the evaluation cache: a quarter of a megabyte. More would push what else a search uses
/// out of the second-level cache, which costs more than the evaluations it saves.
const EVAL_CACHE_ENTRIES: usize = 1 << 15;

fn eval_cache_index(key: u64) -> usize {
    key as usize & (EVAL_CACHE_ENTRIES - 1)
}

/// The alpha-beta window of a search, as the side to move sees it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Window {
    pub alpha: i32,
    pub beta: i32,
}

impl Window {
    pub const OPEN: Window = Window { alpha: -INFINITE, beta: INFINITE };

    /// Whether it asks only if the value reaches `beta`.
    #[inline]
    pub fn is_null(self) -> bool {
        self.beta - self.alpha == 1
    }

    /// The same window as the other side sees it.
    #[inline]
    pub fn flipped(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// The null window that asks whether a value is above `alpha`.
    #[inline]
    pub fn null(alpha: i32) -> Window {
        Window { alpha, beta: alpha + 1 }
    }
}

/// An entry of the search stack: what a node leaves for the nodes below and beside it.
#[derive(Clone)]
pub struct StackEntry<M> {
    /// Killer moves, the latest first.
    pub killers: [Option<QuietMove<M>>; 2],
    /// The move being searched here; `None` for a null move.
    pub current_move: Option<HistoryIndex>,
    /// The static evaluation, if it was made.
    pub static_eval: Option<i32>,
    /// The move left out to test whether it is singular.
    pub excluded: Option<Ordinal>,
}

impl<M> Default for StackEntry<M> {
    fn default() -> StackEntry<M> {
        StackEntry { killers: [None, None], current_move: None, static_eval: None, excluded: None }
    }
}

/// Statistics of one search.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchStats {
    /// Positions evaluated, or in which the game was over.
    pub leaves: u64,
    /// Statistics of the transposition table.
    pub table: TableStats,
}

impl AddAssign for SearchStats {
    fn add_assign(&mut self, other: SearchStats) {
        self.leaves += other.leaves;
        self.table += other.table;
    }
}

/// The state of the root of a search.
#[derive(Clone, Debug, Default)]
pub struct RootState {
    /// Moves in the order to be searched.
    pub order: Vec<Ordinal>,
    /// The best move so far in this search of the tree, and its score.
    pub best: Option<(Ordinal, i32)>,
    /// The last move that raised alpha in this search of the tree.
    pub raised_alpha: Option<(Ordinal, i32)>,
    /// Exact scores found in this search of the tree.
    pub exact: Vec<(Ordinal, i32)>,
    /// Depth of this search of the tree, in plies.
    pub depth: i32,
    /// Moves that are worse than those in `order` by the endgame oracle.
    pub inferior_moves: Vec<Ordinal>,
    /// Changes the root's key in the table while some of its moves are left out, as its value is
    /// another then.
    pub exclusion_key: u64,
    /// The root's value by the endgame oracle, if it is known.
    pub(super) endgame: Option<RootEndgame>,
}

/// The place of a node in the tree.
#[derive(Copy, Clone, Debug)]
pub struct NodeContext {
    /// The position's key; 0 if it is not used.
    pub key: u64,
    /// Depth left, in plies.
    pub depth: i32,
    /// Distance from the root, in plies.
    pub ply: usize,
    /// Whether a beta cutoff is expected.
    pub cut_node: bool,
}

/// Buffers of one thread, kept from one search to the next.
pub struct Scratch<P: Position> {
    pub stack: Vec<StackEntry<P::Move>>,
    /// The legal moves of the nodes of the current line.
    pub moves: Vec<P::Move>,
    /// Those of them already scored.
    pub order: Vec<Candidate>,
    /// Quiet moves searched at the nodes of the current line.
    pub tried: Vec<HistoryIndex>,
    /// The principal variation below each ply.
    pub lines: Vec<Vec<P::Move>>,
    /// Evaluation cache, by the low bits of the keys, whose place in the word the evaluation takes;
    /// empty if evaluating again is as cheap.
    eval_cache: Vec<u64>,
}

impl<P: Position> Default for Scratch<P> {
    fn default() -> Scratch<P> {
        Scratch {
            stack: Vec::new(),
            moves: Vec::new(),
            order: Vec::new(),
            tried: Vec::new(),
            lines: Vec::new(),
            eval_cache: Vec::new(),
        }
    }
}

impl<P: Position> Scratch<P> {
    /// Forgets all cached evaluations.
    pub fn clear_eval_cache(&mut self) {
        self.eval_cache.clear();
    }

    /// Prepares the buffers for a new search.
    fn cleared(mut self, settings: &SearchSettings) -> Scratch<P> {
        self.stack.clear();
        self.stack.resize(MAX_PLY + 4, StackEntry::default());
        self.lines.resize(MAX_PLY + 2, Vec::new());
        self.eval_cache.resize(if settings.eval_cache { EVAL_CACHE_ENTRIES } else { 0 }, 0);
        self.moves.clear();
        self.order.clear();
        self.tried.clear();
        self
    }
}

/// The parts of a search that all its threads share.
#[derive(Copy, Clone)]
pub struct SharedSearch<'a> {
    pub settings: &'a SearchSettings,
    pub reductions: &'a ReductionTable,
    pub table: Option<&'a TranspositionTable>,
}

/// One thread of a search.
pub struct Worker<'a, P: Position, E, H> {
    pub settings: SearchSettings,
    pub params: &'a SearchParams,
    pub reductions: &'a ReductionTable,
    pub table: Option<&'a TranspositionTable>,
    pub oracle: Option<&'a dyn EndgameOracle<P>>,
    pub evaluator: &'a mut E,
    pub hints: H,
    pub history_tables: &'a mut HistoryTables<P, H>,
    pub budget: Budget<'a>,
    pub stats: SearchStats,
    pub path: SearchPath,
    pub root: RootState,
    pub trace: Option<&'a mut Trace<P::Move>>,
    pub scratch: Scratch<P>,
}

impl<'a, P: Position, E: Evaluator<P>, H: SearchHints<P>> Worker<'a, P, E, H> {
    pub fn new(
        shared: SharedSearch<'a>,
        evaluator: &'a mut E,
        history_tables: &'a mut HistoryTables<P, H>,
        scratch: Scratch<P>,
        budget: Budget<'a>,
    ) -> Worker<'a, P, E, H> {
        let SharedSearch { settings, reductions, table } = shared;
        Worker {
            settings: *settings,
            params: &settings.params,
            reductions,
            table,
            oracle: None,
            evaluator,
            hints: history_tables.hints,
            history_tables,
            budget,
            stats: SearchStats::default(),
            path: SearchPath::default(),
            root: RootState::default(),
            trace: None,
            scratch: scratch.cleared(settings),
        }
    }

    /// The key of a position about to be searched to `depth`, or 0 if it will not be used. Its entries
    /// in the tables are prefetched.
    #[inline]
    pub(super) fn key_of(&self, position: &P, depth: i32) -> u64 {
        let table = self.table.filter(|_| depth >= self.settings.min_table_depth);
        // Below the horizon no position comes back.
        let path = || self.settings.path_draws && (depth > 0 || path::may_be_repeated(position));
        if table.is_none() && !self.settings.eval_cache && !path() {
            return 0;
        }
        let key = position.key();
        if let Some(cached) = self.scratch.eval_cache.get(eval_cache_index(key)) {
            prefetch(cached);
        }
        if let Some(table) = table {
            table.prefetch(key);
        }
        key
    }

    /// The static evaluation of a position.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &P, key: u64) -> i32 {
        self.evaluate_within(position, key, Window::OPEN)
    }

    /// The static evaluation (lazy evaluation: or a part of it, if that and so the whole is outside the
    /// window).
    #[inline]
    pub(super) fn evaluate_within(&mut self, position: &P, key: u64, window: Window) -> i32 {
        let Window { alpha, beta } = window;
        const VALUE: u64 = 0xFFFF;
        let cached = self.scratch.eval_cache.get_mut(eval_cache_index(key));
        if let Some(&known) = cached.as_deref()
            && (known ^ key) & !VALUE == 0
            && key != 0
        {
            return i32::from(known as u16 as i16);
        }
        match self.evaluator.evaluate_within(position, alpha, beta) {
            Eval::OutsideWindow(score) => score.0,
            Eval::Exact(score) => {
                if let Some(cached) = cached {
                    *cached = key & !VALUE | u64::from(score.0 as i16 as u16);
                }
                score.0
            }
        }
    }

    /// The value of a position in which the game is over.
    pub(super) fn finished(&mut self, position: &P, ply: usize) -> i32 {
        let outcome = position.outcome().expect("a position without moves has an outcome");
        self.leaf(Score::terminal(outcome, position.turn(), ply as i32).0, Cause::GameOver)
    }

    /// Counts a leaf and records why it is one.
    pub(super) fn leaf(&mut self, value: i32, cause: Cause) -> i32 {
        if cause != Cause::NullMove {
            self.stats.leaves += 1;
        }
        self.trace_cause(cause);
        value
    }

    pub(super) fn trace_cause(&mut self, cause: Cause) {
        if let Some(trace) = &mut self.trace {
            trace.cause(cause);
        }
    }

    pub(super) fn trace_skip(&mut self, mv: P::Move) {
        if let Some(trace) = &mut self.trace {
            trace.skip(mv);
        }
    }

    pub(super) fn trace_cut(&mut self, moves: usize) {
        if let Some(trace) = &mut self.trace {
            trace.trace_cut(moves);
        }
    }
}

/// The static evaluation, refined by a stored score that says more.
#[inline]
pub fn refined_eval(static_eval: i32, entry: Option<TableEntry>, ply: usize) -> i32 {
    let Some(entry) = entry else { return static_eval };
    let score = from_table(entry.score, ply);
    match entry.bound {
        Bound::Exact => score,
        Bound::Lower => static_eval.max(score),
        Bound::Upper => static_eval.min(score),
        Bound::None => static_eval,
    }
}

/// A score as the table stores it: wins are counted from the position, not from the root.
#[inline]
pub fn to_table(score: i32, ply: usize) -> i32 {
    if score > PROVEN {
        score + ply as i32
    } else if score < -PROVEN {
        score - ply as i32
    } else {
        score
    }
}

/// A stored score, with wins counted from the root.
#[inline]
pub fn from_table(score: i32, ply: usize) -> i32 {
    if score > PROVEN {
        score - ply as i32
    } else if score < -PROVEN {
        score + ply as i32
    } else {
        score
    }
}
