//! What is known of positions seen before.

use super::cells::in_open_lines;
use crate::connect4::position::{BOTTOM, COLUMNS, FULL, STRIDE};
use std::sync::atomic::{AtomicU64, Ordering};

/// Bits of the identity an entry stores; the rest follows from where it is stored.
const STORED_BITS: u32 = 52;
/// Bits of an identity's lower word.
const LOW_BITS: u32 = 41;
/// Ways to fill a column with discs of three kinds: 1 + 3 + … + 3⁶.
const COLUMN_CODES: u64 = 1093;
/// Fewer buckets could not tell apart what an entry leaves out.
const MIN_BUCKETS: usize = 1 << 20;
/// Largest score there is.
const MAX: i32 = 21;

/// All that matters of a position: a disc that is in no line its side can still fill might as well
/// be of any colour, so such discs are of a third kind, and a position and its mirror image are the
/// same. Two positions with one identity have one score.
///
/// Nothing is lost: a column has 1093 codes, four of them fill `low` and three `high`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Identity {
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

impl Identity {
    /// Of the position in which the side to move has the discs `own` of `all`.
    #[inline(always)]
    pub(super) fn new(own: u64, all: u64) -> Identity {
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
        Identity::of_codes([0, 1, 2, 3, 4, 5, 6].map(code))
    }

    #[inline(always)]
    fn of_codes(codes: [u64; COLUMNS]) -> Identity {
        let [a, b, c, d, e, f, g] = codes;
        let join = |x: u64, y: u64, z: u64| (x * COLUMN_CODES + y) * COLUMN_CODES + z;
        let (left, right) = (join(a, b, c), join(g, f, e));
        let (near, far) = if left < right { (left, right) } else { (right, left) };
        Identity { low: near * COLUMN_CODES + d, high: far }
    }

    /// What an entry keeps.
    #[inline(always)]
    fn stored(self) -> u64 {
        (self.low | self.high << LOW_BITS) & ((1 << STORED_BITS) - 1)
    }

    /// Where it is kept, so that the place and what is stored tell the whole identity.
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
    /// Nothing is known.
    pub(super) const NONE: Bounds = Bounds { lower: -MAX, upper: MAX };

    /// The score is `value`.
    pub(super) fn exactly(value: i32) -> Bounds {
        Bounds { lower: value, upper: value }
    }

    /// What both say together.
    #[inline(always)]
    pub(super) fn and(self, other: Bounds) -> Bounds {
        Bounds { lower: self.lower.max(other.lower), upper: self.upper.min(other.upper) }
    }
}

/// A large table for positions with few discs, each worth much work, and a small one for the others,
/// which are so many that waiting for the memory would take most of the time.
pub(super) struct Tables {
    early: Table,
    late: Table,
}

impl Tables {
    /// The number of discs from which on a position belongs into the late table.
    const LATE: i32 = 22;
    const LATE_BYTES: u64 = 16 << 20;

    /// Tables of at most `bytes` together, but at least 32 MB.
    pub(super) fn new(bytes: u64) -> Tables {
        let early = bytes.saturating_sub(Tables::LATE_BYTES);
        Tables { early: Table::new(early), late: Table::new(Tables::LATE_BYTES) }
    }

    /// Whether [`Tables::new`] would make larger ones of `bytes`.
    pub(super) fn can_grow_to(&self, bytes: u64) -> bool {
        let early = bytes.saturating_sub(Tables::LATE_BYTES);
        self.early.buckets.len() < Table::buckets_of(early)
    }

    /// A size beyond which tables no longer help to solve a position of so many discs.
    pub(super) fn worthwhile(discs: u32) -> u64 {
        let early: u64 = match discs {
            0..8 => u64::MAX,
            8..12 => 64 << 20,
            _ => 16 << 20,
        };
        early.saturating_add(Tables::LATE_BYTES)
    }

    /// The table for positions of so many discs.
    #[inline(always)]
    pub(super) fn of(&self, discs: i32) -> &Table {
        if discs < Tables::LATE { &self.early } else { &self.late }
    }
}

/// Two entries of 64 bits: 52 of the identity, 6 for each bound, so that an entry is read and
/// written in one piece and threads can share the table without locks. A new entry pushes the
/// bucket's newer one into the place of the older one. A zero says nothing about any position.
type Bucket = [AtomicU64; 2];

/// A table of bounds.
pub(super) struct Table {
    buckets: Vec<Bucket>,
}

/// A place in the table, read before its content is needed so that the memory has time to answer.
#[derive(Copy, Clone)]
pub(super) struct Place {
    bucket: usize,
    stored: u64,
    entries: [u64; 2],
}

impl Table {
    /// The largest table of at most `bytes`, but at least 16 MB.
    fn new(bytes: u64) -> Table {
        Table { buckets: (0..Table::buckets_of(bytes)).map(|_| Bucket::default()).collect() }
    }

    fn buckets_of(bytes: u64) -> usize {
        let buckets = usize::try_from(bytes).unwrap_or(usize::MAX) / size_of::<Bucket>();
        1 << buckets.max(MIN_BUCKETS).ilog2()
    }

    #[inline(always)]
    pub(super) fn read(&self, identity: Identity) -> Place {
        let bucket = identity.bucket(self.buckets.len());
        let [newer, older] = &self.buckets[bucket];
        let entries = [newer.load(Ordering::Relaxed), older.load(Ordering::Relaxed)];
        Place { bucket, stored: identity.stored(), entries }
    }

    /// Writes `bounds`.
    #[inline(always)]
    pub(super) fn write(&self, place: Place, bounds: Bounds) {
        let entry =
            place.stored << 12 | ((bounds.lower + MAX) as u64) << 6 | (MAX - bounds.upper) as u64;
        let [newer, older] = &self.buckets[place.bucket];
        let before = newer.load(Ordering::Relaxed);
        if before >> 12 != place.stored {
            older.store(before, Ordering::Relaxed);
        }
        newer.store(entry, Ordering::Relaxed);
    }
}

impl Place {
    /// What the table knew when the place was read.
    #[inline(always)]
    pub(super) fn bounds(&self) -> Bounds {
        for entry in self.entries {
            if entry >> 12 == self.stored {
                let lower = (entry >> 6 & 63) as i32 - MAX;
                return Bounds { lower, upper: MAX - (entry & 63) as i32 };
            }
        }
        Bounds::NONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn place_and_content_tell_the_whole_identity() {
        // Identities that differ only where nothing is stored lie in different buckets.
        let mut buckets = HashSet::new();
        let step = 1 << (STORED_BITS - LOW_BITS);
        let highest = COLUMN_CODES.pow(3);
        let identities = (0..highest).step_by(step).map(|high| Identity { low: 12_345, high });
        for identity in identities {
            assert_eq!(identity.stored(), 12_345);
            assert!(buckets.insert(identity.bucket(MIN_BUCKETS)));
        }
        assert!(COLUMN_CODES.pow(4) < 1 << LOW_BITS);
    }

    #[test]
    fn a_table_keeps_bounds_and_knows_nothing_else() {
        let table = Table::new(0);
        let identity = |low| Identity { low, high: 0 };
        assert_eq!(table.read(identity(0)).bounds(), Bounds::NONE);
        for bounds in [Bounds::NONE, Bounds::exactly(-MAX), Bounds { lower: -3, upper: MAX }] {
            table.write(table.read(identity(7)), bounds);
            assert_eq!(table.read(identity(7)).bounds(), bounds);
            assert_eq!(table.read(identity(8)).bounds(), Bounds::NONE);
        }
    }
}
