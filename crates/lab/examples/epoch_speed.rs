//! How long an epoch takes: `cargo run --release -p ludus-lab --example epoch_speed [THREADS]`.
//!
//! A million made-up positions of 60 terms each, of 1,000 terms as in chess and of 60,000 as in
//! tables of patterns.

use ludus_core::{Random, Weight, Weights};
use ludus_lab::{
    samples::{Row, Samples},
    texel::{TexelSettings, Tuner},
};
use std::time::Instant;

const POSITIONS: usize = 1_000_000;
const TERMS_EACH: usize = 60;
const EPOCHS: usize = 3;

fn main() {
    let threads = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(2);
    for terms in [1_000, 60_000] {
        let samples = made_up(terms);
        let start = Weights { terms: vec![Weight::flat(10); terms] };
        let settings = TexelSettings::default();
        let began = Instant::now();
        let tuner = Tuner::new(&settings, &samples, &start, vec![true; terms], 1, threads);
        let mut state = tuner.begin();
        let prepared = began.elapsed().as_secs_f64();
        let began = Instant::now();
        (0..EPOCHS).for_each(|_| tuner.epoch(&mut state));
        let seconds = began.elapsed().as_secs_f64() / EPOCHS as f64;
        println!(
            "{terms} terms, {POSITIONS} positions of {TERMS_EACH}, {threads} threads: \
             {prepared:.2} s to prepare, {seconds:.2} s an epoch"
        );
    }
}

fn made_up(terms: usize) -> Samples {
    let mut random = Random::new(1);
    let mut samples = Samples::default();
    for game in 0..POSITIONS {
        let counts: Vec<(usize, i32)> = (0..TERMS_EACH)
            .map(|_| (random.below(terms), if random.below(2) == 0 { 1 } else { -1 }))
            .collect();
        let row = Row {
            ending: random.unit() as f32,
            damp: [1.0; 2],
            result: random.below(3) as f32 / 2.0,
            margin: f32::NAN,
            score: random.below(400) as f32 - 200.0,
            game: game as u32 / 50,
        };
        samples.push_row(&counts, row);
    }
    samples
}
