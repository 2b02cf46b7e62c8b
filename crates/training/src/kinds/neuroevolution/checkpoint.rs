//! Checkpoints of an evolution: a line of JSON on the generations, then the numbers of the parents,
//! bit-exact.

use super::{GenerationStats, NeuroevolutionState};
use ludus_models::{evolution::Member, spatial::WEIGHTS};

/// Numbers of a member: weights, spreads, dial.
const NUMBERS: usize = 2 * WEIGHTS + 1;
const BYTES: usize = size_of::<f32>();

impl NeuroevolutionState {
    /// Writes the whole state.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(&self.past).expect("plain data can be written");
        bytes.push(b'\n');
        for Member { weights, spreads, dial } in &self.parents {
            let numbers = weights.iter().chain(spreads).chain([dial]);
            bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
        }
        bytes
    }

    /// Reads what [`bytes`](NeuroevolutionState::bytes) wrote with this number of parents; `None`
    /// if it is anything else.
    pub fn from_bytes(bytes: &[u8], parents: usize) -> Option<NeuroevolutionState> {
        let newline = bytes.iter().position(|&byte| byte == b'\n')?;
        let past: Vec<GenerationStats> = serde_json::from_slice(&bytes[..newline]).ok()?;
        let (numbers, rest) = bytes[newline + 1..].as_chunks::<BYTES>();
        let numbers: Vec<f32> = numbers.iter().map(|&number| f32::from_le_bytes(number)).collect();
        let fits = rest.is_empty()
            && numbers.len() == parents * NUMBERS
            && numbers.iter().all(|number| number.is_finite());
        let member = |numbers: &[f32]| Member {
            weights: numbers[..WEIGHTS].to_vec(),
            spreads: numbers[WEIGHTS..2 * WEIGHTS].to_vec(),
            dial: numbers[2 * WEIGHTS],
        };
        fits.then(|| NeuroevolutionState {
            parents: numbers.chunks(NUMBERS).map(member).collect(),
            past,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::Random;
    use ludus_models::evolution::EvolutionParams;

    #[test]
    fn a_state_survives_its_bytes() {
        let (heredity, mut random) = (EvolutionParams::default(), Random::new(1));
        let parents: Vec<Member> = (0..3)
            .map(|_| heredity.child(&heredity.first(WEIGHTS, &mut random), &mut random))
            .collect();
        let generation =
            GenerationStats { best: 7, total: -30, drawn: 4, spread: 0.05, king: 1.9, children: 2 };
        let state = NeuroevolutionState { parents, past: vec![generation; 2] };
        let bytes = state.bytes();
        assert_eq!(NeuroevolutionState::from_bytes(&bytes, 3).unwrap(), state);
        assert!(NeuroevolutionState::from_bytes(&bytes, 2).is_none());
        assert!(NeuroevolutionState::from_bytes(&bytes[..bytes.len() - 1], 3).is_none());
        assert!(NeuroevolutionState::from_bytes(b"", 3).is_none());
    }
}
