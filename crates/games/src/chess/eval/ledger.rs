//! Where the counts of a walk go: to any tally, or straight into a sum of weights.

use super::terms;
use ludus_core::linear::TermSink;

/// What the counts of one side are told to, and after a [`turn`](Ledger::turn) those of the other.
pub(super) trait Ledger {
    /// The side being counted has term number `term` so many times.
    fn count(&mut self, term: usize, count: i32);

    /// Goes on with the other side.
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

/// Passes counts on to a tally.
pub(super) struct Signed<'a, T> {
    pub tally: &'a mut T,
    /// 1 for White, -1 for Black.
    pub sign: i32,
}

impl<T: TermSink> Ledger for Signed<'_, T> {
    #[inline(always)]
    fn count(&mut self, term: usize, count: i32) {
        self.tally.add(term, self.sign * count);
    }

    #[inline(always)]
    fn turn(&mut self) {
        self.sign = -self.sign;
    }
}

/// Weights by term, packed; as many as make every index fit once its upper bits are gone.
pub(super) type PackedWeights = [i64; PACKED];

const PACKED: usize = terms::COUNT.next_power_of_two();

/// Adds up weights, without a sign to multiply by: the sum changes its own at every turn.
pub(super) struct Sum<'a> {
    pub weights: &'a PackedWeights,
    pub sum: i64,
}

impl Ledger for Sum<'_> {
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
