//! A search as a whole: threads, tree reuse from move to move, time management and the report.

use super::{
    budget::SimulationBudget,
    report,
    settings::{FinalChoice, MctsSettings},
    trace::MctsTrace,
    tree::{FreeNodes, NodeId, Tree},
    worker::{Scratch, Task, ThreadState, Worker},
};
use crate::{Search, SearchOutput};
use ludus_core::{
    History, LeafEvaluator, Limits, PlayoutReport, Position, Random, Report, SearchControl,
};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Monte-Carlo tree search with the state it keeps from move to move of one game.
pub struct Mcts<P: Position, G> {
    settings: MctsSettings,
    tree: Tree<P::Move>,
    /// The tree that the reused subtree is copied to; made when first needed.
    spare: Option<Tree<P::Move>>,
    threads: Vec<Thread<P, G>>,
    /// The game at the last search.
    searched: Option<(P, Vec<P::Move>)>,
}

/// Aligned, so that no thread writes to a cache line of another (lines are fetched in pairs).
#[repr(align(128))]
struct Thread<P: Position, G> {
    evaluator: G,
    random: Random,
    scratch: Scratch<P>,
}

impl<P: Position, G: LeafEvaluator<P>> Mcts<P, G> {
    /// A search with `threads` threads, each with a leaf evaluator of its own.
    pub fn new(
        settings: MctsSettings,
        threads: usize,
        seed: u64,
        evaluator: impl Fn() -> G,
    ) -> Mcts<P, G> {
        let thread = |_| Thread {
            evaluator: evaluator(),
            random: Random::new(0),
            scratch: Scratch::default(),
        };
        let mut mcts = Mcts {
            settings,
            tree: Tree::new(settings.memory, settings.needs_extras()),
            spare: None,
            threads: (0..threads.max(1)).map(thread).collect(),
            searched: None,
        };
        mcts.new_game(seed);
        mcts
    }

    /// The leaf evaluators, for their counts.
    pub fn evaluators(&self) -> impl Iterator<Item = &G> {
        self.threads.iter().map(|thread| &thread.evaluator)
    }

    /// The leaf evaluators, to be set up before a search.
    pub fn evaluators_mut(&mut self) -> impl Iterator<Item = &mut G> {
        self.threads.iter_mut().map(|thread| &mut thread.evaluator)
    }

    /// The playouts of all threads in this search.
    fn playouts(&self) -> PlayoutReport {
        let mut sum = PlayoutReport::default();
        self.threads.iter().for_each(|thread| sum.add(&thread.scratch.playouts));
        sum
    }

    /// Begins a tree, with the subtree of the last one that the game has come to.
    fn prepare_tree(&mut self, game: &History<P>) -> FreeNodes {
        let Some(reusable_node) = self.reusable_node(game) else { return self.tree.clear() };
        let settings = &self.settings;
        let spare =
            self.spare.get_or_insert_with(|| Tree::new(settings.memory, settings.needs_extras()));
        let free = spare.copy_subtree(&self.tree, reusable_node);
        std::mem::swap(spare, &mut self.tree);
        free
    }

    /// The node of the last tree that the game has come to.
    fn reusable_node(&self, game: &History<P>) -> Option<NodeId> {
        let (start, moves) = self.searched.as_ref()?;
        let since = game.moves().strip_prefix(moves.as_slice())?;
        if start != game.start() {
            return None;
        }
        let mut id = NodeId::ROOT;
        for mv in since {
            let children = self.tree.children(self.tree.node(id))?;
            let nodes = self.tree.block(children);
            id = children.id(nodes.iter().position(|node| node.mv() == *mv)?);
        }
        Some(id)
    }
}

impl<P: Position, G: LeafEvaluator<P>> Search<P> for Mcts<P, G> {
    type Trace = MctsTrace<P::Move>;

    /// Forgets the tree, and seeds the random generators of all threads.
    fn new_game(&mut self, seed: u64) {
        self.searched = None;
        let random = Random::new(seed).split("mcts");
        for (index, thread) in self.threads.iter_mut().enumerate() {
            thread.random = random.split(&index.to_string());
        }
    }

