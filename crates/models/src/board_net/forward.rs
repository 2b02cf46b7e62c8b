//! Forward passes and evaluation.

use super::{BoardNet, Channels, Head, Layer, OWNER_BIAS, PASS_BIAS, WINNER_BIAS};
use crate::kernels::{PaddedGrid, convolve, exp, logistic, product};

/// A forward pass with all intermediate results, for backpropagation.
pub(super) struct ForwardPass {
    pub grid: PaddedGrid,
    pub planes: Vec<Channels>,
    /// The input of the first block, and the output of each.
    pub trunk: Vec<Vec<Channels>>,
    /// The middle of each block.
    pub middle: Vec<Vec<Channels>>,
    pub middle_means: Vec<Channels>,
    pub mean: Channels,
    pub policy: Vec<Channels>,
    pub policy_mean: Channels,
    pub value: Vec<Channels>,
    pub value_mean: Channels,
    pub hidden: Channels,
    /// Logits of the points, row by row, and of a pass.
    pub logits: Vec<f32>,
    pub owners: Vec<f32>,
    pub winner: f32,
}

impl ForwardPass {
    pub fn new(size: usize, blocks: usize) -> ForwardPass {
        let grid = PaddedGrid::new(size);
        let cells = || vec![Channels::ZERO; grid.length()];
        ForwardPass {
            grid,
            planes: cells(),
            trunk: (0..=blocks).map(|_| cells()).collect(),
            middle: (0..blocks).map(|_| cells()).collect(),
            middle_means: vec![Channels::ZERO; blocks],
            mean: Channels::ZERO,
            policy: cells(),
            policy_mean: Channels::ZERO,
            value: cells(),
            value_mean: Channels::ZERO,
            hidden: Channels::ZERO,
            logits: vec![0.0; size * size + 1],
            owners: vec![0.0; size * size],
            winner: 0.0,
        }
    }

    /// Sets the planes: for each point, row by row, a bit for each plane.
    pub fn set(&mut self, points: impl Iterator<Item = u32>) {
        for (cell, bits) in self.grid.cells_mut(&mut self.planes).zip(points) {
            for (plane, value) in cell.0.iter_mut().enumerate() {
                *value = (bits >> plane & 1) as f32;
            }
        }
    }

    /// Computes everything from the planes.
    pub fn run(&mut self, net: &BoardNet) {
        let (grid, layout) = (self.grid, &net.layout);
        layer(net, grid, &layout.input, &self.planes, &Channels::ZERO, &mut self.trunk[0]);
        for (number, block) in layout.blocks.iter().enumerate() {
            let (before, after) = self.trunk.split_at_mut(number + 1);
            let (input, output) = (&before[number], &mut after[0]);
            let middle = &mut self.middle[number];
            layer(net, grid, &block.first, input, &Channels::ZERO, middle);
            self.middle_means[number] = grid.mean(middle);
            let mut shift = product(&self.middle_means[number], net.of(&block.pool));
            shift.add(&net.rows[block.second.bias]);
            convolve(grid, middle, net.of(&block.second.weights), output);
            for (output, input) in grid.cells_mut(output).zip(grid.cells(input)) {
                output.add(&shift);
                output.add(input);
                output.rectify();
            }
        }
        let trunk = &self.trunk[layout.blocks.len()];
        self.mean = grid.mean(trunk);
        head(net, grid, &layout.policy, trunk, &self.mean, &mut self.policy);
        head(net, grid, &layout.value, trunk, &self.mean, &mut self.value);
        self.read_policy(net);
        self.read_value(net);
    }

    fn read_policy(&mut self, net: &BoardNet) {
        let layout = &net.layout;
        self.policy_mean = self.grid.mean(&self.policy);
        let point = net.rows[layout.policy_point];
        for (logit, cell) in self.logits.iter_mut().zip(self.grid.cells(&self.policy)) {
            *logit = cell.dot(&point);
        }
        let pass = self.policy_mean.dot(&net.rows[layout.policy_pass]);
        let points = self.owners.len();
        self.logits[points] = pass + net.rows[layout.single].0[PASS_BIAS];
    }

