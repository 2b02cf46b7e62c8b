//! The transposition table: what earlier searches found out about a position.
//!
//! An entry takes two words. Threads read and write them without locks: the first word is the key
//! XOR the second, so an entry torn by a race does not match its key and counts as empty (Hyatt and
//! Mann, "A lock-less transposition-table implementation for parallel search", 2002). Sixteen more
//! bits come from [`Position::check`](ludus_core::Position::check), which does not depend on the key.
//!
//! ```text
//! bits 0-15 score · 16-31 move · 32-47 check · 48-55 depth · 56-57 bound · 58-63 age
//! ```

use memmap2::MmapMut;
use std::{
    ops::{AddAssign, Deref},
    sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed},
};

/// How a score bounds the true value.
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

/// The place of a move among the legal moves of its position.
pub type Ordinal = u16;

/// No move is known.
pub const NO_MOVE: Ordinal = Ordinal::MAX;

/// What is known about a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Score, with wins counted from this position.
    pub score: i32,
    /// What the score bounds.
    pub bound: Bound,
    /// Depth of the search behind it.
    pub depth: i32,
    /// The best move, or [`NO_MOVE`].
    pub best: Ordinal,
}

/// Which entry gives way to a new one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// The new entry always replaces the old one.
    Always,
    /// The entry from the deeper search stays; on a tie the new one.
    Deeper,
    /// The entry from the later search stays: one of this search is kept, older ones give way.
    Newer,
    /// Two entries a place: the first keeps the deeper search, the second takes whatever the first
    /// refuses (Chinook's and VisionDraughts' scheme).
    TwoLevel,
    /// Four entries a place; the shallowest gives way, entries of old searches first.
    Aged,
}

/// What happened in a table during a search.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct TableCounts {
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

impl AddAssign for TableCounts {
    fn add_assign(&mut self, other: TableCounts) {
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
    locked: AtomicU64,
    data: AtomicU64,
}

/// The slots, in memory asked for in huge pages where the system has them: with ordinary ones the
/// search of draughts with a 64 MB table spends half its time looking up pages. They are cleared at once:
/// else the first second of a search spends up to a fifth of its time on that.
enum Slots {
    Mapped(MmapMut),
    Plain(Box<[Slot]>),
}

impl Slots {
    fn new(count: usize) -> Slots {
        match MmapMut::map_anon(count * size_of::<Slot>()) {
            Ok(map) => {
                #[cfg(target_os = "linux")]
                for advice in [memmap2::Advice::HugePage, memmap2::Advice::PopulateWrite] {
                    let _ = map.advise(advice); // only a wish
                }
                Slots::Mapped(map)
            }
            Err(_) => Slots::Plain((0..count).map(|_| Slot::default()).collect()),
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

/// Brings `place` into the cache while other work goes on.
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

/// A table shared by all threads of a search.
pub struct Table {
    slots: Slots,
    scheme: Scheme,
    age: AtomicU8,
    /// Places in use, as far as searches have told of them.
    used: AtomicU64,
}

const AGES: u8 = 64;
/// How much a search of age counts in plies of depth when the `Aged` scheme chooses.
const AGE_WEIGHT: i32 = 4;

impl Table {
    /// A table that takes at most `bytes`, but holds at least four entries.
    pub fn new(bytes: u64, scheme: Scheme) -> Table {
        let wanted = (bytes / size_of::<Slot>() as u64).max(4);
        let count = 1usize << wanted.ilog2();
        Table { slots: Slots::new(count), scheme, age: AtomicU8::new(0), used: AtomicU64::new(0) }
    }

    /// How many entries it can hold.
    pub fn capacity(&self) -> usize {
        self.slots.len()
    }

    /// How many places are in use: those searches have told of and `filled` more. Two threads that fill
    /// the same place at the same time both count it, which is rare enough not to matter.
    pub fn used(&self, filled: u64) -> u64 {
        (self.used.load(Relaxed) + filled).min(self.capacity() as u64)
    }

    /// A search tells how many places it has filled. Searches count by themselves and tell in the end,
    /// so that threads do not write to the same word at every store.
    pub fn add_used(&self, filled: u64) {
        self.used.fetch_add(filled, Relaxed);
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        for slot in self.slots.iter() {
            slot.locked.store(0, Relaxed);
            slot.data.store(0, Relaxed);
        }
        *self.age.get_mut() = 0;
        *self.used.get_mut() = 0;
    }

    /// A new search begins: what is stored by now is old.
    #[inline]
    pub fn next_age(&self) {
        self.age.store((self.age.load(Relaxed) + 1) % AGES, Relaxed);
    }

    fn age(&self) -> u64 {
        u64::from(self.age.load(Relaxed))
    }

    /// The slots where `key` may be.
    #[inline]
    fn places(&self, key: u64) -> &[Slot] {
        let ways = match self.scheme {
            Scheme::Always | Scheme::Deeper | Scheme::Newer => 1,
            Scheme::TwoLevel => 2,
            Scheme::Aged => 4,
        };
        // The high bits of the key, so that the low ones stay for the check.
        let index = ((u128::from(key) * self.slots.len() as u128) >> 64) as usize & !(ways - 1);
        &self.slots[index..index + ways]
    }

    /// Brings the place of `key` into the cache while other work goes on.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.places(key)[0]);
    }

    /// What is known about the position with this key; `check` is asked only when the key fits.
    #[inline]
    pub fn probe(
        &self,
        key: u64,
        check: impl Fn() -> u32,
        counts: &mut TableCounts,
    ) -> Option<Entry> {
        counts.probes += 1;
        let found = self.places(key).iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            let fits = data != 0 && slot.locked.load(Relaxed) ^ data == key;
            (fits && (data >> 32) as u16 == check() as u16).then_some(data)
        })?;
        counts.hits += 1;
        Some(unpack(found))
    }

