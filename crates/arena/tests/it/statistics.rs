//! Elo, SPRT and ratings against published figures and against simulations of known truth.

use ludus_arena::elo::{Estimate, Pentanomial, ScoreSample, Wdl, expected_score};
use ludus_arena::rating::{Pairing, RatingOptions, Ratings, rate};
use ludus_arena::sprt::{EloModel, Sprt, SprtVerdict};
use ludus_core::Random;
use proptest::prelude::*;

fn close(found: f64, published: f64, digits: f64) {
    assert!((found - published).abs() <= digits, "found {found}, published {published}");
}

fn check(estimate: Estimate, value: f64, error: f64) {
    close(estimate.value.unwrap(), value, 0.006);
    close(estimate.error().unwrap(), error, 0.006);
}

/// The figures of fastchess's own tests (`app/tests/elo_test.cpp`, Disservin/fastchess).
#[test]
fn elo_and_normalised_elo_are_those_of_fastchess() {
    let games = ScoreSample::from(Wdl::new(76, 123, 89));
    check(games.normalised_elo(), -20.76, 40.13);
    close(games.superiority().unwrap(), 0.1553, 5e-5);

    let games = ScoreSample::from(Wdl::new(136, 111, 96));
    check(games.normalised_elo(), 49.77, 36.77);
    check(games.elo(), 40.70, 30.43);
    close(games.superiority().unwrap(), 0.9960, 5e-5);

    check(ScoreSample::from(Wdl::new(34, 0, 356)).normalised_elo(), -508.44, 34.48);

    let pairs = ScoreSample::from(Pentanomial([34, 54, 31 + 32, 64, 75]));
    check(pairs.normalised_elo(), 57.94, 28.28);
    check(pairs.elo(), 55.58, 27.65);

    let pairs = ScoreSample::from(Pentanomial([332, 433, 457 + 41, 333, 334]));
    check(pairs.normalised_elo(), -9.17, 10.96);
    check(pairs.elo(), -8.64, 10.33);
    close(pairs.superiority().unwrap(), 0.0505, 5e-5);

    let pairs = ScoreSample::from(Pentanomial([7895, 8757, 5485 + 200, 568, 9999]));
    check(pairs.normalised_elo(), -19.01, 2.65);
    check(pairs.elo(), -21.04, 2.95);
}

/// The figures of fastchess's own tests (`app/tests/sprt_test.cpp`, Disservin/fastchess), which
/// follow fishtest's `LLRcalc.py`. Left out are its Bayesian model and its two cases of results all
/// alike, where ours differ: 104 pairs won are 2.09 here and 2.94 there. The test below has the
/// closed form for these.
#[test]
fn log_likelihood_ratios_are_those_of_fastchess() {
    let sprt = |elo0, elo1, model| Sprt { elo0, elo1, model, ..Sprt::default() };
    let (logistic, normalised) = (EloModel::Logistic, EloModel::Normalised);
    for (test, games, published) in [
        (sprt(0.0, 2.0, normalised), Wdl::new(36433, 68692, 36027), 0.92),
        (sprt(-1.75, 0.25, normalised), Wdl::new(10871, 20431, 10650), 2.30),
        (sprt(0.5, 2.5, logistic), Wdl::new(21404, 40708, 21184), -1.57),
        (sprt(0.0, 2.0, logistic), Wdl::new(57433, 106593, 57030), -2.59),
    ] {
        close(test.llr(games), published, 0.006);
    }
    for (test, pairs, published) in [
        (sprt(0.0, 2.0, normalised), [365, 16618, 36029 + 200, 16974, 390], 2.25),
        (sprt(-1.75, 0.25, normalised), [127, 4883, 10311 + 401, 5150, 104], 3.01),
        (sprt(0.5, 2.5, logistic), [223, 9863, 20279 + 1000, 10037, 246], -3.07),
        (sprt(0.0, 2.0, logistic), [871, 26175, 55003 + 980, 26678, 821], -4.98),
    ] {
        close(test.llr(Pentanomial(pairs)), published, 0.006);
    }
}

/// If all pairs are won, the most likely distributions have two values only, 0 and 1, and the
/// `t` of such a distribution is `(p - 1/2) / sqrt(p (1 - p))`.
#[test]
fn the_log_likelihood_ratio_of_all_wins_has_a_closed_form() {
    let (count, elo1) = (104, 5.0);
    let t = 2f64.sqrt() * elo1 * std::f64::consts::LN_10 / 800.0;
    let expected = count as f64 * (1.0 + t / (1.0 + t * t).sqrt()).ln();
    let normalised = Sprt { elo1, model: EloModel::Normalised, ..Sprt::default() };
    close(normalised.llr(Pentanomial([0, 0, 0, 0, count])), expected, 1e-3);
    let logistic = Sprt { elo1, ..Sprt::default() };
    let expected = count as f64 * (2.0 * expected_score(elo1)).ln();
    close(logistic.llr(Pentanomial([0, 0, 0, 0, count])), expected, 1e-3);
}

