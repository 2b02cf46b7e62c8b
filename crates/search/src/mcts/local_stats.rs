//! Local statistics: a thread's own counts of the busiest nodes.
//!
//! Near the root, and all over a small tree, every simulation of every thread would add to the same
//! few cache lines, which would move from core to core all the time. A thread therefore keeps local
//! statistics of the nodes it often passes: those of the tree when it last looked, and what it has
//! counted itself since. It selects by these alone, and synchronises with the tree once in a while,
//! for all children of a node at once. Others learn of its visits no earlier, which among many makes
//! no difference; where visits are few, everything is counted in the tree at once.

use super::{
    select::ChildStats,
    tree::{Children, Node, NodeId, ProvenValue, Tree, WIN_POINTS},
};
use std::ops::Range;

/// Visits from which on the children of a node have local statistics.
const MIN_LOCAL_VISITS: u32 = 256;

/// Children are synchronised when their parent's visits have grown by one part in this many.
/// Visits that priors of children are worth do not count: they are many, and no thread makes them.
const SYNC_GROWTH_DIVISOR: u32 = 3;
/// Visits after which children are synchronised in any case.
const MAX_VISITS_BETWEEN_SYNCS: u32 = 4096;

/// Nodes with local statistics in a thread: about what the caches of a core hold.
const MAX_LOCAL_NODES: usize = 1 << 18;

/// The local statistics of a node: all it takes to pass it without a read of the tree, or of anything
/// else outside the caches.
#[derive(Copy, Clone)]
pub(super) struct LocalStats<M> {
    sum: u64,
    visits: u32,
    /// Visits at which its children are to be synchronised.
    due: u32,
    /// Index of its first child's statistics; 0 if they have none.
    start: u32,
    /// Its first child, if its children have local statistics.
    first: NodeId,
    count: u16,
    proof: ProvenValue,
    /// `None` at the root.
    mv: Option<M>,
}

impl<M: Copy> LocalStats<M> {
    /// The move that leads here. The root has none.
    #[inline]
    pub fn mv(&self) -> M {
        self.mv.expect("only the root has no move")
    }

    /// Its children and the indices of their statistics, if they have any.
    #[inline]
    pub fn children(&self) -> Option<(Children, Range<usize>)> {
        let (start, count) = (self.start as usize, usize::from(self.count));
        (start != 0).then_some((Children::new(self.first, count), start..start + count))
    }

    /// Whether its children are to be synchronised.
    #[inline]
    pub fn is_due(&self) -> bool {
        self.visits >= self.due
    }

    /// Adds the result of a visit.
    #[inline]
    pub fn leave(&mut self, points: u64) {
        self.sum += points;
    }

    /// Sets the proven value.
    pub fn prove(&mut self, proof: ProvenValue) {
        if proof != ProvenValue::Unknown {
            self.proof = proof;
        }
    }
}

impl<M> ChildStats for LocalStats<M> {
    #[inline]
    fn visits(&self) -> u32 {
        self.visits
    }

    #[inline]
    fn points(&self) -> f32 {
        self.sum as i64 as f32 * (1.0 / WIN_POINTS as f32)
    }

    #[inline]
    fn proof(&self) -> ProvenValue {
        self.proof
    }
}

/// The local statistics of the children of a node.
#[derive(Copy, Clone)]
struct SiblingBlock {
    children: Children,
    /// Index of the first.
    start: usize,
    /// Index of the node.
    parent: usize,
}

/// Statistics of the tree when those of a node were last synchronised.
#[derive(Copy, Clone, Default)]
struct Synced {
    sum: u64,
    visits: u32,
    /// The block whose first node it is.
    block: u32,
}

/// All local statistics of one thread.
pub(super) struct LocalTable<M> {
    stats: Vec<LocalStats<M>>,
    synced: Vec<Synced>,
    /// The first block is the root alone.
    blocks: Vec<SiblingBlock>,
    /// Indices of the nodes of the descent, from the root as far as they have local statistics.
    path: Vec<usize>,
}

impl<M> Default for LocalTable<M> {
    fn default() -> LocalTable<M> {
        LocalTable { stats: Vec::new(), synced: Vec::new(), blocks: Vec::new(), path: Vec::new() }
    }
}

