//! Inner loops that networks of boards share: sums of products over neighbourhoods of cells, and the
//! functions behind them. All give the same numbers on every machine.

mod convolution;
mod functions;
mod grid;
#[cfg(test)]
mod tests;
pub mod winograd;

pub use convolution::{
    add_outer_products, convolve, correlate, multiply_add, plain_add_outer_products,
    plain_convolve, plain_correlate, plain_multiply_add, transposed,
};
pub(crate) use functions::power;
pub use functions::{exp, ln, logistic};
pub use grid::PaddedGrid;

/// Channels of every layer, and the largest number of input planes.
pub const WIDTH: usize = 32;

/// The channels of one cell, or one row of weights.
#[derive(Copy, Clone, Debug, PartialEq)]
#[repr(align(64))]
pub struct Channels(pub [f32; WIDTH]);

impl Channels {
    /// Nothing.
    pub const ZERO: Channels = Channels([0.0; WIDTH]);

    /// Adds other channels.
    #[inline]
    pub fn add(&mut self, other: &Channels) {
        for (value, other) in self.0.iter_mut().zip(&other.0) {
            *value += other;
        }
    }

    /// Adds other channels times `factor`, each with one rounding.
    #[inline]
    pub fn add_scaled(&mut self, other: &Channels, factor: f32) {
        for (value, other) in self.0.iter_mut().zip(&other.0) {
            *value = other.mul_add(factor, *value);
        }
    }

    /// The sum of products, from the first channel to the last.
    #[inline]
    pub fn dot(&self, other: &Channels) -> f32 {
        self.0.iter().zip(&other.0).fold(0.0, |sum, (one, other)| one.mul_add(*other, sum))
    }

    /// Rectifies (ReLU): zero where it is negative.
    #[inline]
    pub fn rectify(&mut self) {
        self.0.iter_mut().for_each(|value| *value = value.max(0.0));
    }

    /// Zero where `output`, which was rectified, is.
    #[inline]
    pub fn mask(&mut self, output: &Channels) {
        for (value, output) in self.0.iter_mut().zip(&output.0) {
            *value = if *output > 0.0 { *value } else { 0.0 };
        }
    }
}

/// A matrix of weights times a row: the sum of its rows, each as often as `input` says.
pub fn product(input: &Channels, weights: &[Channels]) -> Channels {
    let mut sum = Channels::ZERO;
    for (value, row) in input.0.iter().zip(weights) {
        sum.add_scaled(row, *value);
    }
    sum
}
