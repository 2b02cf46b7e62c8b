//! Transposition tables.

use super::cells::in_open_lines;
use ludus_games::connect4::{BOTTOM, COLUMNS, FULL, STRIDE};
use std::sync::atomic::{AtomicU64, Ordering};

/// Bits of the key that an entry stores; the rest follows from its bucket.
const STORED_BITS: u32 = 52;
/// Bits of a key's lower word.
const LOW_BITS: u32 = 41;
/// Ways to fill a column with discs of three kinds: 1 + 3 + … + 3⁶.
const COLUMN_CODES: u64 = 1093;
/// The fewest buckets that determine the bits an entry leaves out.
const MIN_BUCKETS: usize = 1 << 20;
/// The largest score.
const MAX_SCORE: i32 = 21;

/// The key of a position, reduced to what affects its score: discs in no line that their side can
/// still complete are of a third, neutral kind, and mirror images are equal. Positions with equal
/// keys have equal scores.
///
/// Nothing is lost: a column has 1093 codes, four of them fill `low` and three `high`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct PositionKey {
    low: u64,
    high: u64,
}

/// Six cells as ternary digits, a 1 for every disc.
static DIGITS: [u16; 1 << (STRIDE - 1)] = {
    let mut values = [0; 1 << (STRIDE - 1)];
    let mut cells = 1;
    while cells < values.len() {
        let highest = cells.ilog2();
        values[cells] = values[cells ^ (1 << highest)] + 3u16.pow(highest);
        cells += 1;
    }
    values
};

/// The same for a column with one more bit on top of its discs, numbered on from lower columns.
static DIGITS_BY_HEIGHT: [u16; 1 << STRIDE] = {
    let mut values = [0; 1 << STRIDE];
    let mut cells = 1;
    while cells < values.len() {
        let height = cells.ilog2();
        values[cells] = (3u16.pow(height) - 1) / 2 + DIGITS[cells ^ (1 << height)];
        cells += 1;
    }
    values
};

impl PositionKey {
    /// The key of the position in which the side to move has the discs `own` of `all`.
    #[inline(always)]
    pub(super) fn new(own: u64, all: u64) -> PositionKey {
        let empty = FULL & !all;
        let other = own ^ all;
        let own = own & in_open_lines(own | empty);
        let other = other & in_open_lines(other | empty);
        let own = own | (all + BOTTOM);
        let code = |column: usize| {
            let own = (own >> (column * STRIDE)) as usize % DIGITS_BY_HEIGHT.len();
            let other = (other >> (column * STRIDE)) as usize % DIGITS.len();
            u64::from(DIGITS_BY_HEIGHT[own] + 2 * DIGITS[other])
        };
        PositionKey::of_codes([0, 1, 2, 3, 4, 5, 6].map(code))
    }

    #[inline(always)]
    fn of_codes(codes: [u64; COLUMNS]) -> PositionKey {
        let [a, b, c, d, e, f, g] = codes;
        let join = |x: u64, y: u64, z: u64| (x * COLUMN_CODES + y) * COLUMN_CODES + z;
        let (left, right) = (join(a, b, c), join(g, f, e));
        let (near, far) = if left < right { (left, right) } else { (right, left) };
        PositionKey { low: near * COLUMN_CODES + d, high: far }
    }

    /// The bits that an entry stores.
    #[inline(always)]
    fn stored(self) -> u64 {
        (self.low | self.high << LOW_BITS) & ((1 << STORED_BITS) - 1)
    }

    /// The bucket; together with the stored bits it determines the whole key.
    #[inline(always)]
    fn bucket(self, buckets: usize) -> usize {
        let rest = self.high >> (STORED_BITS - LOW_BITS);
        let spread = self.stored().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - 40);
        spread.wrapping_add(rest.wrapping_mul(0x5_E2D5_8D8B)) as usize & (buckets - 1)
    }
}

/// Proven bounds of a score.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) lower: i32,
    pub(super) upper: i32,
}

impl Bounds {
    /// The trivial bounds.
    pub(super) const UNKNOWN: Bounds = Bounds { lower: -MAX_SCORE, upper: MAX_SCORE };

    /// The score is `value`.
    pub(super) fn exactly(value: i32) -> Bounds {
        Bounds { lower: value, upper: value }
    }

    /// The intersection of both.
    #[inline(always)]
    pub(super) fn and(self, other: Bounds) -> Bounds {
        Bounds { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }
}

/// A large table for positions with few discs, whose entries save much work, and a small one for
/// the many others, for which memory latency would dominate.
pub(super) struct Tables {
    early: BoundsTable,
    late: BoundsTable,
}

impl Tables {
    /// Number of discs from which on a position belongs to the late table.
    const MIN_LATE_DISCS: i32 = 22;
    const LATE_BYTES: u64 = 16 << 20;

