//! A convolutional network that judges boards of 8 by 8 squares by one number from 0 to 1.
//!
//! ```text
//! planes -> 3x3 -> relu -> 3x3 -> relu -> 3x3 -> relu -> 3x3 -> relu -> hidden -> relu -> sigmoid
//! ```
//!
//! Every window has [`WIDTH`] filters and sees zero off the board; the hidden layer sees all squares.
//! A plane is a bitboard: bit `8 * row + column` is its square.
//!
//! The first layer adds up the weights of the squares that are on, the others are Winograd's windows
//! ([`winograd`](crate::kernels::winograd)).
//!
//! All sums are taken in a fixed order, so that a network gives the same number for a position alone and
//! in a batch, and training the same weights on every machine and any number of threads.

mod evaluator;
mod file;
mod pass;
#[cfg(test)]
mod tests;
mod trainer;
mod weights;

pub use evaluator::ConvNetEvaluator;
pub use trainer::{ConvNetSamples, ConvNetTrainer};

use crate::kernels::{Channels, WIDTH};
use ludus_core::Random;
use std::ops::Range;

/// Rows and columns of the board.
pub const SIZE: usize = 8;
/// Squares of the board.
pub const SQUARES: usize = SIZE * SIZE;
/// Layers of windows.
pub const WINDOWS: usize = 4;
/// Units of the hidden layer.
pub const HIDDEN: usize = HIDDEN_ROWS * WIDTH;
/// Largest number of planes.
pub const MAX_PLANES: usize = 32;

const HIDDEN_ROWS: usize = 2;
/// Squares that a window sees.
const TAPS: usize = 9;

/// The rows of weights of each layer.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Layout {
    /// For each tap and each input channel a row with the weights of all filters.
    windows: [Range<usize>; WINDOWS],
    /// For each layer of windows a row of biases.
    biases: usize,
    /// For each half of the hidden units, each square and each of its channels the weights of the units.
    hidden: Range<usize>,
    hidden_bias: Range<usize>,
    output: Range<usize>,
    /// The row whose first number is the bias of the output.
    output_bias: usize,
    rows: usize,
}

impl Layout {
    fn new(planes: usize) -> Layout {
        let mut rows = 0;
        let mut take = |count: usize| {
            rows += count;
            rows - count..rows
        };
        let windows = std::array::from_fn(|layer| take(TAPS * Layout::inputs(planes, layer)));
        let biases = take(WINDOWS).start;
        let hidden = take(SQUARES * WIDTH * HIDDEN_ROWS);
        let (hidden_bias, output) = (take(HIDDEN_ROWS), take(HIDDEN_ROWS));
        let output_bias = take(1).start;
        Layout { windows, biases, hidden, hidden_bias, output, output_bias, rows }
    }

    fn inputs(planes: usize, layer: usize) -> usize {
        if layer == 0 { planes } else { WIDTH }
    }

    /// Trained numbers; the rest of the last row is always zero.
    fn parameters(&self) -> usize {
        (self.rows - 1) * WIDTH + 1
    }
}

/// A network.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvNet {
    planes: usize,
    layout: Layout,
    rows: Vec<Channels>,
}

impl ConvNet {
    /// An untrained network of this many planes.
    ///
    /// # Panics
    /// If there are no planes or more than [`MAX_PLANES`].
    pub fn new(planes: usize, random: &mut Random) -> ConvNet {
        let mut net = ConvNet::zero(planes);
        let layout = net.layout.clone();
        let mut fill = |range: &Range<usize>, variance: f64| {
            for row in &mut net.rows[range.clone()] {
                row.0 = std::array::from_fn(|_| (random.normal() * variance.sqrt()) as f32);
            }
        };
        for window in &layout.windows {
            fill(window, 2.0 / window.len() as f64);
        }
        fill(&layout.hidden, 2.0 / (SQUARES * WIDTH) as f64);
        fill(&layout.output, 1.0 / HIDDEN as f64);
        net
    }

    /// A network whose weights are all zero.
    fn zero(planes: usize) -> ConvNet {
        assert!((1..=MAX_PLANES).contains(&planes), "1 to {MAX_PLANES} planes, not {planes}");
        let layout = Layout::new(planes);
        let rows = vec![Channels::ZERO; layout.rows];
        ConvNet { planes, layout, rows }
    }

    /// The number of its input planes.
    pub fn planes(&self) -> usize {
        self.planes
    }

    /// The number of its weights and biases.
    pub fn parameters(&self) -> usize {
        self.layout.parameters()
    }

    /// The value it gives to a position.
    ///
    /// For more than one position make a [`ConvNetEvaluator`].
    ///
    /// # Panics
    /// If the number of planes is another.
    pub fn value(&self, planes: &[u64]) -> f32 {
        ConvNetEvaluator::new(self).value(planes)
    }

    fn of(&self, range: &Range<usize>) -> &[Channels] {
        &self.rows[range.clone()]
    }
}
