//! How the weights would have to change for a network to say something else.

use super::{
    BoardNet, Cell, Head, Layer, OWNER_BIAS, PASS_BIAS, WINNER_BIAS,
    forward::Pass,
    grid::Grid,
    kernels::{convolve, correlate, transposed},
};

/// How far what a network said is off, before exponentials: what it should say less of.
#[derive(Default)]
pub(super) struct Wrong {
    pub logits: Vec<f32>,
    pub owners: Vec<f32>,
    pub winner: f32,
}

/// The weights of a network as changes go back through them.
pub(super) struct Transposed {
    rows: Vec<Cell>,
}

impl Transposed {
    pub fn of(net: &BoardNet) -> Transposed {
        let mut rows = vec![Cell::ZERO; net.rows.len()];
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

/// Goes back through a network.
pub(super) struct Backward {
    grid: Grid,
    /// The change wanted of the trunk.
    pub trunk: Vec<Cell>,
    pub change: Vec<Cell>,
    spare: Vec<Cell>,
}

impl Backward {
    pub fn new(size: usize) -> Backward {
        let grid = Grid::new(size);
        let cells = || vec![Cell::ZERO; grid.length()];
        Backward { grid, trunk: cells(), change: cells(), spare: cells() }
    }

    /// Adds to `gradient` what would make the network say less of what was `wrong` in `pass`.
    pub fn run(
        &mut self,
        net: &BoardNet,
        back: &Transposed,
        pass: &Pass,
        wrong: &Wrong,
        gradient: &mut [Cell],
    ) {
        let (grid, layout) = (self.grid, &net.layout);
        self.trunk.fill(Cell::ZERO);
        self.policy(net, pass, wrong, gradient);
        self.head(&layout.policy, back, pass, gradient);
        self.value(net, back, pass, wrong, gradient);
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

    /// From what is wrong with moves to the change of the policy's cells.
    fn policy(&mut self, net: &BoardNet, pass: &Pass, wrong: &Wrong, gradient: &mut [Cell]) {
        let (grid, layout) = (self.grid, &net.layout);
        let points = wrong.owners.len();
        let pass_wrong = wrong.logits[points];
        gradient[layout.policy_pass].add_scaled(&pass.policy_mean, pass_wrong);
        gradient[layout.single].0[PASS_BIAS] += pass_wrong;
        let (point, of_pass) = (net.rows[layout.policy_point], net.rows[layout.policy_pass]);
        let share = pass_wrong / points as f32;
        let cells = grid.cells_mut(&mut self.change).zip(grid.cells(&pass.policy));
        for ((change, output), wrong) in cells.zip(&wrong.logits) {
            gradient[layout.policy_point].add_scaled(output, *wrong);
            *change = Cell::ZERO;
            change.add_scaled(&point, *wrong);
            change.add_scaled(&of_pass, share);
            change.mask(output);
        }
    }

    /// From what is wrong with owners and winner to the change of the value's cells.
    fn value(
        &mut self,
        net: &BoardNet,
        back: &Transposed,
        pass: &Pass,
        wrong: &Wrong,
        gradient: &mut [Cell],
    ) {
        let (grid, layout) = (self.grid, &net.layout);
        gradient[layout.value_winner].add_scaled(&pass.hidden, wrong.winner);
        gradient[layout.single].0[WINNER_BIAS] += wrong.winner;
        let mut hidden = Cell::ZERO;
        hidden.add_scaled(&net.rows[layout.value_winner], wrong.winner);
        hidden.mask(&pass.hidden);
        gradient[layout.value_hidden.bias].add(&hidden);
        let weights = &layout.value_hidden.weights;
        let mean = self.pool(weights, &hidden, &pass.value_mean, back, gradient);
        let owner = net.rows[layout.value_owner];
        let cells = grid.cells_mut(&mut self.change).zip(grid.cells(&pass.value));
        for ((change, output), wrong) in cells.zip(&wrong.owners) {
            gradient[layout.value_owner].add_scaled(output, *wrong);
            gradient[layout.single].0[OWNER_BIAS] += wrong;
            *change = mean;
            change.add_scaled(&owner, *wrong);
            change.mask(output);
        }
    }

    /// From the change of a head's cells to that of the trunk.
    fn head(&mut self, head: &Head, back: &Transposed, pass: &Pass, gradient: &mut [Cell]) {
        let trunk = &pass.trunk[pass.middle.len()];
        let sum = self.grid.sum(&self.change);
        let mean = self.pool(&head.pool, &sum, &pass.mean, back, gradient);
        for change in self.grid.cells_mut(&mut self.trunk) {
            change.add(&mean);
        }
        self.layer(&head.layer, back, trunk, gradient);
    }

    /// From the change of a layer's sums to that of the trunk, which was its input.
    fn layer(&mut self, layer: &Layer, back: &Transposed, input: &[Cell], gradient: &mut [Cell]) {
        let grid = self.grid;
        correlate(grid, input, &self.change, &mut gradient[layer.weights.clone()]);
        gradient[layer.bias].add(&grid.sum(&self.change));
        convolve(grid, &self.change, &back.rows[layer.weights.clone()], &mut self.spare);
        for (change, more) in grid.cells_mut(&mut self.trunk).zip(grid.cells(&self.spare)) {
            change.add(more);
        }
    }

    /// From the change of a matrix's product to that of each cell whose mean it multiplied.
    fn pool(
        &self,
        weights: &std::ops::Range<usize>,
        sum: &Cell,
        mean: &Cell,
        back: &Transposed,
        gradient: &mut [Cell],
    ) -> Cell {
        for (row, value) in gradient[weights.clone()].iter_mut().zip(mean.0) {
            row.add_scaled(sum, value);
        }
        let mut change = super::product(sum, &back.rows[weights.clone()]);
        let share = 1.0 / (self.grid.size * self.grid.size) as f32;
        change.0.iter_mut().for_each(|value| *value *= share);
        change
    }
}
