//! The tree: nodes in an arena that all threads of a search share without locks.
//!
//! The arena is a list of chunks, made when first needed. A thread takes a whole chunk and fills it
//! alone, so that threads meet at a shared counter only once in [`CHUNK_NODES`] nodes. The children of a
//! node lie side by side. A node is 24 bytes in games whose moves take up to four.
//!
//! Races between threads, and why they are harmless:
//! - Visits and sums are added to atomically when there are several threads: nothing is lost. A
//!   reader may see a visit whose result is still to come; that is the virtual loss.
//! - The extras (RAVE) are read, changed and written without a lock: an update may be lost. They are
//!   estimates of which one sample more or less is noise.
//! - Children are written before the store-release of `first` and read after a load-acquire of it.
//!   A compare-and-swap to `EXPANDING` decides which thread writes them; the others go on without them.
//! - A proof is set once and never changed; two threads that prove the same node prove the same.

use super::select::ChildStats;
use std::{
    cell::UnsafeCell,
    mem::{MaybeUninit, size_of},
    sync::{
        OnceLock,
        atomic::{
            AtomicU16, AtomicU32, AtomicU64,
            Ordering::{Acquire, Relaxed, Release},
        },
    },
};

/// Nodes in a chunk, and the largest number of children of a node.
pub(super) const CHUNK_NODES: usize = 4096;

/// Points of a won simulation; a lost one has 0.
pub(super) const WIN_POINTS: u64 = 1 << 24;

/// Nodes reserved for the root alone, so that no other node shares a cache line with it.
const ROOT_BLOCK_NODES: usize = 8;

const NO_CHILDREN: u32 = 0;
const EXPANDING: u32 = u32::MAX;

/// Largest number of visits a prior can be worth.
const MAX_PRIOR_VISITS: f32 = 16_000.0;

/// The proven value of a node for the side that moved there (MCTS-Solver).
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ProvenValue {
    /// Nothing is proven.
    Unknown,
    /// A win.
    Win,
    /// A loss.
    Loss,
    /// A draw.
    Draw,
}

impl ProvenValue {
    pub(super) const ALL: [ProvenValue; 4] =
        [ProvenValue::Unknown, ProvenValue::Win, ProvenValue::Loss, ProvenValue::Draw];

    /// The result, once there is a proof.
    pub(super) fn points(self) -> Option<u64> {
        match self {
            ProvenValue::Unknown => None,
            ProvenValue::Win => Some(WIN_POINTS),
            ProvenValue::Loss => Some(0),
            ProvenValue::Draw => Some(WIN_POINTS / 2),
        }
    }
}

/// The index of a node in its tree.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct NodeId(u32);

impl NodeId {
    pub const ROOT: NodeId = NodeId(0);
}

/// The children of a node.
#[derive(Copy, Clone, Debug)]
pub(super) struct Children {
    first: u32,
    count: usize,
}

impl Children {
    /// The root, as if it were the only child of another.
    pub const ROOT_ALONE: Children = Children { first: NodeId::ROOT.0, count: 1 };

    /// `count` nodes side by side.
    pub fn new(first: NodeId, count: usize) -> Children {
        Children { first: first.0, count }
    }

    pub fn id(self, index: usize) -> NodeId {
        NodeId(self.first + index as u32)
    }

    pub fn count(self) -> usize {
        self.count
    }
}

/// The move that leads to a node.
struct MoveCell<M>(UnsafeCell<MaybeUninit<M>>);

// SAFETY: the cell is written only by the thread whose chunk it lies in, before the block it belongs
// to is published, and read only by threads that found the block through a load-acquire of `first`.
unsafe impl<M: Send + Sync> Sync for MoveCell<M> {}

/// A node: the statistics of a move and the index of its children.
pub(super) struct Node<M> {
    /// Results of the side that made the move, in units of [`WIN_POINTS`].
    sum: AtomicU64,
    visits: AtomicU32,
    /// Index of the first child.
    first: AtomicU32,
    count: AtomicU16,
    /// The proof in the two lowest bits, above them the visits its prior is worth.
    marks: AtomicU16,
    mv: MoveCell<M>,
}

impl<M: Copy> Node<M> {
    fn empty() -> Node<M> {
        Node {
            sum: AtomicU64::new(0),
            visits: AtomicU32::new(0),
            first: AtomicU32::new(NO_CHILDREN),
            count: AtomicU16::new(0),
            marks: AtomicU16::new(0),
            mv: MoveCell(UnsafeCell::new(MaybeUninit::uninit())),
        }
    }