    /// Keeps `entry` for the position with this key, if the scheme allows.
    #[inline]
    pub fn store(&self, key: u64, check: u32, entry: Entry, counts: &mut TableCounts) {
        let age = self.age();
        let places = self.places(key);
        let holds = |slot: &Slot| slot.locked.load(Relaxed) ^ slot.data.load(Relaxed) == key;
        let Some(victim) = self.victim(places, key, &entry, age) else {
            counts.lost += 1;
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
            counts.overwrites += 1;
        } else {
            counts.filled += 1;
        }
        counts.stores += 1;
        let data = pack(&entry, check, age);
        victim.locked.store(key ^ data, Relaxed);
        victim.data.store(data, Relaxed);
    }

    /// The slot a new entry goes to.
    #[inline]
    fn victim<'a>(
        &self,
        places: &'a [Slot],
        key: u64,
        entry: &Entry,
        age: u64,
    ) -> Option<&'a Slot> {
        let first = &places[0];
        let old = first.data.load(Relaxed);
        let same = |slot: &Slot, data: u64| data != 0 && slot.locked.load(Relaxed) ^ data == key;
        let deeper = || old == 0 || entry.depth >= unpack(old).depth;
        match self.scheme {
            Scheme::Always => Some(first),
            Scheme::Deeper => deeper().then_some(first),
            Scheme::Newer => (old == 0 || old >> 58 != age || same(first, old)).then_some(first),
            Scheme::TwoLevel if deeper() => Some(first),
            Scheme::TwoLevel if same(first, old) => None,
            Scheme::TwoLevel => Some(&places[1]),
            Scheme::Aged => places.iter().min_by_key(|slot| {
                let data = slot.data.load(Relaxed);
                if data == 0 || same(slot, data) {
                    return i32::MIN;
                }
                let old = (age + u64::from(AGES) - (data >> 58)) % u64::from(AGES);
                unpack(data).depth - AGE_WEIGHT * old as i32
            }),
        }
    }
}

#[inline]
fn pack(entry: &Entry, check: u32, age: u64) -> u64 {
    debug_assert!((0..256).contains(&entry.depth));
    u64::from(entry.score as i16 as u16)
        | u64::from(entry.best) << 16
        | u64::from(check as u16) << 32
        | (entry.depth.clamp(0, 255) as u64) << 48
        | (entry.bound as u64) << 56
        | age << 58
}

