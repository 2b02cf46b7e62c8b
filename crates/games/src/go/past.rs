//! The boards a game has been through, for superko.

use std::sync::Arc;

/// How many boards are kept loose before they join the table.
const LOOSE: usize = 16;

/// A set of board keys that is cheap to copy: most of it is a shared table which never changes;
/// only the newest boards travel along.
#[derive(Clone)]
pub(super) struct Past {
    /// The most stones on any board of the set: a board with more is new without a look.
    peak: usize,
    loose: [u64; LOOSE],
    loose_count: usize,
    /// Open addressing with linear probing; a power of two in size and at most half full. 0 marks a
    /// free place: as a key it is as unlikely as any collision.
    table: Arc<[u64]>,
    table_count: usize,
}

impl Past {
    /// No boards.
    pub(super) fn new() -> Past {
        Past { peak: 0, loose: [0; LOOSE], loose_count: 0, table: Arc::new([0]), table_count: 0 }
    }

    /// Adds the board with this key and this many stones.
    pub(super) fn add(&mut self, key: u64, stones: usize) {
        self.peak = self.peak.max(stones);
        if self.loose_count == LOOSE {
            self.settle();
        }
        self.loose[self.loose_count] = key;
        self.loose_count += 1;
    }

    /// Whether the board with this key and this many stones has been added.
    #[inline]
    pub(super) fn contains(&self, key: u64, stones: usize) -> bool {
        stones <= self.peak
            && (self.loose[..self.loose_count].contains(&key)
                || self.table[free_or_equal(&self.table, key)] == key)
    }

    /// Moves the loose boards into a new table.
    #[cold]
    fn settle(&mut self) {
        self.table_count += LOOSE;
        let mut table = vec![0; (2 * self.table_count).next_power_of_two()];
        for &key in self.table.iter().filter(|&&key| key != 0).chain(&self.loose) {
            let place = free_or_equal(&table, key);
            table[place] = key;
        }
        self.table = table.into();
        self.loose_count = 0;
    }
}

/// The place of `key` in `table`, or the free place where it would go.
fn free_or_equal(table: &[u64], key: u64) -> usize {
    let mask = table.len() - 1;
    let mut place = key as usize & mask;
    while table[place] != 0 && table[place] != key {
        place = (place + 1) & mask;
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::Random;
    use std::collections::HashSet;

    #[test]
    fn agrees_with_a_plain_set() {
        let mut random = Random::new(1);
        let mut past = Past::new();
        let mut plain = HashSet::new();
        for stones in 0..2_000 {
            let key = random.bits() % 4_000 + 1;
            assert_eq!(past.contains(key, 0), plain.contains(&key));
            past.add(key, stones);
            plain.insert(key);
            assert!(past.contains(key, stones));
            assert!(!past.contains(key, stones + 1), "never so many stones");
        }
    }
}
