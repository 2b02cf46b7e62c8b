//! A search as a whole: lazy SMP, iterative deepening, time management and the report.

use super::{
    budget::{Budget, Shared},
    deepening::{Iteration, IterationPlan, MAX_DEPTH, RootLine},
    oracle::EndgameOracle,
    ordering::HistoryTables,
    path::SearchPath,
    reductions::{DEFAULT_REDUCTIONS, ReductionTable},
    settings::SearchSettings,
    table::{Ordinal, TranspositionTable},
    trace::Trace,
    worker::{Scratch, SearchStats, SharedSearch, Worker},
};
use crate::{Search, SearchOutput};
use ludus_core::{
    Evaluator, History, Limits, MoveReport, Position, RankedLine, Report, Score, SearchControl,
    SearchHints, TableReport,
};
use std::sync::{Arc, Mutex};

/// A depth-first search with the state it keeps from move to move of one game.
pub struct Searcher<P: Position, E, H> {
    settings: SearchSettings,
    /// Late-move reductions, if the parameters ask for others than the default.
    reductions: Option<Box<ReductionTable>>,
    table: Option<Arc<TranspositionTable>>,
    oracle: Option<Arc<dyn EndgameOracle<P>>>,
    threads: Vec<Thread<P, E, H>>,
    /// Depth of a search without limits, in plies.
    default_depth: u32,
}

struct Thread<P: Position, E, H> {
    evaluator: E,
    history_tables: HistoryTables<P, H>,
    scratch: Scratch<P>,
}

/// The input of all threads of a search.
struct Task<'a, P: Position> {
    game: &'a History<P>,
    settings: &'a SearchSettings,
    reductions: &'a ReductionTable,
    table: Option<&'a TranspositionTable>,
    oracle: Option<&'a dyn EndgameOracle<P>>,
    /// Statistics of each helping thread up to its last iteration.
    helper_stats: &'a Mutex<Vec<SearchStats>>,
}

/// The result of one thread.
struct ThreadResult<M> {
    /// The last finished iteration.
    iteration: Option<Iteration<M>>,
    /// The best move of the iteration that was cut short.
    partial_best: Option<(Ordinal, i32)>,
    /// The best move by the endgame oracle, if it knows the root.
    oracle_move: Option<Ordinal>,
    stats: SearchStats,
    nodes: u64,
}

impl<P: Position, E: Evaluator<P> + Clone, H: SearchHints<P>> Searcher<P, E, H> {
    /// A search with these settings that knows the game by `hints`; its `threads` share the table.
    pub fn new(
        settings: SearchSettings,
        table: Option<TranspositionTable>,
        evaluator: &E,
        hints: H,
        threads: usize,
    ) -> Searcher<P, E, H> {
        let thread = || Thread {
            evaluator: evaluator.clone(),
            history_tables: HistoryTables::new(hints),
            scratch: Scratch::default(),
        };
        Searcher {
            settings,
            reductions: ReductionTable::custom(&settings.params),
            table: table.map(Arc::new),
            oracle: None,
            threads: (0..threads.max(1)).map(|_| thread()).collect(),
            default_depth: 4,
        }
    }

    /// A search with one thread that uses and fills a table it does not own.
    pub fn sharing(
        settings: SearchSettings,
        table: Arc<TranspositionTable>,
        evaluator: &E,
        hints: H,
    ) -> Searcher<P, E, H> {
        let mut searcher = Searcher::new(settings, None, evaluator, hints, 1);
        searcher.table = Some(table);
        searcher
    }

    /// The same search, asking `oracle` about endings.
    pub fn with_oracle(self, oracle: Option<Arc<dyn EndgameOracle<P>>>) -> Searcher<P, E, H> {
        Searcher { oracle, ..self }
    }

    /// Forgets everything learned in the game before: the next search is that of a new searcher.
    pub fn new_game(&mut self) {
        for thread in &mut self.threads {
            thread.history_tables = HistoryTables::new(thread.history_tables.hints);
        }
        self.forget_scores();
    }

