//! The tables of BTT-Go: two keys, two places, and newcomers that find both taken are dropped.

use ludus_core::TableReport;

/// The two hashes of a position.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Keys {
    /// Chooses the first place.
    pub key: u64,
    /// Chooses the second.
    pub check: u32,
}

#[derive(Copy, Clone, Debug)]
struct Entry<V> {
    keys: Keys,
    /// How deep in the tree the value comes from.
    depth: u32,
    value: V,
}

/// Remembers a value for positions.
#[derive(Clone, Debug)]
pub struct Table<V> {
    entries: Vec<Option<Entry<V>>>,
    /// What it did.
    pub report: TableReport,
}

impl<V: Copy> Table<V> {
    /// A table of about so many bytes, one place at least.
    pub fn new(bytes: u64) -> Table<V> {
        let count = (bytes / size_of::<Option<Entry<V>>>() as u64).max(1);
        let report = TableReport { capacity: count, ..TableReport::default() };
        Table { entries: vec![None; count as usize], report }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill(None);
        self.report = TableReport { capacity: self.report.capacity, ..TableReport::default() };
    }

    fn places(&self, keys: Keys) -> [usize; 2] {
        let count = self.entries.len() as u64;
        [keys.key % count, u64::from(keys.check) % count].map(|place| place as usize)
    }

    /// Where a position is. Nothing is ever taken out, so where its first place is free it is not at
    /// the second either, which is not looked at then: each look is a wait for memory.
    fn place_of(&self, keys: Keys) -> Option<usize> {
        let [first, second] = self.places(keys);
        let entry = self.entries[first].as_ref()?;
        let place = if entry.keys == keys { first } else { second };
        self.entries[place].is_some_and(|entry| entry.keys == keys).then_some(place)
    }

    /// What is remembered of a position.
    pub fn find(&mut self, keys: Keys) -> Option<V> {
        self.report.probes += 1;
        let place = self.place_of(keys)?;
        self.report.hits += 1;
        self.entries[place].map(|entry| entry.value)
    }

    /// Gives a position that is remembered another value; false if it is not.
    pub fn update(&mut self, keys: Keys, value: V) -> bool {
        let Some(place) = self.place_of(keys) else { return false };
        if let Some(entry) = &mut self.entries[place] {
            entry.value = value;
        }
        true
    }

    /// Remembers a position: at its first place, or at the second if another has the first. Where
    /// the position itself is, the deeper value stays; where others have both places, it is dropped.
    pub fn insert(&mut self, keys: Keys, depth: u32, value: V) {
        let entry = Entry { keys, depth, value };
        for place in self.places(keys) {
            match &mut self.entries[place] {
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

    fn table(places: u64) -> Table<f32> {
        Table::new(places * size_of::<Option<Entry<f32>>>() as u64)
    }

    fn keys(key: u64, check: u32) -> Keys {
        Keys { key, check }
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
    fn the_second_place_is_taken_and_then_newcomers_are_dropped() {
        let mut table = table(10);
        table.insert(keys(3, 7), 1, 0.1);
        table.insert(keys(13, 8), 1, 0.2); // the first place is the same, the second is free
        table.insert(keys(23, 8), 1, 0.3); // both are taken
        assert_eq!(table.find(keys(13, 8)), Some(0.2));
        assert_eq!(table.find(keys(23, 8)), None);
        assert_eq!((table.report.used, table.report.lost), (2, 1));
        assert!(!table.update(keys(23, 8), 1.0));
        table.clear();
        assert_eq!(table.find(keys(3, 7)), None);
    }
}
