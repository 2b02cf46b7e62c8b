//! The weights of a network as passes want them.

use super::{ConvNet, HIDDEN, HIDDEN_ROWS, SQUARES, WINDOWS};
use crate::kernels::{
    Channels, WIDTH, transposed,
    winograd::{ELEMENTS, transform_weights},
};

/// Rows of the transformed weights of a layer.
pub(super) const LAYER_ROWS: usize = ELEMENTS * WIDTH;

/// The weights of all windows but the first, transformed.
#[derive(Clone)]
pub(super) struct Transformed {
    rows: Vec<Channels>,
}

impl Transformed {
    pub fn new() -> Transformed {
        Transformed { rows: vec![Channels::ZERO; (WINDOWS - 1) * LAYER_ROWS] }
    }

    pub fn of(net: &ConvNet) -> Transformed {
        let mut transformed = Transformed::new();
        transformed.set(net);
        transformed
    }

    pub fn set(&mut self, net: &ConvNet) {
        let windows = &net.layout.windows[1..];
        for (window, rows) in windows.iter().zip(self.rows.chunks_exact_mut(LAYER_ROWS)) {
            transform_weights(net.of(window), rows);
        }
    }

    /// The matrices of the elements of a layer, which is not the first.
    pub fn layer(&self, layer: usize) -> &[[Channels; WIDTH]] {
        self.rows[(layer - 1) * LAYER_ROWS..][..LAYER_ROWS].as_chunks().0
    }
}

/// The weights that carry gradients back.
pub(super) struct WayBack {
    windows: Transformed,
    /// For each square the weights of its channels, a row for each hidden unit.
    hidden: Vec<Channels>,
}

impl WayBack {
    pub fn new() -> WayBack {
        WayBack { windows: Transformed::new(), hidden: vec![Channels::ZERO; SQUARES * HIDDEN] }
    }

    pub fn set(&mut self, net: &ConvNet, transformed: &Transformed) {
        let matrices = transformed.rows.chunks_exact(WIDTH);
        for (matrix, back) in matrices.zip(self.windows.rows.chunks_exact_mut(WIDTH)) {
            transposed(matrix, back);
        }
        let weights = net.of(&net.layout.hidden).chunks_exact(WIDTH);
        for (number, weights) in weights.enumerate() {
            let (row, square) = (number / SQUARES, number % SQUARES);
            let from = (square * HIDDEN_ROWS + row) * WIDTH;
            transposed(weights, &mut self.hidden[from..][..WIDTH]);
        }
    }

    /// The matrices of the elements of a layer, which is not the first.
    pub fn layer(&self, layer: usize) -> &[[Channels; WIDTH]] {
        self.windows.layer(layer)
    }

    /// The weights of the channels of each square.
    pub fn hidden(&self) -> impl Iterator<Item = &[Channels]> {
        self.hidden.chunks_exact(HIDDEN)
    }
}