    /// Evaluates by `evaluator` from now on, and forgets the scores that are due to the old one. Move
    /// histories stay.
    pub fn set_evaluator(&mut self, evaluator: &E) {
        for thread in &mut self.threads {
            thread.evaluator.clone_from(evaluator);
        }
        self.forget_scores();
    }

    /// Forgets cached evaluations and stored results. A table that is shared is left to the others and
    /// replaced by an empty one.
    fn forget_scores(&mut self) {
        for thread in &mut self.threads {
            thread.scratch.clear_eval_cache();
        }
        if let Some(table) = &mut self.table {
            match Arc::get_mut(table) {
                Some(table) => table.clear(),
                None => *table = Arc::new(table.empty_one()),
            }
        }
    }

    /// The table, to be [shared](Searcher::sharing) with a search on the opponent's time.
    pub fn table(&self) -> Option<Arc<TranspositionTable>> {
        self.table.clone()
    }
}

impl<P: Position, E: Evaluator<P> + Clone, H: SearchHints<P>> Search<P> for Searcher<P, E, H> {
    type Trace = Trace<P::Move>;

    /// Forgets the game before; nothing here is random.
    fn new_game(&mut self, _seed: u64) {
        Searcher::new_game(self);
    }

    fn run(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        output: SearchOutput<'_, Trace<P::Move>>,
        control: &mut SearchControl<'_, P::Move>,
    ) -> Report<P::Move> {
        let (lines, trace) = output.split();
        let cut_short = limits.nodes.is_some() || limits.time.is_some() || limits.clock.is_some();
        let depth = limits.depth.unwrap_or(if cut_short { MAX_DEPTH } else { self.default_depth });
        let plan = IterationPlan::new(&self.settings, depth, cut_short).with_lines(lines);
        let shared = Shared::default();
        let stop = control.stop;
        let budget = Budget::new(limits, stop);
        let several = self.threads.len() > 1 && trace.is_none();
        if let Some(table) = &self.table {
            table.next_age();
        }
        let table = self.table.as_deref();
        let oracle = self.oracle.as_deref();
        let helper_stats = &Mutex::new(vec![SearchStats::default(); self.threads.len() - 1]);
        let reductions = self.reductions.as_deref().unwrap_or(&DEFAULT_REDUCTIONS);
        let settings = &self.settings;
        let task = &Task { game, settings, reductions, table, oracle, helper_stats };
        let results: Mutex<Vec<ThreadResult<P::Move>>> = Mutex::new(Vec::new());
        let (first, others) = self.threads.split_first_mut().expect("there is a thread");
        let result = std::thread::scope(|scope| {
            if several {
                for (index, thread) in others.iter_mut().enumerate() {
                    let (budget, results) = (budget.shared_by(&shared), &results);
                    scope.spawn(move || {
                        let result = thread.run_helper(task, budget, plan, index);
                        results.lock().expect("no thread panics with the lock").push(result);
                    });
                }
            }
            let budget = if several { budget.shared_by(&shared) } else { budget };
            let result = first.run_main(task, budget, plan, control, trace);
            shared.finish();
            result
        });
        let results = results.into_inner().expect("no thread panics with the lock");
        report(game, result, results, table)
    }
}

