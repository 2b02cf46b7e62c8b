//! Forward and backward passes of some positions together: so the weights of the hidden layer, which are
//! most of all, are read once for all of them.

use super::{
    ConvNet, HIDDEN_ROWS, SIZE, SQUARES, TAPS, WINDOWS,
    weights::{LAYER_ROWS, Transformed, WayBack},
};
use crate::kernels::{
    Channels, PaddedGrid, WIDTH, add_outer_products, logistic, multiply_add,
    winograd::{
        ELEMENTS, TILES, add_weights_gradient, input_gradient, output_gradient, transform_input,
        transform_output,
    },
};

/// Positions of a pass.
pub(super) const GROUP: usize = 8;

/// The cells of a position.
type Board = [Channels; SQUARES];
/// The elements of a transformed board.
type Elements = [Channels; ELEMENTS * TILES];

fn boards() -> Vec<Board> {
    vec![[Channels::ZERO; SQUARES]; GROUP]
}

fn elements() -> Vec<Channels> {
    vec![Channels::ZERO; ELEMENTS * TILES]
}

/// The elements in a buffer of [`elements`].
fn all(buffer: &mut [Channels]) -> &mut Elements {
    buffer.first_chunk_mut().expect("room for all elements")
}

/// Each element's tiles.
fn each(elements: &Elements) -> &[[Channels; TILES]] {
    elements.as_chunks().0
}

/// A forward pass with all intermediate results.
#[derive(Clone)]
pub(super) struct ForwardPass {
    /// Board with a border, for the first layer.
    first: Vec<Channels>,
    layers: [Vec<Board>; WINDOWS],
    hidden: [[Channels; GROUP]; HIDDEN_ROWS],
    values: [f32; GROUP],
    elements: Vec<Channels>,
    products: Vec<Channels>,
}

impl ForwardPass {
    pub fn new() -> ForwardPass {
        ForwardPass {
            first: vec![Channels::ZERO; PaddedGrid::new(SIZE).length()],
            layers: std::array::from_fn(|_| boards()),
            hidden: [[Channels::ZERO; GROUP]; HIDDEN_ROWS],
            values: [0.0; GROUP],
            elements: elements(),
            products: elements(),
        }
    }

    /// The values of at most [`GROUP`] positions.
    pub fn run<'a>(
        &mut self,
        net: &ConvNet,
        weights: &Transformed,
        positions: impl Iterator<Item = &'a [u64]>,
    ) -> &[f32] {
        let mut count = 0;
        for (slot, planes) in positions.enumerate() {
            first_layer(net, planes, &mut self.first, &mut self.layers[0][slot]);
            for layer in 1..WINDOWS {
                self.window(net, weights, layer, slot);
            }
            count += 1;
        }
        self.head(net, count);
        &self.values[..count]
    }

    /// The windows of a layer, which is not the first.
    fn window(&mut self, net: &ConvNet, weights: &Transformed, layer: usize, slot: usize) {
        let (before, after) = self.layers.split_at_mut(layer);
        let (input, output) = (&before[layer - 1][slot], &mut after[0][slot]);
        let (elements, products) = (all(&mut self.elements), all(&mut self.products));
        transform_input(input, elements);
        multiply(elements, weights.layer(layer), products);
        transform_output(products, output);
        let bias = net.rows[net.layout.biases + layer];
        for cell in output {
            cell.add(&bias);
            cell.rectify();
        }
    }

    fn head(&mut self, net: &ConvNet, count: usize) {
        let layout = &net.layout;
        let boards = self.layers[WINDOWS - 1][..count].as_flattened();
        let weights = net.of(&layout.hidden).chunks_exact(SQUARES * WIDTH);
        for ((units, weights), bias) in
            self.hidden.iter_mut().zip(weights).zip(net.of(&layout.hidden_bias))
        {
            let units = &mut units[..count];
            units.fill(*bias);
            multiply_add(boards, SQUARES, weights, units);
            units.iter_mut().for_each(Channels::rectify);
        }
        let bias = net.rows[layout.output_bias].0[0];
        for (slot, value) in self.values[..count].iter_mut().enumerate() {
            let rows = self.hidden.iter().zip(net.of(&layout.output));
            *value = logistic(rows.fold(bias, |sum, (units, row)| sum + units[slot].dot(row)));
        }
    }
}

