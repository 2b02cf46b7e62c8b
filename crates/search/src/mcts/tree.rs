//! The tree: nodes in an arena that all threads of a search share without locks.
//!
//! The arena is a list of chunks, made when first needed. A thread takes a whole chunk and fills it
//! alone, so that threads meet at a shared counter only once in [`CHUNK`] nodes. The children of a
//! node lie side by side. A node is 24 bytes in games whose moves take up to four.
//!
//! What threads do to each other, and why it is harmless:
//! - Counts and sums are added to atomically when there are several threads: nothing is lost. A
//!   reader may see a visit whose result is still to come; that is the virtual loss.
//! - The extras (RAVE) are read, changed and written without a lock: an update may be lost. They are
//!   estimates of which one sample more or less is noise.
//! - Children are written before the store-release of `first` and read after a load-acquire of it.
//!   Who may write them is settled by a compare-and-swap to `BUSY`; the others do without.
//! - A proof is set once and never changed; two threads that prove the same node prove the same.

use super::select::Counts;
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

/// Nodes in a chunk, and the most children a node can have.
pub(super) const CHUNK: usize = 4096;

/// A won simulation; a lost one is 0.
pub(super) const ONE: u64 = 1 << 24;

/// The root lies alone, so that no other node shares a cache line with it.
const ROOT_ROOM: usize = 8;

const NO_CHILDREN: u32 = 0;
const BUSY: u32 = u32::MAX;

/// The most visits a prior can be worth.
const MOST_PRIOR_VISITS: f32 = 16_000.0;

/// What is proven of a node, seen by the side that moved there.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Nothing.
    Unknown,
    /// It has won.
    Win,
    /// It has lost.
    Loss,
    /// Neither can do better than a draw.
    Draw,
}

impl Proof {
    pub(super) const ALL: [Proof; 4] = [Proof::Unknown, Proof::Win, Proof::Loss, Proof::Draw];

    /// The result, once there is a proof.
    pub(super) fn points(self) -> Option<u64> {
        match self {
            Proof::Unknown => None,
            Proof::Win => Some(ONE),
            Proof::Loss => Some(0),
            Proof::Draw => Some(ONE / 2),
        }
    }
}

/// The place of a node in its tree.
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

    /// So many nodes side by side.
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

/// A move made: how often, with what results, and what can follow.
pub(super) struct Node<M> {
    /// Results of the side that made the move, in units of [`ONE`].
    sum: AtomicU64,
    visits: AtomicU32,
    /// Where its children begin.
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

    /// Starts anew; what was here before is forgotten.
    #[inline]
    fn reset(&self, visits: u32, sum: u64, proof: Proof, prior_visits: u16) {
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

    /// Adds visits and their results at once; tells how many there are now.
    #[inline]
    pub fn add(&self, visits: u32, sum: u64) -> (u32, u64) {
        if visits == 0 {
            return (self.visits(), self.sum.load(Relaxed));
        }
        (self.visits.fetch_add(visits, Relaxed) + visits, self.sum.fetch_add(sum, Relaxed) + sum)
    }

    /// Puts `mean`, from 0 to 1, in the place of what the visits came to.
    pub fn replace_mean(&self, mean: f32) {
        let sum = f64::from(mean) * f64::from(self.visits()) * ONE as f64;
        self.sum.store(sum as u64, Relaxed);
    }

    /// Visits, those its prior is worth included.
    #[inline]
    pub fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// Visits that really happened.
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
        self.sum.load(Relaxed) as i64 as f32 * (1.0 / ONE as f32)
    }

    /// Points a visit; half a point if there was none.
    pub fn mean(&self) -> f32 {
        match self.visits() {
            0 => 0.5,
            visits => (self.sum.load(Relaxed) as f64 / (ONE as f64 * f64::from(visits))) as f32,
        }
    }

    #[inline]
    pub fn proof(&self) -> Proof {
        Proof::ALL[usize::from(self.marks.load(Relaxed) & 3)]
    }

    pub fn prove(&self, proof: Proof) {
        self.marks.fetch_or(proof as u16, Relaxed);
    }
}

impl<M: Copy> Counts for Node<M> {
    #[inline]
    fn visits(&self) -> u32 {
        Node::visits(self)
    }

    #[inline]
    fn points(&self) -> f32 {
        Node::points(self)
    }

    #[inline]
    fn proof(&self) -> Proof {
        Node::proof(self)
    }
}

/// What only some searches keep of a node.
#[derive(Default)]
pub(super) struct Extra {
    /// As the bits of an `f32`.
    rave_visits: AtomicU32,
    /// Points of the side that made the move, as the bits of an `f32`.
    rave_sum: AtomicU32,
    /// The number of the move.
    index: AtomicU32,
    /// The bias of its position for the side that made the move, as the bits of an `f32`.
    bias: AtomicU32,
    /// Points that are its prior's and no simulation's, as the bits of an `f32`.
    prior: AtomicU32,
}

impl Extra {
    #[inline]
    fn reset(&self, rave_visits: f32, rave_sum: f32, index: usize, bias: f32, prior: f32) {
        self.rave_visits.store(rave_visits.to_bits(), Relaxed);
        self.rave_sum.store(rave_sum.to_bits(), Relaxed);
        self.index.store(index as u32, Relaxed);
        self.bias.store(bias.to_bits(), Relaxed);
        self.prior.store(prior.to_bits(), Relaxed);
    }

