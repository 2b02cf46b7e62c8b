//! Strength differences: score, Elo, normalised Elo and likelihood of superiority, from single
//! games or from game pairs.
//!
//! A game pair is one opening played twice with sides swapped. Its two games are not independent,
//! so the variance of a match of pairs is the variance of the pairs (the *pentanomial* model);
//! counting them as single games (the *trinomial* model) makes the error bars too wide or too
//! narrow.
//!
//! Sources:
//! - Elo: A. E. Elo, *The Rating of Chessplayers, Past and Present* (1978), in its logistic form:
//!   a player `d` Elo better scores `1 / (1 + 10^(-d/400))`.
//! - Intervals: the normal approximation of the mean score, its ends turned into Elo, as fishtest
//!   and fastchess print them. Where it fails, with few observations or near a perfect score, the
//!   same error on the scale of Elo (the delta method, so that no end is past a perfect score)
//!   with Student's quantiles (*The Probable Error of a Mean*, Biometrika 6, 1908; the expansion
//!   of Abramowitz and Stegun 26.7.5).
//! - Pairs beside single games: the error of a mean over clusters of unequal size, as in
//!   W. G. Cochran, *Sampling Techniques* (1977), section 9A.
//! - Normalised Elo: M. Van den Bergh, *Normalized Elo* and *Normalized Elo in practice*
//!   (cantate.be/Fishtest): `(score - 1/2) / sigma * 800 / ln 10`, with `sigma` the standard
//!   deviation of one game (for pairs `sqrt(2)` times that of the mean score of a pair).
//! - Bounds where nothing varies: the exact binomial bound, J. A. Hanley and A. Lippman-Hand,
//!   *If Nothing Goes Wrong, Is Everything All Right?* (JAMA 249, 1983).

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Add, AddAssign, Sub};

/// The 97.5 % quantile of the normal distribution: half the width of a 95 % interval.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Normalised Elo of a score one standard deviation of a game above one half: `800 / ln 10`.
pub const NORMALIZED_ELO_PER_SIGMA: f64 = 800.0 / std::f64::consts::LN_10;

/// The score a player `elo` better than the opponent is expected to make.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The Elo difference at which `score` is expected; `None` where it is infinite.
pub fn elo_of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10())
}

/// A value and its 95 % interval. `None` (null in JSON) is "not bounded by the games so far": all
/// wins give a `low` but neither a `value` nor a `high`.
#[derive(Copy, Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The most likely value.
    pub value: Option<f64>,
    /// Lower end of the 95 % interval.
    pub low: Option<f64>,
    /// Upper end of the 95 % interval.
    pub high: Option<f64>,
}

impl Estimate {
    /// A value with `error` on both sides; numbers that are not finite become `None`.
    pub fn symmetric(value: f64, error: f64) -> Estimate {
        let finite = |number: f64| number.is_finite().then_some(number);
        Estimate { value: finite(value), low: finite(value - error), high: finite(value + error) }
    }

    /// Half the width of the interval, the number printed behind `±`.
    pub fn error(&self) -> Option<f64> {
        Some((self.high? - self.low?) / 2.0)
    }
}

/// `+40.7 ±30.4`, or `> +120.3`, `< -120.3` where one side is open, or `?`.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match (self.value, self.error(), self.low, self.high) {
            (Some(value), Some(error), ..) => format!("{value:+.1} ±{error:.1}"),
            (Some(value), None, Some(low), None) => format!("{value:+.1} (> {low:+.1})"),
            (Some(value), None, None, Some(high)) => format!("{value:+.1} (< {high:+.1})"),
            (Some(value), ..) => format!("{value:+.1}"),
            (None, _, Some(low), None) => format!("> {low:+.1}"),
            (None, _, None, Some(high)) => format!("< {high:+.1}"),
            _ => "?".to_owned(),
        };
        f.pad(&text)
    }
}

