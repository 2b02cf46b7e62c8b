//! A thread's own counts of the busiest nodes.
//!
//! Near the root, and all over a small tree, every simulation of every thread would add to the same
//! few cache lines, which would wander from core to core all the time. A thread therefore keeps
//! tallies of the nodes it often passes: what the tree said when it last looked, and what itself
//! counted since. It goes by these alone, and settles with the tree once in a while, for all
//! children of a node at once. Others learn of its visits no earlier, which among many makes no
//! difference; where visits are few, everything is counted in the tree at once.

use super::{
    select::Counts,
    tree::{Children, Node, NodeId, ONE, Proof, Tree},
};
use std::ops::Range;

/// Visits from which on the children of a node have tallies.
const BUSY: u32 = 256;

/// Children are settled when their parent got one visit for so many it had before, and after
/// [`LATEST`] at the latest. What priors of children are worth does not count: it is many visits, and
/// none that others could tell of.
const PATIENCE: u32 = 3;
const LATEST: u32 = 4096;

/// The most tallies of a thread, about what the caches of a core hold.
const MOST: usize = 1 << 18;

/// What a thread knows of a node: all it takes to pass without a look at the tree, or at anything
/// else that would have to be waited for.
#[derive(Copy, Clone)]
pub(super) struct Tally<M> {
    sum: u64,
    visits: u32,
    /// Visits at which its children are to be settled.
    due: u32,
    /// Where the tallies of its children begin; 0 if they have none.
    start: u32,
    /// Its children, if they have tallies.
    first: NodeId,
    count: u16,
    proof: Proof,
    /// `None` at the root.
    mv: Option<M>,
}

impl<M: Copy> Tally<M> {
    /// The move that leads here. The root has none.
    #[inline]
    pub fn mv(&self) -> M {
        self.mv.expect("only the root has no move")
    }

    /// Its children and the places of their tallies, if they have any.
    #[inline]
    pub fn family(&self) -> Option<(Children, Range<usize>)> {
        let (start, count) = (self.start as usize, usize::from(self.count));
        (start != 0).then_some((Children::new(self.first, count), start..start + count))
    }

    /// Whether its children have not been settled for long.
    #[inline]
    pub fn is_due(&self) -> bool {
        self.visits >= self.due
    }

    /// Adds the result of a visit.
    #[inline]
    pub fn leave(&mut self, points: u64) {
        self.sum += points;
    }

    /// Remembers what has been proven.
    pub fn prove(&mut self, proof: Proof) {
        if proof != Proof::Unknown {
            self.proof = proof;
        }
    }
}

impl<M> Counts for Tally<M> {
    #[inline]
    fn visits(&self) -> u32 {
        self.visits
    }

    #[inline]
    fn points(&self) -> f32 {
        self.sum as i64 as f32 * (1.0 / ONE as f32)
    }

    #[inline]
    fn proof(&self) -> Proof {
        self.proof
    }
}

/// The tallies of the children of a node.
#[derive(Copy, Clone)]
struct Family {
    children: Children,
    /// The place of the first.
    start: usize,
    /// The place of the node.
    parent: usize,
}

/// What the tree said of a node when its tally was last settled.
#[derive(Copy, Clone, Default)]
struct Settled {
    sum: u64,
    visits: u32,
    /// The family whose first it is.
    family: u32,
}

/// The tallies of one thread.
pub(super) struct Tallies<M> {
    tallies: Vec<Tally<M>>,
    settled: Vec<Settled>,
    /// The first is the root alone.
    families: Vec<Family>,
    /// The tallies of the nodes of the descent, from the root as far as there are any.
    path: Vec<usize>,
}

impl<M> Default for Tallies<M> {
    fn default() -> Tallies<M> {
        Tallies { tallies: Vec::new(), settled: Vec::new(), families: Vec::new(), path: Vec::new() }
    }
}

impl<M: Copy> Tallies<M> {
    /// The place of the root, which is nobody's child: as a start, 0 stands for no children.
    const ROOT: usize = 0;

