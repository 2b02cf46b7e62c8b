//! Training positions for linear evaluations: counts of terms, and the game's result.

use crate::self_play::file::PositionLabel;
use ludus_core::{LinearEval, eval::MAX_PHASE, linear::TermCounts};

/// A position without its counts. Everything is from the first side's point of view.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct SampleRow {
    /// Game phase, from 0 (opening) to 1 (ending).
    pub ending: f32,
    /// Damping factors of a sum that favours the first side, and of one that favours the second.
    pub damp: [f32; 2],
    /// 1 for a win, 0.5 for a draw, 0 for a loss.
    pub result: f32,
    /// Final margin in points; NaN in games without a final count.
    pub margin: f32,
    /// Search score in hundredths; NaN without one.
    pub score: f32,
    /// Number of the game; positions of one game belong together.
    pub game: u32,
}

/// Compact training positions, four bytes a term: two million chess positions fit in half a
/// gigabyte.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TermSamples {
    /// Term in the upper 24 bits, its count as a signed byte in the lower 8. A count that does not
    /// fit into a byte takes several entries.
    entries: Vec<u32>,
    /// End of the entries of each row.
    ends: Vec<usize>,
    rows: Vec<SampleRow>,
}

/// Maximum number of terms.
pub const MAX_TERMS: usize = 1 << 24;

/// Sum used to measure the damping: large against rounding, well within scores.
const DAMPING_PROBE: i32 = 1024;

impl TermSamples {
    /// Adds a position. Its evaluation is assumed to be damped by a factor that depends on the
    /// position and on which side is ahead, but not on by how much.
    pub fn push<K: LinearEval>(&mut self, position: &K::Position, label: PositionLabel) {
        let part = |sum: i32| K::scale_drawish(position, sum) as f32 / sum as f32;
        let row = SampleRow {
            ending: K::phase(position).clamp(0, MAX_PHASE) as f32 / MAX_PHASE as f32,
            damp: [part(DAMPING_PROBE), part(-DAMPING_PROBE)],
            result: label.result,
            margin: label.margin.unwrap_or(f32::NAN),
            score: label.score.map_or(f32::NAN, |score| score as f32),
            game: label.game,
        };
        self.push_row(&TermCounts::of::<K>(position).0, row);
    }

    /// Adds a position whose counts are known.
    pub fn push_row(&mut self, counts: &[(usize, i32)], row: SampleRow) {
        for &(term, count) in counts {
            assert!(term < MAX_TERMS, "at most {MAX_TERMS} terms");
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

    /// Appends all of `other`.
    pub fn append(&mut self, other: &TermSamples) {
        let base = self.entries.len();
        self.entries.extend_from_slice(&other.entries);
        self.ends.extend(other.ends.iter().map(|end| base + end));
        self.rows.extend_from_slice(&other.rows);
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Number of non-zero terms of all positions.
    pub fn entries(&self) -> usize {
        self.entries.len()
    }

    /// Positions without their counts.
    pub fn rows(&self) -> &[SampleRow] {
        &self.rows
    }

    /// Terms of position `index` and their counts.
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

    const ROW: SampleRow = SampleRow {
        ending: 0.5,
        damp: [1.0, 1.0],
        result: 1.0,
        margin: f32::NAN,
        score: f32::NAN,
        game: 0,
    };

    #[test]
    fn counts_of_any_size_come_back() {
        let mut samples = TermSamples::default();
        samples.push_row(&[(0, 1), (70_000, -128), (MAX_TERMS - 1, 300)], ROW);
        samples.push_row(&[], ROW);
        let mut both = TermSamples::default();
        both.push_row(&[(5, -5)], ROW);
        both.append(&samples);
        let total = |index: usize, term: usize| -> f64 {
            both.counts(index).filter(|&(t, _)| t == term).map(|(_, count)| count).sum()
        };
        assert_eq!(both.len(), 3);
        assert_eq!(total(0, 5), -5.0);
        assert_eq!((total(1, 0), total(1, 70_000), total(1, MAX_TERMS - 1)), (1.0, -128.0, 300.0));
        assert_eq!(both.counts(2).count(), 0);
    }
}
