//! Forward and backward passes of one position.

use super::{ConvNet, HIDDEN_ROWS, SIZE, TAPS, WINDOWS};
use crate::kernels::{Channels, Grid, WIDTH, convolve, correlate, logistic, transposed};

/// A forward pass with all intermediate results, and the buffers of the way back.
#[derive(Clone)]
pub(super) struct Pass {
    grid: Grid,
    layers: [Vec<Channels>; WINDOWS],
    hidden: [Channels; HIDDEN_ROWS],
    pub value: f32,
    change: Vec<Channels>,
    spare: Vec<Channels>,
}

impl Pass {
    pub fn new() -> Pass {
        let grid = Grid::new(SIZE);
        let cells = || vec![Channels::ZERO; grid.length()];
        Pass {
            grid,
            layers: std::array::from_fn(|_| cells()),
            hidden: [Channels::ZERO; HIDDEN_ROWS],
            value: 0.0,
            change: cells(),
            spare: cells(),
        }
    }

    /// The value of a position.
    pub fn forward(&mut self, net: &ConvNet, planes: &[u64]) -> f32 {
        let (grid, layout) = (self.grid, &net.layout);
        first_layer(grid, net, planes, &mut self.layers[0]);
        for layer in 1..WINDOWS {
            let (before, after) = self.layers.split_at_mut(layer);
            convolve(grid, &before[layer - 1], net.of(&layout.windows[layer]), &mut after[0]);
            let bias = net.rows[layout.biases + layer];
            for cell in grid.cells_mut(&mut after[0]) {
                cell.add(&bias);
                cell.rectify();
            }
        }
        self.hidden.copy_from_slice(net.of(&layout.hidden_bias));
        let values = grid.cells(&self.layers[WINDOWS - 1]).flat_map(|cell| cell.0);
        let weights = net.of(&layout.hidden).as_chunks::<HIDDEN_ROWS>().0;
        for (value, weights) in values.zip(weights) {
            for (unit, weights) in self.hidden.iter_mut().zip(weights) {
                unit.add_scaled(weights, value);
            }
        }
        let mut sum = net.rows[layout.output_bias].0[0];
        for (units, weights) in self.hidden.iter_mut().zip(net.of(&layout.output)) {
            units.rectify();
            sum += units.dot(weights);
        }
        self.value = logistic(sum);
        self.value
    }

    /// Adds to `gradient` that of the squared error of the last forward pass.
    pub fn backward(
        &mut self,
        net: &ConvNet,
        back: &[Channels],
        planes: &[u64],
        target: f32,
        gradient: &mut [Channels],
    ) {
        let (grid, layout) = (self.grid, &net.layout);
        let error = 2.0 * (self.value - target) * self.value * (1.0 - self.value);
        gradient[layout.output_bias].0[0] += error;
        let mut hidden = [Channels::ZERO; HIDDEN_ROWS];
        for row in 0..HIDDEN_ROWS {
            gradient[layout.output.start + row].add_scaled(&self.hidden[row], error);
            hidden[row].add_scaled(&net.rows[layout.output.start + row], error);
            hidden[row].mask(&self.hidden[row]);
            gradient[layout.hidden_bias.start + row].add(&hidden[row]);
        }
        let last = &self.layers[WINDOWS - 1];
        let weights = net.of(&layout.hidden).as_chunks::<HIDDEN_ROWS>().0.as_chunks::<WIDTH>().0;
        let gradients = gradient[layout.hidden.clone()].as_chunks_mut::<HIDDEN_ROWS>().0;
        let gradients = gradients.as_chunks_mut::<WIDTH>().0;
        let cells = grid.cells_mut(&mut self.change).zip(grid.cells(last));
        for ((change, cell), (weights, gradients)) in cells.zip(weights.iter().zip(gradients)) {
            for channel in 0..WIDTH {
                change.0[channel] = 0.0;
                for row in 0..HIDDEN_ROWS {
                    gradients[channel][row].add_scaled(&hidden[row], cell.0[channel]);
                    change.0[channel] += weights[channel][row].dot(&hidden[row]);
                }
            }
            change.mask(cell);
        }
        for layer in (1..WINDOWS).rev() {
            let window = layout.windows[layer].clone();
            let input = &self.layers[layer - 1];
            correlate(grid, input, &self.change, &mut gradient[window.clone()]);
            gradient[layout.biases + layer].add(&grid.sum(&self.change));
            convolve(grid, &self.change, &back[window], &mut self.spare);
            for (change, cell) in grid.cells_mut(&mut self.spare).zip(grid.cells(input)) {
                change.mask(cell);
            }
            std::mem::swap(&mut self.change, &mut self.spare);
        }
        gradient[layout.biases].add(&grid.sum(&self.change));
        first_gradient(grid, planes, &self.change, &mut gradient[layout.windows[0].clone()]);
    }
}

/// The weights of windows, transposed for the way back.
pub(super) fn way_back(net: &ConvNet, out: &mut [Channels]) {
    for window in &net.layout.windows[1..] {
        transposed(net.of(window), &mut out[window.clone()]);
    }
}

/// Calls `visit` for each plane's squares with the place in memory and the number of the plane.
fn for_each_square(grid: Grid, planes: &[u64], mut visit: impl FnMut(usize, usize)) {
    for (plane, &squares) in planes.iter().enumerate() {
        let mut rest = squares;
        while rest != 0 {
            let square = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            visit(grid.place(square / SIZE, square % SIZE), plane);
        }
    }
}

/// The first layer: adds up the weights of the squares that are on.
fn first_layer(grid: Grid, net: &ConvNet, planes: &[u64], output: &mut [Channels]) {
    let weights = net.of(&net.layout.windows[0]);
    output.fill(net.rows[net.layout.biases]);
    for_each_square(grid, planes, |at, plane| {
        for (tap, step) in grid.steps(TAPS).iter().enumerate() {
            output[at.wrapping_add_signed(-step)].add(&weights[tap * planes.len() + plane]);
        }
    });
    let mut inside = 0;
    for (at, cell) in output.iter_mut().enumerate() {
        let stride = SIZE + 2;
        let on_board = (1..=SIZE).contains(&(at / stride)) && (1..=SIZE).contains(&(at % stride));
        inside += usize::from(on_board);
        if on_board { cell.rectify() } else { *cell = Channels::ZERO }
    }
    debug_assert_eq!(inside, SIZE * SIZE);
}

/// The gradient by the weights of the first layer.
fn first_gradient(grid: Grid, planes: &[u64], change: &[Channels], gradient: &mut [Channels]) {
    for_each_square(grid, planes, |at, plane| {
        for (tap, step) in grid.steps(TAPS).iter().enumerate() {
            gradient[tap * planes.len() + plane].add(&change[at.wrapping_add_signed(-step)]);
        }
    });
}
