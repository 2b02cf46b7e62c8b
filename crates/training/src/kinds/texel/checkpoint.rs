//! Checkpoints of a Texel tuning, bit-exact.

use super::{EpochErrors, TaperedWeights, TexelState};
use ludus_core::position::mix;

const MAGIC: u64 = u64::from_le_bytes(*b"texel  1");

impl TexelState {
    /// Writes the whole state, with a checksum.
    pub fn bytes(&self) -> Vec<u8> {
        let mut words = vec![
            MAGIC,
            self.weights.len() as u64,
            self.history.len() as u64,
            self.steps,
            self.idle.into(),
            self.rate.to_bits(),
            self.best_error.to_bits(),
        ];
        for errors in &self.history {
            words.extend([errors.train, errors.validation, errors.rate].map(f64::to_bits));
        }
        for to_units in [&self.weights, &self.means, &self.squares, &self.best] {
            words.extend(to_units.iter().flatten().map(|number| number.to_bits()));
        }
        words.push(checksum(&words));
        words.into_iter().flat_map(u64::to_le_bytes).collect()
    }

    /// Reads what [`bytes`](TexelState::bytes) wrote with this number of terms; `None` if it is
    /// anything else.
    pub fn from_bytes(bytes: &[u8], terms: usize) -> Option<TexelState> {
        let (chunks, rest) = bytes.as_chunks::<8>();
        let words: Vec<u64> = chunks.iter().map(|&chunk| u64::from_le_bytes(chunk)).collect();
        let (&sum, words) = words.split_last()?;
        if !rest.is_empty() || words.len() < 7 || sum != checksum(words) {
            return None;
        }
        let (head, body) = words.split_at(7);
        let epochs = usize::try_from(head[2]).ok()?;
        let expected = epochs.checked_mul(3)?.checked_add(8 * terms)?;
        if head[0] != MAGIC || head[1] != terms as u64 || epochs == 0 || body.len() != expected {
            return None;
        }
        let mut numbers = body.iter().map(|&bits| f64::from_bits(bits));
        let mut next = || numbers.next().expect("counted above");
        let history = (0..epochs)
            .map(|_| EpochErrors { train: next(), validation: next(), rate: next() })
            .collect();
        let mut to_units = || -> TaperedWeights { (0..terms).map(|_| [next(), next()]).collect() };
        Some(TexelState {
            weights: to_units(),
            means: to_units(),
            squares: to_units(),
            best: to_units(),
            steps: head[3],
            idle: u32::try_from(head[4]).ok()?,
            rate: f64::from_bits(head[5]),
            best_error: f64::from_bits(head[6]),
            history,
        })
    }
}

fn checksum(words: &[u64]) -> u64 {
    words.iter().fold(0, |hash, &word| mix(hash ^ word).wrapping_add(1))
}
