use super::*;
use ludus_core::{Random, Weight, Weights};

/// Positions with random counts whose results are drawn by a logistic curve over known weights.
fn synthetic(truth: &Weights, positions: usize, terms_each: usize, seed: u64) -> TermSamples {
    let mut random = Random::new(seed);
    let truth = to_units(truth);
    let mut samples = TermSamples::default();
    for game in 0..positions {
        let counts: Vec<(usize, i32)> = (0..terms_each)
            .map(|_| (random.below(truth.len()), random.below(5) as i32 - 2))
            .collect();
        let ending = random.unit();
        let damp = [if random.below(8) == 0 { 0.25 } else { 1.0 }, 1.0];
        let sum: f64 = counts
            .iter()
            .map(|&(term, count)| {
                f64::from(count) * (truth[term][0] * (1.0 - ending) + truth[term][1] * ending)
            })
            .sum();
        let units = sum * damp[usize::from(sum < 0.0)];
        let won = random.unit() < sigmoid(units);
        samples.push_row(
            &counts,
            SampleRow {
                ending: ending as f32,
                damp: damp.map(|part| part as f32),
                result: f32::from(u8::from(won)),
                margin: (units * 2.0) as f32,
                score: (100.0 * units) as f32,
                game: game as u32,
            },
        );
    }
    samples
}

fn random_weights(terms: usize, seed: u64) -> Weights {
    let mut random = Random::new(seed);
    let mut draw = || random.below(201) as i32 - 100;
    Weights { terms: (0..terms).map(|_| Weight::tapered(draw(), draw())).collect() }
}

fn tune(
    settings: &TexelSettings,
    samples: &TermSamples,
    start: &Weights,
    threads: usize,
) -> TexelState {
    let tuner = Tuner::new(settings, samples, start, vec![true; start.terms.len()], 1, threads);
    let mut state = tuner.begin();
    while !tuner.is_done(&state) {
        tuner.epoch(&mut state);
    }
    state
}

fn root_mean_square(found: &Weights, truth: &Weights) -> f64 {
    let halves =
        |weights: &Weights| -> Vec<f64> { to_units(weights).into_iter().flatten().collect() };
    let squares: f64 =
        halves(found).iter().zip(halves(truth)).map(|(a, b)| (a - b) * (a - b)).sum();
    100.0 * (squares / (2 * truth.terms.len()) as f64).sqrt()
}

#[test]
fn the_gradient_is_what_small_differences_show() {
    let (terms, truth) = (7, random_weights(7, 1));
    let samples = synthetic(&truth, 60, 5, 2);
    let rows: Vec<u32> = (0..60).collect();
    let weights = to_units(&random_weights(terms, 3));
    for target in [Target::Result, Target::Margin] {
        for loss in [Loss::Squared, Loss::CrossEntropy] {
            let objective = Objective { target, loss, lambda: 0.6, k: 0.7 };
            let problem = TuningProblem::new(&samples, objective, 2);
            let mut sums = GradientSums::new(terms);
            let error = problem.accumulate(&rows, &weights, &mut sums);
            assert!((error / 60.0 - problem.mean_error(&rows, &weights)).abs() < 1e-12);
            for term in 0..terms {
                for half in 0..2 {
                    let at = |step: f64| {
                        let mut moved = weights.clone();
                        moved[term][half] += step;
                        60.0 * problem.mean_error(&rows, &moved)
                    };
                    let slope = (at(1e-6) - at(-1e-6)) / 2e-6;
                    let claimed = sums.gradient()[term][half];
                    assert!((slope - claimed).abs() < 1e-5, "{objective:?}: {slope} {claimed}");
                }
            }
        }
    }
}

#[test]
fn known_weights_are_found_again_from_results_alone() {
    let truth = random_weights(20, 5);
    let samples = synthetic(&truth, 60_000, 8, 6);
    for loss in [Loss::Squared, Loss::CrossEntropy] {
        let settings = TexelSettings {
            lambda: 1.0,
            k: Some(1.0),
            batch: 2_000,
            rate: 4.0,
            loss,
            l2: 0.01,
            ..Default::default()
        };
        let state = tune(&settings, &samples, &Weights { terms: vec![Weight::flat(0); 20] }, 2);
        let off = root_mean_square(&state.weights(), &truth);
        // The noise of 60,000 results alone is about 3 hundredths.
        assert!(off < 6.0, "{loss:?}: off by {off} hundredths in {} epochs", state.epoch());
        let (first, last) = (state.history[0], state.history[state.epoch()]);
        assert!(last.validation < first.validation * 0.8, "{first:?} {last:?}");
    }
}

