//! What the solver remembers of positions: how well the side to move can do at best and at worst,
//! and the move to try first. Entries hold the whole board, so no two positions are ever confused.

use super::board::Board;

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
    /// The logarithm of the nodes it cost.
    effort: u8,
    /// The solve it was last written in.
    generation: u32,
}

const FREE: Entry = Entry {
    own: u64::MAX,
    other: u64::MAX,
    lower: -64,
    upper: 64,
    best: NO_MOVE,
    effort: 0,
    generation: 0,
};

/// The first entry is kept for what cost most, the second for what came last.
#[derive(Copy, Clone)]
#[repr(align(64))]
struct Bucket([Entry; 2]);

pub(super) struct Table {
    buckets: Vec<Bucket>,
    generation: u32,
}

impl Table {
    /// A table of at most `bytes` (but always at least one bucket).
    pub fn new(bytes: usize) -> Table {
        let most = (bytes / size_of::<Bucket>()).max(1);
        let buckets = 1 << most.ilog2();
        Table { buckets: vec![Bucket([FREE; 2]); buckets], generation: 0 }
    }

    pub fn clear(&mut self) {
        self.buckets.fill(Bucket([FREE; 2]));
    }

    /// From here on older entries give way to new ones; they still answer.
    pub fn next_generation(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }

    #[inline]
    fn index(&self, board: Board) -> usize {
        let mixed = board.own.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ board.other.rotate_left(31).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (mixed >> 32) as usize & (self.buckets.len() - 1)
    }

    #[inline]
    pub fn probe(&self, board: Board) -> Option<Bounds> {
        let bucket = &self.buckets[self.index(board)];
        let entry = bucket.0.iter().find(|e| e.own == board.own && e.other == board.other)?;
        Some(Bounds {
            lower: i32::from(entry.lower),
            upper: i32::from(entry.upper),
            best: entry.best,
        })
    }

    /// Remembers what a search of `nodes` nodes proved; narrows what is already known.
    #[inline]
    pub fn store(&mut self, board: Board, found: Bounds, nodes: u64) {
        let index = self.index(board);
        let bucket = &mut self.buckets[index].0;
        let mut new = Entry {
            own: board.own,
            other: board.other,
            lower: found.lower as i8,
            upper: found.upper as i8,
            best: found.best,
            effort: (nodes + 1).ilog2() as u8,
            generation: self.generation,
        };
        let same = |entry: &Entry| entry.own == board.own && entry.other == board.other;
        let slot = if let Some(slot) = bucket.iter().position(same) {
            let old = bucket[slot];
            new.lower = new.lower.max(old.lower);
            new.upper = new.upper.min(old.upper);
            new.effort = new.effort.max(old.effort);
            if new.best == NO_MOVE {
                new.best = old.best;
            }
            slot
        } else if bucket[0].generation != self.generation || new.effort >= bucket[0].effort {
            // What falls out of the first place may be worth more than what is in the second.
            bucket[1] = bucket[0];
            0
        } else {
            1
        };
        bucket[slot] = new;
    }
}