    /// Begins with the root of a tree and forgets all others.
    pub fn reset(&mut self, tree: &Tree<M>) {
        self.tallies.clear();
        self.settled.clear();
        self.families.clear();
        self.add_family(tree, Self::ROOT, Children::ROOT_ALONE, |_| None);
    }

    /// Begins a descent and counts it.
    #[inline]
    pub fn enter_root(&mut self) -> Tally<M> {
        self.path.clear();
        self.enter(Self::ROOT)
    }

    /// Counts a visit at a place, the next of the descent. What is known of it is told as a copy:
    /// a descent that read it again would have to wait for what was just written.
    #[inline]
    pub fn enter(&mut self, place: usize) -> Tally<M> {
        self.path.push(place);
        let tally = &mut self.tallies[place];
        tally.visits += 1;
        *tally
    }

    /// The tally of the node so many plies below the root in this descent.
    #[inline]
    pub fn at(&mut self, depth: usize) -> Option<&mut Tally<M>> {
        self.path.get(depth).map(|&place| &mut self.tallies[place])
    }

    /// Gives the children of the node so many plies below the root, which have none, tallies if it is
    /// busy.
    #[inline]
    pub fn found_family(&mut self, tree: &Tree<M>, depth: usize, children: Children) {
        let Some(&place) = self.path.get(depth) else { return };
        let start = self.tallies.len();
        if self.tallies[place].visits >= BUSY && start + children.count() <= MOST {
            let tally = &mut self.tallies[place];
            tally.start = start as u32;
            (tally.first, tally.count) = (children.id(0), children.count() as u16);
            self.add_family(tree, place, children, |node| Some(node.mv()));
        }
    }

    #[inline]
    pub fn in_places(&self, places: Range<usize>) -> &[Tally<M>] {
        &self.tallies[places]
    }

    /// Settles the children of a node.
    pub fn settle_children(&mut self, tree: &Tree<M>, of: &Tally<M>) {
        self.settle(tree, self.settled[of.start as usize].family as usize);
    }

    /// Settles the root alone.
    pub fn settle_root(&mut self, tree: &Tree<M>) {
        self.settle(tree, 0);
    }

    fn add_family(
        &mut self,
        tree: &Tree<M>,
        parent: usize,
        children: Children,
        mv: impl Fn(&Node<M>) -> Option<M>,
    ) {
        let start = self.tallies.len();
        let empty = |node| Tally {
            sum: 0,
            visits: 0,
            due: 0,
            start: 0,
            first: NodeId::ROOT,
            count: 0,
            proof: Proof::Unknown,
            mv: mv(node),
        };
        self.tallies.extend(tree.block(children).iter().map(empty));
        self.settled.resize(self.tallies.len(), Settled::default());
        self.settled[start].family = self.families.len() as u32;
        self.families.push(Family { children, start, parent });
        self.settle(tree, self.families.len() - 1);
    }

    /// Adds what the thread counted to the tree, and takes over what others did.
    fn settle(&mut self, tree: &Tree<M>, family: usize) {
        let Family { children, start, parent } = self.families[family];
        let places = start..start + children.count();
        let own = self.tallies[places.clone()].iter_mut().zip(&mut self.settled[places]);
        for ((tally, settled), node) in own.zip(tree.block(children)) {
            (settled.visits, settled.sum) =
                node.add(tally.visits - settled.visits, tally.sum - settled.sum);
            (tally.visits, tally.sum) = (settled.visits, settled.sum);
            tally.prove(node.proof());
        }
        if start != Self::ROOT {
            let parent = &mut self.tallies[parent];
            parent.due = parent.visits + (parent.visits / PATIENCE).min(LATEST);
        }
    }

    /// Settles everything: the search is over.
    pub fn settle_all(&mut self, tree: &Tree<M>) {
        (0..self.families.len()).for_each(|family| self.settle(tree, family));
    }
}