#[test]
fn a_linear_target_is_found_exactly() {
    let truth = random_weights(3_000, 5);
    let samples = synthetic(&truth, 30_000, 30, 6);
    let settings = TexelSettings {
        target: Target::Margin,
        lambda: 1.0,
        batch: 1_000,
        rate: 20.0,
        l2: 0.001,
        patience: 6,
        ..Default::default()
    };
    let state = tune(&settings, &samples, &Weights { terms: vec![Weight::flat(0); 3_000] }, 2);
    let found = state.weights();
    let half = |weight: &Weight| Weight::tapered(weight.opening / 2, weight.ending / 2);
    let halved = Weights { terms: found.terms.iter().map(half).collect() };
    let off = root_mean_square(&halved, &truth); // margins are twice the truth
    assert!(off < 3.0, "off by {off} in {} epochs: {:?}", state.epoch(), state.history.last());
}

#[test]
fn the_steepness_is_that_of_the_curve_results_were_drawn_by() {
    let truth = random_weights(10, 8);
    let samples = synthetic(&truth, 20_000, 6, 9);
    // Weights of half the size need a curve twice as steep.
    let halved = Weights {
        terms: truth.terms.iter().map(|w| Weight::tapered(w.opening / 2, w.ending / 2)).collect(),
    };
    for (start, k) in [(&truth, 1.0), (&halved, 2.0)] {
        let settings = TexelSettings::default();
        let tuner = Tuner::new(&settings, &samples, start, vec![true; 10], 1, 1);
        assert!((tuner.k() / k - 1.0).abs() < 0.06, "{} instead of {k}", tuner.k());
    }
}

#[test]
fn threads_and_interruptions_change_nothing() {
    let truth = random_weights(12, 11);
    let samples = synthetic(&truth, 3_000, 6, 12);
    let start = Weights { terms: vec![Weight::flat(10); 12] };
    let settings =
        TexelSettings { epochs: 6, batch: 500, l2: 0.1, k: Some(1.0), ..Default::default() };
    let alone = tune(&settings, &samples, &start, 1);
    for threads in [2, 3, 8] {
        assert_eq!(tune(&settings, &samples, &start, threads), alone);
    }
    let tuner = Tuner::new(&settings, &samples, &start, vec![true; 12], 1, 2);
    let mut state = tuner.begin();
    while !tuner.is_done(&state) {
        tuner.epoch(&mut state);
        state = TexelState::from_bytes(&state.bytes(), 12).unwrap();
    }
    assert_eq!(state, alone);
}

#[test]
fn damaged_checkpoints_are_refused() {
    let truth = random_weights(4, 1);
    let samples = synthetic(&truth, 50, 3, 1);
    let settings = TexelSettings::default();
    let bytes = Tuner::new(&settings, &samples, &truth, vec![true; 4], 1, 1).begin().bytes();
    assert!(TexelState::from_bytes(&bytes, 4).is_some());
    assert!(TexelState::from_bytes(&bytes, 5).is_none());
    for length in [0, 7, 8, 64, bytes.len() - 8, bytes.len() - 1] {
        assert!(TexelState::from_bytes(&bytes[..length], 4).is_none(), "{length}");
    }
    for place in (0..bytes.len()).step_by(5) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 4;
        assert!(TexelState::from_bytes(&damaged, 4).is_none(), "{place}");
    }
}

#[test]
fn what_is_fixed_or_never_seen_keeps_its_weight() {
    let truth = random_weights(6, 3);
    let samples = synthetic(&truth, 2_000, 4, 3);
    let start = Weights { terms: vec![Weight::tapered(30, -7); 7] };
    let settings = TexelSettings { epochs: 5, batch: 100, ..Default::default() };
    let free = (0..7).map(|term| term != 2).collect();
    let tuner = Tuner::new(&settings, &samples, &start, free, 1, 1);
    let mut state = tuner.begin();
    (0..5).for_each(|_| tuner.epoch(&mut state));
    let found = state.weights();
    assert_eq!((found.terms[2], found.terms[6]), (start.terms[2], start.terms[6]));
    assert_ne!(found.terms[0], start.terms[0]);
}
