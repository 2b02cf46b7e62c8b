//! Forward and backward passes of one sample.

use super::{
    Activation, DenseLayer, DenseLoss, DenseNet, Place,
    kernels::{add_rows, add_scaled, dot, multiply},
};
use crate::{
    activation::tanh,
    kernels::{exp, logistic},
};

/// An input.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum DenseInput<'a> {
    /// A number for each input.
    Values(&'a [f32]),
    /// The inputs that are one, each once; all others are zero.
    Active(&'a [u32]),
}

/// The buffers of a pass, so that it does not allocate.
#[derive(Clone, Debug)]
pub struct DensePass {
    /// Outputs of all layers.
    pub(super) outputs: Vec<f32>,
    /// Sums of the last layer.
    pub(super) logits: Vec<f32>,
    /// Gradients by the sums of a layer, and by those of the layer before.
    change: Vec<f32>,
    before: Vec<f32>,
}

impl DensePass {
    /// Buffers for networks of the shape of `net`.
    pub fn new(net: &DenseNet) -> DensePass {
        let widest = net.layers().iter().map(|layer| layer.units).max().unwrap_or(0);
        DensePass {
            outputs: vec![0.0; net.layout.outputs()],
            logits: vec![0.0; net.outputs()],
            change: vec![0.0; widest],
            before: vec![0.0; widest],
        }
    }

    /// Computes the outputs of all layers.
    pub(super) fn forward(&mut self, net: &DenseNet, input: DenseInput) {
        let layout = &net.layout;
        assert_eq!(self.outputs.len(), layout.outputs(), "buffers of this network");
        if let DenseInput::Values(values) = input {
            assert_eq!(values.len(), layout.inputs, "a number for each input");
        }
        let mut from = input;
        let mut rest = &mut self.outputs[..];
        for (number, (layer, place)) in layout.each().enumerate() {
            let (outputs, others) = rest.split_at_mut(layer.units);
            rest = others;
            outputs.copy_from_slice(&net.parameters[place.biases.clone()]);
            let weights = &net.parameters[place.weights.clone()];
            match from {
                DenseInput::Values(values) => multiply(values, weights, outputs),
                DenseInput::Active(active) => add_rows(active, weights, outputs),
            }
            if number + 1 == layout.layers.len() {
                self.logits.copy_from_slice(outputs);
            }
            activate(layer.activation, outputs);
            from = DenseInput::Values(outputs);
        }
    }

    /// Adds to `gradient` that of the loss of the last forward pass, which had this input.
    pub(super) fn backward(
        &mut self,
        net: &DenseNet,
        loss: DenseLoss,
        input: DenseInput,
        target: &[f32],
        gradient: &mut [f32],
    ) {
        let last = net.last_outputs();
        let layers: &[DenseLayer] = net.layers();
        let activation = layers[layers.len() - 1].activation;
        loss.change(activation, &self.outputs[last], target, &mut self.change);
        for (number, (layer, place)) in net.layout.each().enumerate().rev() {
            let change = &self.change[..layer.units];
            let biases = &mut gradient[place.biases.clone()];
            biases.iter_mut().zip(change).for_each(|(bias, change)| *bias += change);
            let gradient = &mut gradient[place.weights.clone()];
            if number == 0 {
                return first_gradient(input, change, gradient);
            }
            let outputs = &self.outputs[net.layout.places[number - 1].outputs.clone()];
            let before = &mut self.before[..outputs.len()];
            through(net, place, change, outputs, before, gradient);
            derive(layers[number - 1].activation, outputs, before);
            std::mem::swap(&mut self.change, &mut self.before);
        }
    }
}

/// The gradient by the weights of the first layer.
fn first_gradient(input: DenseInput, change: &[f32], gradient: &mut [f32]) {
    let units = change.len();
    match input {
        DenseInput::Values(values) => {
            for (row, value) in gradient.chunks_exact_mut(units).zip(values) {
                add_scaled(change, *value, row);
            }
        }
        DenseInput::Active(active) => {
            for &index in active {
                let row = &mut gradient[index as usize * units..][..units];
                row.iter_mut().zip(change).for_each(|(row, change)| *row += change);
            }
        }
    }
}

/// The gradients by the weights of a layer and by its inputs.
fn through(
    net: &DenseNet,
    place: &Place,
    change: &[f32],
    inputs: &[f32],
    before: &mut [f32],
    gradient: &mut [f32],
) {
    let units = change.len();
    let rows = net.parameters[place.weights.clone()].chunks_exact(units);
    let rows = rows.zip(gradient.chunks_exact_mut(units));
    for ((value, before), (weights, row)) in inputs.iter().zip(before).zip(rows) {
        *before = dot(weights, change);
        add_scaled(change, *value, row);
    }
}

/// Turns sums into outputs.
fn activate(activation: Activation, sums: &mut [f32]) {
    match activation {
        Activation::Identity => {}
        Activation::Relu => sums.iter_mut().for_each(|sum| *sum = sum.max(0.0)),
        Activation::Tanh => sums.iter_mut().for_each(|sum| *sum = tanh(*sum)),
        Activation::Sigmoid => sums.iter_mut().for_each(|sum| *sum = logistic(*sum)),
        Activation::Softmax => {
            let most = sums.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            sums.iter_mut().for_each(|sum| *sum = exp(*sum - most));
            let total: f32 = sums.iter().sum();
            sums.iter_mut().for_each(|sum| *sum /= total);
        }
    }
}

/// Turns gradients by outputs into those by sums.
pub(super) fn derive(activation: Activation, outputs: &[f32], change: &mut [f32]) {
    let both = change.iter_mut().zip(outputs);
    match activation {
        Activation::Identity => {}
        Activation::Relu => {
            both.for_each(|(change, output)| {
                *change = if *output > 0.0 { *change } else { 0.0 };
            });
        }
        Activation::Tanh => both.for_each(|(change, output)| *change *= 1.0 - output * output),
        Activation::Sigmoid => both.for_each(|(change, output)| *change *= output * (1.0 - output)),
        Activation::Softmax => {
            let mean = dot(outputs, change);
            for (change, output) in change.iter_mut().zip(outputs) {
                *change = output * (*change - mean);
            }
        }
    }
}
