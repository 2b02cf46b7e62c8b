//! SPRT, the sequential probability ratio test: play until either "`elo1` better" or "`elo0` better"
//! is accepted for the first player.
//!
//! The bounds are those of A. Wald, *Sequential Tests of Statistical Hypotheses* (Annals of
//! Mathematical Statistics 16, 1945). The probabilities of the single results are unknown under
//! both hypotheses, so the likelihoods are maximised over them: the generalised test, GSPRT.
//!
//! Sources of the generalised log-likelihood ratio, all by M. Van den Bergh (cantate.be/Fishtest):
//! - logistic model: *support_MLE_multinomial*, Proposition 1.1. The most likely distribution of
//!   mean `s` is `p_i / (1 + x (a_i - s))`, with `a_i` the results, `p_i` their observed
//!   frequencies and `x` such that the mean is `s`.
//! - normalised model: *Normalized Elo in practice*, section 4.1 (exact) and 4.2 (approximation).
//! - the approximation by mean and variance, [`Sprt::approximate_llr`]: *GSPRT_approximation*.
//!
//! Like fishtest, results that have not occurred count one thousandth of an observation: without
//! it a hypothesis outside the range of what was seen would have likelihood zero.

use crate::elo::{NORMALIZED_ELO_PER_SIGMA, ScoreSample, expected_score};
use ludus_core::{OptionKind, OptionSpec, Options, TextError};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Unit of `elo0` and `elo1`.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EloModel {
    /// Elo differences.
    #[default]
    Logistic,
    /// Normalised Elo: differences in standard deviations of a game, so that the length of a test
    /// hardly depends on the draw rate.
    Normalised,
}

/// The two hypotheses and the error probabilities.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// H0: the first player is this much better.
    pub elo0: f64,
    /// H1: the first player is this much better; more than `elo0`.
    pub elo1: f64,
    /// Maximum probability of accepting H1 if H0 is true.
    pub alpha: f64,
    /// Maximum probability of accepting H0 if H1 is true.
    pub beta: f64,
    /// The unit of `elo0` and `elo1`.
    pub model: EloModel,
}

/// Decision of the test.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtVerdict {
    /// H0, `elo0`, is accepted.
    AcceptH0,
    /// H1, `elo1`, is accepted.
    AcceptH1,
    /// No decision yet.
    Undecided,
}

/// State of the test.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtState {
    /// Log-likelihood ratio of H1 to H0.
    pub llr: f64,
    /// H0 is accepted at or below this.
    pub lower: f64,
    /// H1 is accepted at or above this.
    pub upper: f64,
    /// The decision.
    pub verdict: SprtVerdict,
}

impl fmt::Display for SprtVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            SprtVerdict::AcceptH0 => "H0 accepted",
            SprtVerdict::AcceptH1 => "H1 accepted",
            SprtVerdict::Undecided => "undecided",
        })
    }
}

/// `LLR 1.23 (-2.94, 2.94) undecided`.
impl fmt::Display for SprtState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SprtState { llr, lower, upper, verdict } = self;
        write!(f, "LLR {llr:.2} ({lower:.2}, {upper:.2}) {verdict}")
    }
}

const OPTIONS: &[OptionSpec] = &[
    OptionSpec { name: "elo0", kind: ELO, default: "0", about: "Elo difference under H0" },
    OptionSpec { name: "elo1", kind: ELO, default: "10", about: "Elo difference under H1" },
    OptionSpec { name: "alpha", kind: ERROR, default: "0.05", about: "probability of a false H1" },
    OptionSpec { name: "beta", kind: ERROR, default: "0.05", about: "probability of a false H0" },
    OptionSpec {
        name: "model",
        kind: OptionKind::Choice(&["logistic", "normalized"]),
        default: "logistic",
        about: "unit of elo0 and elo1",
    },
];
const ELO: OptionKind = OptionKind::Number { min: -1000.0, max: 1000.0 };
const ERROR: OptionKind = OptionKind::Number { min: 1e-6, max: 0.499 };

impl Default for Sprt {
    fn default() -> Sprt {
        Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model: EloModel::Logistic }
    }
}

