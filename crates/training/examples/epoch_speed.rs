//! Duration of a Texel epoch: `cargo run --release -p ludus-training --example epoch_speed [THREADS]`.
//!
//! A million random positions of 60 terms each, of 1,000 terms as in chess and of 60,000 as in pattern
//! tables. Seconds are of processor time, all threads together, as counted by Linux: other programs on
//! the machine hardly change them.

use ludus_core::{Random, Weight, Weights};
use ludus_training::kinds::texel::{
    TexelSettings, Tuner,
    samples::{SampleRow, TermSamples},
};

const POSITIONS: usize = 1_000_000;
const TERMS_EACH: usize = 60;
const EPOCHS: usize = 3;

fn main() {
    let threads = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(2);
    for terms in [1_000, 60_000] {
        let samples = random_samples(terms);
        let start = Weights { terms: vec![Weight::flat(10); terms] };
        let settings = TexelSettings::default();
        let began = processor_seconds();
        let tuner = Tuner::new(&settings, &samples, &start, vec![true; terms], 1, threads);
        let mut state = tuner.begin();
        let prepared = processor_seconds() - began;
        let began = processor_seconds();
        (0..EPOCHS).for_each(|_| tuner.epoch(&mut state));
        let seconds = (processor_seconds() - began) / EPOCHS as f64;
        println!(
            "{terms} terms, {POSITIONS} positions of {TERMS_EACH}, {threads} threads: \
             {prepared:.2} s to prepare, {seconds:.2} s of processor time an epoch"
        );
    }
}

fn random_samples(terms: usize) -> TermSamples {
    let mut random = Random::new(1);
    let mut samples = TermSamples::default();
    for game in 0..POSITIONS {
        let counts: Vec<(usize, i32)> = (0..TERMS_EACH)
            .map(|_| (random.below(terms), if random.below(2) == 0 { 1 } else { -1 }))
            .collect();
        let row = SampleRow {
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

/// User time this process has used so far, in ticks of a hundredth of a second.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("this example needs Linux");
    let behind_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = behind_name.split_whitespace().nth(11).and_then(|text| text.parse::<f64>().ok());
    ticks.expect("the 14th field of /proc/self/stat is user time") / 100.0
}