    #[inline]
    fn copy_from(&self, other: &Extra) {
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

    /// Points that are its prior's.
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
    extras: Box<[Extra]>,
}

/// What a child starts with.
#[derive(Copy, Clone, Debug)]
pub(super) struct Seedling<M> {
    pub mv: M,
    /// Number of the move, if the tree keeps extras.
    pub index: usize,
    /// Expected points, from 0 to 1, and how many visits this is worth.
    pub prior: (f32, f32),
    pub bias: f32,
}

/// The part of a chunk a thread has not filled yet.
#[derive(Debug, Default)]
pub(super) struct Room {
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
        let extra = if has_extras { size_of::<Extra>() } else { 0 };
        let chunk = (CHUNK * (size_of::<Node<M>>() + extra)) as u64;
        let chunks = (memory / chunk).clamp(2, u64::from(u32::MAX) / CHUNK as u64 - 1);
        Tree {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            taken: AtomicU32::new(0),
            has_extras,
        }
    }

    /// Forgets all nodes, but keeps their memory, and makes a root.
    pub fn clear(&mut self) -> Room {
        *self.taken.get_mut() = 0;
        let mut room = Room::default();
        self.reserve(&mut room, ROOT_ROOM);
        self.node(NodeId::ROOT).reset(0, 0, Proof::Unknown, 0);
        room
    }

    /// Room for so many nodes side by side, if any is left. A thread that finds none goes on
    /// without: nodes are not taken from others.
    fn reserve(&self, room: &mut Room, count: usize) -> Option<u32> {
        if (room.end - room.next) < count as u32 {
            if count > CHUNK || self.taken.load(Relaxed) as usize >= self.chunks.len() {
                return None;
            }
            let taken = self.taken.fetch_add(1, Relaxed);
            self.chunks.get(taken as usize)?.get_or_init(|| self.new_chunk());
            *room = Room { next: taken * CHUNK as u32, end: (taken + 1) * CHUNK as u32 };
        }
        let first = room.next;
        room.next += count as u32;
        Some(first)
    }

    fn new_chunk(&self) -> Chunk<M> {
        let extras = if self.has_extras { CHUNK } else { 0 };
        Chunk {
            nodes: (0..CHUNK).map(|_| Node::empty()).collect(),
            extras: (0..extras).map(|_| Extra::default()).collect(),
        }
    }

    #[inline]
    fn chunk(&self, id: u32) -> (&Chunk<M>, usize) {
        let chunk = self.chunks[id as usize / CHUNK].get().expect("nodes lie in chunks made");
        (chunk, id as usize % CHUNK)
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
        if first == NO_CHILDREN || first == BUSY {
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
    pub fn extras(&self, children: Children) -> &[Extra] {
        let (chunk, place) = self.chunk(children.first);
        if self.has_extras { &chunk.extras[place..place + children.count] } else { &[] }
    }

    /// The mean of what was played below a child, without what its prior says; with it if nothing
    /// was played, or if the tree does not know the prior's part.
    pub fn played_mean(&self, children: Children, index: usize) -> f32 {
        let node = &self.block(children)[index];
        match (self.extras(children).get(index), node.played()) {
            (None, _) | (_, 0) => node.mean(),
            (Some(extra), played) => {
                ((node.points() - extra.prior()) / played as f32).clamp(0.0, 1.0)
            }
        }
    }

    /// Takes `node` for expanding it; false if another thread has.
    #[inline]
    pub fn claim(&self, node: &Node<M>) -> bool {
        node.first.compare_exchange(NO_CHILDREN, BUSY, Relaxed, Relaxed).is_ok()
    }

    /// Gives the claimed `node` these children; false if there is no room left.
    /// Priors count as RAVE visits too with `in_rave`.
    pub fn expand(
        &self,
        node: &Node<M>,
        room: &mut Room,
        children: &[Seedling<M>],
        in_rave: bool,
    ) -> bool {
        let Some(first) = self.reserve(room, children.len()) else {
            node.first.store(NO_CHILDREN, Relaxed);
            return false;
        };
        let (chunk, place) = self.chunk(first);
        for (index, child) in children.iter().enumerate() {
            let (value, visits) = child.prior;
            let visits = visits.clamp(0.0, MOST_PRIOR_VISITS).round();
            let node = &chunk.nodes[place + index];
            let sum = (value * visits * ONE as f32) as u64;
            node.reset(visits as u32, sum, Proof::Unknown, visits as u16);
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

    /// The part below `node` of another tree, which becomes the whole of this one.
    pub fn transplant(&mut self, from: &Tree<M>, node: NodeId) -> Room {
        let mut room = self.clear();
        self.node(NodeId::ROOT).copy_counts(from.node(node));
        let mut pending = std::collections::VecDeque::from([(node, NodeId::ROOT)]);
        while let Some((old, new)) = pending.pop_front() {
            let Some(children) = from.children(from.node(old)) else { continue };
            let Some(copies) = self.copy_block(from, children, &mut room) else { continue };
            let parent = self.node(new);
            parent.count.store(copies.count as u16, Relaxed);
            parent.first.store(copies.first, Release);
            pending.extend((0..copies.count).map(|index| (children.id(index), copies.id(index))));
        }
        room
    }

    fn copy_block(&self, from: &Tree<M>, old: Children, room: &mut Room) -> Option<Children> {
        let first = self.reserve(room, old.count)?;
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
