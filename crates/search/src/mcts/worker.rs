//! One thread of a search: descend, expand, simulate, back up.

use super::{
    quota::{Lookout, Quota},
    rave::Marks,
    select::{self, Counts, Descent},
    settings::{Rave, Settings},
    solver,
    tallies::{Tallies, Tally},
    trace::Growth,
    tree::{CHUNK, Children, Node, NodeId, ONE, Proof, Room, Seedling, Tree},
};
use ludus_core::{
    Ending, History, LeafEvaluator, MoveIndex, NodeStats, Outcome, Playout, PlayoutReport, Prior,
    Random,
};

/// No line in the tree gets longer; games without end are left to the guide there.
const LONGEST: usize = 512;

/// What a thread keeps from one simulation, and one search, to the next.
pub(super) struct Scratch<P: ludus_core::Position> {
    moves: Vec<P::Move>,
    priors: Vec<Prior>,
    biases: Vec<f32>,
    seedlings: Vec<Seedling<P::Move>>,
    playout: Playout<P::Move>,
    /// The positions of the descent, if the guide wants to see them.
    positions: Vec<P>,
    tallies: Tallies<P::Move>,
    /// What the playouts of this search took so far.
    pub playouts: PlayoutReport,
}

impl<P: ludus_core::Position> Default for Scratch<P> {
    fn default() -> Scratch<P> {
        Scratch {
            moves: Vec::new(),
            priors: Vec::new(),
            biases: Vec::new(),
            seedlings: Vec::new(),
            playout: Playout::default(),
            positions: Vec::new(),
            tallies: Tallies::default(),
            playouts: PlayoutReport::default(),
        }
    }
}

/// One thread at work. `SHARED` says whether there are others.
pub(super) struct Worker<'a, P: Ending + MoveIndex, G, const SHARED: bool> {
    tree: &'a Tree<P::Move>,
    settings: &'a Settings,
    root: &'a P,
    guide: &'a mut G,
    random: &'a mut Random,
    scratch: &'a mut Scratch<P>,
    room: Room,
    /// Whether the tree had no room for children any more.
    is_full: bool,
    position: P,
    /// The nodes of the descent, the root first.
    path: Vec<&'a Node<P::Move>>,
    /// Keys of the positions of the game, and after them of the descent, in games with repetitions.
    keys: Vec<u64>,
    game_keys: usize,
    marks: Option<Marks>,
    /// Simulations done.
    simulations: u64,
    /// Those that the tree's counts of the moves at the root contain.
    settled: u64,
    pub growth: Option<&'a mut Growth<P::Move>>,
}

/// What a worker is given.
pub(super) struct Task<'a, P: Ending + MoveIndex> {
    pub tree: &'a Tree<P::Move>,
    pub settings: &'a Settings,
    pub game: &'a History<P>,
}

/// What a thread owns.
pub(super) struct Own<'a, P: Ending + MoveIndex, G> {
    pub guide: &'a mut G,
    pub random: &'a mut Random,
    pub scratch: &'a mut Scratch<P>,
    pub room: Room,
}

impl<'a, P: Ending + MoveIndex, G: LeafEvaluator<P>, const SHARED: bool> Worker<'a, P, G, SHARED> {
    /// Whether the thread has counts of its own. A guide that corrects means does so in the tree.
    const TALLIES: bool = SHARED && !G::OBSERVES;