/// Products of each element's tiles by its matrix.
fn multiply(elements: &Elements, matrices: &[[Channels; WIDTH]], products: &mut Elements) {
    products.fill(Channels::ZERO);
    let products = products.as_chunks_mut::<TILES>().0;
    for ((tiles, matrix), products) in each(elements).iter().zip(matrices).zip(products) {
        multiply_add(tiles, 1, matrix, products);
    }
}

/// The way back through a network.
pub(super) struct BackwardPass {
    /// The gradients by the hidden units of each position.
    hidden: Vec<[Channels; HIDDEN_ROWS]>,
    /// The gradients by the last layer of windows.
    last: Vec<Board>,
    change: Vec<Board>,
    square: Vec<Channels>,
    elements: Vec<Channels>,
    changed: Vec<Channels>,
    back: Vec<Channels>,
    /// Board with a border, for the first layer.
    first: Vec<Channels>,
    /// The gradient by transformed weights.
    transformed: Vec<Channels>,
}

impl BackwardPass {
    pub fn new() -> BackwardPass {
        BackwardPass {
            hidden: vec![[Channels::ZERO; HIDDEN_ROWS]; GROUP],
            last: boards(),
            change: boards(),
            square: vec![Channels::ZERO; GROUP],
            elements: elements(),
            changed: elements(),
            back: elements(),
            first: vec![Channels::ZERO; PaddedGrid::new(SIZE).length()],
            transformed: vec![Channels::ZERO; (WINDOWS - 1) * LAYER_ROWS],
        }
    }

    /// Begins the gradient of a chunk.
    pub fn begin(&mut self) {
        self.transformed.fill(Channels::ZERO);
    }

    /// Adds to `gradient` the rest of the gradient of a chunk.
    pub fn finish(&mut self, net: &ConvNet, gradient: &mut [Channels]) {
        let layers = self.transformed.chunks_exact(LAYER_ROWS);
        for (window, change) in net.layout.windows[1..].iter().zip(layers) {
            add_weights_gradient(change, &mut gradient[window.clone()]);
        }
    }

    /// Adds to `gradient` that of the squared error of a forward pass's positions, each given by its
    /// planes and its target.
    pub fn run<'a>(
        &mut self,
        net: &ConvNet,
        back: &WayBack,
        pass: &ForwardPass,
        samples: impl Iterator<Item = (&'a [u64], f32)> + Clone,
        gradient: &mut [Channels],
    ) {
        let targets = samples.clone().map(|(_, target)| target);
        let count = self.output(net, pass, targets, gradient);
        self.head(net, back, pass, count, gradient);
        for (slot, (planes, _)) in samples.enumerate() {
            self.change[slot] = self.last[slot];
            for layer in (1..WINDOWS).rev() {
                self.window(net, back, pass, layer, slot, gradient);
            }
            self.first_layer(net, planes, slot, gradient);
        }
    }

    /// From the targets to the hidden units; returns the number of positions.
    fn output(
        &mut self,
        net: &ConvNet,
        pass: &ForwardPass,
        targets: impl Iterator<Item = f32>,
        gradient: &mut [Channels],
    ) -> usize {
        let layout = &net.layout;
        let mut count = 0;
        for (slot, target) in targets.enumerate() {
            let value = pass.values[slot];
            let error = 2.0 * (value - target) * value * (1.0 - value);
            gradient[layout.output_bias].0[0] += error;
            for row in 0..HIDDEN_ROWS {
                let (units, change) = (&pass.hidden[row][slot], &mut self.hidden[slot][row]);
                gradient[layout.output.start + row].add_scaled(units, error);
                *change = Channels::ZERO;
                change.add_scaled(&net.rows[layout.output.start + row], error);
                change.mask(units);
                gradient[layout.hidden_bias.start + row].add(change);
            }
            count += 1;
        }
        count
    }

