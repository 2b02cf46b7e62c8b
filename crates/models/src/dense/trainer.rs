//! Training: losses, optimisers, minibatches and single samples.

use super::{Activation, DenseInput, DenseNet, DensePass, pass::derive};
use crate::{adam::Adam, kernels::ln, parallel};

/// Samples whose gradients are added up by one thread, in order. Then the sums are added up in order: the
/// number of threads does not matter.
const CHUNK_SAMPLES: usize = 64;
/// The least probability whose logarithm is taken.
const LEAST_CHANCE: f64 = 1e-12;

/// The error of outputs beside their targets.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum DenseLoss {
    /// The sum of the squares of the differences.
    SquaredError,
    /// The negative logarithm of the probability of targets from 0 to 1 (binary cross entropy), behind
    /// sigmoid units.
    LogLoss,
    /// The cross entropy of target probabilities, behind softmax units.
    CrossEntropy,
}

impl DenseLoss {
    /// Whether it can stand behind a layer of this activation.
    pub fn fits(self, activation: Activation) -> bool {
        match self {
            DenseLoss::SquaredError => true,
            DenseLoss::LogLoss => activation == Activation::Sigmoid,
            DenseLoss::CrossEntropy => activation == Activation::Softmax,
        }
    }

    /// The loss of the outputs for one sample.
    ///
    /// # Panics
    /// If there are not as many targets as outputs.
    pub fn of(self, outputs: &[f32], target: &[f32]) -> f64 {
        assert_eq!(outputs.len(), target.len(), "a target for each output");
        let log = |chance: f64| ln(chance.max(LEAST_CHANCE));
        let both = outputs.iter().zip(target).map(|(&out, &target)| [out, target].map(f64::from));
        let losses = both.map(|[output, target]| match self {
            DenseLoss::SquaredError => (output - target) * (output - target),
            DenseLoss::LogLoss => -target * log(output) - (1.0 - target) * log(1.0 - output),
            DenseLoss::CrossEntropy => -target * log(output),
        });
        losses.sum()
    }

    /// The gradient by the sums of the last layer.
    pub(super) fn change(
        self,
        activation: Activation,
        outputs: &[f32],
        target: &[f32],
        change: &mut [f32],
    ) {
        let change = &mut change[..outputs.len()];
        for (change, (output, target)) in change.iter_mut().zip(outputs.iter().zip(target)) {
            *change = output - target;
        }
        match self {
            DenseLoss::SquaredError => {
                change.iter_mut().for_each(|change| *change *= 2.0);
                derive(activation, outputs, change);
            }
            DenseLoss::LogLoss => {}
            // Of target probabilities that do not add up to one, the output takes its share.
            DenseLoss::CrossEntropy => {
                let total: f32 = target.iter().sum();
                for (change, (output, target)) in change.iter_mut().zip(outputs.iter().zip(target))
                {
                    *change = output * total - target;
                }
            }
        }
    }
}

/// The rule by which gradients change weights.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Optimiser {
    /// Stochastic gradient descent: against the gradient.
    Sgd,
    /// Gradient descent with momentum: each step keeps this share of the one before it.
    Momentum(f32),
    /// Adam (Kingma and Ba 2015).
    Adam,
}

/// The settings of training.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct DenseRule {
    /// The error that becomes less.
    pub loss: DenseLoss,
    /// The rule by which it does.
    pub optimiser: Optimiser,
    /// L2 regularisation: half of this times the sum of the squares of all weights, but not of biases, is
    /// added to the mean loss.
    pub l2: f32,
}

/// A sample.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct DenseSample<'a> {
    /// The input.
    pub input: DenseInput<'a>,
    /// A target for each output.
    pub target: &'a [f32],
}

/// Memory of the optimiser.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum State {
    Sgd,
    /// The last step of each weight.
    Momentum(Vec<f32>),
    Adam(Adam),
}

impl State {
    pub fn new(optimiser: Optimiser, parameters: usize) -> State {
        match optimiser {
            Optimiser::Sgd => State::Sgd,
            Optimiser::Momentum(_) => State::Momentum(vec![0.0; parameters]),
            Optimiser::Adam => State::Adam(Adam::new(parameters)),
        }
    }
}

/// The part of a gradient that comes from the samples of one chunk.
#[derive(Clone, Debug)]
struct Part {
    gradient: Vec<f32>,
    loss: f64,
}

/// A network in training.
#[derive(Clone, Debug)]
pub struct DenseTrainer {
    pub(super) net: DenseNet,
    pub(super) rule: DenseRule,
    pub(super) state: State,
    pub(super) steps: u64,
    parts: Vec<Part>,
    buffers: Vec<DensePass>,
}

