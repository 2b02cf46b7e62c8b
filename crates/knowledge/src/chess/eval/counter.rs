//! Targets for the counts of one pass: any [`TermSink`], or straight into a sum of weights.

use super::terms;
use ludus_core::linear::TermSink;

/// Receives the counts of one side and, after a [`turn`](TermCounter::turn), those of the other.
pub(super) trait TermCounter {
    /// Adds `count` occurrences of term number `term` for the side being counted.
    fn count(&mut self, term: usize, count: i32);

    /// Switches to the other side.
    fn turn(&mut self);

    #[inline(always)]
    fn add(&mut self, term: usize) {
        self.count(term, 1);
    }

    #[inline(always)]
    fn when(&mut self, condition: bool, term: usize) {
        self.count(term, i32::from(condition));
    }
}

/// Passes counts on to a [`TermSink`], with the side's sign.
pub(super) struct SignedCounter<'a, T> {
    pub sink: &'a mut T,
    /// 1 for White, -1 for Black.
    pub sign: i32,
}

impl<T: TermSink> TermCounter for SignedCounter<'_, T> {
    #[inline(always)]
    fn count(&mut self, term: usize, count: i32) {
        self.sink.add(term, self.sign * count);
    }

    #[inline(always)]
    fn turn(&mut self) {
        self.sign = -self.sign;
    }
}

/// Weights by term, packed; padded to a power of two so that a masked index is always in range.
pub(super) type PackedWeights = [i64; PACKED];

const PACKED: usize = terms::COUNT.next_power_of_two();

/// Adds up weights without a multiplication by the sign: the sum is negated at every turn.
pub(super) struct WeightSum<'a> {
    pub weights: &'a PackedWeights,
    pub sum: i64,
}

impl TermCounter for WeightSum<'_> {
    #[inline(always)]
    fn count(&mut self, term: usize, count: i32) {
        self.sum += self.weights[term & (PACKED - 1)] * i64::from(count);
    }

    #[inline(always)]
    fn turn(&mut self) {
        self.sum = -self.sum;
    }

    #[inline(always)]
    fn add(&mut self, term: usize) {
        self.sum += self.weights[term & (PACKED - 1)];
    }
}
