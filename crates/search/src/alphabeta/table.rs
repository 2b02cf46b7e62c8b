//! The transposition table: results of earlier searches by position.
//!
//! An entry takes two words. Threads read and write them without locks: the first word is the key
//! XOR the second, so an entry torn by a race does not match its key and counts as empty (Hyatt and
//! Mann, "A lock-less transposition-table implementation for parallel search", 2002). Sixteen more
//! bits come from [`Position::verification_key`](ludus_core::Position::verification_key), which does not depend on the key.
//!
//! ```text
//! bits 0-15 score · 16-31 move · 32-47 check · 48-55 depth · 56-57 bound · 58-63 age
//! ```

use memmap2::MmapMut;
use std::{
    iter::successors,
    ops::{AddAssign, Deref},
    sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed},
};

/// The kind of bound a score is on the true value.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Bound {
    /// No score is known, only a move.
    None,
    /// The value is at most the score.
    Upper,
    /// The value is at least the score.
    Lower,
    /// The value is the score.
    Exact,
}

impl Bound {
    fn from_bits(bits: u64) -> Bound {
        [Bound::None, Bound::Upper, Bound::Lower, Bound::Exact][bits as usize & 3]
    }

    /// The bound `score` gives after a search with the window `alpha` to `beta`.
    #[inline]
    pub fn of(score: i32, alpha: i32, beta: i32) -> Bound {
        if score >= beta {
            Bound::Lower
        } else if score > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }

    /// Whether `score` with this bound settles a search with this window.
    #[inline]
    pub fn settles(self, score: i32, alpha: i32, beta: i32) -> bool {
        match self {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score <= alpha,
            Bound::None => false,
        }
    }
}

/// The index of a move among the legal moves of its position.
pub type Ordinal = u16;

/// No move is known.
pub const NO_MOVE: Ordinal = Ordinal::MAX;

/// The result of a search of a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TableEntry {
    /// Score, with wins counted from this position.
    pub score: i32,
    /// The kind of bound the score is.
    pub bound: Bound,
    /// Depth of the search behind it.
    pub depth: i32,
    /// The best move, or [`NO_MOVE`].
    pub best: Ordinal,
}

/// The replacement scheme: which entry gives way to a new one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ReplacementScheme {
    /// The new entry always replaces the old one.
    Always,
    /// The entry from the deeper search stays; on a tie the new one.
    Deeper,
    /// The entry from the later search stays: one of this search is kept, older ones give way.
    Newer,
    /// Two entries a bucket: the first keeps the deeper search, the second takes whatever the first
    /// refuses (Chinook's and VisionDraughts' scheme).
    TwoLevel,
    /// Four entries a bucket; the shallowest gives way, entries of old searches first.
    Aged,
}

/// Statistics of the use of a table during a search.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct TableStats {
    /// Lookups.
    pub probes: u64,
    /// Lookups that found the position.
    pub hits: u64,
    /// Lookups that made a search of the position needless.
    pub cutoffs: u64,
    /// Entries written.
    pub stores: u64,
    /// Entries written where there was none.
    pub filled: u64,
    /// Entries written over those of other positions.
    pub overwrites: u64,
    /// Entries not kept, because others were worth more.
    pub lost: u64,
}

impl AddAssign for TableStats {
    fn add_assign(&mut self, other: TableStats) {
        self.probes += other.probes;
        self.hits += other.hits;
        self.cutoffs += other.cutoffs;
        self.stores += other.stores;
        self.filled += other.filled;
        self.overwrites += other.overwrites;
        self.lost += other.lost;
    }
}

#[derive(Default)]
struct Slot {
    key_xor_data: AtomicU64,
    data: AtomicU64,
}

/// The slots, in memory asked for in huge pages where the system has them: with ordinary ones the
/// search of draughts with a 64 MB table spends half its time looking up pages. All pages are made at
/// once: else the first second of a search spends up to a fifth of its time on that.
enum Slots {
    Mapped(MmapMut),
    Plain(Box<[Slot]>),
}

impl Slots {
    /// `count` slots; half as many, or a quarter and so on, where the system refuses the memory: a smaller
    /// table costs time, a failed allocation the process.
    fn new(count: usize) -> Slots {
        let mut counts = successors(Some(count), |count| Some(count / 2)).take_while(|&it| it > 4);
        let smallest = || Slots::Plain((0..4).map(|_| Slot::default()).collect());
        counts.find_map(Slots::try_new).unwrap_or_else(smallest)
    }

