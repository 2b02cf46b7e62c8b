//! The figures behind the guesses of the strong search. Margins are in hundredths of the game's
//! unit, times `unit` hundredths.

use super::{
    table::{Bound, Entry},
    worker::PROVEN,
};

/// Exchanges are looked at up to this depth.
pub const EXCHANGE_DEPTH: i32 = 8;
/// A history score that is worth a ply.
pub const HISTORY_PLY: i32 = 6000;

fn scaled(margin: i32, unit: i32) -> i32 {
    margin * unit / 100
}

/// Whether the evaluation is so far above `beta` that no move is likely to bring it down.
pub fn is_far_above(judged: i32, beta: i32, depth: i32, improving: bool, unit: i32) -> bool {
    depth <= 8 && judged - scaled(80 * (depth - i32::from(improving)), unit) >= beta
}

/// Whether the evaluation is so far below `alpha` that only captures could help.
pub fn is_far_below(judged: i32, alpha: i32, depth: i32, unit: i32) -> bool {
    depth <= 3 && judged + scaled(200 + 220 * (depth - 1), unit) < alpha
}

/// The least depth at which passing the turn is tried. Below it the rest would be little more than
/// captures, which do not see what the other side threatens.
pub const NULL_DEPTH: i32 = 5;

/// How many plies less a passed turn is searched, besides its own.
#[inline]
pub fn null_reduction(depth: i32, above: i32, unit: i32) -> i32 {
    3 + depth / 4 + (above / scaled(200, unit).max(1)).clamp(0, 3)
}

/// How late a quiet move comes.
pub struct Lateness {
    pub depth: i32,
    /// Moves searched before.
    pub index: usize,
    pub improving: bool,
    pub history: i32,
}

impl Lateness {
    pub fn is_too_late(&self) -> bool {
        let depth = self.depth as usize;
        let allowed = (3 + depth * depth) / if self.improving { 1 } else { 2 };
        self.depth <= 8 && self.index > allowed
            || self.depth <= 3 && self.history < -3000 * self.depth && self.index > 2
    }

    #[inline]
    pub fn is_futile(&self, judged: i32, alpha: i32, unit: i32) -> bool {
        let depth = (self.depth - reduction(self.depth, self.index) / 2).max(1);
        self.index > 0 && depth <= 7 && judged + scaled(90 + 75 * depth, unit) <= alpha
    }
}

/// What a move may lose in the exchange and still be searched at `depth`.
pub fn exchange_loss(depth: i32, is_quiet: bool, unit: i32) -> i32 {
    scaled(if is_quiet { -60 * depth } else { -22 * depth * depth }, unit)
}

/// Plies less for the move number `index` at `depth`.
#[inline]
pub fn reduction(depth: i32, index: usize) -> i32 {
    static TABLE: [[i8; 64]; 64] = reductions();
    i32::from(TABLE[depth.clamp(0, 63) as usize][index.min(63)])
}

const fn reductions() -> [[i8; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut depth = 1;
    while depth < 64 {
        let mut index = 1;
        while index < 64 {
            let product = natural_logarithm(depth as f64) * natural_logarithm(index as f64);
            table[depth][index] = (0.4 + product / 2.2) as i8;
            index += 1;
        }
        depth += 1;
    }
    table
}

/// For a constant of at least 1: the standard library's is no `const fn`.
const fn natural_logarithm(mut value: f64) -> f64 {
    let mut halvings = 0.0;
    while value > 1.5 {
        value /= 2.0;
        halvings += 1.0;
    }
    let ratio = (value - 1.0) / (value + 1.0);
    let (mut power, mut sum, mut odd) = (ratio, 0.0, 1.0);
    while odd < 30.0 {
        sum += power / odd;
        power *= ratio * ratio;
        odd += 2.0;
    }
    2.0 * sum + halvings * std::f64::consts::LN_2
}

/// What a good move of a search to `depth` adds to its history.
#[inline]
pub fn history_bonus(depth: i32) -> i32 {
    (16 * depth * depth + 32 * depth).min(1600)
}

/// Whether the stored result lets one ask if its move is the only good one.
pub fn may_be_singular(entry: &Entry, depth: i32) -> bool {
    depth >= 7
        && entry.depth >= depth - 3
        && matches!(entry.bound, Bound::Lower | Bound::Exact)
        && entry.score.abs() < PROVEN
}

/// By how much all other moves must be worse.
pub fn singular_gap(depth: i32, unit: i32) -> i32 {
    scaled(2 * depth, unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_both_logarithms() {
        for depth in 1..64_u8 {
            let logarithm = f64::from(depth).ln();
            assert!((natural_logarithm(depth.into()) - logarithm).abs() < 1e-12);
            for index in 1..64_u8 {
                let plies = (0.4 + logarithm * f64::from(index).ln() / 2.2) as i32;
                assert_eq!(reduction(depth.into(), index.into()), plies, "{depth} {index}");
            }
        }
        assert_eq!(
            (reduction(-1, 5), reduction(5, 0), reduction(99, 99)),
            (0, 0, reduction(63, 63))
        );
    }
}