impl<P: Position, E: Evaluator<P>, H: SearchHints<P>> Thread<P, E, H> {
    fn worker<'a>(&'a mut self, task: &Task<'a, P>, budget: Budget<'a>) -> Worker<'a, P, E, H> {
        self.history_tables.age();
        let scratch = std::mem::take(&mut self.scratch);
        let Task { game, settings, reductions, table, oracle, .. } = *task;
        let shared = SharedSearch { settings, reductions, table };
        let (evaluator, history_tables) = (&mut self.evaluator, &mut self.history_tables);
        let mut worker = Worker::new(shared, evaluator, history_tables, scratch, budget);
        worker.path = SearchPath::new(game);
        worker.oracle = oracle;
        worker
    }

    /// Lazy SMP: searches beside the main thread and fills the table. `index` is the helper's number.
    fn run_helper(
        &mut self,
        task: &Task<'_, P>,
        budget: Budget<'_>,
        plan: IterationPlan,
        index: usize,
    ) -> ThreadResult<P::Move> {
        let plan = plan.staggered(index as u32);
        let mut worker = self.worker(task, budget);
        let mut last = None;
        worker.deepen(task.game.last(), plan, &mut |iteration, worker| {
            last = Some(iteration.clone());
            task.helper_stats.lock().expect("no thread panics with the lock")[index] = worker.stats;
            true
        });
        let result = ThreadResult::of(&worker, last);
        self.scratch = worker.scratch;
        result
    }

    /// Searches as the main thread: reports every iteration and manages the time.
    fn run_main(
        &mut self,
        task: &Task<'_, P>,
        budget: Budget<'_>,
        plan: IterationPlan,
        control: &mut SearchControl<'_, P::Move>,
        trace: Option<&mut Trace<P::Move>>,
    ) -> ThreadResult<P::Move> {
        let position = task.game.last();
        let mut worker = self.worker(task, budget);
        worker.trace = trace;
        let mut last: Option<Iteration<P::Move>> = None;
        let mut stability = BestMoveStability::default();
        let timed = worker.budget.is_timed();
        worker.deepen(position, plan, &mut |iteration, worker| {
            let mut report = Report::default();
            describe(&mut report, position, iteration);
            let mut stats = worker.stats;
            let helper_stats = task.helper_stats.lock().expect("no thread panics with the lock");
            helper_stats.iter().for_each(|&helper| stats += helper);
            drop(helper_stats);
            (report.nodes, report.leaves) = (worker.budget.nodes_of_all(), stats.leaves);
            report.table = task.table.map(|table| table_report(table, &stats));
            (control.on_report)(&report);
            let factor = stability.time_factor(last.as_ref(), iteration);
            last = Some(iteration.clone());
            let is_proven = |value: i32| {
                let plies = Score(value).win_in();
                plies.is_some_and(|plies| 2 * plies.unsigned_abs() + 4 <= iteration.depth)
            };
            let proven = is_proven(iteration.value)
                && iteration.lines.iter().all(|line| is_proven(line.value));
            let only_move = worker.root.order.len() == 1;
            let settled = proven && task.settings.is_selective()
                || only_move && timed && iteration.depth >= ONLY_MOVE_DEPTH
                || worker.root.endgame.is_some_and(|endgame| endgame.is_settled());
            !settled && !worker.budget.is_soft_limit_reached(factor)
        });
        let result = ThreadResult::of(&worker, last);
        self.scratch = worker.scratch;
        result
    }
}

impl<M> ThreadResult<M> {
    fn of<P: Position<Move = M>, E: Evaluator<P>, H: SearchHints<P>>(
        worker: &Worker<'_, P, E, H>,
        iteration: Option<Iteration<M>>,
    ) -> ThreadResult<M> {
        // Without the hash move first, the best move of the last iteration may not have been searched.
        let comparable = worker.settings.hash_move_first || iteration.is_none();
        let cut_short = worker.budget.is_spent() && comparable;
        let partial_best = cut_short.then(|| worker.partial_best()).flatten();
        let oracle_move = worker.root.endgame.and_then(|_| worker.root.order.first().copied());
        let (stats, nodes) = (worker.stats, worker.budget.nodes());
        ThreadResult { iteration, partial_best, oracle_move, stats, nodes }
    }
}

/// Depth up to which the only legal move is searched under a time limit, in plies.
const ONLY_MOVE_DEPTH: u32 = 6;

