//! Training on positions with targets: the mean squared error, by Adam (Kingma and Ba 2015).

use super::{
    ConvNet, ConvNetEvaluator,
    pass::{BackwardPass, ForwardPass, GROUP},
    weights::{Transformed, WayBack},
};
use crate::{
    adam::Adam,
    kernels::{Channels, WIDTH},
    parallel,
};

/// Positions whose gradients are added up by one thread, in order. Then the sums are added up in order:
/// the number of threads does not matter.
const CHUNK_POSITIONS: usize = 64;

/// Positions as bitboards, each with a target from 0 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvNetSamples {
    planes: usize,
    positions: Vec<u64>,
    targets: Vec<f32>,
}

impl ConvNetSamples {
    /// No positions, for networks of this many planes.
    pub fn new(planes: usize) -> ConvNetSamples {
        ConvNetSamples { planes, positions: Vec::new(), targets: Vec::new() }
    }

    /// Appends a position.
    ///
    /// # Panics
    /// If the number of planes is another.
    pub fn push(&mut self, planes: &[u64], target: f32) {
        assert_eq!(planes.len(), self.planes, "a bitboard for each plane");
        self.positions.extend(planes);
        self.targets.push(target);
    }

    /// The number of bitboards of a position.
    pub fn planes(&self) -> usize {
        self.planes
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// The bitboards of a position.
    pub fn position(&self, index: usize) -> &[u64] {
        &self.positions[index * self.planes..][..self.planes]
    }

    fn sample(&self, index: u32) -> (&[u64], f32) {
        let index = index as usize;
        (self.position(index), self.targets[index])
    }

    /// The target of a position.
    pub fn target(&self, index: usize) -> f32 {
        self.targets[index]
    }
}

/// The part of a gradient that comes from the positions of one chunk.
#[derive(Clone, Debug)]
struct Part {
    gradient: Vec<Channels>,
    loss: f64,
}

/// The buffers of one thread.
struct Buffers {
    forward: ForwardPass,
    backward: BackwardPass,
}

impl Buffers {
    fn new() -> Buffers {
        Buffers { forward: ForwardPass::new(), backward: BackwardPass::new() }
    }
}

/// A network in training.
pub struct ConvNetTrainer {
    pub(super) net: ConvNet,
    pub(super) adam: Adam,
    parts: Vec<Part>,
    buffers: Vec<Buffers>,
    weights: Transformed,
    back: WayBack,
}

impl ConvNetTrainer {
    /// Starts training with a network.
    pub fn new(net: ConvNet) -> ConvNetTrainer {
        let adam = Adam::new(net.rows.len() * WIDTH);
        ConvNetTrainer::with(net, adam)
    }

    pub(super) fn with(net: ConvNet, adam: Adam) -> ConvNetTrainer {
        ConvNetTrainer {
            net,
            adam,
            parts: Vec::new(),
            buffers: Vec::new(),
            weights: Transformed::new(),
            back: WayBack::new(),
        }
    }

    /// Steps made.
    pub fn steps(&self) -> u64 {
        self.adam.steps
    }

    /// The network as it is now.
    pub fn net(&self) -> &ConvNet {
        &self.net
    }

    /// One step of this learning rate on the samples with these numbers; returns the mean squared error
    /// before it.
    ///
    /// # Panics
    /// If there are no numbers, or one that no sample has.
    pub fn step(
        &mut self,
        samples: &ConvNetSamples,
        batch: &[u32],
        rate: f32,
        threads: usize,
    ) -> f64 {
        let loss = self.gradient(samples, batch, threads);
        let share = 1.0 / batch.len() as f32;
        let mut step = self.adam.step(rate);
        let rows = self.net.rows.iter_mut().zip(&self.parts[0].gradient);
        for (number, (row, gradient)) in rows.enumerate() {
            step.update(number * WIDTH, &mut row.0, &gradient.0, share);
        }
        loss
    }