    fn read_value(&mut self, net: &BoardNet) {
        let layout = &net.layout;
        let single = net.rows[layout.single].0;
        let owner = net.rows[layout.value_owner];
        for (out, cell) in self.owners.iter_mut().zip(self.grid.cells(&self.value)) {
            *out = logistic(cell.dot(&owner) + single[OWNER_BIAS]);
        }
        self.value_mean = self.grid.mean(&self.value);
        self.hidden = product(&self.value_mean, net.of(&layout.value_hidden.weights));
        self.hidden.add(&net.rows[layout.value_hidden.bias]);
        self.hidden.rectify();
        let sum = self.hidden.dot(&net.rows[layout.value_winner]) + single[WINNER_BIAS];
        self.winner = logistic(sum);
    }
}

/// A convolution, its biases and `shift`, rectified.
fn layer(
    net: &BoardNet,
    grid: PaddedGrid,
    layer: &Layer,
    input: &[Channels],
    shift: &Channels,
    output: &mut [Channels],
) {
    convolve(grid, input, net.of(&layer.weights), output);
    let mut shift = *shift;
    shift.add(&net.rows[layer.bias]);
    for cell in grid.cells_mut(output) {
        cell.add(&shift);
        cell.rectify();
    }
}

fn head(
    net: &BoardNet,
    grid: PaddedGrid,
    head: &Head,
    input: &[Channels],
    mean: &Channels,
    output: &mut [Channels],
) {
    let shift = product(mean, net.of(&head.pool));
    layer(net, grid, &head.layer, input, &shift, output);
}

/// Turns logits into probabilities (softmax). Minus infinity gives 0.
pub fn to_chances(logits: &mut [f32]) {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let chance = |logit: f32| if logit == f32::NEG_INFINITY { 0.0 } else { exp(logit - most) };
    logits.iter_mut().for_each(|logit| *logit = chance(*logit));
    let sum: f32 = logits.iter().sum();
    logits.iter_mut().for_each(|chance| *chance /= sum);
}

/// The outputs of a network for a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoardNetOutput {
    /// The winning probability of the side to move.
    pub winner: f32,
    /// The logits of moves on the points, row by row, and of a pass.
    pub logits: Vec<f32>,
    /// The probability of each point to belong to the side to move in the end.
    pub owners: Vec<f32>,
}

/// An evaluator that keeps its buffers.
pub struct BoardNetEvaluator {
    pass: Option<ForwardPass>,
}

impl BoardNetEvaluator {
    /// An evaluator without buffers yet.
    pub fn new() -> BoardNetEvaluator {
        BoardNetEvaluator { pass: None }
    }

    /// Evaluates a board of this size, given for each point, row by row, as a bit for each of its planes.
    ///
    /// # Panics
    /// If the number of points is another.
    pub fn evaluate(
        &mut self,
        net: &BoardNet,
        size: usize,
        points: &[u32],
        out: &mut BoardNetOutput,
    ) {
        assert_eq!(points.len(), size * size, "a number for each point");
        let fits = |pass: &ForwardPass| pass.grid.size == size && pass.middle.len() == net.blocks();
        let pass = match self.pass.take().filter(fits) {
            Some(pass) => self.pass.insert(pass),
            None => self.pass.insert(ForwardPass::new(size, net.blocks())),
        };
        pass.set(points.iter().copied());
        pass.run(net);
        out.winner = pass.winner;
        out.logits.clone_from(&pass.logits);
        out.owners.clone_from(&pass.owners);
    }
}

impl Default for BoardNetEvaluator {
    fn default() -> BoardNetEvaluator {
        BoardNetEvaluator::new()
    }
}