    /// Searches the last position of `game`. `limits.nodes` counts simulations; without any limit there
    /// are 10,000. A search for several lines does not stop once the best one is certain: the others count
    /// as much. A record begins with an empty tree.
    fn run(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        output: SearchOutput<'_, MctsTrace<P::Move>>,
        control: &mut SearchControl<'_, P::Move>,
    ) -> Report<P::Move> {
        let (lines, mut growth) = output.split();
        if growth.is_some() {
            self.searched = None;
        }
        // The clock runs while the reused subtree is copied.
        let budget = &SimulationBudget::new(&with_default(limits), control.stop);
        let free = self.prepare_tree(game);
        for thread in &mut self.threads {
            thread.scratch.playouts = PlayoutReport::default();
        }
        let simulations = &AtomicU64::new(0);
        let task = &Task { tree: &self.tree, settings: &self.settings, game };
        let (first, others) = self.threads.split_first_mut().expect("there is a thread");
        let main_thread = MainThread { budget, simulations, lines, control };
        if others.is_empty() || growth.is_some() {
            let mut worker = Worker::<P, G, false>::new(task, first.own(free));
            worker.growth = growth.as_deref_mut();
            main_thread.run(task, &mut worker);
        } else {
            let mut worker = Worker::<P, G, true>::new(task, first.own(free));
            worker.expand_root();
            std::thread::scope(|scope| {
                for thread in others {
                    scope.spawn(move || {
                        let own = thread.own(FreeNodes::default());
                        let mut worker = Worker::<P, G, true>::new(task, own);
                        let mut reported = 0;
                        worker.run(budget, |worker| {
                            simulations.fetch_add(worker.synced() - reported, Relaxed);
                            reported = worker.synced();
                            true
                        });
                        simulations.fetch_add(worker.synced() - reported, Relaxed);
                    });
                }
                main_thread.run(task, &mut worker);
            });
        }
        let mut report =
            report::report(&self.tree, &self.settings, simulations.load(Relaxed), lines);
        report.playouts = Some(self.playouts());
        let keeps = self.settings.reuse;
        if let Some(growth) = growth {
            growth.record_tree(&self.tree, &self.settings);
        }
        self.searched = keeps.then(|| (game.start().clone(), game.moves().to_vec()));
        report
    }
}

impl<P: Position, G> Thread<P, G> {
    fn own(&mut self, free: FreeNodes) -> ThreadState<'_, P, G> {
        let Thread { evaluator, random, scratch } = self;
        ThreadState { evaluator, random, scratch, free }
    }
}

/// The tasks of the main thread besides its simulations.
struct MainThread<'a, 'w, M> {
    budget: &'a SimulationBudget<'a>,
    /// Simulations of all threads, as far as they have reported them.
    simulations: &'a AtomicU64,
    /// Number of root moves that are to have a line.
    lines: usize,
    control: &'a mut SearchControl<'w, M>,
}

impl<M: Copy> MainThread<'_, '_, M> {
    fn run<P, G, const SHARED: bool>(
        self,
        task: &Task<'_, P>,
        worker: &mut Worker<'_, P, G, SHARED>,
    ) where
        P: Position<Move = M>,
        G: LeafEvaluator<P>,
    {
        let MainThread { budget, simulations, lines, control } = self;
        let (mut reported, mut next_report) = (0, 1024);
        worker.run(budget, |worker| {
            let since = worker.synced() - reported;
            let total = simulations.fetch_add(since, Relaxed) + since;
            reported = worker.synced();
            if total >= next_report {
                next_report = 2 * total;
                (control.on_report)(&report::report(task.tree, task.settings, total, lines));
            }
            let Some(children) = worker.root_children() else { return true };
            let only_move = children.count() == 1 && task.settings.early_stop;
            let decided = task.settings.early_stop
                && lines == 1
                && task.settings.final_choice == FinalChoice::Visits
                && report::is_decided(task.tree, children, budget.remaining(total));
            let late = budget.is_soft_limit_reached() && report::is_settled(task.tree, children);
            !(only_move || decided || late)
        });
        simulations.fetch_add(worker.synced() - reported, Relaxed);
    }
}

/// Simulations of a search without limits.
const DEFAULT_SIMULATIONS: u64 = 10_000;

fn with_default(limits: &Limits) -> Limits {
    let unlimited = limits.nodes.is_none() && limits.time.is_none() && limits.clock.is_none();
    Limits { nodes: if unlimited { Some(DEFAULT_SIMULATIONS) } else { limits.nodes }, ..*limits }
}