/// Wins, draws and losses of one player.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn, for any reason.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// Counts of these results.
    pub fn new(wins: u64, draws: u64, losses: u64) -> Wdl {
        Wdl { wins, draws, losses }
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points: one for a win, half of one for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points per game.
    pub fn score(&self) -> Option<f64> {
        ScoreSample::from(*self).score()
    }

    /// Share of drawn games.
    pub fn draw_ratio(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.draws as f64 / self.games() as f64)
    }

    /// Counts a game by its half points: 0, 1 or 2.
    pub fn record(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// The same games from the opponent's point of view.
    pub fn mirrored(&self) -> Wdl {
        Wdl { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl Add for Wdl {
    type Output = Wdl;

    fn add(self, other: Wdl) -> Wdl {
        Wdl {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }
}

impl Sub for Wdl {
    type Output = Wdl;

    /// Removes some of the games.
    fn sub(self, part: Wdl) -> Wdl {
        Wdl {
            wins: self.wins - part.wins,
            draws: self.draws - part.draws,
            losses: self.losses - part.losses,
        }
    }
}

impl AddAssign for Wdl {
    fn add_assign(&mut self, other: Wdl) {
        *self = *self + other;
    }
}

impl std::iter::Sum for Wdl {
    fn sum<I: Iterator<Item = Wdl>>(totals: I) -> Wdl {
        totals.fold(Wdl::default(), Add::add)
    }
}

/// Pentanomial counts: number of game pairs in which the first player scored 0, ½, 1, 1½ and 2.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts a pair by the half points of its two games (0, 1 or 2 each; more count as 2).
    pub fn record(&mut self, first_half_points: u8, second_half_points: u8) {
        let half_points = first_half_points.min(2) + second_half_points.min(2);
        self.0[usize::from(half_points)] += 1;
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Points per game.
    pub fn score(&self) -> Option<f64> {
        ScoreSample::from(*self).score()
    }

    /// Share of pairs in which both players scored one point.
    pub fn draw_ratio(&self) -> Option<f64> {
        (self.pairs() > 0).then(|| self.0[2] as f64 / self.pairs() as f64)
    }

    /// The same pairs from the opponent's point of view.
    pub fn mirrored(&self) -> Pentanomial {
        let [a, b, c, d, e] = self.0;
        Pentanomial([e, d, c, b, a])
    }
}

impl Add for Pentanomial {
    type Output = Pentanomial;

    fn add(self, other: Pentanomial) -> Pentanomial {
        Pentanomial(std::array::from_fn(|index| self.0[index] + other.0[index]))
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Pentanomial) {
        *self = *self + other;
    }
}

/// Independent observations: single games, game pairs, or both.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ScoreSample {
    /// Single games (trinomial).
    Trinomial(Wdl),
    /// Game pairs (pentanomial).
    Pentanomial(Pentanomial),
    /// Game pairs, and games whose partner is missing.
    Mixed(Pentanomial, Wdl),
}

impl From<Wdl> for ScoreSample {
    fn from(wdl: Wdl) -> ScoreSample {
        ScoreSample::Trinomial(wdl)
    }
}

impl From<Pentanomial> for ScoreSample {
    fn from(pairs: Pentanomial) -> ScoreSample {
        ScoreSample::Pentanomial(pairs)
    }
}

/// Mean and variance of the score.
struct Moments {
    /// Independent observations.
    observations: f64,
    games: f64,
    /// Points per game.
    mean: f64,
    /// Variance of one game, such that that of the mean is this over the games.
    variance: f64,
}

/// Below this number of observations, Student's quantiles replace the normal approximation.
const MIN_NORMAL_OBSERVATIONS: f64 = 100.0;

impl ScoreSample {
    /// The pairs if there are any, else the games.
    pub fn of(wdl: Wdl, pairs: Pentanomial) -> ScoreSample {
        if pairs.pairs() > 0 {
            ScoreSample::Pentanomial(pairs)
        } else {
            ScoreSample::Trinomial(wdl)
        }
    }

    /// Pairs, and games without a partner.
    pub fn mixed(pairs: Pentanomial, singles: Wdl) -> ScoreSample {
        match (pairs.pairs(), singles.games()) {
            (0, _) => ScoreSample::Trinomial(singles),
            (_, 0) => ScoreSample::Pentanomial(pairs),
            _ => ScoreSample::Mixed(pairs, singles),
        }
    }

    /// Games in one observation of [`outcomes`](Self::outcomes).
    pub fn games_each(&self) -> f64 {
        match self {
            ScoreSample::Trinomial(_) => 1.0,
            ScoreSample::Pentanomial(_) | ScoreSample::Mixed(..) => 2.0,
        }
    }

    /// Possible scores of an observation, from 0 to 1, each with its count. A mixed sample gives
    /// its pairs only.
    pub fn outcomes(&self) -> Vec<(f64, f64)> {
        match self {
            ScoreSample::Trinomial(wdl) => outcomes(&[wdl.losses, wdl.draws, wdl.wins]),
            ScoreSample::Pentanomial(pairs) | ScoreSample::Mixed(pairs, _) => outcomes(&pairs.0),
        }
    }

    fn moments(&self) -> Option<Moments> {
        // Clusters of equal size and score: (games in each, score, count).
        let clusters = |sample: ScoreSample| {
            let games = sample.games_each();
            sample.outcomes().into_iter().map(move |(score, count)| (games, score, count))
        };
        let clusters: Vec<(f64, f64, f64)> = match *self {
            ScoreSample::Mixed(pairs, singles) => clusters(ScoreSample::Pentanomial(pairs))
                .chain(clusters(ScoreSample::Trinomial(singles)))
                .collect(),
            sample => clusters(sample).collect(),
        };
        let sum = |of: &dyn Fn(f64, f64) -> f64| {
            clusters.iter().map(|&(games, score, count)| of(games, score) * count).sum::<f64>()
        };
        let games = sum(&|games, _| games);
        if games == 0.0 {
            return None;
        }
        let mean = sum(&|games, score| games * score) / games;
        let variance = sum(&|games, score| (games * (score - mean)).powi(2)) / games;
        Some(Moments { observations: sum(&|_, _| 1.0), games, mean, variance })
    }

    /// Points per game.
    pub fn score(&self) -> Option<f64> {
        Some(self.moments()?.mean)
    }

    /// The Elo difference with its 95 % interval.
    pub fn elo(&self) -> Estimate {
        let Some(moments) = self.moments() else { return Estimate::default() };
        let value = elo_of_score(moments.mean);
        let error = Z95 * moments.error();
        let (low, high) = if moments.variance == 0.0 {
            bounds_without_variance(&moments)
        } else {
            (moments.mean - error, moments.mean + error)
        };
        let is_rough = moments.observations < MIN_NORMAL_OBSERVATIONS || low <= 0.0 || high >= 1.0;
        if let Some(value) = value.filter(|_| is_rough && moments.variance > 0.0) {
            let slope = NORMALIZED_ELO_PER_SIGMA / 2.0 / (moments.mean * (1.0 - moments.mean));
            let quantile = student_quantile(moments.observations - 1.0);
            let few = moments.observations / (moments.observations - 1.0);
            return Estimate::symmetric(value, quantile * slope * moments.error() * few.sqrt());
        }
        Estimate { value, low: elo_of_score(low), high: elo_of_score(high) }
    }

    /// Normalised Elo with its 95 % interval; empty while all results are the same, when the
    /// standard deviation it is measured in is unknown.
    pub fn normalised_elo(&self) -> Estimate {
        let Some(moments) = self.moments().filter(|moments| moments.variance > 0.0) else {
            return Estimate::default();
        };
        let value = NORMALIZED_ELO_PER_SIGMA * (moments.mean - 0.5) / moments.variance.sqrt();
        Estimate::symmetric(value, Z95 * NORMALIZED_ELO_PER_SIGMA / moments.games.sqrt())
    }

    /// Likelihood of superiority: the probability that the first player is the stronger one.
    pub fn superiority(&self) -> Option<f64> {
        let moments = self.moments()?;
        let lead = moments.mean - 0.5;
        if moments.variance > 0.0 {
            return Some(normal_cdf(lead / moments.error()));
        }
        // All results are equal. With a uniform prior on the probability of their sign, n equal
        // signs leave 2^-(n+1) for "less than one half".
        let doubt = 0.5f64.powf(moments.observations + 1.0);
        Some(match lead.partial_cmp(&0.0) {
            Some(std::cmp::Ordering::Greater) => 1.0 - doubt,
            Some(std::cmp::Ordering::Less) => doubt,
            _ => 0.5,
        })
    }
}

impl Moments {
    /// The standard error of the mean.
    fn error(&self) -> f64 {
        (self.variance / self.games).sqrt()
    }
}

fn outcomes(counts: &[u64]) -> Vec<(f64, f64)> {
    let best = (counts.len() - 1) as f64;
    counts.iter().enumerate().map(|(i, &count)| (i as f64 / best, count as f64)).collect()
}

/// The 97.5 % quantile of Student's distribution.
fn student_quantile(freedom: f64) -> f64 {
    match freedom {
        f if f < 1.0 => f64::INFINITY,
        f if f < 2.0 => 12.706_204_736,
        f if f < 3.0 => 4.302_652_730,
        _ => {
            let z = Z95;
            let terms = [
                z,
                (z.powi(3) + z) / 4.0,
                (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
                (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
                (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5)
                    - 1920.0 * z.powi(3)
                    - 945.0 * z)
                    / 92_160.0,
            ];
            terms.iter().rev().fold(0.0, |sum, term| sum / freedom + term)
        }
    }
}

/// Bounds of the mean score after `n` observations that all scored `a`.
///
/// Among all distributions on [0, 1] of mean `s > a`, the one most likely to show `a` every time
/// has all its mass on `a` and 1, and shows it with probability `((1 - s) / (1 - a))^n`; the bound
/// is where that falls to the error allowed. At `a` = 0 or 1 only one side can err.
fn bounds_without_variance(moments: &Moments) -> (f64, f64) {
    let score = moments.mean;
    let one_sided = score <= 0.0 || score >= 1.0;
    let error: f64 = if one_sided { 0.05 } else { 0.025 };
    let shrink = error.powf(1.0 / moments.observations);
    (score * shrink, 1.0 - (1.0 - score) * shrink)
}

/// The distribution function of the standard normal distribution, by the series of G. Marsaglia,
/// *Evaluating the Normal Distribution* (Journal of Statistical Software 11, 2004).
pub fn normal_cdf(x: f64) -> f64 {
    // Beyond eight standard deviations what is left is less than the rounding of the sum.
    if x.is_nan() || x.abs() > 8.0 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let mut term = x;
    let mut sum = x;
    let mut odd = 1.0;
    loop {
        odd += 2.0;
        term *= x * x / odd;
        let next = sum + term;
        if next == sum {
            break;
        }
        sum = next;
    }
    let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    (0.5 + sum * density).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_score_and_elo_are_inverse() {
        for elo in [-800.0, -123.4, 0.0, 7.5, 400.0] {
            assert!((elo_of_score(expected_score(elo)).unwrap() - elo).abs() < 1e-9);
        }
        assert_eq!(elo_of_score(1.0), None);
        assert_eq!(elo_of_score(0.0), None);
        assert_eq!(elo_of_score(f64::NAN), None);
    }

    #[test]
    fn the_normal_distribution_has_its_tabulated_values() {
        for (x, value) in [(0.0, 0.5), (1.0, 0.841_344_746_068_542_9), (Z95, 0.975)] {
            assert!((normal_cdf(x) - value).abs() < 1e-14, "{x}");
            assert!((normal_cdf(-x) - (1.0 - value)).abs() < 1e-14, "-{x}");
        }
        assert_eq!(normal_cdf(40.0), 1.0);
        assert_eq!(normal_cdf(-40.0), 0.0);
        assert_eq!(normal_cdf(f64::NAN), 0.0);
    }

    #[test]
    fn no_games_give_nothing_and_no_panic() {
        for sample in [ScoreSample::from(Wdl::default()), ScoreSample::from(Pentanomial::default())]
        {
            assert_eq!(sample.elo(), Estimate::default());
            assert_eq!(sample.normalised_elo(), Estimate::default());
            assert_eq!(sample.score(), None);
            assert_eq!(sample.superiority(), None);
        }
        assert_eq!(Estimate::default().to_string(), "?");
    }

    #[test]
    fn all_wins_are_bounded_below_only() {
        let won = ScoreSample::from(Wdl::new(10, 0, 0)).elo();
        assert_eq!((won.value, won.high), (None, None));
        // 0.05^(1/10) = 0.7411: ten wins in a row happen to a 74 % scorer once in twenty times.
        assert!((won.low.unwrap() - elo_of_score(0.741_134_449_2).unwrap()).abs() < 1e-5);
        let lost = ScoreSample::from(Wdl::new(0, 0, 10)).elo();
        assert_eq!((lost.value, lost.low), (None, None));
        assert!((lost.high.unwrap() + won.low.unwrap()).abs() < 1e-9);
        assert_eq!(won.to_string(), "> +182.7");
        let superiority = ScoreSample::from(Wdl::new(3, 0, 0)).superiority().unwrap();
        assert_eq!(superiority, 1.0 - 1.0 / 16.0);
    }

    #[test]
    fn all_draws_are_equal_players_as_far_as_their_number_tells() {
        let few = ScoreSample::from(Wdl::new(0, 2, 0)).elo();
        let many = ScoreSample::from(Wdl::new(0, 1000, 0)).elo();
        assert_eq!(few.value, Some(0.0));
        assert!((few.low.unwrap() + few.high.unwrap()).abs() < 1e-9);
        assert!(few.high.unwrap() > 100.0 && many.high.unwrap() < 2.0);
        assert_eq!(ScoreSample::from(Wdl::new(0, 9, 0)).superiority(), Some(0.5));
    }

    #[test]
    fn few_observations_have_wide_intervals_with_two_ends() {
        let elo = ScoreSample::from(Wdl::new(9, 1, 0)).elo();
        assert!(elo.low.unwrap() < 150.0 && elo.high.unwrap() > 850.0, "{elo}");
        assert_eq!(Estimate { high: None, ..elo }.to_string(), "+511.5 (> +97.8)");
        // Two pairs with 3½ points in all say little, although they hardly differ.
        let elo = ScoreSample::from(Pentanomial([0, 0, 0, 1, 1])).elo();
        assert!(elo.low.unwrap() < 0.0, "{elo}");
        // Many pairs, all but one of them won twice: the interval stays below a perfect score.
        let elo = ScoreSample::from(Pentanomial([0, 0, 0, 1, 199])).elo();
        assert!(elo.low.unwrap() > 500.0 && elo.high.unwrap() < 2000.0, "{elo}");
        for (freedom, tabulated) in [(1.0, 12.706), (2.0, 4.303), (3.0, 3.182), (9.0, 2.262)] {
            assert!((student_quantile(freedom) - tabulated).abs() < 0.004, "{freedom}");
        }
    }

    #[test]
    fn games_without_a_partner_count_beside_pairs() {
        let pairs = Pentanomial([10, 40, 60, 45, 11]);
        let mixed = ScoreSample::mixed(pairs, Wdl::new(3, 4, 2));
        assert_eq!(mixed.score(), Some((166.0 + 3.5 + 5.0) / (332.0 + 9.0)));
        // As many single games as pairs have are worth what they are worth alone.
        let singles = Wdl::new(800, 1600, 800);
        let alone =
            ScoreSample::from(Pentanomial([100, 400, 600, 400, 100])).elo().error().unwrap();
        let both = ScoreSample::mixed(Pentanomial([100, 400, 600, 400, 100]), singles)
            .elo()
            .error()
            .unwrap();
        assert!((both * 2f64.sqrt() - alone).abs() < 0.01, "{both} {alone}");
        assert_eq!(ScoreSample::mixed(pairs, Wdl::default()), ScoreSample::Pentanomial(pairs));
        assert_eq!(
            ScoreSample::mixed(Pentanomial::default(), singles),
            ScoreSample::Trinomial(singles)
        );
    }

    #[test]
    fn json_has_numbers_or_null() {
        let json = serde_json::to_string(&ScoreSample::from(Wdl::new(1, 0, 0)).elo()).unwrap();
        assert!(json.starts_with("{\"value\":null,\"low\":") && json.ends_with("\"high\":null}"));
        let back: Estimate = serde_json::from_str(&json).unwrap();
        assert_eq!(back, ScoreSample::from(Wdl::new(1, 0, 0)).elo());
        assert_eq!(serde_json::to_string(&Pentanomial([1, 2, 3, 4, 5])).unwrap(), "[1,2,3,4,5]");
    }

    #[test]
    fn pairs_are_counted_by_their_points() {
        let mut pairs = Pentanomial::default();
        for (first, second) in [(0, 0), (2, 0), (1, 1), (2, 1), (2, 2), (9, 9)] {
            pairs.record(first, second);
        }
        assert_eq!(pairs, Pentanomial([1, 0, 2, 1, 2]));
        assert_eq!(pairs.mirrored().mirrored(), pairs);
        assert_eq!(pairs.draw_ratio(), Some(1.0 / 3.0));
    }

    #[test]
    fn the_opponent_sees_the_same_with_the_sign_turned() {
        let wdl = Wdl::new(40, 31, 22);
        let pairs = Pentanomial([3, 10, 30, 17, 5]);
        for (ours, theirs) in [
            (ScoreSample::from(wdl), ScoreSample::from(wdl.mirrored())),
            (ScoreSample::from(pairs), ScoreSample::from(pairs.mirrored())),
        ] {
            for (a, b) in
                [(ours.elo(), theirs.elo()), (ours.normalised_elo(), theirs.normalised_elo())]
            {
                assert!((a.value.unwrap() + b.value.unwrap()).abs() < 1e-9);
                assert!((a.low.unwrap() + b.high.unwrap()).abs() < 1e-9);
            }
            let both = ours.superiority().unwrap() + theirs.superiority().unwrap();
            assert!((both - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn independent_games_have_the_same_error_in_both_models() {
        // Win, draw and loss with 1/4, 1/2 and 1/4, the two games of a pair independent.
        let games = ScoreSample::from(Wdl::new(800, 1600, 800)).elo();
        let pairs = ScoreSample::from(Pentanomial([100, 400, 600, 400, 100])).elo();
        assert!((games.error().unwrap() - pairs.error().unwrap()).abs() < 1e-9);
    }
}