#[inline]
fn unpack(data: u64) -> Entry {
    Entry {
        score: i32::from(data as u16 as i16),
        best: (data >> 16) as u16,
        depth: (data >> 48 & 0xFF) as i32,
        bound: Bound::from_bits(data >> 56),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32) -> Entry {
        Entry { score: -7 * depth, bound: Bound::Lower, depth, best: 3 }
    }

    fn stored(scheme: Scheme, depths: &[i32]) -> (Vec<bool>, TableCounts) {
        let table = Table::new(64, scheme);
        let mut counts = TableCounts::default();
        // Keys that all go to the first place.
        for (index, &depth) in depths.iter().enumerate() {
            table.store(index as u64 + 1, 9, entry(depth), &mut counts);
        }
        let found = |(index, &depth): (usize, &i32)| {
            let found = table.probe(index as u64 + 1, || 9, &mut TableCounts::default());
            assert!(found.is_none() || found == Some(entry(depth)));
            found.is_some()
        };
        (depths.iter().enumerate().map(found).collect(), counts)
    }

    #[test]
    fn each_scheme_keeps_what_it_should() {
        assert_eq!(stored(Scheme::Always, &[5, 3]).0, [false, true]);
        assert_eq!(stored(Scheme::Deeper, &[5, 3, 6]).0, [false, false, true]);
        assert_eq!(stored(Scheme::Newer, &[3, 5]).0, [true, false]);
        assert_eq!(stored(Scheme::TwoLevel, &[5, 3, 4]).0, [true, false, true]);
        assert_eq!(stored(Scheme::Aged, &[5, 3, 4, 6, 2]).0, [true, false, true, true, true]);
        let (_, counts) = stored(Scheme::Deeper, &[5, 3, 6]);
        assert_eq!((counts.stores, counts.overwrites, counts.lost), (2, 1, 1));
    }

    #[test]
    fn places_in_use_are_counted_one_by_one() {
        let mut table = Table::new(1 << 20, Scheme::Aged);
        let mut counts = TableCounts::default();
        let mut key = 1u64;
        for _ in 0..300 {
            key = key.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1);
            table.store(key, 9, entry(3), &mut counts);
            table.store(key, 9, entry(4), &mut counts);
        }
        assert_eq!((counts.stores, counts.filled), (600, 300));
        let in_use = table.slots.iter().filter(|slot| slot.data.load(Relaxed) != 0).count() as u64;
        assert_eq!((table.used(counts.filled), table.used(0)), (in_use, 0));
        table.add_used(counts.filled);
        assert_eq!(table.used(0), in_use);
        table.clear();
        assert_eq!(table.used(0), 0);
    }

    #[test]
    fn old_entries_give_way_first() {
        let table = Table::new(64, Scheme::Newer);
        let mut counts = TableCounts::default();
        table.store(1, 0, entry(9), &mut counts);
        table.next_age();
        table.store(2, 0, entry(1), &mut counts);
        assert_eq!(table.probe(2, || 0, &mut counts), Some(entry(1)));
    }

    #[test]
    fn a_wrong_check_is_no_hit() {
        let table = Table::new(1 << 10, Scheme::Aged);
        let mut counts = TableCounts::default();
        table.store(1, 5, entry(2), &mut counts);
        assert_eq!(table.probe(1, || 6, &mut counts), None);
        assert_eq!(table.probe(1, || 5, &mut counts), Some(entry(2)));
        assert_eq!((counts.probes, counts.hits), (2, 1));
    }

    #[test]
    fn racing_threads_never_read_a_mixed_entry() {
        let table = Table::new(64, Scheme::Always);
        std::thread::scope(|scope| {
            for thread in 1..=4u64 {
                let table = &table;
                scope.spawn(move || {
                    let mut counts = TableCounts::default();
                    for round in 0..20_000u64 {
                        let key = (thread * 31 + round) % 17;
                        let own = Entry { score: key as i32 * 11, ..entry(key as i32) };
                        if let Some(found) = table.probe(key, || key as u32, &mut counts) {
                            assert_eq!(found, own);
                        }
                        table.store(key, key as u32, own, &mut counts);
                    }
                });
            }
        });
    }
}