impl DenseTrainer {
    /// Starts training with a network.
    ///
    /// # Panics
    /// If the loss does not fit the last layer ([`DenseLoss::fits`]).
    pub fn new(net: DenseNet, rule: DenseRule) -> DenseTrainer {
        let state = State::new(rule.optimiser, net.parameters.len());
        DenseTrainer::with(net, rule, state, 0)
    }

    pub(super) fn with(net: DenseNet, rule: DenseRule, state: State, steps: u64) -> DenseTrainer {
        let last = net.layers()[net.layers().len() - 1].activation;
        assert!(rule.loss.fits(last), "{:?} does not fit {last:?}", rule.loss);
        DenseTrainer { net, rule, state, steps, parts: Vec::new(), buffers: Vec::new() }
    }

    /// The network as it is now.
    pub fn net(&self) -> &DenseNet {
        &self.net
    }

    /// The network, when training is over.
    pub fn into_net(self) -> DenseNet {
        self.net
    }

    /// The settings.
    pub fn rule(&self) -> &DenseRule {
        &self.rule
    }

    /// Steps made.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// One step of this learning rate on one sample; returns its loss before the step. It does not
    /// allocate after the first.
    ///
    /// # Panics
    /// If the sample does not fit the network.
    pub fn learn(&mut self, input: DenseInput, target: &[f32], rate: f32) -> f64 {
        self.step(&[DenseSample { input, target }], rate, 1)
    }

    /// One step of this learning rate on the mean loss of samples; returns it, without regularisation, as
    /// it was before. More than one thread pays for large networks or batches only.
    ///
    /// # Panics
    /// If there are no samples, or one does not fit the network.
    pub fn step(&mut self, samples: &[DenseSample], rate: f32, threads: usize) -> f64 {
        let loss = self.gradient(samples, threads);
        self.steps += 1;
        let share = 1.0 / samples.len() as f32;
        let (rule, net) = (self.rule, &mut self.net);
        let gradient = &mut self.parts[0].gradient;
        gradient.iter_mut().for_each(|gradient| *gradient *= share);
        if rule.l2 != 0.0 {
            for place in &net.layout.places {
                let weights = &net.parameters[place.weights.clone()];
                for (gradient, weight) in gradient[place.weights.clone()].iter_mut().zip(weights) {
                    *gradient += rule.l2 * weight;
                }
            }
        }
        let weights = net.parameters.iter_mut().zip(&*gradient);
        match (&mut self.state, rule.optimiser) {
            (State::Adam(adam), _) => {
                adam.step(rate).update(0, &mut net.parameters, gradient, 1.0);
            }
            (State::Momentum(last), Optimiser::Momentum(kept)) => {
                for ((weight, gradient), last) in weights.zip(last) {
                    *last = kept * *last - rate * gradient;
                    *weight += *last;
                }
            }
            _ => weights.for_each(|(weight, gradient)| *weight -= rate * gradient),
        }
        loss
    }

    /// Leaves the sum of the gradients of the samples in the first part; returns their mean loss.
    pub(super) fn gradient(&mut self, samples: &[DenseSample], threads: usize) -> f64 {
        assert!(!samples.is_empty(), "a batch of samples");
        let (net, loss) = (&self.net, self.rule.loss);
        let count = samples.len().div_ceil(CHUNK_SAMPLES);
        let part = || Part { gradient: vec![0.0; net.parameters.len()], loss: 0.0 };
        self.parts.resize_with(count.max(self.parts.len()), part);
        let threads = threads.clamp(1, count);
        self.buffers.resize_with(threads.max(self.buffers.len()), || DensePass::new(net));
        let parts = &mut self.parts[..count];
        parallel::for_each(parts, &mut self.buffers[..threads], |number, part, pass| {
            part.gradient.fill(0.0);
            part.loss = 0.0;
            for sample in samples.iter().skip(number * CHUNK_SAMPLES).take(CHUNK_SAMPLES) {
                pass.forward(net, sample.input);
                part.loss += loss.of(&pass.outputs[net.last_outputs()], sample.target);
                pass.backward(net, loss, sample.input, sample.target, &mut part.gradient);
            }
        });
        let (sum, others) = parts.split_first_mut().expect("a batch");
        for part in others {
            sum.loss += part.loss;
            for (sum, gradient) in sum.gradient.iter_mut().zip(&part.gradient) {
                *sum += gradient;
            }
        }
        sum.loss / samples.len() as f64
    }

    /// The gradient that [`gradient`](DenseTrainer::gradient) left.
    #[cfg(test)]
    pub(super) fn summed(&self) -> &[f32] {
        &self.parts[0].gradient
    }
}

impl PartialEq for DenseTrainer {
    fn eq(&self, other: &DenseTrainer) -> bool {
        self.net == other.net
            && self.rule == other.rule
            && self.state == other.state
            && self.steps == other.steps
    }
}
