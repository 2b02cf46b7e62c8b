//! Backpropagation.

use super::{
    BoardNet, Channels, Head, Layer, OWNER_BIAS, PASS_BIAS, WINNER_BIAS, forward::ForwardPass,
};
use crate::kernels::{PaddedGrid, convolve, correlate, transposed};

/// The gradients of the loss by the outputs before their exponentials.
#[derive(Default)]
pub(super) struct OutputErrors {
    pub logits: Vec<f32>,
    pub owners: Vec<f32>,
    pub winner: f32,
}

/// The weights of a network, transposed for the way back.
pub(super) struct Transposed {
    rows: Vec<Channels>,
}

impl Transposed {
    pub fn of(net: &BoardNet) -> Transposed {
        let mut rows = vec![Channels::ZERO; net.rows.len()];
        let layout = &net.layout;
        let blocks = layout
            .blocks
            .iter()
            .flat_map(|block| [&block.first.weights, &block.second.weights, &block.pool]);
        let heads = [&layout.policy, &layout.value]
            .into_iter()
            .flat_map(|head| [&head.layer.weights, &head.pool]);
        for range in blocks.chain(heads).chain([&layout.value_hidden.weights]) {
            transposed(net.of(range), &mut rows[range.clone()]);
        }
        Transposed { rows }
    }
}

/// The way back through a network.
pub(super) struct Backward {
    grid: PaddedGrid,
    /// The gradient by the trunk.
    pub trunk: Vec<Channels>,
    pub change: Vec<Channels>,
    spare: Vec<Channels>,
}

impl Backward {
    pub fn new(size: usize) -> Backward {
        let grid = PaddedGrid::new(size);
        let cells = || vec![Channels::ZERO; grid.length()];
        Backward { grid, trunk: cells(), change: cells(), spare: cells() }
    }

    /// Adds to `gradient` the gradient by the weights, from the gradients `errors` by the outputs of `pass`.
    pub fn run(
        &mut self,
        net: &BoardNet,
        back: &Transposed,
        pass: &ForwardPass,
        errors: &OutputErrors,
        gradient: &mut [Channels],
    ) {
        let (grid, layout) = (self.grid, &net.layout);
        self.trunk.fill(Channels::ZERO);
        self.policy(net, pass, errors, gradient);
        self.head(&layout.policy, back, pass, gradient);
        self.value(net, back, pass, errors, gradient);
        self.head(&layout.value, back, pass, gradient);
        for (number, block) in layout.blocks.iter().enumerate().rev() {
            // Behind the block: rectified sums.
            for (change, output) in
                grid.cells_mut(&mut self.trunk).zip(grid.cells(&pass.trunk[number + 1]))
            {
                change.mask(output);
            }
            let middle = &pass.middle[number];
            let sum = self.grid.sum(&self.trunk);
            correlate(grid, middle, &self.trunk, &mut gradient[block.second.weights.clone()]);
            gradient[block.second.bias].add(&sum);
            let mean = self.pool(&block.pool, &sum, &pass.middle_means[number], back, gradient);
            convolve(grid, &self.trunk, &back.rows[block.second.weights.clone()], &mut self.change);
            for (change, output) in grid.cells_mut(&mut self.change).zip(grid.cells(middle)) {
                change.add(&mean);
                change.mask(output);
            }
            self.layer(&block.first, back, &pass.trunk[number], gradient);
        }
        for (change, output) in grid.cells_mut(&mut self.trunk).zip(grid.cells(&pass.trunk[0])) {
            change.mask(output);
        }
        correlate(grid, &pass.planes, &self.trunk, &mut gradient[layout.input.weights.clone()]);
        gradient[layout.input.bias].add(&grid.sum(&self.trunk));
    }

