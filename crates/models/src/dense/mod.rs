//! Fully connected layers of any size.
//!
//! Logistic regression is the smallest case: one layer of one sigmoid unit. Inputs are numbers, or the
//! indices of those that are one where most are zero.
//!
//! Every sum is taken in a fixed order with fused multiplications, so that all machines and any number of
//! threads give the same weights.

mod file;
mod kernels;
mod pass;
#[cfg(test)]
mod tests;
mod trainer;

pub use pass::{DenseInput, DensePass};
pub use trainer::{DenseLoss, DenseRule, DenseSample, DenseTrainer, Optimiser};

use ludus_core::Random;
use std::ops::Range;

/// The function that turns the sums of a layer into its outputs.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Activation {
    /// The sum itself.
    Identity,
    /// The sum, or zero where it is negative.
    Relu,
    /// The hyperbolic tangent.
    Tanh,
    /// The logistic function.
    Sigmoid,
    /// Probabilities that add up to one.
    Softmax,
}

/// A layer.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct DenseLayer {
    /// The number of its outputs.
    pub units: usize,
    /// The function behind its sums.
    pub activation: Activation,
}

/// The weights and biases of a layer among all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    /// For each input the weights of all units.
    weights: Range<usize>,
    biases: Range<usize>,
    /// The outputs, among those of all layers.
    outputs: Range<usize>,
}

/// The sizes of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Layout {
    inputs: usize,
    layers: Vec<DenseLayer>,
    places: Vec<Place>,
    /// Weights and biases of all layers.
    parameters: usize,
}

impl Layout {
    fn new(inputs: usize, layers: &[DenseLayer]) -> Layout {
        assert!(inputs > 0 && !layers.is_empty(), "a network has inputs and layers");
        let (mut parameters, mut outputs, mut from) = (0, 0, inputs);
        let mut places = Vec::new();
        for layer in layers {
            assert!(layer.units > 0, "a layer has units");
            let weights = parameters..parameters + from * layer.units;
            let biases = weights.end..weights.end + layer.units;
            (parameters, from) = (biases.end, layer.units);
            places.push(Place { weights, biases, outputs: outputs..outputs + layer.units });
            outputs += layer.units;
        }
        Layout { inputs, layers: layers.to_vec(), places, parameters }
    }

    /// The number of outputs of all layers together.
    fn outputs(&self) -> usize {
        self.places.last().map_or(0, |place| place.outputs.end)
    }

    /// Each layer with the places of its numbers, from the first.
    fn each(&self) -> impl DoubleEndedIterator<Item = (&DenseLayer, &Place)> + ExactSizeIterator {
        self.layers.iter().zip(&self.places)
    }
}

/// A network.
#[derive(Clone, Debug, PartialEq)]
pub struct DenseNet {
    layout: Layout,
    parameters: Vec<f32>,
}

impl DenseNet {
    /// A network with random weights, and biases of zero.
    ///
    /// The variance of the weights keeps that of the values from layer to layer (He et al. 2015 behind
    /// rectified units, LeCun et al. 1998 behind others).
    ///
    /// # Panics
    /// If there are no inputs, no layers or a layer without units.
    pub fn new(inputs: usize, layers: &[DenseLayer], random: &mut Random) -> DenseNet {
        let mut net = DenseNet::zero(inputs, layers);
        for (layer, place) in net.layout.each() {
            let wanted = if layer.activation == Activation::Relu { 2.0 } else { 1.0 };
            let deviation = (wanted * layer.units as f64 / place.weights.len() as f64).sqrt();
            for weight in &mut net.parameters[place.weights.clone()] {
                *weight = (random.normal() * deviation) as f32;
            }
        }
        net
    }

    /// A network whose weights are all zero: the usual start of logistic regression. Hidden layers would
    /// never learn.
    ///
    /// # Panics
    /// If there are no inputs, no layers or a layer without units.
    pub fn zero(inputs: usize, layers: &[DenseLayer]) -> DenseNet {
        let layout = Layout::new(inputs, layers);
        DenseNet { parameters: vec![0.0; layout.parameters], layout }
    }

    /// Logistic regression on this many inputs, with weights of zero.
    ///
    /// # Panics
    /// If there are no inputs.
    pub fn logistic(inputs: usize) -> DenseNet {
        DenseNet::zero(inputs, &[DenseLayer { units: 1, activation: Activation::Sigmoid }])
    }

    /// The number of inputs.
    pub fn inputs(&self) -> usize {
        self.layout.inputs
    }

    /// The number of outputs.
    pub fn outputs(&self) -> usize {
        self.layout.layers.last().map_or(0, |layer| layer.units)
    }

    /// The layers, from the first.
    pub fn layers(&self) -> &[DenseLayer] {
        &self.layout.layers
    }

    /// The number of weights and biases.
    pub fn parameters(&self) -> usize {
        self.parameters.len()
    }

    /// The weights of a layer: for each of its inputs those of all units.
    ///
    /// # Panics
    /// If there is no such layer.
    pub fn weights(&self, layer: usize) -> &[f32] {
        &self.parameters[self.layout.places[layer].weights.clone()]
    }

    /// The weights of a layer, to set them.
    ///
    /// # Panics
    /// If there is no such layer.
    pub fn weights_mut(&mut self, layer: usize) -> &mut [f32] {
        &mut self.parameters[self.layout.places[layer].weights.clone()]
    }

    /// The biases of the units of a layer.
    ///
    /// # Panics
    /// If there is no such layer.
    pub fn biases(&self, layer: usize) -> &[f32] {
        &self.parameters[self.layout.places[layer].biases.clone()]
    }

    /// The biases of the units of a layer, to set them.
    ///
    /// # Panics
    /// If there is no such layer.
    pub fn biases_mut(&mut self, layer: usize) -> &mut [f32] {
        &mut self.parameters[self.layout.places[layer].biases.clone()]
    }

    /// The outputs for an input.
    ///
    /// # Panics
    /// If the input does not fit the network, or the buffers were made for another shape.
    pub fn evaluate<'a>(&self, input: DenseInput, pass: &'a mut DensePass) -> &'a [f32] {
        pass.forward(self, input);
        &pass.outputs[self.last_outputs()]
    }

    /// The sums of the last layer for an input, before its activation. They tell apart inputs whose
    /// probabilities are all one.
    ///
    /// # Panics
    /// If the input does not fit the network, or the buffers were made for another shape.
    pub fn logits<'a>(&self, input: DenseInput, pass: &'a mut DensePass) -> &'a [f32] {
        pass.forward(self, input);
        &pass.logits
    }

    fn last_outputs(&self) -> Range<usize> {
        self.layout.places.last().map_or(0..0, |place| place.outputs.clone())
    }
}