    pub fn new(task: &Task<'a, P>, own: Own<'a, P, G>) -> Worker<'a, P, G, SHARED> {
        let root = task.game.last();
        let keys = match P::REPETITIONS {
            Some(_) => task.game.keys().to_vec(),
            None => Vec::new(),
        };
        let marks = task.settings.rave.map(|rave| Marks::new(root.move_count(), rave));
        Worker {
            tree: task.tree,
            settings: task.settings,
            root,
            guide: own.guide,
            random: own.random,
            scratch: own.scratch,
            room: own.room,
            is_full: false,
            position: root.clone(),
            path: Vec::with_capacity(LONGEST + 1),
            game_keys: keys.len(),
            keys,
            marks,
            simulations: 0,
            settled: 0,
            growth: None,
        }
    }

    /// Gives the root children, so that no thread has to do without while another is at it: what it
    /// simulated meanwhile would say nothing of any move.
    pub fn expand_root(&mut self) {
        let root = self.tree.node(NodeId::ROOT);
        if self.tree.children(root).is_none() {
            self.expand(root);
        }
    }

    /// Simulates until the quota is used up. `after_batch` is called now and then and may end it.
    pub fn run(&mut self, quota: &Quota<'_>, after_batch: impl FnMut(&Self) -> bool) {
        if Self::TALLIES {
            self.scratch.tallies.reset(self.tree);
        }
        self.work(quota, after_batch);
        if Self::TALLIES {
            self.scratch.tallies.settle_all(self.tree);
            self.settled = self.simulations;
        }
    }

    fn work(&mut self, quota: &Quota<'_>, mut after_batch: impl FnMut(&Self) -> bool) {
        let mut lookout = Lookout::new();
        loop {
            let batch = quota.claim();
            if batch == 0 {
                return;
            }
            for _ in 0..batch {
                self.simulate();
                if lookout.is_over(quota) {
                    quota.finish();
                    return;
                }
            }
            let proven = self.tree.node(NodeId::ROOT).proof() != Proof::Unknown;
            if proven || !after_batch(self) {
                quota.finish();
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
        if !Self::TALLIES {
            root.enter::<SHARED>();
        }
        self.path.push(root);
        self.show_position(0);
        let points = points_of(self.descend());
        self.back_up(points);
        if self.marks.is_some() {
            self.tell_rave(points);
        }
        if let Some(growth) = &mut self.growth {
            growth.record(&self.path, points, self.scratch.playout.moves.len());
        }
        self.simulations += 1;
    }

    /// Goes down to a leaf and returns its value for the side to move there.
    fn descend(&mut self) -> f32 {
        let descent = self.descent();
        let mut tally = Self::TALLIES.then(|| self.scratch.tallies.enter_root());
        loop {
            let next = tally.and_then(|tally| self.step_by_tallies(descent, &tally));
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
                    self.step(descent, at, tally, children)
                }
            };
            tally = next;
            self.position.play(mv);
            if G::OBSERVES {
                self.show_position(self.path.len() - 1);
            }
            if let Some(points) = proof.points() {
                return value_of(ONE - points);
            }
            if self.repeats() {
                return 0.0;
            }
        }
    }

    /// Goes to a child of `at` and tells the move that leads there and what is proven of it.
    #[inline]
    fn step(
        &mut self,
        descent: Descent<'a>,
        at: &'a Node<P::Move>,
        tally: Option<Tally<P::Move>>,
        children: Children,
    ) -> (P::Move, Proof) {
        let visits = tally.map_or_else(|| at.visits(), |tally| tally.visits());
        if Self::TALLIES {
            let depth = self.path.len() - 1;
            if depth == 0 {
                self.settle_root();
            }
            self.scratch.tallies.found_family(self.tree, depth, children);
        }
        let (nodes, extras) = (self.tree.block(children), self.tree.extras(children));
        let node = &nodes[select::pick(nodes, extras, descent, visits)];
        node.enter::<SHARED>();
        self.path.push(node);
        (node.mv(), node.proof())
    }

    /// Goes to a child of the node of `tally` by the thread's own counts, if it has any of the
    /// children.
    #[inline]
    fn step_by_tallies(
        &mut self,
        descent: Descent<'a>,
        tally: &Tally<P::Move>,
    ) -> Option<Tally<P::Move>> {
        let (children, places) = tally.family()?;
        if tally.is_due() {
            self.scratch.tallies.settle_children(self.tree, tally);
            if self.path.len() == 1 {
                self.settle_root();
            }
        }
        let tallies = &mut self.scratch.tallies;
        let extras = self.tree.extras(children);
        let start = places.start;
        let index = select::pick(tallies.in_places(places), extras, descent, tally.visits());
        self.path.push(&self.tree.block(children)[index]);
        Some(tallies.enter(start + index))
    }

    /// The moves at the root are settled; so is the root now.
    fn settle_root(&mut self) {
        self.scratch.tallies.settle_root(self.tree);
        self.settled = self.simulations;
    }

    /// Visits of the last node of the descent, without those its prior is worth.
    fn played(&mut self, at: &Node<P::Move>) -> u32 {
        match self.scratch.tallies.at(self.path.len() - 1) {
            Some(tally) if Self::TALLIES => tally.visits() - at.prior_visits(),
            _ => at.played(),
        }
    }

    /// Simulations done that the tree's counts of the moves at the root contain.
    pub fn settled(&self) -> u64 {
        if Self::TALLIES { self.settled } else { self.simulations }
    }

    /// What this descent goes by.
    fn descent(&self) -> Descent<'a> {
        let count = self.simulations;
        let skips = |rave: &Rave| rave.skip > 0 && count.is_multiple_of(u64::from(rave.skip));
        Descent {
            settings: self.settings,
            rave: self.settings.rave.filter(|rave| !skips(rave)),
            detours: count % 8 == 7,
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
            if Self::TALLIES {
                self.tell_tallies_proofs();
            }
            return Some(outcome.value(self.position.turn()));
        }
        let ripe = is_root || self.played(at) > self.settings.expand;
        if ripe && self.path.len() < LONGEST && self.expand(at) {
            return None;
        }
        Some(self.play_out())
    }

    /// Brings what is proven of the nodes of the descent into the thread's own counts.
    fn tell_tallies_proofs(&mut self) {
        for (depth, node) in self.path.iter().enumerate() {
            let Some(tally) = self.scratch.tallies.at(depth) else { return };
            tally.prove(node.proof());
        }
    }

    /// The value of the current position by the guide.
    fn play_out(&mut self) -> f32 {
        let Scratch { playout, playouts, .. } = &mut *self.scratch;
        let value = self.guide.simulate(&self.position, self.random, playout);
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
        board.or_else(|| self.position.stalled().map(|_| Outcome::Draw))
    }

    /// Whether the position of the descent came up before: once on the way down, or so often in the
    /// game that it is a draw.
    fn repeats(&mut self) -> bool {
        let Some(limit) = P::REPETITIONS else { return false };
        let key = self.position.key();
        let back = self.position.reversible_plies().min(self.keys.len());
        self.keys.push(key);
        if back < 4 {
            return false;
        }
        let last = self.keys.len() - 1;
        let before = (last - back..last).rev().skip(1).step_by(2);
        let mut in_game = 1;
        for place in before.filter(|&place| self.keys[place] == key) {
            if place + 1 >= self.game_keys {
                return true;
            }
            in_game += 1;
        }
        in_game >= limit
    }

    /// Gives the node of the current position children; false if it cannot now.
    fn expand(&mut self, at: &'a Node<P::Move>) -> bool {
        if self.is_full || !self.tree.claim(at) {
            return false;
        }
        let Scratch { moves, priors, biases, .. } = &mut *self.scratch;
        moves.clear();
        self.guide.moves(&self.position, moves);
        if moves.is_empty() {
            self.position.legal_moves(moves);
        }
        moves.truncate(CHUNK);
        self.random.shuffle(moves);
        priors.clear();
        self.guide.priors(&self.position, moves, priors);
        biases.clear();
        if self.settings.asks_for_biases() {
            self.guide.biases(&self.position, moves, biases);
        }
        self.plant();
        let in_rave = self.settings.rave.is_some_and(|rave| rave.priors);
        self.is_full = !self.tree.expand(at, &mut self.room, &self.scratch.seedlings, in_rave);
        !self.is_full
    }

    /// What the children of the current position start with, the best priors first.
    fn plant(&mut self) {
        let Scratch { moves, priors, biases, seedlings, .. } = &mut *self.scratch;
        let numbered = self.marks.is_some();
        seedlings.clear();
        for (place, &mv) in moves.iter().enumerate() {
            let prior = priors.get(place).map_or((0.5, 0.0), |prior| {
                ((prior.value.clamp(-1.0, 1.0) + 1.0) / 2.0, prior.visits)
            });
            seedlings.push(Seedling {
                mv,
                index: if numbered { self.position.move_index(mv) } else { 0 },
                prior,
                bias: biases.get(place).copied().unwrap_or(0.0),
            });
        }
        if !priors.is_empty() || !biases.is_empty() {
            let worth = |seedling: &Seedling<P::Move>| {
                (seedling.prior.0 - 0.5) * seedling.prior.1.max(1.0) + seedling.bias
            };
            seedlings.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
        }
    }

    /// Adds the result, in points of the side to move at the leaf, to every node of the path.
    fn back_up(&mut self, points: u64) {
        let mut points = points;
        for depth in (0..self.path.len()).rev() {
            let node = self.path[depth];
            points = ONE - points;
            let tally = self.scratch.tallies.at(depth).filter(|_| Self::TALLIES);
            if self.settings.solver {
                let proof = tally.as_ref().map_or_else(|| node.proof(), |tally| tally.proof());
                points = proof.points().unwrap_or(points);
            }
            match tally {
                Some(tally) => tally.leave(points),
                None => node.leave::<SHARED>(points),
            }
            if G::OBSERVES {
                self.observe(node, depth, value_of(ONE - points));
            }
        }
    }

    /// Keeps the current position for the guide.
    fn show_position(&mut self, depth: usize) {
        if !G::OBSERVES {
            return;
        }
        match self.scratch.positions.get_mut(depth) {
            Some(place) => place.clone_from(&self.position),
            None => self.scratch.positions.push(self.position.clone()),
        }
    }

    /// Lets the guide see a node of the path, and correct it.
    fn observe(&mut self, node: &Node<P::Move>, depth: usize, result: f32) {
        let value = 1.0 - 2.0 * node.mean();
        let sight = NodeStats { depth, visits: node.visits(), value, result };
        if let Some(value) = self.guide.observe(&self.scratch.positions[depth], sight) {
            node.replace_mean((1.0 - value.clamp(-1.0, 1.0)) / 2.0);
        }
    }

    /// Adds the result to the moves that were made later than they could have been.
    fn tell_rave(&mut self, points: u64) {
        let Some(marks) = &mut self.marks else { return };
        let depth = self.path.len() - 1;
        marks.clear(depth + self.scratch.playout.moves.len());
        let turn = self.position.turn();
        let playout = &self.scratch.playout;
        let played = if playout.interrupted { &[][..] } else { &playout.moves[..] };
        for (ply, &mv) in played.iter().enumerate().rev() {
            let side = if ply % 2 == 0 { turn } else { !turn };
            marks.set(side, self.root.move_index(mv), depth + ply);
        }
        let mut side = turn;
        let mut points = points;
        for above in (0..depth).rev() {
            (side, points) = (!side, ONE - points);
            marks.set(side, self.root.move_index(self.path[above + 1].mv()), above);
            marks.tell(self.tree, self.path[above], above, side, points as f32 / ONE as f32);
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
    ((value.clamp(-1.0, 1.0) + 1.0) * (ONE / 2) as f32) as u64
}

#[inline]
fn value_of(points: u64) -> f32 {
    points as f32 / (ONE / 2) as f32 - 1.0
}
