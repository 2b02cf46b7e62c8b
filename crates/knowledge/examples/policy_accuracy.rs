//! Accuracy of playouts: the mean squared error of their mean result as a prediction of the winner.
//!
//!     cargo run --release -p ludus-knowledge --example policy_accuracy GAMES SIZE PLAYOUTS POLICY...
//!
//! Each line of the file GAMES is `first` or `second`, who won, and the moves. A POLICY is `light`,
//! `fuego` or `strong` with changes such as `strong+nakade:0+ko:20`.

use ludus_core::{LeafEvaluator, Notation, Options, Playout, Position, Random, Side};
use ludus_games::go::Go;
use ludus_knowledge::go::{
    leaf_evaluator::GoLeafEvaluator, policy::PlayoutPolicy, priors::GoPriors,
};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, size, playouts, policies @ ..] = arguments.as_slice() else {
        panic!("GAMES SIZE PLAYOUTS POLICY...")
    };
    let playouts: usize = playouts.parse().expect("a number of playouts");
    let games = std::fs::read_to_string(file).expect("a file of games");
    let options = Options::parse(&format!("go:size={size},komi=6.5"), Go::OPTIONS).expect("a size");
    let start = Go::start(&options).expect("a start");
    let samples: Vec<(Go, Side)> =
        games.lines().enumerate().flat_map(|(index, line)| samples(&start, line, index)).collect();
    println!("{} positions", samples.len());
    let mut base: Option<Vec<f64>> = None;
    for text in policies {
        let errors = errors(&policy(text), &samples, playouts);
        let base = base.get_or_insert_with(|| errors.clone());
        let (mean, _) = spread(&errors);
        let differences: Vec<f64> =
            errors.iter().zip(&*base).map(|(own, base)| own - base).collect();
        let (difference, deviation) = spread(&differences);
        println!("{mean:.5} {difference:+.5} +-{deviation:.5} {text}");
    }
}

/// Mean and standard error.
fn spread(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    (mean, (variance / count).sqrt())
}

fn policy(text: &str) -> PlayoutPolicy {
    let mut words = text.split('+');
    let mut policy = match words.next() {
        Some("light") => PlayoutPolicy::light(),
        Some("fuego") => PlayoutPolicy::fuego(),
        Some("strong") => PlayoutPolicy::strong(),
        _ => panic!("no policy {text}"),
    };
    for word in words {
        let change = word
            .split_once(':')
            .and_then(|(rule, percent)| policy.set(rule, percent.parse().ok()?));
        change.unwrap_or_else(|| panic!("no rule {word}"));
    }
    policy
}

/// Every eighth position of a game, from the eighth on, and who won.
fn samples(start: &Go, line: &str, index: usize) -> Vec<(Go, Side)> {
    let mut words = line.split_whitespace();
    let winner = if words.next() == Some("first") { Side::First } else { Side::Second };
    let mut go = start.clone();
    let mut found = Vec::new();
    for (ply, word) in words.enumerate() {
        let mv = go.parse_move(word).expect("a move");
        go.play(mv);
        if ply >= 8 && ply % 8 == index % 8 {
            found.push((go.clone(), winner));
        }
    }
    found
}

fn errors(policy: &PlayoutPolicy, samples: &[(Go, Side)], playouts: usize) -> Vec<f64> {
    let mut evaluator = GoLeafEvaluator::new(policy.clone(), GoPriors::none());
    evaluator.score_weight = 0.0;
    let mut random = Random::new(1);
    let mut playout = Playout::default();
    let mut error = |(go, winner): &(Go, Side)| {
        let mut won = 0.0;
        for _ in 0..playouts {
            playout.clear();
            won += f64::from(evaluator.simulate(go, &mut random, &mut playout));
        }
        let mean = won / playouts as f64;
        let result = if go.turn() == *winner { 1.0 } else { -1.0 };
        ((mean - result) / 2.0).powi(2)
    };
    samples.iter().map(&mut error).collect()
}
