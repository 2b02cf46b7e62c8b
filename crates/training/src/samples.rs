//! Positions in the form a tuner wants: counts of terms, and what became of the game.

use ludus_core::{LinearEval, eval::PHASES, linear::Counts};

/// What is known of one position besides its counts. Everything is seen by the first side.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Row {
    /// How far the game had come, from 0 (opening) to 1 (ending).
    pub ending: f32,
    /// What is left of a sum that favours the first side, and of one that favours the second.
    pub damp: [f32; 2],
    /// 1, 0.5 or 0.
    pub result: f32,
    /// Points ahead in the final count; NaN in games that count none.
    pub margin: f32,
    /// Hundredths the search saw; NaN if it did not judge.
    pub score: f32,
    /// The game it is from, for positions of one game belong together.
    pub game: u32,
}

/// What became of the game a position is from.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Label {
    /// The number of the game.
    pub game: u32,
    /// 1 if the first side won, 0.5 for a draw, 0.
    pub result: f32,
    /// By how many points the first side was ahead in the end.
    pub margin: Option<f32>,
    /// What the search saw, for the first side.
    pub score: Option<i32>,
}

/// Many positions, four bytes a term: two million of chess fit in half a gigabyte.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Samples {
    /// The term in the upper 24 bits, its count as a signed byte in the lower 8. A count that does
    /// not fit into a byte takes several entries.
    entries: Vec<u32>,
    /// Where the entries of each row end.
    ends: Vec<usize>,
    rows: Vec<Row>,
}

/// Terms there can be at most.
pub const MOST_TERMS: usize = 1 << 24;

/// A sum at which to ask for the damping: large against rounding, well within scores.
const PROBE: i32 = 1024;

impl Samples {
    /// Adds a position. Its evaluation is taken to be damped by a factor that depends on the
    /// position and on who is ahead, but not on by how much.
    pub fn push<P: LinearEval>(&mut self, position: &P, label: Label) {
        let part = |sum: i32| position.damp(sum) as f32 / sum as f32;
        let row = Row {
            ending: position.phase().clamp(0, PHASES) as f32 / PHASES as f32,
            damp: [part(PROBE), part(-PROBE)],
            result: label.result,
            margin: label.margin.unwrap_or(f32::NAN),
            score: label.score.map_or(f32::NAN, |score| score as f32),
            game: label.game,
        };
        self.push_row(&Counts::of(position).0, row);
    }

    /// Adds a position whose counts are known.
    pub fn push_row(&mut self, counts: &[(usize, i32)], row: Row) {
        for &(term, count) in counts {
            assert!(term < MOST_TERMS, "at most {MOST_TERMS} terms");
            let mut left = count;
            while left != 0 {
                let step = left.clamp(-127, 127);
                self.entries.push((term as u32) << 8 | u32::from(step as i8 as u8));
                left -= step;
            }
        }
        self.ends.push(self.entries.len());
        self.rows.push(row);
    }

    /// Adds all of `other` behind what is there.
    pub fn append(&mut self, other: &Samples) {
        let base = self.entries.len();
        self.entries.extend_from_slice(&other.entries);
        self.ends.extend(other.ends.iter().map(|end| base + end));
        self.rows.extend_from_slice(&other.rows);
    }

    /// How many positions.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// How many terms of all positions are not zero.
    pub fn entries(&self) -> usize {
        self.entries.len()
    }

    /// What is known of each position.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The terms of position `index` and their counts.
    #[inline]
    pub fn counts(&self, index: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        self.entries[start..self.ends[index]]
            .iter()
            .map(|&entry| ((entry >> 8) as usize, f64::from(entry as u8 as i8)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROW: Row = Row {
        ending: 0.5,
        damp: [1.0, 1.0],
        result: 1.0,
        margin: f32::NAN,
        score: f32::NAN,
        game: 0,
    };

    #[test]
    fn counts_of_any_size_come_back() {
        let mut samples = Samples::default();
        samples.push_row(&[(0, 1), (70_000, -128), (MOST_TERMS - 1, 300)], ROW);
        samples.push_row(&[], ROW);
        let mut both = Samples::default();
        both.push_row(&[(5, -5)], ROW);
        both.append(&samples);
        let total = |index: usize, term: usize| -> f64 {
            both.counts(index).filter(|&(t, _)| t == term).map(|(_, count)| count).sum()
        };
        assert_eq!(both.len(), 3);
        assert_eq!(total(0, 5), -5.0);
        assert_eq!((total(1, 0), total(1, 70_000), total(1, MOST_TERMS - 1)), (1.0, -128.0, 300.0));
        assert_eq!(both.counts(2).count(), 0);
    }
}