    /// The gradient that [`gradient`](ConvNetTrainer::gradient) left.
    #[cfg(test)]
    pub(super) fn summed(&self) -> &[Channels] {
        &self.parts[0].gradient
    }

    /// Leaves the sum of the gradients of a batch in the first part; returns the mean squared error.
    pub(super) fn gradient(
        &mut self,
        samples: &ConvNetSamples,
        batch: &[u32],
        threads: usize,
    ) -> f64 {
        assert!(!batch.is_empty(), "a batch of samples");
        assert_eq!(samples.planes, self.net.planes, "a bitboard for each plane");
        self.weights.set(&self.net);
        self.back.set(&self.net, &self.weights);
        let count = batch.len().div_ceil(CHUNK_POSITIONS);
        let rows = self.net.rows.len();
        let part = || Part { gradient: vec![Channels::ZERO; rows], loss: 0.0 };
        self.parts.resize_with(count.max(self.parts.len()), part);
        let threads = threads.clamp(1, count);
        self.buffers.resize_with(threads.max(self.buffers.len()), Buffers::new);
        let (net, weights, back) = (&self.net, &self.weights, &self.back);
        let parts = &mut self.parts[..count];
        let buffers = &mut self.buffers[..threads];
        parallel::for_each(parts, buffers, |number, part, buffers| {
            let Buffers { forward, backward } = buffers;
            part.gradient.fill(Channels::ZERO);
            part.loss = 0.0;
            backward.begin();
            for group in chunk(batch, number).chunks(GROUP) {
                let samples = group.iter().map(|&index| samples.sample(index));
                let values = forward.run(net, weights, samples.clone().map(|(planes, _)| planes));
                for (value, (_, target)) in values.iter().zip(samples.clone()) {
                    part.loss += f64::from(value - target).powi(2);
                }
                backward.run(net, back, forward, samples, &mut part.gradient);
            }
            backward.finish(net, &mut part.gradient);
        });
        let (sum, others) = parts.split_first_mut().expect("a batch");
        for part in others {
            sum.loss += part.loss;
            for (sum, row) in sum.gradient.iter_mut().zip(&part.gradient) {
                sum.add(row);
            }
        }
        sum.loss / batch.len() as f64
    }
}

/// The samples of one part.
fn chunk(batch: &[u32], number: usize) -> &[u32] {
    let chunk = &batch[number * CHUNK_POSITIONS..];
    &chunk[..CHUNK_POSITIONS.min(chunk.len())]
}

impl ConvNet {
    /// The values of the samples with these numbers.
    ///
    /// # Panics
    /// If no sample has one of the numbers.
    pub fn values(&self, samples: &ConvNetSamples, batch: &[u32], threads: usize) -> Vec<f32> {
        assert_eq!(samples.planes, self.planes, "a bitboard for each plane");
        let mut chunks: Vec<Vec<f32>> = vec![Vec::new(); batch.len().div_ceil(CHUNK_POSITIONS)];
        let mut buffers = vec![ConvNetEvaluator::new(self); threads.max(1)];
        parallel::for_each(&mut chunks, &mut buffers, |number, values, evaluator| {
            let planes = chunk(batch, number).iter().flat_map(|&index| samples.sample(index).0);
            evaluator.values(&planes.copied().collect::<Vec<u64>>(), values);
        });
        chunks.concat()
    }

    /// The mean squared error on the samples with these numbers; 0 if there are none.
    ///
    /// # Panics
    /// If no sample has one of the numbers.
    pub fn error(&self, samples: &ConvNetSamples, batch: &[u32], threads: usize) -> f64 {
        let values = self.values(samples, batch, threads);
        let targets = batch.iter().map(|&index| samples.sample(index).1);
        let squares =
            values.iter().zip(targets).map(|(value, target)| f64::from(value - target).powi(2));
        squares.sum::<f64>() / batch.len().max(1) as f64
    }
}
