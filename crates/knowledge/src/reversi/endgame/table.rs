//! The transposition table: lower and upper bound of the margin, and the best move. Entries hold
//! the whole board, so positions are never confused.

use super::board::SolverBoard;

/// A position's bounds, as margins for its side to move.
#[derive(Copy, Clone, Debug)]
pub(super) struct Bounds {
    pub lower: i32,
    pub upper: i32,
    /// The move that did best, or [`NO_MOVE`].
    pub best: u8,
}

pub(super) const NO_MOVE: u8 = 255;

#[derive(Copy, Clone)]
struct Entry {
    own: u64,
    other: u64,
    lower: i8,
    upper: i8,
    best: u8,
    /// Binary logarithm of the nodes searched.
    cost: u8,
    /// The generation of the last write.
    generation: u32,
}

const EMPTY_ENTRY: Entry = Entry {
    own: u64::MAX,
    other: u64::MAX,
    lower: -64,
    upper: 64,
    best: NO_MOVE,
    cost: 0,
    generation: 0,
};

/// Two entries: the most expensive one, and the most recent one.
#[derive(Copy, Clone)]
#[repr(align(64))]
struct Bucket([Entry; 2]);

pub(super) struct BoundsTable {
    buckets: Vec<Bucket>,
    generation: u32,
}

impl BoundsTable {
    /// A table of at most `bytes` (but always at least one bucket).
    pub fn new(bytes: usize) -> BoundsTable {
        let most = (bytes / size_of::<Bucket>()).max(1);
        let buckets = 1 << most.ilog2();
        BoundsTable { buckets: vec![Bucket([EMPTY_ENTRY; 2]); buckets], generation: 0 }
    }

    pub fn clear(&mut self) {
        self.buckets.fill(Bucket([EMPTY_ENTRY; 2]));
    }

    /// Starts a new generation: older entries stay valid but are replaced first.
    pub fn next_generation(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }

    #[inline]
    fn index(&self, board: SolverBoard) -> usize {
        let mixed = board.own.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ board.other.rotate_left(31).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (mixed >> 32) as usize & (self.buckets.len() - 1)
    }

    #[inline]
    pub fn probe(&self, board: SolverBoard) -> Option<Bounds> {
        let bucket = &self.buckets[self.index(board)];
        let entry = bucket.0.iter().find(|e| e.own == board.own && e.other == board.other)?;
        Some(Bounds {
            lower: i32::from(entry.lower),
            upper: i32::from(entry.upper),
            best: entry.best,
        })
    }

    /// Stores the bounds proved by a search of `nodes` nodes, intersected with those already known.
    #[inline]
    pub fn store(&mut self, board: SolverBoard, found: Bounds, nodes: u64) {
        let index = self.index(board);
        let bucket = &mut self.buckets[index].0;
        let mut new = Entry {
            own: board.own,
            other: board.other,
            lower: found.lower as i8,
            upper: found.upper as i8,
            best: found.best,
            cost: (nodes + 1).ilog2() as u8,
            generation: self.generation,
        };
        let same = |entry: &Entry| entry.own == board.own && entry.other == board.other;
        let slot = if let Some(slot) = bucket.iter().position(same) {
            let old = bucket[slot];
            new.lower = new.lower.max(old.lower);
            new.upper = new.upper.min(old.upper);
            new.cost = new.cost.max(old.cost);
            if new.best == NO_MOVE {
                new.best = old.best;
            }
            slot
        } else if bucket[0].generation != self.generation || new.cost >= bucket[0].cost {
            // The entry replaced in the first slot may be more valuable than the second.
            bucket[1] = bucket[0];
            0
        } else {
            1
        };
        bucket[slot] = new;
    }
}
