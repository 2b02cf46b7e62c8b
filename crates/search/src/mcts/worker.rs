//! One thread of a search: selection, expansion, simulation and backpropagation.

use super::{
    budget::{ClockPoller, SimulationBudget},
    local_stats::{LocalStats, LocalTable},
    rave::AmafMoves,
    select::{self, ChildStats, Descent},
    settings::{MctsSettings, RaveSettings},
    solver,
    trace::MctsTrace,
    tree::{
        CHUNK_NODES, Children, FreeNodes, NewChild, Node, NodeId, ProvenValue, Tree, WIN_POINTS,
    },
};
use ludus_core::{
    History, LeafEvaluator, NodeStats, Outcome, Playout, PlayoutReport, Position, Prior, Random,
};

/// Plies of the longest line in the tree; endless games are left to the leaf evaluator there.
const MAX_TREE_PLIES: usize = 512;

/// One descent in this many makes a detour around proven draws.
const DETOUR_PERIOD: u64 = 8;

/// Buffers of one thread, kept from one simulation, and one search, to the next.
pub(super) struct Scratch<P: Position> {
    moves: Vec<P::Move>,
    priors: Vec<Prior>,
    biases: Vec<f32>,
    new_children: Vec<NewChild<P::Move>>,
    playout: Playout<P::Move>,
    /// The positions of the descent, if the evaluator wants to see them.
    positions: Vec<P>,
    local: LocalTable<P::Move>,
    /// The playouts of this search so far.
    pub playouts: PlayoutReport,
}

impl<P: Position> Default for Scratch<P> {
    fn default() -> Scratch<P> {
        Scratch {
            moves: Vec::new(),
            priors: Vec::new(),
            biases: Vec::new(),
            new_children: Vec::new(),
            playout: Playout::default(),
            positions: Vec::new(),
            local: LocalTable::default(),
            playouts: PlayoutReport::default(),
        }
    }
}

/// One thread at work. `SHARED` says whether there are others.
pub(super) struct Worker<'a, P: Position, G, const SHARED: bool> {
    tree: &'a Tree<P::Move>,
    settings: &'a MctsSettings,
    root: &'a P,
    evaluator: &'a mut G,
    random: &'a mut Random,
    scratch: &'a mut Scratch<P>,
    free: FreeNodes,
    /// Whether the tree has no room for children left.
    is_full: bool,
    position: P,
    /// The nodes of the descent, the root first.
    path: Vec<&'a Node<P::Move>>,
    /// Keys of the positions of the game, and after them of the descent, in games with repetitions.
    keys: Vec<u64>,
    game_keys: usize,
    amaf: Option<AmafMoves>,
    /// Simulations done.
    simulations: u64,
    /// Those that are counted in the tree's root moves.
    synced: u64,
    pub growth: Option<&'a mut MctsTrace<P::Move>>,
}

/// The input of a worker.
pub(super) struct Task<'a, P: Position> {
    pub tree: &'a Tree<P::Move>,
    pub settings: &'a MctsSettings,
    pub game: &'a History<P>,
}

/// The state of one thread.
pub(super) struct ThreadState<'a, P: Position, G> {
    pub evaluator: &'a mut G,
    pub random: &'a mut Random,
    pub scratch: &'a mut Scratch<P>,
    pub free: FreeNodes,
}

impl<'a, P: Position, G: LeafEvaluator<P>, const SHARED: bool> Worker<'a, P, G, SHARED> {
    /// Whether the thread has local statistics. An evaluator that corrects means does so in the tree.
    const USES_LOCAL_STATS: bool = SHARED && !G::OBSERVES;

