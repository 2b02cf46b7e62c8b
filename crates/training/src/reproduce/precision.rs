//! Precision our own figures need for a verdict, and the three verdicts.

use super::{Interval, experiment::wrong};
use crate::recipe::range;
use ludus_arena::elo::{ScoreSample, Z95};
use ludus_core::TextError;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Half-width of our own 95 % interval that is precise enough, unless an experiment fixes another:
/// that of 50 games of a source at 50 %, halved. An interval half as wide as the source's widens
/// that of the difference by an eighth.
pub const DEFAULT_PRECISION: f64 = 0.07;

/// Fewest independent results (pairs, or single games) for which a normal interval is trusted.
const MIN_RESULTS: f64 = 20.0;

/// Fewest games for which the interval of a ratio over games is trusted.
const MIN_RATIO_GAMES: f64 = 4.0;

/// Verdict on a published figure.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FigureVerdict {
    /// Both agree, and ours is precise enough to have disagreed.
    #[serde(rename = "reproduced")]
    Reproduced,
    /// Both disagree.
    #[serde(rename = "not reproduced")]
    NotReproduced,
    /// Both agree, but ours rests on too few games to tell.
    #[serde(rename = "inconclusive")]
    Inconclusive,
}

impl fmt::Display for FigureVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            FigureVerdict::Reproduced => "reproduced",
            FigureVerdict::NotReproduced => "not reproduced",
            FigureVerdict::Inconclusive => "inconclusive",
        })
    }
}

/// A precision that an experiment fixes for one figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FigurePrecision {
    /// Half-width of our own 95 % interval that is precise enough.
    pub precision: f64,
    /// Reason for another precision.
    pub precision_why: String,
}

impl FigurePrecision {
    pub(super) fn check(&self, key: &str) -> Result<(), TextError> {
        check_precision(key, Some(self.precision), Some(&self.precision_why))
    }
}

/// Checks that a precision is in range and has a reason; `key` is its key in the file.
pub(super) fn check_precision(
    key: &str,
    precision: Option<f64>,
    why: Option<&str>,
) -> Result<(), TextError> {
    let reason = why.map_or("", str::trim);
    match precision {
        None if why.is_some() => Err(wrong(
            &format!("{key}_why = {reason}"),
            format!("{key} beside it, the half-width that the reason is for"),
        )),
        None => Ok(()),
        Some(precision) => {
            range(key, precision, 0.001, 0.5)?;
            if reason.is_empty() {
                let expected = format!("{key}_why beside it, the reason for another precision");
                return Err(wrong(&format!("{key} = {precision}"), expected));
            }
            Ok(())
        }
    }
}

/// Precision of one of our figures, and the number of games it would take to reach the required
/// one.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Precision {
    /// Half-width of our own 95 % interval; infinite where there is none.
    half_width: f64,
    /// Half-width required.
    required: f64,
    /// Games it rests on.
    games: f64,
    /// Games below which its width is not trusted.
    min_games: f64,
    /// Games that would make it narrow enough.
    needed: f64,
}

impl Precision {
    /// Precision of a score of this number of games, with a normal interval.
    pub fn of_score(sample: ScoreSample, games: u64, required: f64) -> Option<Precision> {
        let interval = Interval::score(sample)?;
        let results: f64 = sample.outcomes().iter().map(|(_, count)| count).sum();
        let games = games as f64;
        let min_games = MIN_RESULTS * games / results.max(1.0);
        Some(Precision::scaled(interval.half_width(), required, games, min_games))
    }

    /// Precision of a share of `games`. Wilson's interval can be trusted for any number of them.
    pub fn of_share(ours: &Interval, games: u64, required: f64) -> Precision {
        let half_width = ours.half_width();
        let square = Z95 * Z95;
        // Wilson's half-width with more games: z √(p(1−p)n + z²/4) / (n + z²), solved for n.
        let variance = ours.value * (1.0 - ours.value);
        let (linear, constant) = (square * variance, square * square / 4.0);
        let discriminant =
            linear * linear + 4.0 * required * required * (constant - square * linear);
        let sum = (linear + discriminant.max(0.0).sqrt()) / (2.0 * required * required);
        let games = games as f64;
        Precision { half_width, required, games, min_games: 1.0, needed: sum - square }
    }

    /// Precision of a difference between two shares, each of `games`.
    pub fn of_difference(difference: &Interval, games: u64, required: f64) -> Precision {
        Precision::scaled(difference.half_width(), required, games as f64, 1.0)
    }