    fn try_new(count: usize) -> Option<Slots> {
        match MmapMut::map_anon(count * size_of::<Slot>()) {
            Ok(map) => {
                #[cfg(target_os = "linux")]
                for advice in [memmap2::Advice::HugePage, memmap2::Advice::PopulateWrite] {
                    let _ = map.advise(advice); // speed only
                }
                Some(Slots::Mapped(map))
            }
            Err(_) => {
                let mut slots = Vec::new();
                slots.try_reserve_exact(count).ok()?;
                slots.resize_with(count, Slot::default);
                Some(Slots::Plain(slots.into_boxed_slice()))
            }
        }
    }
}

impl Deref for Slots {
    type Target = [Slot];

    #[inline]
    fn deref(&self) -> &[Slot] {
        match self {
            Slots::Plain(slots) => slots,
            Slots::Mapped(map) => {
                let count = map.len() / size_of::<Slot>();
                // SAFETY: the map is aligned to a page, its length is a multiple of a slot's, it is
                // ours alone, and every pattern of bits is a valid pair of atomics.
                unsafe { std::slice::from_raw_parts(map.as_ptr().cast(), count) }
            }
        }
    }
}

impl Slots {
    /// All slots, each of two words.
    fn words_mut(&mut self) -> &mut [u64] {
        let (start, count) = match self {
            Slots::Plain(slots) => (slots.as_mut_ptr().cast::<u64>(), 2 * slots.len()),
            Slots::Mapped(map) => (map.as_mut_ptr().cast(), map.len() / size_of::<u64>()),
        };
        // SAFETY: the slots are ours alone, and a slot is two atomics, which have the layout of words.
        unsafe { std::slice::from_raw_parts_mut(start, count) }
    }
}