    pub fn new(task: &Task<'a, P>, own: ThreadState<'a, P, G>) -> Worker<'a, P, G, SHARED> {
        let root = task.game.last();
        let keys = match P::REPETITION_LIMIT {
            Some(_) => task.game.keys().to_vec(),
            None => Vec::new(),
        };
        // With one index for all moves, every move would be played in every simulation.
        let rave = task.settings.rave.filter(|_| root.move_count() > 1);
        let amaf = rave.map(|rave| AmafMoves::new(root.move_count(), rave));
        Worker {
            tree: task.tree,
            settings: task.settings,
            root,
            evaluator: own.evaluator,
            random: own.random,
            scratch: own.scratch,
            free: own.free,
            is_full: false,
            position: root.clone(),
            path: Vec::with_capacity(MAX_TREE_PLIES + 1),
            game_keys: keys.len(),
            keys,
            amaf,
            simulations: 0,
            synced: 0,
            growth: None,
        }
    }

    /// Expands the root before the threads start: what a thread simulated while another expands it would
    /// count for no move.
    pub fn expand_root(&mut self) {
        let root = self.tree.node(NodeId::ROOT);
        if self.tree.children(root).is_none() {
            self.expand(root);
        }
    }

    /// Simulates until the budget is used up. `after_batch` is called now and then and may end it.
    pub fn run(&mut self, budget: &SimulationBudget<'_>, after_batch: impl FnMut(&Self) -> bool) {
        if Self::USES_LOCAL_STATS {
            self.scratch.local.reset(self.tree);
        }
        self.work(budget, after_batch);
        if Self::USES_LOCAL_STATS {
            self.scratch.local.sync_all(self.tree);
            self.synced = self.simulations;
        }
    }

    fn work(&mut self, budget: &SimulationBudget<'_>, mut after_batch: impl FnMut(&Self) -> bool) {
        let mut poller = ClockPoller::new();
        loop {
            let batch = budget.claim();
            if batch == 0 {
                return;
            }
            for _ in 0..batch {
                self.simulate();
                if poller.is_over(budget) {
                    budget.finish();
                    return;
                }
            }
            let proven = self.tree.node(NodeId::ROOT).proof() != ProvenValue::Unknown;
            if proven || !after_batch(self) {
                budget.finish();
                return;
            }
        }
    }

    /// One simulation, from the root to the root.
    pub fn simulate(&mut self) {
        self.position.clone_from(self.root);
        self.keys.truncate(self.game_keys);
        self.scratch.playout.clear();
        self.path.clear();
        let root = self.tree.node(NodeId::ROOT);
        if !Self::USES_LOCAL_STATS {
            root.enter::<SHARED>();
        }
        self.path.push(root);
        self.show_position(0);
        let points = points_of(self.descend());
        self.back_up(points);
        if self.amaf.is_some() {
            self.update_rave(points);
        }
        if let Some(growth) = &mut self.growth {
            growth.record(&self.path, points, self.scratch.playout.moves.len());
        }
        self.simulations += 1;
    }

    /// Selection: goes down to a leaf and returns its value for the side to move there.
    fn descend(&mut self) -> f32 {
        let descent = self.descent();
        let mut stats = Self::USES_LOCAL_STATS.then(|| self.scratch.local.enter_root());
        loop {
            let next = stats.and_then(|stats| self.step_by_local_stats(descent, &stats));
            let (mv, proof) = match &next {
                Some(next) => (next.mv(), next.proof()),
                None => {
                    let at = self.path[self.path.len() - 1];
                    let Some(children) = self.tree.children(at) else {
                        match self.leaf(at) {
                            Some(value) => return value,
                            None => continue,
                        }
                    };
                    self.step(descent, at, stats, children)
                }
            };
            stats = next;
            self.position.play(mv);
            if G::OBSERVES {
                self.show_position(self.path.len() - 1);
            }
            if let Some(points) = proof.points() {
                return value_of(WIN_POINTS - points);
            }
            if self.repeats() {
                return 0.0;
            }
        }
    }

    /// Goes to a child of `at` and returns the move that leads there and its proven value.
    #[inline]
    fn step(
        &mut self,
        descent: Descent<'a>,
        at: &'a Node<P::Move>,
        stats: Option<LocalStats<P::Move>>,
        children: Children,
    ) -> (P::Move, ProvenValue) {
        let visits = stats.map_or_else(|| at.visits(), |stats| stats.visits());
        if Self::USES_LOCAL_STATS {
            let depth = self.path.len() - 1;
            if depth == 0 {
                self.sync_root();
            }
            self.scratch.local.add_children(self.tree, depth, children);
        }
        let (nodes, extras) = (self.tree.block(children), self.tree.extras(children));
        let node = &nodes[select::pick(nodes, extras, descent, visits)];
        node.enter::<SHARED>();
        self.path.push(node);
        (node.mv(), node.proof())
    }

    /// Goes to a child of the node of `stats` by local statistics, if the children have any.
    #[inline]
    fn step_by_local_stats(
        &mut self,
        descent: Descent<'a>,
        stats: &LocalStats<P::Move>,
    ) -> Option<LocalStats<P::Move>> {
        let (children, range) = stats.children()?;
        if stats.is_due() {
            self.scratch.local.sync_children(self.tree, stats);
            if self.path.len() == 1 {
                self.sync_root();
            }
        }
        let local = &mut self.scratch.local;
        let extras = self.tree.extras(children);
        let start = range.start;
        let index = select::pick(local.in_range(range), extras, descent, stats.visits());
        self.path.push(&self.tree.block(children)[index]);
        Some(local.enter(start + index))
    }

    /// Synchronises the root after its moves.
    fn sync_root(&mut self) {
        self.scratch.local.sync_root(self.tree);
        self.synced = self.simulations;
    }

    /// Visits of the last node of the descent, without those its prior is worth.
    fn played(&mut self, at: &Node<P::Move>) -> u32 {
        match self.scratch.local.at(self.path.len() - 1) {
            Some(stats) if Self::USES_LOCAL_STATS => stats.visits() - at.prior_visits(),
            _ => at.played(),
        }
    }

    /// Simulations done that are counted in the tree's root moves.
    pub fn synced(&self) -> u64 {
        if Self::USES_LOCAL_STATS { self.synced } else { self.simulations }
    }

    /// The settings of this descent.
    fn descent(&self) -> Descent<'a> {
        let count = self.simulations;
        let skips =
            |rave: &RaveSettings| rave.skip > 0 && count.is_multiple_of(u64::from(rave.skip));
        Descent {
            settings: self.settings,
            rave: self.settings.rave.filter(|rave| !skips(rave)),
            detours: count % DETOUR_PERIOD == DETOUR_PERIOD - 1,
        }
    }

    /// The value of the leaf `at`, or `None` if it now has children to go on with.
    fn leaf(&mut self, at: &'a Node<P::Move>) -> Option<f32> {
        let is_root = self.path.len() == 1;
        if !is_root && let Some(outcome) = self.outcome() {
            let proof = solver::of_outcome(outcome, self.position.turn());
            at.prove(proof);
            if self.settings.solver {
                solver::carry_up(self.tree, &self.path);
            }
            if Self::USES_LOCAL_STATS {
                self.copy_proofs_to_local_stats();
            }
            return Some(outcome.value(self.position.turn()));
        }
        let ripe = is_root || self.played(at) > self.settings.expansion_threshold;
        if ripe && self.path.len() < MAX_TREE_PLIES && self.expand(at) {
            return None;
        }
        Some(self.play_out())
    }

    /// Copies the proven values of the nodes of the descent to the local statistics.
    fn copy_proofs_to_local_stats(&mut self) {
        for (depth, node) in self.path.iter().enumerate() {
            let Some(stats) = self.scratch.local.at(depth) else { return };
            stats.prove(node.proof());
        }
    }

    /// The value of the current position by the leaf evaluator.
    fn play_out(&mut self) -> f32 {
        let Scratch { playout, playouts, .. } = &mut *self.scratch;
        let value = self.evaluator.simulate(&self.position, self.random, playout);
        playouts.add(&PlayoutReport {
            begun: 1,
            interrupted: playout.interrupted.into(),
            moves: playout.moves.len() as u64,
        });
        value
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        let board = self.position.outcome();
        board.or_else(|| self.position.rule_draw().map(|_| Outcome::Draw))
    }

    /// Whether the position of the descent came up before: once on the way down, or so often in the
    /// game that it is a draw.
    fn repeats(&mut self) -> bool {
        let Some(limit) = P::REPETITION_LIMIT else { return false };
        let key = self.position.key();
        let back = self.position.reversible_plies().min(self.keys.len());
        self.keys.push(key);
        if back < 4 {
            return false;
        }
        let last = self.keys.len() - 1;
        let before = (last - back..last).rev().skip(1).step_by(2);
        let mut in_game = 1;
        for index in before.filter(|&index| self.keys[index] == key) {
            if index + 1 >= self.game_keys {
                return true;
            }
            in_game += 1;
        }
        in_game >= limit
    }

    /// Expands the node of the current position; false if it cannot now.
    fn expand(&mut self, at: &'a Node<P::Move>) -> bool {
        if self.is_full || !self.tree.claim(at) {
            return false;
        }
        let Scratch { moves, priors, biases, .. } = &mut *self.scratch;
        moves.clear();
        self.evaluator.moves(&self.position, moves);
        if moves.is_empty() {
            self.position.legal_moves(moves);
        }
        moves.truncate(CHUNK_NODES);
        self.random.shuffle(moves);
        priors.clear();
        self.evaluator.priors(&self.position, moves, priors);
        biases.clear();
        if self.settings.asks_for_biases() {
            self.evaluator.biases(&self.position, moves, biases);
        }
        self.collect_children();
        let in_rave = self.settings.rave.is_some_and(|rave| rave.priors);
        self.is_full = !self.tree.expand(at, &mut self.free, &self.scratch.new_children, in_rave);
        !self.is_full
    }

    /// Collects the children of the current position, the best priors first.
    fn collect_children(&mut self) {
        let Scratch { moves, priors, biases, new_children, .. } = &mut *self.scratch;
        let numbered = self.amaf.is_some();
        new_children.clear();
        for (index, &mv) in moves.iter().enumerate() {
            let prior = priors.get(index).map_or((0.5, 0.0), |prior| {
                ((prior.value.clamp(-1.0, 1.0) + 1.0) / 2.0, prior.visits)
            });
            new_children.push(NewChild {
                mv,
                index: if numbered { self.position.move_index(mv) } else { 0 },
                prior,
                bias: biases.get(index).copied().unwrap_or(0.0),
            });
        }
        if !priors.is_empty() || !biases.is_empty() {
            let worth = |child: &NewChild<P::Move>| {
                (child.prior.0 - 0.5) * child.prior.1.max(1.0) + child.bias
            };
            new_children.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
        }
    }

    /// Backpropagation: adds the result, in points of the side to move at the leaf, to every node of the
    /// path.
    fn back_up(&mut self, points: u64) {
        let mut points = points;
        for depth in (0..self.path.len()).rev() {
            let node = self.path[depth];
            points = WIN_POINTS - points;
            let stats = self.scratch.local.at(depth).filter(|_| Self::USES_LOCAL_STATS);
            if self.settings.solver {
                let proof = stats.as_ref().map_or_else(|| node.proof(), |stats| stats.proof());
                points = proof.points().unwrap_or(points);
            }
            match stats {
                Some(stats) => stats.leave(points),
                None => node.leave::<SHARED>(points),
            }
            if G::OBSERVES {
                self.observe(node, depth, value_of(WIN_POINTS - points));
            }
        }
    }

    /// Keeps the current position for the leaf evaluator.
    fn show_position(&mut self, depth: usize) {
        if !G::OBSERVES {
            return;
        }
        match self.scratch.positions.get_mut(depth) {
            Some(place) => place.clone_from(&self.position),
            None => self.scratch.positions.push(self.position.clone()),
        }
    }

    /// Shows a node of the path to the leaf evaluator, which may correct its mean.
    fn observe(&mut self, node: &Node<P::Move>, depth: usize, result: f32) {
        let value = 1.0 - 2.0 * node.mean();
        let stats = NodeStats { depth, visits: node.visits(), value, result };
        if let Some(value) = self.evaluator.observe(&self.scratch.positions[depth], stats) {
            node.replace_mean((1.0 - value.clamp(-1.0, 1.0)) / 2.0);
        }
    }

    /// RAVE: adds the result to the moves that were made later than they could have been.
    fn update_rave(&mut self, points: u64) {
        let Some(amaf) = &mut self.amaf else { return };
        let depth = self.path.len() - 1;
        amaf.clear(depth + self.scratch.playout.moves.len());
        let turn = self.position.turn();
        let playout = &self.scratch.playout;
        let played = if playout.interrupted { &[][..] } else { &playout.moves[..] };
        for (ply, &mv) in played.iter().enumerate().rev() {
            let side = if ply % 2 == 0 { turn } else { !turn };
            amaf.set(side, self.root.move_index(mv), depth + ply);
        }
        let mut side = turn;
        let mut points = points;
        for above in (0..depth).rev() {
            (side, points) = (!side, WIN_POINTS - points);
            amaf.set(side, self.root.move_index(self.path[above + 1].mv()), above);
            amaf.update_children(
                self.tree,
                self.path[above],
                above,
                side,
                points as f32 / WIN_POINTS as f32,
            );
        }
    }

    /// The children of the root, once there are any.
    pub fn root_children(&self) -> Option<Children> {
        self.tree.children(self.tree.node(NodeId::ROOT))
    }
}

/// A value from -1 to 1 in points.
#[inline]
fn points_of(value: f32) -> u64 {
    ((value.clamp(-1.0, 1.0) + 1.0) * (WIN_POINTS / 2) as f32) as u64
}

#[inline]
fn value_of(points: u64) -> f32 {
    points as f32 / (WIN_POINTS / 2) as f32 - 1.0
}