    /// From the hidden units to the last layer of windows.
    fn head(
        &mut self,
        net: &ConvNet,
        back: &WayBack,
        pass: &ForwardPass,
        count: usize,
        gradient: &mut [Channels],
    ) {
        let boards = pass.layers[WINDOWS - 1][..count].as_flattened();
        let gradients = gradient[net.layout.hidden.clone()].as_chunks_mut::<WIDTH>().0;
        for (row, gradients) in gradients.chunks_exact_mut(SQUARES).enumerate() {
            for (square, hidden) in self.square.iter_mut().zip(&self.hidden[..count]) {
                *square = hidden[row];
            }
            for (square, gradient) in gradients.iter_mut().enumerate() {
                add_outer_products(&boards[square..], SQUARES, &self.square[..count], gradient);
            }
        }
        let hidden = self.hidden[..count].as_flattened();
        for (square, weights) in back.hidden().enumerate() {
            let sums = &mut self.square[..count];
            sums.fill(Channels::ZERO);
            multiply_add(hidden, HIDDEN_ROWS, weights, sums);
            for (slot, sum) in sums.iter_mut().enumerate() {
                sum.mask(&boards[slot * SQUARES + square]);
                self.last[slot][square] = *sum;
            }
        }
    }

    /// From the sums of a layer of windows to those of the layer before.
    fn window(
        &mut self,
        net: &ConvNet,
        back: &WayBack,
        pass: &ForwardPass,
        layer: usize,
        slot: usize,
        gradient: &mut [Channels],
    ) {
        let (input, change) = (&pass.layers[layer - 1][slot], &mut self.change[slot]);
        gradient[net.layout.biases + layer].add(&sum(change));
        let (elements, changed) = (all(&mut self.elements), all(&mut self.changed));
        transform_input(input, elements);
        output_gradient(change, changed);
        let sums = &mut self.transformed[(layer - 1) * LAYER_ROWS..][..LAYER_ROWS];
        let sums = sums.as_chunks_mut::<WIDTH>().0;
        for ((tiles, change), sums) in each(elements).iter().zip(each(changed)).zip(sums) {
            add_outer_products(tiles, 1, change, sums);
        }
        let before = all(&mut self.back);
        multiply(changed, back.layer(layer), before);
        input_gradient(before, change);
        for (change, cell) in change.iter_mut().zip(input) {
            change.mask(cell);
        }
    }

    /// The gradient by the weights of the first layer.
    fn first_layer(
        &mut self,
        net: &ConvNet,
        planes: &[u64],
        slot: usize,
        gradient: &mut [Channels],
    ) {
        let (grid, change) = (PaddedGrid::new(SIZE), &self.change[slot]);
        gradient[net.layout.biases].add(&sum(change));
        for (cell, change) in grid.cells_mut(&mut self.first).zip(change) {
            *cell = *change;
        }
        let gradient = &mut gradient[net.layout.windows[0].clone()];
        for_each_square(grid, planes, |at, plane| {
            for (tap, step) in grid.steps(TAPS).iter().enumerate() {
                let change = &self.first[at.wrapping_add_signed(-step)];
                gradient[tap * planes.len() + plane].add(change);
            }
        });
    }
}

/// The sum of each channel over the board.
fn sum(board: &Board) -> Channels {
    let mut sum = Channels::ZERO;
    board.iter().for_each(|cell| sum.add(cell));
    sum
}

/// Calls `visit` for each plane's squares with the place in memory and the number of the plane.
fn for_each_square(grid: PaddedGrid, planes: &[u64], mut visit: impl FnMut(usize, usize)) {
    for (plane, &squares) in planes.iter().enumerate() {
        let mut rest = squares;
        while rest != 0 {
            let square = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            visit(grid.place(square / SIZE, square % SIZE), plane);
        }
    }
}

/// The first layer: adds up the weights of the squares that are on, in a board with a border.
fn first_layer(net: &ConvNet, planes: &[u64], cells: &mut [Channels], output: &mut Board) {
    let grid = PaddedGrid::new(SIZE);
    let weights = net.of(&net.layout.windows[0]);
    cells.fill(net.rows[net.layout.biases]);
    for_each_square(grid, planes, |at, plane| {
        for (tap, step) in grid.steps(TAPS).iter().enumerate() {
            cells[at.wrapping_add_signed(-step)].add(&weights[tap * planes.len() + plane]);
        }
    });
    for (output, cell) in output.iter_mut().zip(grid.cells(cells)) {
        *output = *cell;
        output.rectify();
    }
}
