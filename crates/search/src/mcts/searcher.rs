//! A search as a whole: threads, the tree from move to move, the clock and the report.

use super::{
    quota::Quota,
    report,
    settings::{FinalChoice, Settings},
    trace::Growth,
    tree::{NodeId, Room, Tree},
    worker::{Own, Scratch, Task, Worker},
};
use ludus_core::{
    Ending, History, LeafEvaluator, Limits, MoveIndex, PlayoutReport, Position, Random, Report,
    Watch,
};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Monte-Carlo tree search, ready to be used again and again in one game.
pub struct Mcts<P: Position, G> {
    settings: Settings,
    tree: Tree<P::Move>,
    /// Takes the part of the tree that is kept; made when first needed.
    spare: Option<Tree<P::Move>>,
    threads: Vec<Thread<P, G>>,
    /// The game at the last search.
    searched: Option<(P, Vec<P::Move>)>,
}

/// Aligned, so that no thread writes to a cache line of another (lines are fetched in pairs).
#[repr(align(128))]
struct Thread<P: Position, G> {
    guide: G,
    random: Random,
    scratch: Scratch<P>,
}

impl<P: Ending + MoveIndex, G: LeafEvaluator<P>> Mcts<P, G> {
    /// A search with so many threads, each with a guide of its own.
    pub fn new(settings: Settings, threads: usize, seed: u64, guide: impl Fn() -> G) -> Mcts<P, G> {
        let thread =
            |_| Thread { guide: guide(), random: Random::new(0), scratch: Scratch::default() };
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

    /// Forgets the tree; from here on `seed` decides everything random.
    pub fn new_game(&mut self, seed: u64) {
        self.searched = None;
        let random = Random::new(seed).split("mcts");
        for (index, thread) in self.threads.iter_mut().enumerate() {
            thread.random = random.split(&index.to_string());
        }
    }

    /// The guides, for what they have counted.
    pub fn guides(&self) -> impl Iterator<Item = &G> {
        self.threads.iter().map(|thread| &thread.guide)
    }

    /// The guides, to be told something before a search.
    pub fn guides_mut(&mut self) -> impl Iterator<Item = &mut G> {
        self.threads.iter_mut().map(|thread| &mut thread.guide)
    }

    /// Searches the last position of `game`, in which there must be a move. `limits.nodes` counts
    /// simulations; without any limit there are 10,000.
    pub fn search(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Report<P::Move> {
        self.run(game, limits, 1, watch, None)
    }

    /// The same with the `lines` best moves in the report's lines. It does not stop once the best one
    /// is known: the others count as much.
    pub fn search_lines(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        lines: usize,
        watch: &mut Watch<'_, P::Move>,
    ) -> Report<P::Move> {
        self.run(game, limits, lines, watch, None)
    }

    /// The same on one thread and from an empty tree, recording how it grows.
    pub fn trace(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
        growth: &mut Growth<P::Move>,
    ) -> Report<P::Move> {
        self.searched = None;
        let report = self.run(game, limits, 1, watch, Some(growth));
        growth.survey(&self.tree, &self.settings);
        report
    }

    fn run(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        lines: usize,
        watch: &mut Watch<'_, P::Move>,
        growth: Option<&mut Growth<P::Move>>,
    ) -> Report<P::Move> {
        // The clock runs while what is left of the last tree is copied.
        let quota = &Quota::new(&with_default(limits), watch.stop);
        let room = self.plant(game);
        for thread in &mut self.threads {
            thread.scratch.playouts = PlayoutReport::default();
        }
        let simulations = &AtomicU64::new(0);
        let task = &Task { tree: &self.tree, settings: &self.settings, game };
        let (first, others) = self.threads.split_first_mut().expect("there is a thread");
        let lead = Lead { quota, simulations, lines, watch };
        if others.is_empty() || growth.is_some() {
            let mut worker = Worker::<P, G, false>::new(task, first.own(room));
            worker.growth = growth;
            lead.run(task, &mut worker);
        } else {
            let mut worker = Worker::<P, G, true>::new(task, first.own(room));
            worker.expand_root();
            std::thread::scope(|scope| {
                for thread in others {
                    scope.spawn(move || {
                        let own = thread.own(Room::default());
                        let mut worker = Worker::<P, G, true>::new(task, own);
                        let mut told = 0;
                        worker.run(quota, |worker| {
                            simulations.fetch_add(worker.settled() - told, Relaxed);
                            told = worker.settled();
                            true
                        });
                        simulations.fetch_add(worker.settled() - told, Relaxed);
                    });
                }
                lead.run(task, &mut worker);
            });
        }
        let mut report =
            report::report(&self.tree, &self.settings, simulations.load(Relaxed), lines);
        report.playouts = Some(self.playouts());
        let keeps = self.settings.reuse;
        self.searched = keeps.then(|| (game.start().clone(), game.moves().to_vec()));
        report
    }

    /// What the playouts of all threads took in this search.
    fn playouts(&self) -> PlayoutReport {
        let mut sum = PlayoutReport::default();
        self.threads.iter().for_each(|thread| sum.add(&thread.scratch.playouts));
        sum
    }

    /// Begins a tree, with what is left of the last one if the game went on from there.
    fn plant(&mut self, game: &History<P>) -> Room {
        let Some(kept) = self.kept(game) else { return self.tree.clear() };
        let settings = &self.settings;
        let spare =
            self.spare.get_or_insert_with(|| Tree::new(settings.memory, settings.needs_extras()));
        let room = spare.transplant(&self.tree, kept);
        std::mem::swap(spare, &mut self.tree);
        room
    }

    /// The node of the last tree that the game has come to.
    fn kept(&self, game: &History<P>) -> Option<NodeId> {
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

impl<P: Ending + MoveIndex, G> Thread<P, G> {
    fn own(&mut self, room: Room) -> Own<'_, P, G> {
        let Thread { guide, random, scratch } = self;
        Own { guide, random, scratch, room }
    }
}

/// What the leading thread minds besides its simulations.
struct Lead<'a, 'w, M> {
    quota: &'a Quota<'a>,
    /// Of all threads, as far as they have told.
    simulations: &'a AtomicU64,
    /// How many root moves are of interest.
    lines: usize,
    watch: &'a mut Watch<'w, M>,
}

impl<M: Copy> Lead<'_, '_, M> {
    fn run<P, G, const SHARED: bool>(
        self,
        task: &Task<'_, P>,
        worker: &mut Worker<'_, P, G, SHARED>,
    ) where
        P: Ending + MoveIndex<Move = M>,
        G: LeafEvaluator<P>,
    {
        let Lead { quota, simulations, lines, watch } = self;
        let (mut told, mut next_report) = (0, 1024);
        worker.run(quota, |worker| {
            let since = worker.settled() - told;
            let total = simulations.fetch_add(since, Relaxed) + since;
            told = worker.settled();
            if total >= next_report {
                next_report = 2 * total;
                (watch.on_report)(&report::report(task.tree, task.settings, total, lines));
            }
            let Some(children) = worker.root_children() else { return true };
            let only_move = children.count() == 1 && task.settings.early;
            let decided = task.settings.early
                && lines == 1
                && task.settings.choice == FinalChoice::Visits
                && report::is_decided(task.tree, children, quota.left(total));
            let late = quota.is_enough() && report::is_settled(task.tree, children);
            !(only_move || decided || late)
        });
        simulations.fetch_add(worker.settled() - told, Relaxed);
    }
}

/// Simulations when nothing limits a search.
const DEFAULT_SIMULATIONS: u64 = 10_000;

fn with_default(limits: &Limits) -> Limits {
    let unlimited = limits.nodes.is_none() && limits.time.is_none() && limits.clock.is_none();
    Limits { nodes: if unlimited { Some(DEFAULT_SIMULATIONS) } else { limits.nodes }, ..*limits }
}
