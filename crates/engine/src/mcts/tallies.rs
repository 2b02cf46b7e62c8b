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
    tree::{Children, Node, ONE, Proof, Tree},
};
use std::ops::Range;

/// Visits from which on the children of a node have tallies.
const BUSY: u32 = 64;

/// Children are settled when they got one visit for so many they had before, and after [`LATEST`]
/// at the latest.
const PATIENCE: u32 = 8;
const LATEST: u32 = 1024;

/// The most tallies of a thread, about what the caches of a core hold.
const MOST: usize = 1 << 18;

/// What a thread knows of a node: all it takes to pass without a look at the tree.
#[derive(Copy, Clone)]
pub(super) struct Tally<M> {
    sum: u64,
    visits: u32,
    /// The proof in the two lowest bits, above them the family of its children.
    marks: u32,
    /// Where the tallies of its children begin, and how many there are: a look at the family first
    /// would have to be waited for.
    start: u32,
    count: u16,
    /// `None` at the root.
    mv: Option<M>,
}

impl<M: Copy> Tally<M> {
    /// The move that leads here. The root has none.
    #[inline]
    pub fn mv(&self) -> M {
        self.mv.expect("only the root has no move")
    }

    /// Adds the result of a visit.
    #[inline]
    pub fn leave(&mut self, points: u64) {
        self.sum += points;
    }

    /// Remembers what has been proven.
    pub fn prove(&mut self, proof: Proof) {
        self.marks |= proof as u32;
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
        Proof::ALL[self.marks as usize & 3]
    }
}

/// The tallies of the children of a node.
struct Family {
    children: Children,
    /// The place of the first.
    start: usize,
    /// Visits since they were settled, and how many there may be.
    since: u32,
    due: u32,
}

/// The tallies of one thread.
pub(super) struct Tallies<M> {
    tallies: Vec<Tally<M>>,
    /// Visits and sum of each as the tree had them when it was last settled.
    settled: Vec<(u32, u64)>,
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
    /// The family of the root alone. It is nobody's children, so 0 stands for none elsewhere.
    pub const ROOT: usize = 0;

    /// Begins with the root of a tree and forgets all others.
    pub fn reset(&mut self, tree: &Tree<M>) {
        self.tallies.clear();
        self.settled.clear();
        self.families.clear();
        self.add_family(tree, Children::ROOT_ALONE, |_| None);
    }

    /// Begins a descent and counts it.
    #[inline]
    pub fn enter_root(&mut self) {
        self.path.clear();
        self.enter(Self::ROOT, 0);
    }

    /// Counts a visit at a place of a family, the next of the descent.
    #[inline]
    pub fn enter(&mut self, family: usize, place: usize) -> &Tally<M> {
        self.families[family].since += 1;
        self.path.push(place);
        self.tallies[place].visits += 1;
        &self.tallies[place]
    }

    /// The tally of the node so many plies below the root in this descent.
    #[inline]
    pub fn at(&mut self, depth: usize) -> Option<&mut Tally<M>> {
        self.path.get(depth).map(|&place| &mut self.tallies[place])
    }

    /// The family of the children of that node, if they have tallies, and their places.
    #[inline]
    pub fn family(&self, depth: usize) -> Option<(usize, Range<usize>)> {
        let Tally { marks, start, count, .. } = self.tallies[*self.path.get(depth)?];
        let family = marks as usize >> 2;
        let start = start as usize;
        (family != Self::ROOT).then_some((family, start..start + usize::from(count)))
    }

    /// Gives the children of that node, which have none, tallies if it is busy.
    #[inline]
    pub fn found_family(&mut self, tree: &Tree<M>, depth: usize, children: Children) {
        let Some(&place) = self.path.get(depth) else { return };
        let start = self.tallies.len();
        if self.tallies[place].visits >= BUSY && start + children.count() <= MOST {
            let family = self.add_family(tree, children, |node| Some(node.mv()));
            let tally = &mut self.tallies[place];
            tally.marks |= (family << 2) as u32;
            (tally.start, tally.count) = (start as u32, children.count() as u16);
        }
    }

    #[inline]
    pub fn in_places(&self, places: Range<usize>) -> &[Tally<M>] {
        &self.tallies[places]
    }

    /// The nodes of a family.
    #[inline]
    pub fn children(&self, family: usize) -> Children {
        self.families[family].children
    }

    /// Whether a family has not been settled for long.
    #[inline]
    pub fn is_due(&self, family: usize) -> bool {
        self.families[family].since >= self.families[family].due
    }

    fn add_family(
        &mut self,
        tree: &Tree<M>,
        children: Children,
        mv: impl Fn(&Node<M>) -> Option<M>,
    ) -> usize {
        let start = self.tallies.len();
        let empty = |node| Tally { sum: 0, visits: 0, marks: 0, start: 0, count: 0, mv: mv(node) };
        self.tallies.extend(tree.block(children).iter().map(empty));
        self.settled.resize(self.tallies.len(), (0, 0));
        self.families.push(Family { children, start, since: 0, due: 0 });
        self.settle(tree, self.families.len() - 1);
        self.families.len() - 1
    }

    /// Adds what the thread counted to the tree, and takes over what others did.
    pub fn settle(&mut self, tree: &Tree<M>, family: usize) {
        let family = &mut self.families[family];
        let places = family.start..family.start + family.children.count();
        let own = self.tallies[places.clone()].iter_mut().zip(&mut self.settled[places]);
        let mut all_visits = 0;
        for ((tally, settled), node) in own.zip(tree.block(family.children)) {
            *settled = node.add(tally.visits - settled.0, tally.sum - settled.1);
            (tally.visits, tally.sum) = *settled;
            tally.marks |= node.proof() as u32;
            all_visits += tally.visits;
        }
        family.since = 0;
        family.due = (all_visits / PATIENCE).min(LATEST);
    }

    /// Settles everything: the search is over.
    pub fn settle_all(&mut self, tree: &Tree<M>) {
        (0..self.families.len()).for_each(|family| self.settle(tree, family));
    }
}
