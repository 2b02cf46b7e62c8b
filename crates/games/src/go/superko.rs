//! Superko: the set of boards that have occurred in a game.

use std::sync::Arc;

/// Boards kept in the value itself before they are merged into the shared table.
const RECENT_BOARDS: usize = 16;

/// A set of board keys that is cheap to copy: most of it is a shared immutable
/// table; only the newest boards are copied.
#[derive(Clone)]
pub(super) struct SuperkoHistory {
    /// The most stones on any board of the set: a board with more is new without a lookup.
    peak: usize,
    recent: [u64; RECENT_BOARDS],
    recent_count: usize,
    /// Open addressing with linear probing; a power of two in size and at most half full. 0 marks a
    /// free slot: as a key it is as unlikely as any collision.
    table: Arc<[u64]>,
    table_count: usize,
}

impl SuperkoHistory {
    /// No boards.
    pub(super) fn new() -> SuperkoHistory {
        SuperkoHistory {
            peak: 0,
            recent: [0; RECENT_BOARDS],
            recent_count: 0,
            table: Arc::new([0]),
            table_count: 0,
        }
    }

    /// Adds the board with this key and this many stones.
    pub(super) fn add(&mut self, key: u64, stones: usize) {
        self.peak = self.peak.max(stones);
        if self.recent_count == RECENT_BOARDS {
            self.merge_recent();
        }
        self.recent[self.recent_count] = key;
        self.recent_count += 1;
    }

    /// Whether the board with this key and this many stones has been added.
    #[inline]
    pub(super) fn contains(&self, key: u64, stones: usize) -> bool {
        stones <= self.peak
            && (self.recent[..self.recent_count].contains(&key)
                || self.table[slot_of(&self.table, key)] == key)
    }

    /// Merges the recent boards into a new table.
    #[cold]
    fn merge_recent(&mut self) {
        self.table_count += RECENT_BOARDS;
        let mut table = vec![0; (2 * self.table_count).next_power_of_two()];
        for &key in self.table.iter().filter(|&&key| key != 0).chain(&self.recent) {
            let slot = slot_of(&table, key);
            table[slot] = key;
        }
        self.table = table.into();
        self.recent_count = 0;
    }
}

/// The slot of `key` in `table`, or the free slot where it would go.
fn slot_of(table: &[u64], key: u64) -> usize {
    let mask = table.len() - 1;
    let mut slot = key as usize & mask;
    while table[slot] != 0 && table[slot] != key {
        slot = (slot + 1) & mask;
    }
    slot
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::Random;
    use std::collections::HashSet;

    #[test]
    fn agrees_with_a_plain_set() {
        let mut random = Random::new(1);
        let mut superko = SuperkoHistory::new();
        let mut plain = HashSet::new();
        for stones in 0..2_000 {
            let key = random.bits() % 4_000 + 1;
            assert_eq!(superko.contains(key, 0), plain.contains(&key));
            superko.add(key, stones);
            plain.insert(key);
            assert!(superko.contains(key, stones));
            assert!(!superko.contains(key, stones + 1), "more stones than ever");
        }
    }
}
