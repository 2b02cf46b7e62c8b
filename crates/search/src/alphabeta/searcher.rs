//! A search as a whole: threads, iterations, the clock and the report.

use super::{
    budget::{Budget, Shared},
    deepening::{Iteration, MAX_DEPTH, Plan, RootLine},
    oracle::Oracle,
    ordering::Memory,
    path::Path,
    settings::Settings,
    table::{Ordinal, Table},
    trace::Trace,
    worker::{Counts, Scratch, Worker},
};
use ludus_core::{
    Ending, Evaluator, History, Limits, MoveReport, Position, RankedLine, Report, Score,
    SearchHints, TableReport, Watch,
};
use std::sync::{Arc, Mutex};

/// A search ready to be used again and again in one game.
pub struct Searcher<P: Position, E> {
    settings: Settings,
    table: Option<Arc<Table>>,
    oracle: Option<Arc<dyn Oracle<P>>>,
    /// One for each thread.
    threads: Vec<Thread<P, E>>,
    /// The depth searched to when nothing else limits a search.
    default_depth: u32,
}

struct Thread<P: Position, E> {
    evaluator: E,
    memory: Memory<P>,
    scratch: Scratch<P>,
}

/// What all threads of a search are given.
struct Task<'a, P: Position> {
    game: &'a History<P>,
    settings: Settings,
    table: Option<&'a Table>,
    oracle: Option<&'a dyn Oracle<P>>,
    /// What each helping thread has counted up to its last iteration.
    helped: &'a Mutex<Vec<Counts>>,
}

/// What one thread brought home.
struct ThreadResult<M> {
    /// The last finished iteration.
    iteration: Option<Iteration<M>>,
    /// The best move of the one that was cut short.
    unfinished: Option<(Ordinal, i32)>,
    /// The best move by what the oracle says of the root, if it does.
    known: Option<Ordinal>,
    counts: Counts,
    nodes: u64,
}

impl<P: Ending + SearchHints, E: Evaluator<P> + Clone> Searcher<P, E> {
    /// A search of this kind. `threads` share the table.
    pub fn new(
        settings: Settings,
        table: Option<Table>,
        evaluator: &E,
        threads: usize,
    ) -> Searcher<P, E> {
        let thread = || Thread {
            evaluator: evaluator.clone(),
            memory: Memory::new(),
            scratch: Scratch::default(),
        };
        Searcher {
            settings,
            table: table.map(Arc::new),
            oracle: None,
            threads: (0..threads.max(1)).map(|_| thread()).collect(),
            default_depth: 4,
        }
    }

    /// A search with one thread that uses and fills a table it does not own.
    pub fn sharing(settings: Settings, table: Arc<Table>, evaluator: &E) -> Searcher<P, E> {
        let mut searcher = Searcher::new(settings, None, evaluator, 1);
        searcher.table = Some(table);
        searcher
    }

    /// The same search, asking `oracle` about endings.
    pub fn with_oracle(self, oracle: Option<Arc<dyn Oracle<P>>>) -> Searcher<P, E> {
        Searcher { oracle, ..self }
    }

    /// Forgets everything learned in the game before.
    pub fn new_game(&mut self) {
        for thread in &mut self.threads {
            thread.memory = Memory::new();
        }
        if let Some(table) = &mut self.table {
            match Arc::get_mut(table) {
                Some(table) => table.clear(),
                None => table.next_age(),
            }
        }
    }

    /// Judges by another evaluation from now on; what was found by the old one is forgotten.
    pub fn judge_by(&mut self, evaluator: &E) {
        for thread in &mut self.threads {
            thread.evaluator.clone_from(evaluator);
        }
        if let Some(table) = self.table.as_mut().and_then(Arc::get_mut) {
            table.clear();
        }
    }

    /// The table, to be shared with whoever thinks on the opponent's time.
    pub fn table(&self) -> Option<Arc<Table>> {
        self.table.clone()
    }

