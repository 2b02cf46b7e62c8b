//! Confidence intervals: of shares, scores, ratios and differences.

use ludus_arena::elo::{ScoreSample, Z95, expected_score};
use serde::{Deserialize, Serialize};

/// A number with its 95 % interval.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// The number.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// A number known exactly.
    pub fn exact(value: f64) -> Interval {
        Interval { value, low: value, high: value }
    }

    /// Mean score of a game; `None` without games.
    pub fn score(sample: ScoreSample) -> Option<Interval> {
        let value = sample.score()?;
        let elo = sample.elo();
        let low = elo.low.map_or(0.0, expected_score);
        let high = elo.high.map_or(1.0, expected_score);
        Some(Interval { value, low, high })
    }

    /// Share `count` of `all`, by Wilson's score interval; `None` if `all` is 0.
    pub fn share(count: u64, all: u64) -> Option<Interval> {
        Interval::share_of(count as f64 / all.max(1) as f64, all)
    }

    /// The same for a share that is known only in percent.
    pub fn share_of(value: f64, all: u64) -> Option<Interval> {
        if all == 0 {
            return None;
        }
        let (number, square) = (all as f64, Z95 * Z95);
        let middle = (value + square / (2.0 * number)) / (1.0 + square / number);
        let spread = value * (1.0 - value) / number + square / (4.0 * number * number);
        let half = Z95 * spread.sqrt() / (1.0 + square / number);
        let (low, high) = ((middle - half).max(0.0), (middle + half).min(1.0));
        Some(Interval { value, low: low.min(value), high: high.max(value) })
    }

    /// Ratio of the sums of `parts` and `wholes`, which come from independent games: linearised
    /// variance of a ratio, by Student's distribution. `None` for fewer than two games.
    pub fn ratio(parts: &[f64], wholes: &[f64]) -> Option<Interval> {
        let whole: f64 = wholes.iter().sum();
        let games = parts.len().min(wholes.len());
        if games < 2 || whole <= 0.0 {
            return None;
        }
        let value = parts.iter().sum::<f64>() / whole;
        let squares = parts.iter().zip(wholes).map(|(part, whole)| (part - value * whole).powi(2));
        let number = games as f64;
        let variance = squares.sum::<f64>() * number / (number - 1.0) / (whole * whole);
        let half = student95(games - 1) * variance.sqrt();
        Some(Interval { value, low: value - half, high: value + half })
    }

    /// Half of its width, a measure of precision.
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Whether `value` lies within.
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Interval of the difference from an independent number, combined from both intervals (R. G.
    /// Newcombe, *Interval estimation for the difference between independent proportions*, 1998).
    pub fn minus(&self, other: &Interval) -> Interval {
        let value = self.value - other.value;
        let below = (self.value - self.low).hypot(other.high - other.value);
        let above = (self.high - self.value).hypot(other.value - other.low);
        Interval { value, low: value - below, high: value + above }
    }

    /// Whether the difference may be chance.
    pub fn agrees_with(&self, other: &Interval) -> bool {
        self.minus(other).contains(0.0)
    }
}

/// 97.5 % quantile of Student's distribution (M. Abramowitz and I. A. Stegun, *Handbook of
/// Mathematical Functions*, 26.7.5); too small by a quarter for one degree of freedom, by 3 % for
/// two and by less than 1 % from three on.
fn student95(degrees: usize) -> f64 {
    let (freedom, z) = (degrees.max(1) as f64, Z95);
    let corrections = [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
    ];
    let terms = corrections.iter().zip(1..).map(|(term, power)| term / freedom.powi(power));
    z + terms.sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(value: f64, expected: f64) -> bool {
        (value - expected).abs() < 5e-4
    }

    #[test]
    fn wilsons_interval_has_its_known_values() {
        // Newcombe's own examples: 81 of 263, 15 of 148, 0 of 20.
        for (count, all, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)]
        {
            let found = Interval::share(count, all).unwrap();
            assert!(about(found.low, low) && about(found.high, high), "{found:?}");
        }
        assert_eq!(Interval::share(0, 0), None);
    }

    #[test]
    fn a_difference_within_both_intervals_is_no_difference() {
        // Newcombe 1998, method 10.
        let share = |count, all| Interval::share(count, all).unwrap();
        for ((one, other), (low, high)) in [
            ((share(56, 70), share(48, 80)), (0.0524, 0.3339)),
            ((share(9, 10), share(3, 10)), (0.1705, 0.8090)),
            ((share(5, 56), share(0, 29)), (-0.0381, 0.1926)),
        ] {
            let found = one.minus(&other);
            assert!(about(found.low, low) && about(found.high, high), "{found:?}");
            assert_eq!(one.agrees_with(&other), low < 0.0);
            assert_eq!(other.agrees_with(&one), low < 0.0);
        }
    }

    #[test]
    fn a_ratio_is_as_precise_as_its_games_are_alike() {
        let alike = Interval::ratio(&[7.0, 14.0, 21.0], &[10.0, 20.0, 30.0]).unwrap();
        assert!(about(alike.value, 0.7) && alike.half_width() < 1e-12, "{alike:?}");
        let apart = Interval::ratio(&[5.0, 9.0, 7.0], &[10.0; 3]).unwrap();
        // The mean of 0.5, 0.9 and 0.7: 0.7, standard error 0.2 / √3, Student's quantile 4.303.
        assert!(about(apart.value, 0.7) && (apart.half_width() - 0.497).abs() < 0.02, "{apart:?}");
        assert_eq!(Interval::ratio(&[5.0], &[10.0]), None);
        assert_eq!(Interval::ratio(&[0.0; 2], &[0.0; 2]), None);
    }

    #[test]
    fn students_quantiles_are_those_of_the_tables() {
        for (degrees, quantile, tolerance) in
            [(2, 4.303, 0.15), (3, 3.182, 0.03), (5, 2.571, 0.01), (19, 2.093, 1e-3)]
        {
            assert!((student95(degrees) - quantile).abs() < tolerance, "{degrees}");
        }
    }
}
