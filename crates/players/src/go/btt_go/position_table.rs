//! The tables of BTT-Go: two slots for each position, and no replacement when both are taken.

use ludus_core::TableReport;

/// The two hashes of a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PositionKeys {
    /// Selects the first slot.
    pub key: u64,
    /// Selects the second slot.
    pub check: u32,
}

#[derive(Copy, Clone, Debug)]
struct Entry<V> {
    keys: PositionKeys,
    /// Depth of the value in the tree.
    depth: u32,
    value: V,
}

/// A table of values of positions.
#[derive(Clone, Debug)]
pub struct PositionTable<V> {
    entries: Vec<Option<Entry<V>>>,
    /// Its statistics.
    pub report: TableReport,
}

impl<V: Copy> PositionTable<V> {
    /// A table of about this size, with at least one slot.
    pub fn new(bytes: u64) -> PositionTable<V> {
        let count = (bytes / size_of::<Option<Entry<V>>>() as u64).max(1);
        let report = TableReport { capacity: count, ..TableReport::default() };
        PositionTable { entries: vec![None; count as usize], report }
    }

    /// Clears the table and its statistics.
    pub fn clear(&mut self) {
        self.entries.fill(None);
        self.report = TableReport { capacity: self.report.capacity, ..TableReport::default() };
    }

    fn slots(&self, keys: PositionKeys) -> [usize; 2] {
        let count = self.entries.len() as u64;
        [keys.key % count, u64::from(keys.check) % count].map(|slot| slot as usize)
    }

    /// The slot of a position. Entries are never removed, so if the first slot is free the second one does
    /// not hold it either and is not read: each read may wait for memory.
    fn slot_of(&self, keys: PositionKeys) -> Option<usize> {
        let [first, second] = self.slots(keys);
        let entry = self.entries[first].as_ref()?;
        let slot = if entry.keys == keys { first } else { second };
        self.entries[slot].is_some_and(|entry| entry.keys == keys).then_some(slot)
    }

    /// The value of a position.
    pub fn find(&mut self, keys: PositionKeys) -> Option<V> {
        self.report.probes += 1;
        let slot = self.slot_of(keys)?;
        self.report.hits += 1;
        self.entries[slot].map(|entry| entry.value)
    }

    /// Updates the value of a stored position; false if it is not stored.
    pub fn update(&mut self, keys: PositionKeys, value: V) -> bool {
        let Some(slot) = self.slot_of(keys) else { return false };
        if let Some(entry) = &mut self.entries[slot] {
            entry.value = value;
        }
        true
    }

    /// Stores a position in its first slot, or in the second if another has the first. For a position that
    /// is stored already the deeper value stays; if others have both slots, the new one is dropped.
    pub fn insert(&mut self, keys: PositionKeys, depth: u32, value: V) {
        let entry = Entry { keys, depth, value };
        for slot in self.slots(keys) {
            match &mut self.entries[slot] {
                free @ None => {
                    *free = Some(entry);
                    self.report.used += 1;
                    self.report.stores += 1;
                    return;
                }
                Some(old) if old.keys == keys => {
                    if depth >= old.depth {
                        *old = entry;
                        self.report.stores += 1;
                    }
                    return;
                }
                Some(_) => {}
            }
        }
        self.report.lost += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(slots: u64) -> PositionTable<f32> {
        PositionTable::new(slots * size_of::<Option<Entry<f32>>>() as u64)
    }

    fn keys(key: u64, check: u32) -> PositionKeys {
        PositionKeys { key, check }
    }

    #[test]
    fn the_deeper_value_of_a_position_stays() {
        let mut table = table(10);
        table.insert(keys(3, 7), 4, 0.25);
        table.insert(keys(3, 7), 2, 0.5);
        assert_eq!(table.find(keys(3, 7)), Some(0.25));
        table.insert(keys(3, 7), 5, 0.75);
        assert_eq!(table.find(keys(3, 7)), Some(0.75));
        assert!(table.update(keys(3, 7), -1.0));
        assert_eq!(table.find(keys(3, 7)), Some(-1.0));
    }

    #[test]
    fn the_second_slot_is_taken_and_then_nothing_new_is_stored() {
        let mut table = table(10);
        table.insert(keys(3, 7), 1, 0.1);
        table.insert(keys(13, 8), 1, 0.2); // the first slot is the same, the second is free
        table.insert(keys(23, 8), 1, 0.3); // both are taken
        assert_eq!(table.find(keys(13, 8)), Some(0.2));
        assert_eq!(table.find(keys(23, 8)), None);
        assert_eq!((table.report.used, table.report.lost), (2, 1));
        assert!(!table.update(keys(23, 8), 1.0));
        table.clear();
        assert_eq!(table.find(keys(3, 7)), None);
    }
}