/// Reads `elo0=0,elo1=10,alpha=0.05,beta=0.05,model=normalized`; all options have defaults.
impl FromStr for Sprt {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Sprt, TextError> {
        let options = Options::parse(&format!("sprt:{text}"), OPTIONS)?;
        let model = match options.text("model") {
            "normalized" => EloModel::Normalised,
            _ => EloModel::Logistic,
        };
        let sprt = Sprt {
            elo0: options.number("elo0"),
            elo1: options.number("elo1"),
            alpha: options.number("alpha"),
            beta: options.number("beta"),
            model,
        };
        if sprt.elo0 >= sprt.elo1 {
            let expected = format!("elo0={} to be less than elo1={}", sprt.elo0, sprt.elo1);
            return Err(TextError::whole("options of sprt", text, expected));
        }
        Ok(sprt)
    }
}

/// Writes all options, in the form that is read.
impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, alpha, beta, model } = self;
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta}")?;
        match model {
            EloModel::Logistic => Ok(()),
            EloModel::Normalised => f.write_str(",model=normalized"),
        }
    }
}

impl Sprt {
    /// The log-likelihood ratios at which H0 and H1 are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// State of the test after these games or pairs. Take the pairs if there are any
    /// ([`ScoreSample::of`]): mixing the models during one test spoils its error rates.
    pub fn state(&self, sample: impl Into<ScoreSample>) -> SprtState {
        let llr = self.llr(sample);
        let (lower, upper) = self.bounds();
        let verdict = if llr >= upper {
            SprtVerdict::AcceptH1
        } else if llr <= lower {
            SprtVerdict::AcceptH0
        } else {
            SprtVerdict::Undecided
        };
        SprtState { llr, lower, upper, verdict }
    }

    /// The exact generalised log-likelihood ratio of H1 to H0; 0 without games.
    pub fn llr(&self, sample: impl Into<ScoreSample>) -> f64 {
        let sample = sample.into();
        let Some(outcomes) = regularized(&sample) else { return 0.0 };
        let fit = |elo: f64| match self.model {
            EloModel::Logistic => most_likely_with_mean(&outcomes, expected_score(elo)),
            EloModel::Normalised => {
                most_likely_with_t(&outcomes, t_of_normalised(elo) * sample.games_each().sqrt())
            }
        };
        let exact = fit(self.elo0).zip(fit(self.elo1)).map(|(under_h0, under_h1)| {
            let likelihoods = under_h0.iter().zip(&under_h1);
            let terms = outcomes.iter().zip(likelihoods);
            terms.map(|((_, count), (p0, p1))| count * (p1 / p0).ln()).sum::<f64>()
        });
        exact.filter(|llr| llr.is_finite()).unwrap_or_else(|| self.approximate_llr(sample))
    }

    /// The approximation of [`llr`](Self::llr) by the mean and the variance alone; the two agree
    /// where both hypotheses are near what was observed.
    pub fn approximate_llr(&self, sample: impl Into<ScoreSample>) -> f64 {
        let sample = sample.into();
        let Some(outcomes) = regularized(&sample) else { return 0.0 };
        let observations: f64 = outcomes.iter().map(|(_, count)| count).sum();
        let frequencies: Vec<f64> = outcomes.iter().map(|(_, c)| c / observations).collect();
        let (mean, variance) = mean_and_variance(&outcomes, &frequencies);
        match self.model {
            EloModel::Logistic => {
                let (s0, s1) = (expected_score(self.elo0), expected_score(self.elo1));
                observations * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)
            }
            EloModel::Normalised => {
                let games = observations * sample.games_each();
                let t = (mean - 0.5) / (sample.games_each() * variance).sqrt();
                let off = |elo: f64| (t - t_of_normalised(elo)).powi(2);
                games / 2.0 * ((1.0 + off(self.elo0)) / (1.0 + off(self.elo1))).ln()
            }
        }
    }
}

/// Normalised Elo in standard deviations of a game.
fn t_of_normalised(elo: f64) -> f64 {
    elo / NORMALIZED_ELO_PER_SIGMA
}

/// The results with their counts, regularised to be above zero; `None` without games.
fn regularized(sample: &ScoreSample) -> Option<Vec<(f64, f64)>> {
    const PSEUDO_COUNT: f64 = 1e-3;
    let outcomes = sample.outcomes();
    outcomes.iter().any(|(_, count)| *count > 0.0).then(|| {
        outcomes
            .into_iter()
            .map(|(score, count)| (score, if count > 0.0 { count } else { PSEUDO_COUNT }))
            .collect()
    })
}