    /// Searches the last position of `game`, in which there must be a move.
    pub fn search(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Report<P::Move> {
        self.run(game, limits, 1, watch, None)
    }

    /// The same for the `lines` best moves, in the report's lines.
    pub fn search_lines(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        lines: usize,
        watch: &mut Watch<'_, P::Move>,
    ) -> Report<P::Move> {
        self.run(game, limits, lines, watch, None)
    }

    /// The same with one thread, recording what it does.
    pub fn trace(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
        trace: &mut Trace<P::Move>,
    ) -> Report<P::Move> {
        self.run(game, limits, 1, watch, Some(trace))
    }

    fn run(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        lines: usize,
        watch: &mut Watch<'_, P::Move>,
        trace: Option<&mut Trace<P::Move>>,
    ) -> Report<P::Move> {
        let cut_short = limits.nodes.is_some() || limits.time.is_some() || limits.clock.is_some();
        let depth = limits.depth.unwrap_or(if cut_short { MAX_DEPTH } else { self.default_depth });
        let plan = Plan::new(&self.settings, depth, cut_short).with_lines(lines);
        let shared = Shared::default();
        let stop = watch.stop;
        let budget = Budget::new(limits, stop);
        let several = self.threads.len() > 1 && trace.is_none();
        if let Some(table) = &self.table {
            table.next_age();
        }
        let table = self.table.as_deref();
        let oracle = self.oracle.as_deref();
        let helped = &Mutex::new(vec![Counts::default(); self.threads.len() - 1]);
        let task = &Task { game, settings: self.settings, table, oracle, helped };
        let hauls: Mutex<Vec<ThreadResult<P::Move>>> = Mutex::new(Vec::new());
        let (first, others) = self.threads.split_first_mut().expect("there is a thread");
        let haul = std::thread::scope(|scope| {
            if several {
                for (index, thread) in others.iter_mut().enumerate() {
                    let (budget, hauls) = (budget.shared_by(&shared), &hauls);
                    scope.spawn(move || {
                        let haul = thread.help(task, budget, plan, index);
                        hauls.lock().expect("no thread panics with the lock").push(haul);
                    });
                }
            }
            let budget = if several { budget.shared_by(&shared) } else { budget };
            let haul = first.lead(task, budget, plan, watch, trace);
            shared.finish();
            haul
        });
        let hauls = hauls.into_inner().expect("no thread panics with the lock");
        report(game, haul, hauls, table)
    }
}

impl<P: Ending + SearchHints, E: Evaluator<P>> Thread<P, E> {
    fn worker<'a>(&'a mut self, task: &Task<'a, P>, budget: Budget<'a>) -> Worker<'a, P, E> {
        self.memory.fade();
        let scratch = std::mem::take(&mut self.scratch);
        let Task { game, settings, table, oracle, .. } = *task;
        let (evaluator, memory) = (&mut self.evaluator, &mut self.memory);
        let mut worker = Worker::new(settings, table, evaluator, memory, scratch, budget);
        worker.path = Path::new(game);
        worker.oracle = oracle;
        worker
    }

    /// Searches beside the leading thread, for the sake of the table; `index` tells helpers apart.
    fn help(
        &mut self,
        task: &Task<'_, P>,
        budget: Budget<'_>,
        plan: Plan,
        index: usize,
    ) -> ThreadResult<P::Move> {
        let plan = plan.staggered(index as u32);
        let mut worker = self.worker(task, budget);
        let mut last = None;
        worker.deepen(task.game.last(), plan, &mut |iteration, worker| {
            last = Some(iteration.clone());
            task.helped.lock().expect("no thread panics with the lock")[index] = worker.counts;
            true
        });
        let haul = ThreadResult::of(&worker, last);
        self.scratch = worker.scratch;
        haul
    }

    /// Searches, reports every iteration and decides when it is enough.
    fn lead(
        &mut self,
        task: &Task<'_, P>,
        budget: Budget<'_>,
        plan: Plan,
        watch: &mut Watch<'_, P::Move>,
        trace: Option<&mut Trace<P::Move>>,
    ) -> ThreadResult<P::Move> {
        let position = task.game.last();
        let mut worker = self.worker(task, budget);
        worker.trace = trace;
        let mut last: Option<Iteration<P::Move>> = None;
        let mut patience = Patience::default();
        let timed = worker.budget.is_timed();
        worker.deepen(position, plan, &mut |iteration, worker| {
            let mut report = Report::default();
            describe(&mut report, position, iteration);
            let mut counts = worker.counts;
            let helped = task.helped.lock().expect("no thread panics with the lock");
            helped.iter().for_each(|&helper| counts += helper);
            drop(helped);
            (report.nodes, report.leaves) = (worker.budget.nodes_of_all(), counts.leaves);
            report.table = task.table.map(|table| table_report(table, &counts));
            (watch.on_report)(&report);
            let factor = patience.after(last.as_ref(), iteration);
            last = Some(iteration.clone());
            let is_proven = |value: i32| {
                let plies = Score(value).win_in();
                plies.is_some_and(|plies| 2 * plies.unsigned_abs() + 4 <= iteration.depth)
            };
            let proven = is_proven(iteration.value)
                && iteration.lines.iter().all(|line| is_proven(line.value));
            let only_move = worker.root.order.len() == 1;
            let settled = proven && task.settings.guesses()
                || only_move && timed && iteration.depth >= 6
                || worker.root.known.is_some_and(|known| known.is_settled());
            !settled && !worker.budget.is_enough(factor)
        });
        let haul = ThreadResult::of(&worker, last);
        self.scratch = worker.scratch;
        haul
    }
}