/// Prefetches `place` into the cache.
#[inline]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads nothing, and the reference is valid.
        unsafe { _mm_prefetch(std::ptr::from_ref(place).cast(), _MM_HINT_T0) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// A transposition table, shared by all threads of a search.
pub struct TranspositionTable {
    slots: Slots,
    scheme: ReplacementScheme,
    age: AtomicU8,
    /// Slots in use, as far as searches have reported them.
    used: AtomicU64,
    /// 1 for each block of slots of which one may be in use.
    touched: Box<[AtomicU8]>,
}

/// Number of different ages.
const AGE_COUNT: u8 = 64;
/// Plies of depth that a search of age counts as in the `Aged` scheme.
const AGE_WEIGHT_PLIES: i32 = 4;
/// Slots in a block, which is cleared as a whole: a kilobyte.
const BLOCK_SLOTS: usize = 64;

impl TranspositionTable {
    /// A table that takes at most `bytes`, but holds at least four entries.
    pub fn new(bytes: u64, scheme: ReplacementScheme) -> TranspositionTable {
        let wanted = (bytes / size_of::<Slot>() as u64).max(4);
        let count = 1usize << wanted.ilog2();
        TranspositionTable {
            slots: Slots::new(count),
            scheme,
            age: AtomicU8::new(0),
            used: AtomicU64::new(0),
            touched: (0..count.div_ceil(BLOCK_SLOTS)).map(|_| AtomicU8::new(0)).collect(),
        }
    }

    /// An empty table of the same size and scheme.
    pub fn empty_one(&self) -> TranspositionTable {
        TranspositionTable::new((self.capacity() * size_of::<Slot>()) as u64, self.scheme)
    }

    /// The number of entries it can hold.
    pub fn capacity(&self) -> usize {
        self.slots.len()
    }

    /// The number of slots in use: those searches have reported and `filled` more. Two threads that fill
    /// the same slot at the same time both count it, which is rare enough not to matter.
    pub fn used(&self, filled: u64) -> u64 {
        (self.used.load(Relaxed) + filled).min(self.capacity() as u64)
    }

    /// Reports the number of slots a search has filled. Searches count by themselves and report in the
    /// end, so that threads do not write to the same word at every store.
    pub fn add_used(&self, filled: u64) {
        self.used.fetch_add(filled, Relaxed);
    }

    /// Forgets everything. Only blocks of slots that were touched are written to.
    pub fn clear(&mut self) {
        let blocks = self.slots.words_mut().chunks_mut(2 * BLOCK_SLOTS);
        for (block, touched) in blocks.zip(&mut self.touched) {
            if std::mem::take(touched.get_mut()) != 0 {
                block.fill(0);
            }
        }
        *self.age.get_mut() = 0;
        *self.used.get_mut() = 0;
    }

    /// Begins a new search: the entries stored so far are old.
    #[inline]
    pub fn next_age(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGE_COUNT, Relaxed);
    }

    fn age(&self) -> u64 {
        u64::from(self.age.load(Relaxed))
    }

    /// The slots where `key` may be.
    #[inline]
    fn bucket(&self, key: u64) -> &[Slot] {
        let ways = match self.scheme {
            ReplacementScheme::Always | ReplacementScheme::Deeper | ReplacementScheme::Newer => 1,
            ReplacementScheme::TwoLevel => 2,
            ReplacementScheme::Aged => 4,
        };
        // The high bits of the key, so that the low ones stay for the check.
        let index = ((u128::from(key) * self.slots.len() as u128) >> 64) as usize & !(ways - 1);
        &self.slots[index..index + ways]
    }

    /// Prefetches the bucket of `key` into the cache.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.bucket(key)[0]);
    }

    /// The entry of the position with this key; `check` is called only when the key fits.
    #[inline]
    pub fn probe(
        &self,
        key: u64,
        check: impl Fn() -> u32,
        stats: &mut TableStats,
    ) -> Option<TableEntry> {
        stats.probes += 1;
        let found = self.bucket(key).iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            let fits = data != 0 && slot.key_xor_data.load(Relaxed) ^ data == key;
            (fits && (data >> 32) as u16 == check() as u16).then_some(data)
        })?;
        stats.hits += 1;
        Some(unpack(found))
    }

    /// Stores `entry` for the position with this key, if the scheme allows.
    #[inline]
    pub fn store(&self, key: u64, check: u32, entry: TableEntry, stats: &mut TableStats) {
        let age = self.age();
        let bucket = self.bucket(key);
        let holds = |slot: &Slot| slot.key_xor_data.load(Relaxed) ^ slot.data.load(Relaxed) == key;
        let Some(victim) = self.victim(bucket, key, &entry, age) else {
            stats.lost += 1;
            return;
        };
        let old = victim.data.load(Relaxed);
        let mut entry = entry;
        if old != 0 && holds(victim) {
            // The same position: an old move is better than none.
            if entry.best == NO_MOVE {
                entry.best = unpack(old).best;
            }
        } else if old != 0 {
            stats.overwrites += 1;
        } else {
            stats.filled += 1;
            self.touch(victim);
        }
        stats.stores += 1;
        let data = pack(&entry, check, age);
        victim.key_xor_data.store(key ^ data, Relaxed);
        victim.data.store(data, Relaxed);
    }

    /// Notes that the block of an empty slot is about to be used.
    #[inline]
    fn touch(&self, slot: &Slot) {
        let offset = std::ptr::from_ref(slot).addr() - self.slots.as_ptr().addr();
        self.touched[offset / size_of::<Slot>() / BLOCK_SLOTS].store(1, Relaxed);
    }

    /// The slot a new entry goes to, if it is stored.
    #[inline]
    fn victim<'a>(
        &self,
        bucket: &'a [Slot],
        key: u64,
        entry: &TableEntry,
        age: u64,
    ) -> Option<&'a Slot> {
        let first = &bucket[0];
        let old = first.data.load(Relaxed);
        let same =
            |slot: &Slot, data: u64| data != 0 && slot.key_xor_data.load(Relaxed) ^ data == key;
        let deeper = || old == 0 || entry.depth >= unpack(old).depth;
        match self.scheme {
            ReplacementScheme::Always => Some(first),
            ReplacementScheme::Deeper => deeper().then_some(first),
            ReplacementScheme::Newer => {
                (old == 0 || old >> 58 != age || same(first, old)).then_some(first)
            }
            ReplacementScheme::TwoLevel if deeper() => Some(first),
            ReplacementScheme::TwoLevel if same(first, old) => None,
            ReplacementScheme::TwoLevel => Some(&bucket[1]),
            ReplacementScheme::Aged => bucket.iter().min_by_key(|slot| {
                let data = slot.data.load(Relaxed);
                if data == 0 || same(slot, data) {
                    return i32::MIN;
                }
                let old = (age + u64::from(AGE_COUNT) - (data >> 58)) % u64::from(AGE_COUNT);
                unpack(data).depth - AGE_WEIGHT_PLIES * old as i32
            }),
        }
    }
}

#[inline]
fn pack(entry: &TableEntry, check: u32, age: u64) -> u64 {
    debug_assert!((0..256).contains(&entry.depth));
    u64::from(entry.score as i16 as u16)
        | u64::from(entry.best) << 16
        | u64::from(check as u16) << 32
        | (entry.depth.clamp(0, 255) as u64) << 48
        | (entry.bound as u64) << 56
        | age << 58
}

