//! `ludus bench --only models`: speed of the networks, with random weights on random boards.

use super::{Common, write_json};
use ludus_core::Random;
use ludus_models::{
    conv_net::{ConvNet, ConvNetEvaluator, ConvNetSamples, ConvNetTrainer},
    dense::{
        Activation, DenseInput, DenseLayer, DenseLoss, DenseNet, DenseRule, DenseTrainer, Optimiser,
    },
};
use serde::Serialize;
use std::{
    hint::black_box,
    io::Write,
    time::{Duration, Instant},
};

/// Planes of the boards: one for each kind of piece of each colour, and one for each colour's attacks.
const PLANES: usize = 14;
const PIECE_PLANES: usize = 12;
/// Positions of a batch that is evaluated.
const BATCH: usize = 256;
/// Positions of a training step.
const TRAINING_BATCH: usize = 2048;
/// Learning rate of training steps.
const RATE: f32 = 5e-4;
/// Shortest time measured at once: less is noise of the clock.
const REPETITION: Duration = Duration::from_millis(2);

/// The speed of one kind of work.
#[derive(Serialize)]
struct ModelSpeed {
    model: &'static str,
    work: &'static str,
    threads: usize,
    /// Positions or samples per second, in the fastest repetition.
    per_second: f64,
}

/// Measures every kind of work for `duration`.
pub fn run(duration: Duration, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let threads = common.threads();
    let random = &mut Random::new(common.seed);
    let mut speeds = Vec::new();
    let mut add = |model, work, threads, per_second| -> anyhow::Result<()> {
        let speed = ModelSpeed { model, work, threads, per_second };
        if !common.json {
            write_speed(out, &speed)?;
        }
        speeds.push(speed);
        Ok(())
    };
    let net = ConvNet::new(PLANES, random);
    let samples = samples(random);
    add("conv-net", "one", 1, one_by_one(&net, &samples, duration))?;
    add("conv-net", "batch", 1, batches(&net, &samples, duration))?;
    add("conv-net", "training", threads, training(net, &samples, threads, duration))?;
    add("dense", "online", 1, online(random, duration))?;
    if common.json { write_json(out, &speeds) } else { Ok(()) }
}

/// Boards with about as many pieces and attacked squares as in a middle game of chess.
fn samples(random: &mut Random) -> ConvNetSamples {
    let mut samples = ConvNetSamples::new(PLANES);
    for _ in 0..TRAINING_BATCH {
        let planes: [u64; PLANES] = std::array::from_fn(|plane| match plane {
            PIECE_PLANES.. => random.bits() & (random.bits() | random.bits()),
            _ => (0..2).fold(0, |squares, _| squares | 1 << random.below(64)),
        });
        samples.push(&planes, random.unit() as f32);
    }
    samples
}

fn one_by_one(net: &ConvNet, samples: &ConvNetSamples, duration: Duration) -> f64 {
    let mut evaluator = ConvNetEvaluator::new(net);
    let mut positions = (0..samples.len()).cycle();
    fastest(1, duration, || {
        let position = positions.next().unwrap_or(0);
        black_box(evaluator.value(samples.position(position)));
    })
}

fn batches(net: &ConvNet, samples: &ConvNetSamples, duration: Duration) -> f64 {
    let mut evaluator = ConvNetEvaluator::new(net);
    let batch: Vec<u64> = (0..BATCH).flat_map(|at| samples.position(at)).copied().collect();
    let mut values = Vec::new();
    fastest(BATCH, duration, || {
        values.clear();
        evaluator.values(&batch, &mut values);
    })
}

fn training(net: ConvNet, samples: &ConvNetSamples, threads: usize, duration: Duration) -> f64 {
    let mut trainer = ConvNetTrainer::new(net);
    let batch: Vec<u32> = (0..TRAINING_BATCH as u32).collect();
    fastest(TRAINING_BATCH, duration, || {
        trainer.step(samples, &batch, RATE, threads);
    })
}

/// Steps on single samples of a network of 64 inputs and layers of 48, 24 and 12 units, with momentum.
fn online(random: &mut Random, duration: Duration) -> f64 {
    let layers = [(48, Activation::Tanh), (24, Activation::Tanh), (12, Activation::Softmax)];
    let layers = layers.map(|(units, activation)| DenseLayer { units, activation });
    let net = DenseNet::new(64, &layers, random);
    let optimiser = Optimiser::Momentum(0.9);
    let rule = DenseRule { loss: DenseLoss::CrossEntropy, optimiser, l2: 0.0 };
    let mut trainer = DenseTrainer::new(net, rule);
    let input: [f32; 64] = std::array::from_fn(|_| random.unit() as f32);
    let target: [f32; 12] = std::array::from_fn(|unit| if unit == 3 { 1.0 } else { 0.0 });
    fastest(1, duration, || {
        trainer.learn(DenseInput::Values(&input), &target, 1e-3);
    })
}

/// Calls `work`, which does `count` things, for `duration`; the number per second in the fastest
/// repetition of some calls.
fn fastest(count: usize, duration: Duration, mut work: impl FnMut()) -> f64 {
    let calls = calls_of(REPETITION, &mut work);
    let started = Instant::now();
    let mut best = f64::INFINITY;
    while best.is_infinite() || started.elapsed() < duration {
        let start = Instant::now();
        (0..calls).for_each(|_| work());
        best = best.min(start.elapsed().as_secs_f64());
    }
    (count * calls) as f64 / best.max(1e-9)
}

/// The number of calls that take about this time.
fn calls_of(time: Duration, work: &mut impl FnMut()) -> usize {
    let mut calls = 1;
    loop {
        let start = Instant::now();
        (0..calls).for_each(|_| work());
        if start.elapsed() >= time {
            return calls;
        }
        calls *= 2;
    }
}

fn write_speed(out: &mut impl Write, speed: &ModelSpeed) -> anyhow::Result<()> {
    let ModelSpeed { model, work, threads, per_second } = speed;
    let threads =
        if *threads == 1 { "one thread".to_owned() } else { format!("{threads} threads") };
    writeln!(out, "{model:<10} {work:<10} {per_second:>12.0}/s   {threads}")?;
    Ok(out.flush()?)
}