fn mean_and_variance(outcomes: &[(f64, f64)], probabilities: &[f64]) -> (f64, f64) {
    let average = |of: &dyn Fn(f64) -> f64| {
        outcomes.iter().zip(probabilities).map(|((score, _), p)| p * of(*score)).sum::<f64>()
    };
    let mean = average(&|score| score);
    (mean, average(&|score| (score - mean).powi(2)))
}

/// The distribution most likely to give the observed counts among those of mean `mean`.
fn most_likely_with_mean(outcomes: &[(f64, f64)], mean: f64) -> Option<Vec<f64>> {
    let offsets: Vec<f64> = outcomes.iter().map(|(score, _)| score - mean).collect();
    most_likely_with_zero(outcomes, &offsets)
}

/// The distribution most likely to give the observed counts among those whose mean is `t` of
/// their standard deviations above one half.
///
/// `mean - 1/2 - t sigma = 0` is not linear in the probabilities. Around a distribution of mean
/// `m` and deviation `sigma` its linear form is that `a_i - 1/2 - t sigma (1 + ((a_i - m) /
/// sigma)^2) / 2` is zero on average; solving for that and starting again there converges to the
/// distribution sought.
fn most_likely_with_t(outcomes: &[(f64, f64)], t: f64) -> Option<Vec<f64>> {
    const STEPS: usize = 200;
    let mut probabilities = vec![1.0 / outcomes.len() as f64; outcomes.len()];
    for _ in 0..STEPS {
        let (mean, variance) = mean_and_variance(outcomes, &probabilities);
        let sigma = variance.sqrt();
        let offset =
            |score: f64| score - 0.5 - t * sigma * (1.0 + ((score - mean) / sigma).powi(2)) / 2.0;
        let offsets: Vec<f64> = outcomes.iter().map(|(score, _)| offset(*score)).collect();
        let next = most_likely_with_zero(outcomes, &offsets)?;
        let change = next.iter().zip(&probabilities).map(|(a, b)| (a - b).abs());
        // Steps shrink quadratically. Closer than this, rounding next to a pole of the equation
        // for `x` (results seen 10^8 times less often than others) may keep them from shrinking.
        let settled = change.fold(0.0, f64::max) < 1e-7;
        probabilities = next;
        if settled {
            return Some(probabilities);
        }
    }
    None
}