#[inline]
fn unpack(data: u64) -> TableEntry {
    TableEntry {
        score: i32::from(data as u16 as i16),
        best: (data >> 16) as u16,
        depth: (data >> 48 & 0xFF) as i32,
        bound: Bound::from_bits(data >> 56),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32) -> TableEntry {
        TableEntry { score: -7 * depth, bound: Bound::Lower, depth, best: 3 }
    }

    fn stored(scheme: ReplacementScheme, depths: &[i32]) -> (Vec<bool>, TableStats) {
        let table = TranspositionTable::new(64, scheme);
        let mut stats = TableStats::default();
        // Keys that all go to the first bucket.
        for (index, &depth) in depths.iter().enumerate() {
            table.store(index as u64 + 1, 9, entry(depth), &mut stats);
        }
        let found = |(index, &depth): (usize, &i32)| {
            let found = table.probe(index as u64 + 1, || 9, &mut TableStats::default());
            assert!(found.is_none() || found == Some(entry(depth)));
            found.is_some()
        };
        (depths.iter().enumerate().map(found).collect(), stats)
    }

    #[test]
    fn each_scheme_keeps_what_it_should() {
        assert_eq!(stored(ReplacementScheme::Always, &[5, 3]).0, [false, true]);
        assert_eq!(stored(ReplacementScheme::Deeper, &[5, 3, 6]).0, [false, false, true]);
        assert_eq!(stored(ReplacementScheme::Newer, &[3, 5]).0, [true, false]);
        assert_eq!(stored(ReplacementScheme::TwoLevel, &[5, 3, 4]).0, [true, false, true]);
        assert_eq!(
            stored(ReplacementScheme::Aged, &[5, 3, 4, 6, 2]).0,
            [true, false, true, true, true]
        );
        let (_, stats) = stored(ReplacementScheme::Deeper, &[5, 3, 6]);
        assert_eq!((stats.stores, stats.overwrites, stats.lost), (2, 1, 1));
    }

    #[test]
    fn slots_in_use_are_counted_one_by_one() {
        let mut table = TranspositionTable::new(1 << 20, ReplacementScheme::Aged);
        let mut stats = TableStats::default();
        let mut key = 1u64;
        for _ in 0..300 {
            key = key.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1);
            table.store(key, 9, entry(3), &mut stats);
            table.store(key, 9, entry(4), &mut stats);
        }
        assert_eq!((stats.stores, stats.filled), (600, 300));
        let in_use = table.slots.iter().filter(|slot| slot.data.load(Relaxed) != 0).count() as u64;
        assert_eq!((table.used(stats.filled), table.used(0)), (in_use, 0));
        table.add_used(stats.filled);
        assert_eq!(table.used(0), in_use);
        table.clear();
        assert_eq!(table.used(0), 0);
    }

    #[test]
    fn a_cleared_table_is_like_a_new_one() {
        for (bytes, stores) in [(64, 3), (1 << 16, 40), (1 << 16, 5000)] {
            for scheme in [ReplacementScheme::TwoLevel, ReplacementScheme::Aged] {
                let mut table = TranspositionTable::new(bytes, scheme);
                for round in 0..2u64 {
                    let mut random = ludus_core::Random::new(round);
                    for _ in 0..stores {
                        let depth = random.below(9) as i32;
                        table.store(random.bits(), 9, entry(depth), &mut TableStats::default());
                    }
                    table.next_age();
                    table.clear();
                    assert!(table.slots.words_mut().iter().all(|&word| word == 0));
                    assert_eq!((table.age(), table.used(0)), (0, 0));
                }
            }
        }
    }

    #[test]
    fn old_entries_give_way_first() {
        let table = TranspositionTable::new(64, ReplacementScheme::Newer);
        let mut stats = TableStats::default();
        table.store(1, 0, entry(9), &mut stats);
        table.next_age();
        table.store(2, 0, entry(1), &mut stats);
        assert_eq!(table.probe(2, || 0, &mut stats), Some(entry(1)));
    }

    #[test]
    fn a_wrong_check_is_no_hit() {
        let table = TranspositionTable::new(1 << 10, ReplacementScheme::Aged);
        let mut stats = TableStats::default();
        table.store(1, 5, entry(2), &mut stats);
        assert_eq!(table.probe(1, || 6, &mut stats), None);
        assert_eq!(table.probe(1, || 5, &mut stats), Some(entry(2)));
        assert_eq!((stats.probes, stats.hits), (2, 1));
    }

    #[test]
    fn racing_threads_never_read_a_mixed_entry() {
        let table = TranspositionTable::new(64, ReplacementScheme::Always);
        std::thread::scope(|scope| {
            for thread in 1..=4u64 {
                let table = &table;
                scope.spawn(move || {
                    let mut stats = TableStats::default();
                    for round in 0..20_000u64 {
                        let key = (thread * 31 + round) % 17;
                        let own = TableEntry { score: key as i32 * 11, ..entry(key as i32) };
                        if let Some(found) = table.probe(key, || key as u32, &mut stats) {
                            assert_eq!(found, own);
                        }
                        table.store(key, key as u32, own, &mut stats);
                    }
                });
            }
        });
    }
}