    /// Overwrites the node.
    #[inline]
    fn reset(&self, visits: u32, sum: u64, proof: ProvenValue, prior_visits: u16) {
        self.sum.store(sum, Relaxed);
        self.visits.store(visits, Relaxed);
        self.first.store(NO_CHILDREN, Relaxed);
        self.marks.store(prior_visits << 2 | proof as u16, Relaxed);
    }

    /// The move that leads here. The root has none.
    #[inline]
    pub fn mv(&self) -> M {
        // SAFETY: nodes other than the root are reached only through the published children of
        // another, whose moves were all written before.
        unsafe { (*self.mv.0.get()).assume_init() }
    }

    /// Counts a visit whose result is still to come.
    #[inline]
    pub fn enter<const SHARED: bool>(&self) {
        if SHARED {
            self.visits.fetch_add(1, Relaxed);
        } else {
            self.visits.store(self.visits.load(Relaxed) + 1, Relaxed);
        }
    }

    /// Adds the result of a visit.
    #[inline]
    pub fn leave<const SHARED: bool>(&self, points: u64) {
        if SHARED {
            self.sum.fetch_add(points, Relaxed);
        } else {
            self.sum.store(self.sum.load(Relaxed) + points, Relaxed);
        }
    }

    /// Adds visits and their results at once; returns the new totals.
    #[inline]
    pub fn add(&self, visits: u32, sum: u64) -> (u32, u64) {
        if visits == 0 {
            return (self.visits(), self.sum.load(Relaxed));
        }
        (self.visits.fetch_add(visits, Relaxed) + visits, self.sum.fetch_add(sum, Relaxed) + sum)
    }

    /// Replaces the mean of all visits by `mean`, from 0 to 1.
    pub fn replace_mean(&self, mean: f32) {
        let sum = f64::from(mean) * f64::from(self.visits()) * WIN_POINTS as f64;
        self.sum.store(sum as u64, Relaxed);
    }

    /// Visits, including those its prior is worth.
    #[inline]
    pub fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// Visits without those its prior is worth.
    #[inline]
    pub fn played(&self) -> u32 {
        self.visits() - self.prior_visits()
    }

    /// Visits its prior is worth.
    #[inline]
    pub fn prior_visits(&self) -> u32 {
        u32::from(self.marks.load(Relaxed) >> 2)
    }

    /// Points won, 1 for each simulation won.
    #[inline]
    pub fn points(&self) -> f32 {
        self.sum.load(Relaxed) as i64 as f32 * (1.0 / WIN_POINTS as f32)
    }

    /// Points per visit; half a point if there was none.
    pub fn mean(&self) -> f32 {
        match self.visits() {
            0 => 0.5,
            visits => {
                (self.sum.load(Relaxed) as f64 / (WIN_POINTS as f64 * f64::from(visits))) as f32
            }
        }
    }

    #[inline]
    pub fn proof(&self) -> ProvenValue {
        ProvenValue::ALL[usize::from(self.marks.load(Relaxed) & 3)]
    }

    pub fn prove(&self, proof: ProvenValue) {
        self.marks.fetch_or(proof as u16, Relaxed);
    }
}

impl<M: Copy> ChildStats for Node<M> {
    #[inline]
    fn visits(&self) -> u32 {
        Node::visits(self)
    }

    #[inline]
    fn points(&self) -> f32 {
        Node::points(self)
    }

    #[inline]
    fn proof(&self) -> ProvenValue {
        Node::proof(self)
    }
}

/// Statistics of a node that only some searches keep.
#[derive(Default)]
pub(super) struct NodeExtras {
    /// As the bits of an `f32`.
    rave_visits: AtomicU32,
    /// Points of the side that made the move, as the bits of an `f32`.
    rave_sum: AtomicU32,
    /// The number of the move.
    index: AtomicU32,
    /// The bias of its position for the side that made the move, as the bits of an `f32`.
    bias: AtomicU32,
    /// Points of its prior, as the bits of an `f32`.
    prior: AtomicU32,
}

impl NodeExtras {
    #[inline]
    fn reset(&self, rave_visits: f32, rave_sum: f32, index: usize, bias: f32, prior: f32) {
        self.rave_visits.store(rave_visits.to_bits(), Relaxed);
        self.rave_sum.store(rave_sum.to_bits(), Relaxed);
        self.index.store(index as u32, Relaxed);
        self.bias.store(bias.to_bits(), Relaxed);
        self.prior.store(prior.to_bits(), Relaxed);
    }