/// A pair of correlated games between players `elo` apart: the opening favours one side by 150
/// Elo, a third of the games is drawn.
fn play_pair(random: &mut Random, elo: f64, bias: f64) -> Pentanomial {
    let mut game = |elo: f64| {
        let draw = 0.3;
        let win = expected_score(elo) - draw / 2.0;
        let dice = random.unit();
        if dice < win { 2 } else { u8::from(dice < win + draw) }
    };
    let mut pair = Pentanomial::default();
    pair.record(game(elo + bias), game(elo - bias));
    pair
}

/// The Elo difference at which a game pair with opening bias scores as at `elo` without it.
fn elo_with_bias(elo: f64, bias: f64) -> f64 {
    let (mut low, mut high) = (-400.0, 400.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        let score = (expected_score(middle + bias) + expected_score(middle - bias)) / 2.0;
        if score < expected_score(elo) { low = middle } else { high = middle }
    }
    low
}

/// Runs that accept H1, and pairs played by all runs, if the true difference is `elo`.
fn accepted(sprt: &Sprt, elo: f64, runs: u32) -> (u32, u64) {
    const BIAS: f64 = 150.0;
    let mut random = Random::new(0x5EED).split(&format!("{elo} {sprt}"));
    let elo = elo_with_bias(elo, BIAS);
    let (mut accepted, mut played) = (0, 0);
    for _ in 0..runs {
        let mut pairs = Pentanomial::default();
        let verdict = loop {
            pairs += play_pair(&mut random, elo, BIAS);
            match sprt.state(pairs).verdict {
                SprtVerdict::Undecided => {}
                verdict => break verdict,
            }
        };
        accepted += u32::from(verdict == SprtVerdict::AcceptH1);
        played += pairs.pairs();
    }
    (accepted, played)
}

/// Error rates agree with Wald's bounds; 600 runs measure 10 % within 2.4 % for 95 of 100 seeds, and the
/// seed is fixed.
#[test]
fn the_test_errs_as_rarely_as_it_promises() {
    let sprt: Sprt = "elo0=0,elo1=40,alpha=0.1,beta=0.05".parse().unwrap();
    let runs = 600;
    let (false_h1, played) = accepted(&sprt, 0.0, runs);
    let (true_h1, _) = accepted(&sprt, 40.0, runs);
    let rate = |count: u32| f64::from(count) / f64::from(runs);
    assert!((0.05..0.13).contains(&rate(false_h1)), "type I: {}", rate(false_h1));
    assert!((0.02..0.08).contains(&(1.0 - rate(true_h1))), "type II: {}", 1.0 - rate(true_h1));
    // A much better player is accepted much sooner than one between the hypotheses.
    let (clear_h1, quick) = accepted(&sprt, 150.0, runs);
    assert_eq!(clear_h1, runs);
    assert!(quick * 3 < played, "{quick} against {played}");
}

/// 95 % intervals hold the truth in 95 % of the matches, correlated as the pairs are.
#[test]
fn intervals_cover_the_truth_as_often_as_they_say() {
    const BIAS: f64 = 250.0;
    let (truth, matches) = (25.0, 1000);
    let elo = elo_with_bias(truth, BIAS);
    let mut random = Random::new(7);
    let mut covered = 0;
    for _ in 0..matches {
        let mut pairs = Pentanomial::default();
        (0..200).for_each(|_| pairs += play_pair(&mut random, elo, BIAS));
        let estimate = ScoreSample::from(pairs).elo();
        covered += u32::from(estimate.low.unwrap() < truth && truth < estimate.high.unwrap());
    }
    assert!((930..970).contains(&covered), "{covered} of {matches}");
}

/// Simulated players that follow the rating model.
struct World {
    elo: Vec<f64>,
    first_move: f64,
    /// Draw rate of equal players.
    draw_rate: f64,
}

impl World {
    fn play(&self, random: &mut Random, first: usize, second: usize) -> Wdl {
        let score = expected_score(self.elo[first] + self.first_move - self.elo[second]);
        let draw = self.draw_rate * 4.0 * score * (1.0 - score);
        let (win, loss) = (score - draw / 2.0, 1.0 - score - draw / 2.0);
        let dice = random.unit();
        if dice < win {
            Wdl::new(1, 0, 0)
        } else if dice < win + loss {
            Wdl::new(0, 0, 1)
        } else {
            Wdl::new(0, 1, 0)
        }
    }

    /// A double round robin with `games` games for each side.
    fn tournament(&self, random: &mut Random, games: usize) -> Ratings {
        let players = self.elo.len();
        let mut pairings = Vec::new();
        for first in 0..players {
            for second in (0..players).filter(|&second| second != first) {
                let wdl = (0..games).map(|_| self.play(random, first, second)).sum();
                pairings.push(Pairing { first, second, wdl });
            }
        }
        rate(players, &pairings, &RatingOptions { first_move: true, ..Default::default() }).unwrap()
    }
}