    /// Tables of at most `bytes` together, but at least 32 MB.
    pub(super) fn new(bytes: u64) -> Tables {
        let early = bytes.saturating_sub(Tables::LATE_BYTES);
        Tables { early: BoundsTable::new(early), late: BoundsTable::new(Tables::LATE_BYTES) }
    }

    /// Whether [`Tables::new`] would create larger ones with `bytes`.
    pub(super) fn can_grow_to(&self, bytes: u64) -> bool {
        let early = bytes.saturating_sub(Tables::LATE_BYTES);
        self.early.buckets.len() < BoundsTable::buckets_of(early)
    }

    /// The largest useful size of the tables for solving a position with this number of discs.
    pub(super) fn useful_bytes(discs: u32) -> u64 {
        let early: u64 = match discs {
            0..8 => u64::MAX,
            8..12 => 64 << 20,
            _ => 16 << 20,
        };
        early.saturating_add(Tables::LATE_BYTES)
    }

    /// The table for positions with this number of discs.
    #[inline(always)]
    pub(super) fn of(&self, discs: i32) -> &BoundsTable {
        if discs < Tables::MIN_LATE_DISCS { &self.early } else { &self.late }
    }
}

/// Two entries of 64 bits: 52 of the key, 6 for each bound, so that an entry is read and
/// written in one piece and threads can share the table without locks. A new entry pushes the
/// bucket's newer one into the older slot. Zero is the empty entry.
type Bucket = [AtomicU64; 2];

/// A table of bounds.
pub(super) struct BoundsTable {
    buckets: Vec<Bucket>,
}

/// A bucket's entries, read before they are needed to hide the memory latency.
#[derive(Copy, Clone)]
pub(super) struct TableSlot {
    bucket: usize,
    stored: u64,
    entries: [u64; 2],
}

impl BoundsTable {
    /// The largest table of at most `bytes`, but at least 16 MB.
    fn new(bytes: u64) -> BoundsTable {
        BoundsTable {
            buckets: (0..BoundsTable::buckets_of(bytes)).map(|_| Bucket::default()).collect(),
        }
    }

    fn buckets_of(bytes: u64) -> usize {
        let buckets = usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<Bucket>();
        1 << buckets.max(MIN_BUCKETS).ilog2()
    }

    #[inline(always)]
    pub(super) fn read(&self, key: PositionKey) -> TableSlot {
        let bucket = key.bucket(self.buckets.len());
        let [newer, older] = &self.buckets[bucket];
        let entries = [newer.load(Ordering::Relaxed), older.load(Ordering::Relaxed)];
        TableSlot { bucket, stored: key.stored(), entries }
    }

    /// Writes `bounds`.
    #[inline(always)]
    pub(super) fn write(&self, slot: TableSlot, bounds: Bounds) {
        let entry = slot.stored << 12
            | ((bounds.lower + MAX_SCORE) as u64) << 6
            | (MAX_SCORE - bounds.upper) as u64;
        let [newer, older] = &self.buckets[slot.bucket];
        let before = newer.load(Ordering::Relaxed);
        if before >> 12 != slot.stored {
            older.store(before, Ordering::Relaxed);
        }
        newer.store(entry, Ordering::Relaxed);
    }
}

impl TableSlot {
    /// The bounds stored when the slot was read.
    #[inline(always)]
    pub(super) fn bounds(&self) -> Bounds {
        for entry in self.entries {
            if entry >> 12 == self.stored {
                let lower = (entry >> 6 & 63) as i32 - MAX_SCORE;
                return Bounds { lower, upper: MAX_SCORE - (entry & 63) as i32 };
            }
        }
        Bounds::UNKNOWN
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn bucket_and_content_determine_the_whole_key() {
        // Keys that differ only in bits that are not stored lie in different buckets.
        let mut buckets = HashSet::new();
        let step = 1 << (STORED_BITS - LOW_BITS);
        let highest = COLUMN_CODES.pow(3);
        let keys = (0..highest).step_by(step).map(|high| PositionKey { low: 12_345, high });
        for key in keys {
            assert_eq!(key.stored(), 12_345);
            assert!(buckets.insert(key.bucket(MIN_BUCKETS)));
        }
        assert!(COLUMN_CODES.pow(4) < 1 << LOW_BITS);
    }

    #[test]
    fn a_table_keeps_bounds_and_knows_nothing_else() {
        let table = BoundsTable::new(0);
        let key = |low| PositionKey { low, high: 0 };
        assert_eq!(table.read(key(0)).bounds(), Bounds::UNKNOWN);
        for bounds in
            [Bounds::UNKNOWN, Bounds::exactly(-MAX_SCORE), Bounds { lower: -3, upper: MAX_SCORE }]
        {
            table.write(table.read(key(7)), bounds);
            assert_eq!(table.read(key(7)).bounds(), bounds);
            assert_eq!(table.read(key(8)).bounds(), Bounds::UNKNOWN);
        }
    }
}
