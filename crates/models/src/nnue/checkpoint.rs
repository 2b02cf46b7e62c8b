//! Checkpoints: the state of a training as bytes, exact to the last bit.

use super::{
    Shape,
    trainer::{Layout, NnueTrainerState},
};
use crate::checksum;

const MAGIC: &[u8; 8] = b"net   1\n";
/// Magic, inputs, width, output buckets, steps, epochs.
const HEADER_BYTES: usize = 6 * 8;

impl NnueTrainerState {
    /// The whole state of the training of a network of this shape, with a checksum.
    pub fn bytes(&self, shape: Shape) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let numbers = [shape.inputs, super::WIDTH, shape.output_buckets, self.steps as usize];
        for number in numbers.into_iter().chain([self.history.len()]) {
            bytes.extend((number as u64).to_le_bytes());
        }
        bytes.extend(self.history.iter().flat_map(|error| error.to_le_bytes()));
        for numbers in [&self.weights, &self.means, &self.squares] {
            bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Reads what [`bytes`](NnueTrainerState::bytes) wrote for this shape; `None` if it is anything else.
    pub fn from_bytes(bytes: &[u8], shape: Shape) -> Option<NnueTrainerState> {
        let (body, sum) = bytes.split_last_chunk::<8>()?;
        if body.len() < HEADER_BYTES
            || !body.starts_with(MAGIC)
            || checksum(body).to_le_bytes() != *sum
        {
            return None;
        }
        let (words, _) = body[..HEADER_BYTES].as_chunks::<8>();
        let word = |index: usize| u64::from_le_bytes(words[index]);
        let stored = [word(1), word(2), word(3)];
        let epochs = usize::try_from(word(5)).ok()?;
        let all = Layout::of(shape).all;
        let length = epochs.checked_mul(8)?.checked_add(HEADER_BYTES + 3 * 4 * all)?;
        if stored != [shape.inputs, super::WIDTH, shape.output_buckets].map(|number| number as u64)
            || body.len() != length
        {
            return None;
        }
        let (history, rest) = body[HEADER_BYTES..].split_at(8 * epochs);
        let mut parts = rest.chunks_exact(4 * all).map(|part| -> Vec<f32> {
            part.as_chunks::<4>().0.iter().map(|&four| f32::from_le_bytes(four)).collect()
        });
        Some(NnueTrainerState {
            weights: parts.next()?,
            means: parts.next()?,
            squares: parts.next()?,
            steps: word(4),
            history: history.as_chunks::<8>().0.iter().map(|&e| f64::from_le_bytes(e)).collect(),
        })
    }
}