/// The distribution most likely to give the observed counts among those under which `offsets` is
/// zero on average: `p_i / (1 + x offset_i)`, with `x` by bisection. `None` if all offsets have
/// one sign, when there is no such distribution.
fn most_likely_with_zero(outcomes: &[(f64, f64)], offsets: &[f64]) -> Option<Vec<f64>> {
    let smallest = offsets.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = offsets.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if !(smallest < 0.0 && largest > 0.0) {
        return None;
    }
    let total: f64 = outcomes.iter().map(|(_, count)| count).sum();
    let weigh = |x: f64| {
        outcomes
            .iter()
            .zip(offsets)
            .map(move |((_, count), offset)| (count / total / (1.0 + x * offset), offset))
    };
    // The average falls from +inf to -inf between the two poles next to zero.
    let (mut low, mut high) = (-1.0 / largest, -1.0 / smallest);
    loop {
        let middle = (low + high) / 2.0;
        if middle <= low || middle >= high {
            return Some(weigh(middle).map(|(probability, _)| probability).collect());
        }
        let average: f64 = weigh(middle).map(|(probability, offset)| probability * offset).sum();
        if average > 0.0 { low = middle } else { high = middle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elo::{Pentanomial, Wdl};

    #[test]
    fn the_text_form_is_read_and_written() {
        let text = "elo0=-1.75,elo1=0.25,alpha=0.1,beta=0.05,model=normalized";
        let sprt: Sprt = text.parse().unwrap();
        assert_eq!(sprt.to_string(), text);
        assert_eq!((sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta), (-1.75, 0.25, 0.1, 0.05));
        assert_eq!("".parse::<Sprt>().unwrap(), Sprt::default());
        assert_eq!("elo0=0,elo1=10,alpha=0.05,beta=0.05".parse::<Sprt>().unwrap(), Sprt::default());
    }

    #[test]
    fn bad_text_names_the_option_and_what_would_be_right() {
        let message = |text: &str| text.parse::<Sprt>().unwrap_err().to_string();
        assert_eq!(
            message("elo0=0,elo2=5"),
            "bad option of sprt \"elo2=5\": expected one of the options elo0, elo1, alpha, beta, model"
        );
        assert!(message("elo0=x").contains("bad elo0 of sprt \"x\": expected a number"));
        assert!(message("alpha=0").contains("a number from 0.000001 to 0.499"));
        assert!(message("alpha=0.05,alpha=0.05").contains("only once"));
        assert!(message("model=bayes").contains("one of logistic, normalized"));
        assert!(message("elo0=5,elo1=5").contains("expected elo0=5 to be less than elo1=5"));
        assert!(message("elo0=NaN").contains("expected a number"));
        assert!(message("0,10").contains("one of the options"));
    }

    #[test]
    fn five_percent_errors_have_the_well_known_bounds() {
        let (lower, upper) = Sprt::default().bounds();
        assert!((upper - 2.944_438_979).abs() < 1e-9 && (lower + upper).abs() < 1e-12);
    }

    #[test]
    fn without_games_nothing_is_decided() {
        for text in ["", "model=normalized"] {
            let sprt: Sprt = text.parse().unwrap();
            let state = sprt.state(Pentanomial::default());
            assert_eq!((state.llr, state.verdict), (0.0, SprtVerdict::Undecided));
            assert_eq!(sprt.approximate_llr(Wdl::default()), 0.0);
        }
    }

    #[test]
    fn swapping_players_and_hypotheses_turns_the_sign() {
        for model in [EloModel::Logistic, EloModel::Normalised] {
            let ours = Sprt { elo0: -3.0, elo1: 12.0, model, ..Sprt::default() };
            let theirs = Sprt { elo0: -12.0, elo1: 3.0, ..ours };
            let pairs = Pentanomial([7, 31, 80, 44, 9]);
            assert!((ours.llr(pairs) + theirs.llr(pairs.mirrored())).abs() < 1e-9);
            let wdl = Wdl::new(60, 30, 41);
            assert!((ours.llr(wdl) + theirs.llr(wdl.mirrored())).abs() < 1e-9);
        }
    }

    #[test]
    fn the_approximation_is_near_the_exact_ratio() {
        for model in [EloModel::Logistic, EloModel::Normalised] {
            let sprt = Sprt { elo0: 0.0, elo1: 5.0, model, ..Sprt::default() };
            for pairs in
                [Pentanomial([100, 700, 1500, 800, 110]), Pentanomial([39, 2226, 31451, 2412, 40])]
            {
                let (exact, near) = (sprt.llr(pairs), sprt.approximate_llr(pairs));
                assert!((exact - near).abs() < 0.02 * exact.abs().max(1.0), "{exact} {near}");
            }
        }
    }

    #[test]
    fn one_sided_results_lead_to_the_right_verdict_and_never_to_nan() {
        for text in ["elo1=10", "elo1=100", "elo0=-900,elo1=900", "elo1=20,model=normalized"] {
            let sprt: Sprt = text.parse().unwrap();
            for count in [1, 3, 40, 100_000] {
                let lost = sprt.state(Pentanomial([count, 0, 0, 0, 0])).llr;
                let won = sprt.state(Pentanomial([0, 0, 0, 0, count])).llr;
                assert!(lost.is_finite() && lost < 0.0, "{text} {count} {lost}");
                assert!(won.is_finite() && won > 0.0, "{text} {count} {won}");
                assert!(sprt.llr(Wdl::new(0, count, 0)).is_finite());
            }
            assert_eq!(sprt.state(Wdl::new(9999, 0, 0)).verdict, SprtVerdict::AcceptH1);
            assert_eq!(sprt.state(Wdl::new(0, 0, 9999)).verdict, SprtVerdict::AcceptH0);
        }
    }

    #[test]
    fn the_state_is_plain_json_and_one_line() {
        let state = Sprt::default().state(Wdl::new(500, 0, 0));
        assert_eq!(state.to_string(), "LLR 14.18 (-2.94, 2.94) H1 accepted");
        let json = serde_json::to_value(state).unwrap();
        assert_eq!(json["verdict"], "accept_h1");
        assert!(json["llr"].as_f64().unwrap() > json["upper"].as_f64().unwrap());
    }
}