impl<M: Copy> LocalTable<M> {
    /// Index of the root. It is no child, so 0 as a start stands for no children.
    const ROOT: usize = 0;

    /// Begins with the root of a tree and forgets all other nodes.
    pub fn reset(&mut self, tree: &Tree<M>) {
        self.stats.clear();
        self.synced.clear();
        self.blocks.clear();
        self.add_block(tree, Self::ROOT, Children::ROOT_ALONE, |_| None);
    }

    /// Begins a descent and counts it.
    #[inline]
    pub fn enter_root(&mut self) -> LocalStats<M> {
        self.path.clear();
        self.enter(Self::ROOT)
    }

    /// Counts a visit at an index, the next of the descent, and returns a copy of the statistics: a descent
    /// that read them again would have to wait for what was just written.
    #[inline]
    pub fn enter(&mut self, index: usize) -> LocalStats<M> {
        self.path.push(index);
        let stats = &mut self.stats[index];
        stats.visits += 1;
        *stats
    }

    /// The statistics of the node `depth` plies below the root in this descent.
    #[inline]
    pub fn at(&mut self, depth: usize) -> Option<&mut LocalStats<M>> {
        self.path.get(depth).map(|&index| &mut self.stats[index])
    }

    /// Gives the children of the node `depth` plies below the root local statistics if it is busy.
    #[inline]
    pub fn add_children(&mut self, tree: &Tree<M>, depth: usize, children: Children) {
        let Some(&index) = self.path.get(depth) else { return };
        let start = self.stats.len();
        if self.stats[index].visits >= MIN_LOCAL_VISITS
            && start + children.count() <= MAX_LOCAL_NODES
        {
            let stats = &mut self.stats[index];
            stats.start = start as u32;
            (stats.first, stats.count) = (children.id(0), children.count() as u16);
            self.add_block(tree, index, children, |node| Some(node.mv()));
        }
    }

    #[inline]
    pub fn in_range(&self, range: Range<usize>) -> &[LocalStats<M>] {
        &self.stats[range]
    }

    /// Synchronises the children of a node.
    pub fn sync_children(&mut self, tree: &Tree<M>, of: &LocalStats<M>) {
        self.sync(tree, self.synced[of.start as usize].block as usize);
    }

    /// Synchronises the root alone.
    pub fn sync_root(&mut self, tree: &Tree<M>) {
        self.sync(tree, 0);
    }

    fn add_block(
        &mut self,
        tree: &Tree<M>,
        parent: usize,
        children: Children,
        mv: impl Fn(&Node<M>) -> Option<M>,
    ) {
        let start = self.stats.len();
        let empty = |node| LocalStats {
            sum: 0,
            visits: 0,
            due: 0,
            start: 0,
            first: NodeId::ROOT,
            count: 0,
            proof: ProvenValue::Unknown,
            mv: mv(node),
        };
        self.stats.extend(tree.block(children).iter().map(empty));
        self.synced.resize(self.stats.len(), Synced::default());
        self.synced[start].block = self.blocks.len() as u32;
        self.blocks.push(SiblingBlock { children, start, parent });
        self.sync(tree, self.blocks.len() - 1);
    }

    /// Adds the counts of this thread to the tree, and takes over those of the others.
    fn sync(&mut self, tree: &Tree<M>, block: usize) {
        let SiblingBlock { children, start, parent } = self.blocks[block];
        let range = start..start + children.count();
        let own = self.stats[range.clone()].iter_mut().zip(&mut self.synced[range]);
        for ((stats, synced), node) in own.zip(tree.block(children)) {
            (synced.visits, synced.sum) =
                node.add(stats.visits - synced.visits, stats.sum - synced.sum);
            (stats.visits, stats.sum) = (synced.visits, synced.sum);
            stats.prove(node.proof());
        }
        if start != Self::ROOT {
            let parent = &mut self.stats[parent];
            parent.due =
                parent.visits + (parent.visits / SYNC_GROWTH_DIVISOR).min(MAX_VISITS_BETWEEN_SYNCS);
        }
    }

    /// Synchronises everything at the end of the search.
    pub fn sync_all(&mut self, tree: &Tree<M>) {
        (0..self.blocks.len()).for_each(|block| self.sync(tree, block));
    }
}