    #[inline]
    fn copy_from(&self, other: &NodeExtras) {
        let (visits, sum) = other.rave();
        self.reset(visits, sum, other.index(), other.bias(), other.prior());
    }

    /// RAVE visits and points.
    #[inline]
    pub fn rave(&self) -> (f32, f32) {
        let [visits, sum] = [&self.rave_visits, &self.rave_sum];
        (f32::from_bits(visits.load(Relaxed)), f32::from_bits(sum.load(Relaxed)))
    }

    #[inline]
    pub fn index(&self) -> usize {
        self.index.load(Relaxed) as usize
    }

    #[inline]
    pub fn bias(&self) -> f32 {
        f32::from_bits(self.bias.load(Relaxed))
    }

    /// Points of its prior.
    #[inline]
    pub fn prior(&self) -> f32 {
        f32::from_bits(self.prior.load(Relaxed))
    }

    /// Adds a simulation in which the move came later.
    #[inline]
    pub fn add_rave(&self, points: f32, weight: f32) {
        let (visits, sum) = self.rave();
        self.rave_visits.store((visits + weight).to_bits(), Relaxed);
        self.rave_sum.store((sum + weight * points).to_bits(), Relaxed);
    }
}

struct Chunk<M> {
    nodes: Box<[Node<M>]>,
    extras: Box<[NodeExtras]>,
}

/// The initial values of a child.
#[derive(Copy, Clone, Debug)]
pub(super) struct NewChild<M> {
    pub mv: M,
    /// Number of the move, if the tree keeps extras.
    pub index: usize,
    /// Expected points, from 0 to 1, and the visits this prior is worth.
    pub prior: (f32, f32),
    pub bias: f32,
}

/// The part of a chunk a thread has not filled yet.
#[derive(Debug, Default)]
pub(super) struct FreeNodes {
    next: u32,
    end: u32,
}

pub(super) struct Tree<M> {
    chunks: Vec<OnceLock<Chunk<M>>>,
    taken: AtomicU32,
    has_extras: bool,
}

impl<M: Copy> Tree<M> {
    /// A tree of about `memory` bytes, two chunks at least.
    pub fn new(memory: u64, has_extras: bool) -> Tree<M> {
        let extra = if has_extras { size_of::<NodeExtras>() } else { 0 };
        let chunk = (CHUNK_NODES * (size_of::<Node<M>>() + extra)) as u64;
        let chunks = (memory / chunk).clamp(2, u64::from(u32::MAX) / CHUNK_NODES as u64 - 1);
        Tree {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            taken: AtomicU32::new(0),
            has_extras,
        }
    }

    /// Forgets all nodes, but keeps their memory, and makes a root.
    pub fn clear(&mut self) -> FreeNodes {
        *self.taken.get_mut() = 0;
        let mut free = FreeNodes::default();
        self.reserve(&mut free, ROOT_BLOCK_NODES);
        self.node(NodeId::ROOT).reset(0, 0, ProvenValue::Unknown, 0);
        free
    }

    /// Reserves `count` nodes side by side, if there is room. A thread that finds none goes on without:
    /// nodes are not taken from others.
    fn reserve(&self, free: &mut FreeNodes, count: usize) -> Option<u32> {
        if (free.end - free.next) < count as u32 {
            if count > CHUNK_NODES || self.taken.load(Relaxed) as usize >= self.chunks.len() {
                return None;
            }
            let taken = self.taken.fetch_add(1, Relaxed);
            self.chunks.get(taken as usize)?.get_or_init(|| self.new_chunk());
            *free = FreeNodes {
                next: taken * CHUNK_NODES as u32,
                end: (taken + 1) * CHUNK_NODES as u32,
            };
        }
        let first = free.next;
        free.next += count as u32;
        Some(first)
    }

    fn new_chunk(&self) -> Chunk<M> {
        let extras = if self.has_extras { CHUNK_NODES } else { 0 };
        Chunk {
            nodes: (0..CHUNK_NODES).map(|_| Node::empty()).collect(),
            extras: (0..extras).map(|_| NodeExtras::default()).collect(),
        }
    }

    #[inline]
    fn chunk(&self, id: u32) -> (&Chunk<M>, usize) {
        let chunk = self.chunks[id as usize / CHUNK_NODES].get().expect("nodes lie in chunks made");
        (chunk, id as usize % CHUNK_NODES)
    }

    #[inline]
    pub fn node(&self, id: NodeId) -> &Node<M> {
        let (chunk, place) = self.chunk(id.0);
        &chunk.nodes[place]
    }