impl<M> ThreadResult<M> {
    fn of<P: Ending + SearchHints<Move = M>, E: Evaluator<P>>(
        worker: &Worker<'_, P, E>,
        iteration: Option<Iteration<M>>,
    ) -> ThreadResult<M> {
        // Moves tried as they are listed may not have come to the best one of the last iteration.
        let comparable = worker.settings.remembered_first || iteration.is_none();
        let cut_short = worker.budget.is_spent() && comparable;
        let unfinished = cut_short.then(|| worker.unfinished()).flatten();
        let known = worker.root.known.and_then(|_| worker.root.order.first().copied());
        let (counts, nodes) = (worker.counts, worker.budget.nodes());
        ThreadResult { iteration, unfinished, known, counts, nodes }
    }
}

/// How much of the time meant for a move to take: less while the choice stays the same, more while
/// it changes or the score falls.
#[derive(Default)]
struct Patience {
    same: u32,
}

impl Patience {
    fn after<M: PartialEq>(&mut self, last: Option<&Iteration<M>>, now: &Iteration<M>) -> f64 {
        let Some(last) = last else { return 1.0 };
        self.same = if last.line.first() == now.line.first() { self.same + 1 } else { 0 };
        let steadiness = [1.6, 1.25, 1.0, 0.85, 0.75][self.same.min(4) as usize];
        let fall = f64::from(last.value - now.value).clamp(0.0, 100.0);
        steadiness * (1.0 + fall / 100.0)
    }
}

fn table_report(table: &Table, counts: &Counts) -> TableReport {
    let counts = counts.table;
    TableReport {
        capacity: table.capacity() as u64,
        used: table.used(counts.filled),
        probes: counts.probes,
        hits: counts.hits,
        cutoffs: counts.cutoffs,
        stores: counts.stores,
        overwrites: counts.overwrites,
        lost: counts.lost,
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

/// The result of all threads: that of the leading one, unless another got deeper.
fn report<P: Position>(
    game: &History<P>,
    lead: ThreadResult<P::Move>,
    helpers: Vec<ThreadResult<P::Move>>,
    table: Option<&Table>,
) -> Report<P::Move> {
    let position = game.last();
    let mut counts = lead.counts;
    let mut nodes = lead.nodes;
    let mut best = lead;
    for haul in helpers {
        counts += haul.counts;
        nodes += haul.nodes;
        let depth =
            |haul: &ThreadResult<P::Move>| haul.iteration.as_ref().map_or(0, |found| found.depth);
        if depth(&haul) > depth(&best) {
            best = haul;
        }
    }
    let mut report = Report::default();
    if let Some(iteration) = &best.iteration {
        describe(&mut report, position, iteration);
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    if let Some((ordinal, value)) = best.unfinished {
        let mv = moves[usize::from(ordinal)];
        if report.line.first() != Some(&mv) {
            (report.line, report.score) = (vec![mv], Some(Score(value)));
        }
    }
    if report.line.is_empty() {
        report.line.extend(moves.get(usize::from(best.known.unwrap_or(0))));
    }
    (report.nodes, report.leaves) = (nodes, counts.leaves);
    report.table = table.map(|table| table_report(table, &counts));
    if let Some(table) = table {
        table.add_used(counts.table.filled);
    }
    report
}
