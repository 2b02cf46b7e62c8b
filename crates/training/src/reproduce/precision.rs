//! How precise our own figures must be before they decide, and what the three verdicts are.

use super::{Interval, experiment::wrong};
use crate::recipe::range;
use ludus_arena::elo::{Sample, Z95};
use ludus_core::TextError;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Half-width of our own 95 % interval that decides, unless an experiment fixes another: that of 50
/// games of a source at 50 %, halved. An interval half as wide as the source's widens that of the
/// difference by an eighth.
pub const USUAL_PRECISION: f64 = 0.07;

/// Fewest independent results (pairs, or single games) whose normal interval is trusted to be as
/// narrow as it looks.
const LEAST_RESULTS: f64 = 20.0;

/// Fewest games of a ratio over games that decide.
const LEAST_GAMES: f64 = 4.0;

/// What a published figure and ours come to.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// They agree, and ours is precise enough to have disagreed.
    #[serde(rename = "reproduced")]
    Reproduced,
    /// They disagree.
    #[serde(rename = "not reproduced")]
    NotReproduced,
    /// They agree, but ours rests on too few games to tell.
    #[serde(rename = "inconclusive")]
    Inconclusive,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Reproduced => "reproduced",
            Verdict::NotReproduced => "not reproduced",
            Verdict::Inconclusive => "inconclusive",
        })
    }
}

/// A precision an experiment fixes for one figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FigurePrecision {
    /// Half-width of our own 95 % interval that decides.
    pub precision: f64,
    /// Why it is not the usual one.
    pub precision_why: String,
}

impl FigurePrecision {
    pub(super) fn check(&self, key: &str) -> Result<(), TextError> {
        check_precision(key, Some(self.precision), Some(&self.precision_why))
    }
}

/// A precision is a number with a reason; `key` is where it stands in the file.
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

/// How precise one of our figures is, and in which unit more games would make it more so.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Precision {
    /// Half-width of our own 95 % interval; infinite where there is none.
    half_width: f64,
    /// Half-width that decides.
    wanted: f64,
    /// Games it rests on.
    games: f64,
    /// Games without which its width is not trusted.
    least: f64,
    /// Games that would make it narrow enough.
    needed: f64,
}

impl Precision {
    /// Of a score of so many games. Its interval is a normal one.
    pub fn of_score(sample: Sample, games: u64, wanted: f64) -> Option<Precision> {
        let interval = Interval::score(sample)?;
        let results: f64 = sample.outcomes().iter().map(|(_, count)| count).sum();
        let games = games as f64;
        let least = LEAST_RESULTS * games / results.max(1.0);
        Some(Precision::scaled(interval.half_width(), wanted, games, least))
    }

    /// Of a share of `games`. Wilson's interval is as wide as it looks for any number of them.
    pub fn of_share(ours: &Interval, games: u64, wanted: f64) -> Precision {
        let half_width = ours.half_width();
        let square = Z95 * Z95;
        // Wilson's half-width with more games: z √(p(1−p)n + z²/4) / (n + z²), solved for n.
        let variance = ours.value * (1.0 - ours.value);
        let (linear, constant) = (square * variance, square * square / 4.0);
        let discriminant = linear * linear + 4.0 * wanted * wanted * (constant - square * linear);
        let sum = (linear + discriminant.max(0.0).sqrt()) / (2.0 * wanted * wanted);
        let games = games as f64;
        Precision { half_width, wanted, games, least: 1.0, needed: sum - square }
    }

    /// Of a difference between two shares, each of `games`.
    pub fn of_difference(difference: &Interval, games: u64, wanted: f64) -> Precision {
        Precision::scaled(difference.half_width(), wanted, games as f64, 1.0)
    }

    /// Of a ratio over so many games; `None` has no interval.
    pub fn of_ratio(ours: Option<&Interval>, games: u64, wanted: f64) -> Precision {
        let half_width = ours.map_or(f64::INFINITY, Interval::half_width);
        Precision::scaled(half_width, wanted, games as f64, LEAST_GAMES)
    }

    fn scaled(half_width: f64, wanted: f64, games: f64, least: f64) -> Precision {
        let by_width =
            if half_width.is_finite() { games * (half_width / wanted).powi(2) } else { least };
        Precision { half_width, wanted, games, least, needed: by_width.max(least) }
    }

    /// Half-width of our own 95 % interval; `None` where there is none.
    pub fn half_width(&self) -> Option<f64> {
        self.half_width.is_finite().then_some(self.half_width)
    }

    /// Half-width that decides.
    pub fn wanted(&self) -> f64 {
        self.wanted
    }

    /// Whether ours is precise enough to be judged.
    pub fn is_reached(&self) -> bool {
        self.half_width <= self.wanted && self.games >= self.least
    }

    /// What a figure is that agrees with the published one, or does not.
    pub fn verdict(&self, is_compatible: bool) -> Verdict {
        match (is_compatible, self.is_reached()) {
            (false, _) => Verdict::NotReproduced,
            (true, true) => Verdict::Reproduced,
            (true, false) => Verdict::Inconclusive,
        }
    }

    /// Games that would about make it decide: estimated from the width of our interval, and rounded
    /// up to two digits.
    pub fn games_needed(&self) -> u64 {
        round_up(self.needed.max(self.games + 1.0))
    }
}

/// The next number with two digits and zeros, of tens at least.
fn round_up(number: f64) -> u64 {
    let digits = number.max(1.0).log10().floor();
    let step = 10f64.powf(digits - 1.0).max(10.0);
    // What is above a round number by a rounding error only is that number.
    ((number / step - 1e-9).ceil() * step) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_arena::elo::{Pairs, Tally};

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
            let few = Precision::of_share(&ours, all, USUAL_PRECISION);
            assert!(!few.is_reached(), "{count} of {all}");
            let games = few.games_needed();
            let more = Interval::share_of(ours.value, games).unwrap();
            let many = Precision::of_share(&more, games, USUAL_PRECISION);
            assert!(many.is_reached(), "{count} of {all}: {games} games, {many:?}");
            let fewer = Interval::share_of(ours.value, games * 7 / 10).unwrap();
            assert!(fewer.half_width() > USUAL_PRECISION, "{count} of {all}: {games} games");
        }
        let even = Interval::share(100, 200).unwrap();
        assert!(Precision::of_share(&even, 200, USUAL_PRECISION).is_reached());
    }

    #[test]
    fn a_narrow_interval_of_few_pairs_is_not_trusted() {
        let few = Sample::from(Pairs([0, 0, 8, 1, 0]));
        assert!(Interval::score(few).unwrap().half_width() < USUAL_PRECISION);
        let few = Precision::of_score(few, 18, USUAL_PRECISION).unwrap();
        assert!(!few.is_reached());
        assert_eq!(few.games_needed(), 40);
        let many = Sample::from(Pairs([0, 0, 18, 2, 0]));
        assert!(Precision::of_score(many, 40, USUAL_PRECISION).unwrap().is_reached());
    }

    #[test]
    fn a_score_of_two_games_decides_nothing() {
        for sample in [
            Sample::from(Pairs([0, 0, 1, 0, 0])),
            Sample::from(Pairs([0, 0, 0, 0, 1])),
            Sample::from(Tally::new(1, 0, 1)),
        ] {
            let precision = Precision::of_score(sample, 2, USUAL_PRECISION).unwrap();
            assert_eq!(precision.verdict(true), Verdict::Inconclusive, "{sample:?}");
            assert_eq!(precision.verdict(false), Verdict::NotReproduced);
            assert!((40..500).contains(&precision.games_needed()), "{precision:?}");
        }
    }
}