    /// From the gradients by the logits to those by the policy's cells.
    fn policy(
        &mut self,
        net: &BoardNet,
        pass: &ForwardPass,
        errors: &OutputErrors,
        gradient: &mut [Channels],
    ) {
        let (grid, layout) = (self.grid, &net.layout);
        let points = errors.owners.len();
        let pass_wrong = errors.logits[points];
        gradient[layout.policy_pass].add_scaled(&pass.policy_mean, pass_wrong);
        gradient[layout.single].0[PASS_BIAS] += pass_wrong;
        let (point, of_pass) = (net.rows[layout.policy_point], net.rows[layout.policy_pass]);
        let share = pass_wrong / points as f32;
        let cells = grid.cells_mut(&mut self.change).zip(grid.cells(&pass.policy));
        for ((change, output), errors) in cells.zip(&errors.logits) {
            gradient[layout.policy_point].add_scaled(output, *errors);
            *change = Channels::ZERO;
            change.add_scaled(&point, *errors);
            change.add_scaled(&of_pass, share);
            change.mask(output);
        }
    }

    /// From the gradients by ownership and winner to those by the value's cells.
    fn value(
        &mut self,
        net: &BoardNet,
        back: &Transposed,
        pass: &ForwardPass,
        errors: &OutputErrors,
        gradient: &mut [Channels],
    ) {
        let (grid, layout) = (self.grid, &net.layout);
        gradient[layout.value_winner].add_scaled(&pass.hidden, errors.winner);
        gradient[layout.single].0[WINNER_BIAS] += errors.winner;
        let mut hidden = Channels::ZERO;
        hidden.add_scaled(&net.rows[layout.value_winner], errors.winner);
        hidden.mask(&pass.hidden);
        gradient[layout.value_hidden.bias].add(&hidden);
        let weights = &layout.value_hidden.weights;
        let mean = self.pool(weights, &hidden, &pass.value_mean, back, gradient);
        let owner = net.rows[layout.value_owner];
        let cells = grid.cells_mut(&mut self.change).zip(grid.cells(&pass.value));
        for ((change, output), errors) in cells.zip(&errors.owners) {
            gradient[layout.value_owner].add_scaled(output, *errors);
            gradient[layout.single].0[OWNER_BIAS] += errors;
            *change = mean;
            change.add_scaled(&owner, *errors);
            change.mask(output);
        }
    }

    /// From the gradient by a head's cells to that by the trunk.
    fn head(
        &mut self,
        head: &Head,
        back: &Transposed,
        pass: &ForwardPass,
        gradient: &mut [Channels],
    ) {
        let trunk = &pass.trunk[pass.middle.len()];
        let sum = self.grid.sum(&self.change);
        let mean = self.pool(&head.pool, &sum, &pass.mean, back, gradient);
        for change in self.grid.cells_mut(&mut self.trunk) {
            change.add(&mean);
        }
        self.layer(&head.layer, back, trunk, gradient);
    }

    /// From the gradient by a layer's sums to that by the trunk, which was its input.
    fn layer(
        &mut self,
        layer: &Layer,
        back: &Transposed,
        input: &[Channels],
        gradient: &mut [Channels],
    ) {
        let grid = self.grid;
        correlate(grid, input, &self.change, &mut gradient[layer.weights.clone()]);
        gradient[layer.bias].add(&grid.sum(&self.change));
        convolve(grid, &self.change, &back.rows[layer.weights.clone()], &mut self.spare);
        for (change, more) in grid.cells_mut(&mut self.trunk).zip(grid.cells(&self.spare)) {
            change.add(more);
        }
    }

    /// From the gradient by a matrix's product to that by each cell whose mean it multiplied.
    fn pool(
        &self,
        weights: &std::ops::Range<usize>,
        sum: &Channels,
        mean: &Channels,
        back: &Transposed,
        gradient: &mut [Channels],
    ) -> Channels {
        for (row, value) in gradient[weights.clone()].iter_mut().zip(mean.0) {
            row.add_scaled(sum, value);
        }
        let mut change = super::product(sum, &back.rows[weights.clone()]);
        let share = 1.0 / (self.grid.size * self.grid.size) as f32;
        change.0.iter_mut().for_each(|value| *value *= share);
        change
    }
}