/// Time management by the stability of the best move: less time while it stays the same, more while it
/// changes or the score falls.
#[derive(Default)]
struct BestMoveStability {
    /// Iterations in a row with the same best move.
    iterations: u32,
}

impl BestMoveStability {
    /// Share of the usual time by the iterations in a row with the same best move.
    const TIME_FACTORS: &[f64] = &[1.6, 1.25, 1.0, 0.85, 0.75];
    /// Fall of the score that doubles the time, and the largest that counts.
    const MAX_FALL: f64 = 100.0;

    /// The share of the usual time to take, after the iteration `now`.
    fn time_factor<M: PartialEq>(
        &mut self,
        last: Option<&Iteration<M>>,
        now: &Iteration<M>,
    ) -> f64 {
        let Some(last) = last else { return 1.0 };
        let is_same = last.line.first() == now.line.first();
        self.iterations = if is_same { self.iterations + 1 } else { 0 };
        let slowest = Self::TIME_FACTORS.len() - 1;
        let stability = Self::TIME_FACTORS[slowest.min(self.iterations as usize)];
        let fall = f64::from(last.value - now.value).clamp(0.0, Self::MAX_FALL);
        stability * (1.0 + fall / Self::MAX_FALL)
    }
}

fn table_report(table: &TranspositionTable, stats: &SearchStats) -> TableReport {
    let stats = stats.table;
    TableReport {
        capacity: table.capacity() as u64,
        used: table.used(stats.filled),
        probes: stats.probes,
        hits: stats.hits,
        cutoffs: stats.cutoffs,
        stores: stats.stores,
        overwrites: stats.overwrites,
        lost: stats.lost,
    }
}

fn describe<P: Position>(
    report: &mut Report<P::Move>,
    position: &P,
    iteration: &Iteration<P::Move>,
) {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    report.score = Some(Score(iteration.value));
    report.depth = iteration.depth;
    report.line.clone_from(&iteration.line);
    let ranked = |line: &RootLine<P::Move>| RankedLine {
        score: Some(Score(line.value)),
        margin: None,
        line: line.line.clone(),
    };
    report.lines = iteration.lines.iter().map(ranked).collect();
    let score = |ordinal: usize| {
        let exact = iteration.exact.iter().rev().find(|entry| usize::from(entry.0) == ordinal);
        exact.map(|&(_, value)| Score(value))
    };
    let entry = |(ordinal, &mv)| MoveReport { mv, score: score(ordinal), visits: 0 };
    report.moves = moves.iter().enumerate().map(entry).collect();
}

/// The report of all threads: that of the main thread, unless a helper got deeper.
fn report<P: Position>(
    game: &History<P>,
    main: ThreadResult<P::Move>,
    helpers: Vec<ThreadResult<P::Move>>,
    table: Option<&TranspositionTable>,
) -> Report<P::Move> {
    let position = game.last();
    let mut stats = main.stats;
    let mut nodes = main.nodes;
    let mut best = main;
    for result in helpers {
        stats += result.stats;
        nodes += result.nodes;
        let depth = |result: &ThreadResult<P::Move>| {
            result.iteration.as_ref().map_or(0, |found| found.depth)
        };
        if depth(&result) > depth(&best) {
            best = result;
        }
    }
    let mut report = Report::default();
    if let Some(iteration) = &best.iteration {
        describe(&mut report, position, iteration);
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    if let Some((ordinal, value)) = best.partial_best {
        let mv = moves[usize::from(ordinal)];
        if report.line.first() != Some(&mv) {
            (report.line, report.score) = (vec![mv], Some(Score(value)));
        }
    }
    if report.line.is_empty() {
        report.line.extend(moves.get(usize::from(best.oracle_move.unwrap_or(0))));
    }
    (report.nodes, report.leaves) = (nodes, stats.leaves);
    report.table = table.map(|table| table_report(table, &stats));
    if let Some(table) = table {
        table.add_used(stats.table.filled);
    }
    report
}