    /// The children of `node`, if it has any yet.
    #[inline]
    pub fn children(&self, node: &Node<M>) -> Option<Children> {
        let first = node.first.load(Acquire);
        if first == NO_CHILDREN || first == EXPANDING {
            return None;
        }
        Some(Children { first, count: usize::from(node.count.load(Relaxed)) })
    }

    #[inline]
    pub fn block(&self, children: Children) -> &[Node<M>] {
        let (chunk, place) = self.chunk(children.first);
        &chunk.nodes[place..place + children.count]
    }

    /// The extras of these children; none if the tree keeps none.
    #[inline]
    pub fn extras(&self, children: Children) -> &[NodeExtras] {
        let (chunk, place) = self.chunk(children.first);
        if self.has_extras { &chunk.extras[place..place + children.count] } else { &[] }
    }

    /// The mean of the simulations below a child, without its prior; with it if there was none, or if the
    /// tree does not keep the prior.
    pub fn played_mean(&self, children: Children, index: usize) -> f32 {
        let node = &self.block(children)[index];
        match (self.extras(children).get(index), node.played()) {
            (None, _) | (_, 0) => node.mean(),
            (Some(extra), played) => {
                ((node.points() - extra.prior()) / played as f32).clamp(0.0, 1.0)
            }
        }
    }

    /// Claims `node` for expansion; false if another thread has.
    #[inline]
    pub fn claim(&self, node: &Node<M>) -> bool {
        node.first.compare_exchange(NO_CHILDREN, EXPANDING, Relaxed, Relaxed).is_ok()
    }

    /// Gives the claimed `node` these children; false if there is no room left. With `in_rave` priors
    /// count as RAVE visits too.
    pub fn expand(
        &self,
        node: &Node<M>,
        free: &mut FreeNodes,
        children: &[NewChild<M>],
        in_rave: bool,
    ) -> bool {
        let Some(first) = self.reserve(free, children.len()) else {
            node.first.store(NO_CHILDREN, Relaxed);
            return false;
        };
        let (chunk, place) = self.chunk(first);
        for (index, child) in children.iter().enumerate() {
            let (value, visits) = child.prior;
            let visits = visits.clamp(0.0, MAX_PRIOR_VISITS).round();
            let node = &chunk.nodes[place + index];
            let sum = (value * visits * WIN_POINTS as f32) as u64;
            node.reset(visits as u32, sum, ProvenValue::Unknown, visits as u16);
            // SAFETY: the place was reserved by this thread and is not published yet.
            unsafe { (*node.mv.0.get()).write(child.mv) };
            if self.has_extras {
                let extra = &chunk.extras[place + index];
                let rave = if in_rave { visits } else { 0.0 };
                extra.reset(rave, value * rave, child.index, child.bias, value * visits);
            }
        }
        node.count.store(children.len() as u16, Relaxed);
        node.first.store(first, Release);
        true
    }

    /// Replaces this tree by the subtree below `node` of another.
    pub fn copy_subtree(&mut self, from: &Tree<M>, node: NodeId) -> FreeNodes {
        let mut free = self.clear();
        self.node(NodeId::ROOT).copy_counts(from.node(node));
        let mut pending = std::collections::VecDeque::from([(node, NodeId::ROOT)]);
        while let Some((old, new)) = pending.pop_front() {
            let Some(children) = from.children(from.node(old)) else { continue };
            let Some(copies) = self.copy_block(from, children, &mut free) else { continue };
            let parent = self.node(new);
            parent.count.store(copies.count as u16, Relaxed);
            parent.first.store(copies.first, Release);
            pending.extend((0..copies.count).map(|index| (children.id(index), copies.id(index))));
        }
        free
    }

    fn copy_block(&self, from: &Tree<M>, old: Children, free: &mut FreeNodes) -> Option<Children> {
        let first = self.reserve(free, old.count)?;
        let copies = Children { first, count: old.count };
        for (copy, node) in self.block(copies).iter().zip(from.block(old)) {
            copy.copy_counts(node);
            // SAFETY: the place was reserved by this thread and is not published yet.
            unsafe { (*copy.mv.0.get()).write(node.mv()) };
        }
        for (copy, extra) in self.extras(copies).iter().zip(from.extras(old)) {
            copy.copy_from(extra);
        }
        Some(copies)
    }
}

impl<M: Copy> Node<M> {
    fn copy_counts(&self, other: &Node<M>) {
        let prior = other.marks.load(Relaxed) >> 2;
        self.reset(other.visits(), other.sum.load(Relaxed), other.proof(), prior);
    }
}