fn holds(estimate: Estimate, truth: f64) -> bool {
    estimate.low.unwrap() <= truth && truth <= estimate.high.unwrap()
}

#[test]
fn a_simulated_tournament_gives_the_strengths_back() {
    let elo = vec![300.0, 150.0, 60.0, 0.0, -40.0, -170.0, -300.0];
    let world = World { elo, first_move: 35.0, draw_rate: 0.3 };
    let ratings = world.tournament(&mut Random::new(3), 400);
    assert_eq!(ratings.ranking(), [0, 1, 2, 3, 4, 5, 6]);
    for (rating, &truth) in ratings.players.iter().zip(&world.elo) {
        assert!(holds(rating.elo, truth), "{} should be {truth}", rating.elo);
        assert!(rating.elo.error().unwrap() < 15.0, "{}", rating.elo);
    }
    assert!(holds(ratings.first_move, 35.0), "{}", ratings.first_move);
    assert!((ratings.draw_rate.unwrap() - 0.3).abs() < 0.02);
}

#[test]
fn rating_errors_cover_the_truth_as_often_as_they_say() {
    let world =
        World { elo: vec![120.0, 50.0, 0.0, -50.0, -120.0], first_move: 20.0, draw_rate: 0.35 };
    let mut random = Random::new(11);
    let (tournaments, mut covered, mut first_covered) = (400, 0, 0);
    for _ in 0..tournaments {
        let ratings = world.tournament(&mut random, 30);
        let players = ratings.players.iter().zip(&world.elo);
        covered += players.filter(|(rating, truth)| holds(rating.elo, **truth)).count();
        first_covered += usize::from(holds(ratings.first_move, world.first_move));
    }
    let rate = covered as f64 / (tournaments * world.elo.len()) as f64;
    assert!((0.935..0.965).contains(&rate), "{rate}");
    let rate = first_covered as f64 / tournaments as f64;
    assert!((0.925..0.975).contains(&rate), "{rate}");
}

/// Mostly few games, sometimes none, sometimes very many.
fn count() -> impl Strategy<Value = u64> {
    prop_oneof![Just(0), 0u64..5, 0u64..2000, Just(1 << 16)]
}

fn wdl() -> impl Strategy<Value = Wdl> {
    (count(), count(), count()).prop_map(|(wins, draws, losses)| Wdl::new(wins, draws, losses))
}

fn check_order(estimate: Estimate) {
    let Estimate { value, low, high } = estimate;
    assert!([value, low, high].into_iter().flatten().all(f64::is_finite), "{estimate:?}");
    for (a, b) in [(low, value), (value, high), (low, high)] {
        assert!(a.zip(b).is_none_or(|(a, b)| a <= b), "{estimate:?}");
    }
}

proptest! {
    #[test]
    fn any_results_have_finite_figures(wdl in wdl(), pairs in [count(), count(), count(), count(), count()]) {
        for sample in [ScoreSample::from(wdl), ScoreSample::from(Pentanomial(pairs))] {
            check_order(sample.elo());
            check_order(sample.normalised_elo());
            prop_assert!(sample.superiority().is_none_or(|part| (0.0..=1.0).contains(&part)));
            for text in ["", "model=normalized", "elo0=-1000,elo1=1000", "elo0=900,elo1=901,model=normalized"] {
                let sprt: Sprt = text.parse().unwrap();
                prop_assert!(sprt.llr(sample).is_finite() && sprt.approximate_llr(sample).is_finite());
            }
        }
    }

    #[test]
    fn any_text_is_a_test_or_an_error(text in "\\PC*|(elo[01]|alpha|beta|model)=[-0-9.e]*,?.*") {
        if let Ok(sprt) = text.parse::<Sprt>() {
            prop_assert_eq!(sprt.to_string().parse::<Sprt>().unwrap(), sprt);
        }
    }

    #[test]
    fn any_tournament_has_finite_ratings(
        games in prop::collection::vec((0usize..7, 0usize..7, wdl()), 0..15),
        first_move: bool,
    ) {
        let pairings: Vec<Pairing> = games
            .into_iter()
            .filter(|(first, second, _)| first != second)
            .map(|(first, second, wdl)| Pairing { first, second, wdl })
            .collect();
        let options = RatingOptions { first_move, ..Default::default() };
        let ratings = rate(7, &pairings, &options).unwrap();
        for rating in &ratings.players {
            check_order(rating.elo);
            prop_assert_eq!(rating.elo.error().is_some(), rating.wdl.games() > 0);
        }
        check_order(ratings.first_move);
        for group in &ratings.groups {
            let rated = group.iter().filter_map(|&player| ratings.players[player].elo.value);
            prop_assert!(rated.sum::<f64>().abs() < 1e-6);
        }
    }
}