    /// Precision of a ratio over this number of games; `None` has no interval.
    pub fn of_ratio(ours: Option<&Interval>, games: u64, required: f64) -> Precision {
        let half_width = ours.map_or(f64::INFINITY, Interval::half_width);
        Precision::scaled(half_width, required, games as f64, MIN_RATIO_GAMES)
    }

    fn scaled(half_width: f64, required: f64, games: f64, min_games: f64) -> Precision {
        let by_width = if half_width.is_finite() {
            games * (half_width / required).powi(2)
        } else {
            min_games
        };
        Precision { half_width, required, games, min_games, needed: by_width.max(min_games) }
    }

    /// Half-width of our own 95 % interval; `None` where there is none.
    pub fn half_width(&self) -> Option<f64> {
        self.half_width.is_finite().then_some(self.half_width)
    }

    /// Half-width required.
    pub fn required(&self) -> f64 {
        self.required
    }

    /// Whether ours is precise enough for a verdict.
    pub fn is_reached(&self) -> bool {
        self.half_width <= self.required && self.games >= self.min_games
    }

    /// Verdict on a figure that is compatible with the published one, or is not.
    pub fn verdict(&self, is_compatible: bool) -> FigureVerdict {
        match (is_compatible, self.is_reached()) {
            (false, _) => FigureVerdict::NotReproduced,
            (true, true) => FigureVerdict::Reproduced,
            (true, false) => FigureVerdict::Inconclusive,
        }
    }

    /// Number of games that would about decide: estimated from the width of our interval, and
    /// rounded up to two digits.
    pub fn games_needed(&self) -> u64 {
        round_up(self.needed.max(self.games + 1.0))
    }
}

/// Rounds up to a number with two digits and zeros, at least to tens.
fn round_up(number: f64) -> u64 {
    let digits = number.max(1.0).log10().floor();
    let step = 10f64.powf(digits - 1.0).max(10.0);
    // A rounding error above a round number still means that number.
    ((number / step - 1e-9).ceil() * step) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_arena::elo::{Pentanomial, Wdl};

    #[test]
    fn numbers_of_games_are_rounded_up() {
        for (number, expected) in
            [(0.0, 0), (1.0, 10), (96.9, 100), (100.0, 100), (101.0, 110), (384.2, 390)]
        {
            assert_eq!(round_up(number), expected, "{number}");
        }
        assert_eq!(round_up(12_345.0), 13_000);
    }

    #[test]
    fn the_number_of_games_asked_for_is_enough() {
        for (count, all) in [(0, 2), (1, 2), (3, 20), (10, 20), (5, 5)] {
            let ours = Interval::share(count, all).unwrap();
            let few = Precision::of_share(&ours, all, DEFAULT_PRECISION);
            assert!(!few.is_reached(), "{count} of {all}");
            let games = few.games_needed();
            let more = Interval::share_of(ours.value, games).unwrap();
            let many = Precision::of_share(&more, games, DEFAULT_PRECISION);
            assert!(many.is_reached(), "{count} of {all}: {games} games, {many:?}");
            let fewer = Interval::share_of(ours.value, games * 7 / 10).unwrap();
            assert!(fewer.half_width() > DEFAULT_PRECISION, "{count} of {all}: {games} games");
        }
        let even = Interval::share(100, 200).unwrap();
        assert!(Precision::of_share(&even, 200, DEFAULT_PRECISION).is_reached());
    }

    #[test]
    fn a_narrow_interval_of_few_pairs_is_not_trusted() {
        let few = ScoreSample::from(Pentanomial([0, 0, 8, 1, 0]));
        assert!(Interval::score(few).unwrap().half_width() < DEFAULT_PRECISION);
        let few = Precision::of_score(few, 18, DEFAULT_PRECISION).unwrap();
        assert!(!few.is_reached());
        assert_eq!(few.games_needed(), 40);
        let many = ScoreSample::from(Pentanomial([0, 0, 18, 2, 0]));
        assert!(Precision::of_score(many, 40, DEFAULT_PRECISION).unwrap().is_reached());
    }

    #[test]
    fn a_score_of_two_games_decides_nothing() {
        for sample in [
            ScoreSample::from(Pentanomial([0, 0, 1, 0, 0])),
            ScoreSample::from(Pentanomial([0, 0, 0, 0, 1])),
            ScoreSample::from(Wdl::new(1, 0, 1)),
        ] {
            let precision = Precision::of_score(sample, 2, DEFAULT_PRECISION).unwrap();
            assert_eq!(precision.verdict(true), FigureVerdict::Inconclusive, "{sample:?}");
            assert_eq!(precision.verdict(false), FigureVerdict::NotReproduced);
            assert!((40..500).contains(&precision.games_needed()), "{precision:?}");
        }
    }
}
