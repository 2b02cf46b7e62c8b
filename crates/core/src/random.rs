//! The random number generator.
//!
//! Implemented here for two reasons: a seed must give the same games in every future version, which
//! general crates do not guarantee for bounded numbers, and playouts draw hundreds of millions of
//! them per second.

use crate::position::mix;

/// A seeded xoshiro256++ generator (Blackman and Vigna, 2019).
#[derive(Clone, Debug)]
pub struct Random {
    state: [u64; 4],
}

impl Random {
    /// A generator seeded with `seed`.
    #[inline]
    pub fn new(seed: u64) -> Random {
        let mut word = seed;
        let state = std::array::from_fn(|_| {
            word = word.wrapping_add(0x9E37_79B9_7F4A_7C15);
            mix(word)
        });
        Random { state }
    }

    /// An independent generator for the component `name`; drawing from one never affects another.
    pub fn split(&self, name: &str) -> Random {
        let start = self.state.iter().fold(0, |hash, &word| mix(hash ^ word));
        Random::new(name.bytes().fold(start, |hash, byte| mix(hash ^ u64::from(byte))))
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.state;
        let result = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        result
    }

    /// A number below `bound`, which must not be 0. The bias is below `bound / 2^32`.
    #[inline]
    pub fn below(&mut self, bound: usize) -> usize {
        debug_assert!(bound > 0 && bound <= u32::MAX as usize);
        (((self.bits() >> 32) * bound as u64) >> 32) as usize
    }

    /// A number in `[0, 1)`.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// An approximately normal number: the sum of twelve uniform ones less six. No logarithm, so it is
    /// the same on every machine.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }

    /// One element of `items`, or `None` if there is none.
    #[inline]
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        if items.is_empty() { None } else { Some(items[self.below(items.len())]) }
    }

    /// Puts `items` into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_published_generator() {
        let mut random = Random { state: [1, 2, 3, 4] };
        let drawn: Vec<u64> = (0..4).map(|_| random.bits()).collect();
        assert_eq!(drawn, [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386]);
    }

    #[test]
    fn a_seed_always_gives_the_same_numbers() {
        let mut random = Random::new(1);
        let drawn: Vec<usize> = (0..8).map(|_| random.below(100)).collect();
        assert_eq!(drawn, [81, 74, 10, 74, 18, 59, 98, 52]);
    }

    #[test]
    fn parts_are_independent_of_each_other_and_of_the_whole() {
        let whole = Random::new(7);
        let first = whole.split("openings").bits();
        assert_ne!(first, whole.split("players").bits());
        assert_ne!(first, whole.clone().bits());
        assert_eq!(first, whole.split("openings").bits());
    }

    #[test]
    fn below_covers_its_range_evenly() {
        let mut random = Random::new(3);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[random.below(6)] += 1;
        }
        assert!(counts.iter().all(|&count| (9_600..10_400).contains(&count)), "{counts:?}");
    }
}
