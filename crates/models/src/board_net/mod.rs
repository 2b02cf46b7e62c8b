//! A network that looks at a whole board: where the next move is likely, who wins, who owns what.
//!
//! ```text
//! planes -> 3x3 -> block -> ... -> block -+-> 1x1 -> a number for each point, one for a pass
//!                                         +-> 1x1 -+-> who owns each point
//!                                                  +-> mean -> hidden -> who wins
//! block:  x -> 3x3 -> relu -+-> 3x3 ----------+-> + x -> relu
//!                           +-> mean -> 1x1 --+
//! ```
//!
//! Windows do not depend on the size of the board, so one network serves all sizes; what lies off the
//! board is zero. The means carry what concerns the whole board to every point of it (global
//! pooling, after Wu 2019). Nothing is normalised: the second window of a block starts at zero, so a new
//! network is as deep as its first layer.

mod backward;
mod file;
mod forward;
mod grid;
mod kernels;
#[cfg(test)]
mod tests;
mod trainer;

pub use forward::{Evaluation, Evaluator, to_chances};
pub use trainer::{LEGAL, Lesson, Losses, Schedule, Trainer};

use ludus_core::Random;
use std::ops::Range;

/// Channels of every layer, and the most planes of an input.
pub const WIDTH: usize = 32;

/// The channels of one cell, or one row of weights.
#[derive(Copy, Clone, Debug, PartialEq)]
#[repr(align(64))]
pub struct Cell(pub [f32; WIDTH]);

impl Cell {
    const ZERO: Cell = Cell([0.0; WIDTH]);

    #[inline]
    fn add(&mut self, other: &Cell) {
        for (value, other) in self.0.iter_mut().zip(&other.0) {
            *value += other;
        }
    }

    #[inline]
    fn add_scaled(&mut self, other: &Cell, factor: f32) {
        for (value, other) in self.0.iter_mut().zip(&other.0) {
            *value = other.mul_add(factor, *value);
        }
    }

    #[inline]
    fn dot(&self, other: &Cell) -> f32 {
        self.0.iter().zip(&other.0).fold(0.0, |sum, (one, other)| one.mul_add(*other, sum))
    }

    /// Zero where it is negative.
    #[inline]
    fn rectify(&mut self) {
        self.0.iter_mut().for_each(|value| *value = value.max(0.0));
    }

    /// Zero where `output`, which was rectified, is.
    #[inline]
    fn mask(&mut self, output: &Cell) {
        for (value, output) in self.0.iter_mut().zip(&output.0) {
            *value = if *output > 0.0 { *value } else { 0.0 };
        }
    }
}

/// A matrix of weights times a row: the sum of its rows, each as often as `input` says.
fn product(input: &Cell, weights: &[Cell]) -> Cell {
    let mut sum = Cell::ZERO;
    for (value, row) in input.0.iter().zip(weights) {
        sum.add_scaled(row, *value);
    }
    sum
}

const WINDOW: usize = 9 * WIDTH;

/// Where the rows of weights of each layer are.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Layout {
    input: Layer,
    blocks: Vec<Block>,
    policy: Head,
    /// The weights of a point's number.
    policy_point: usize,
    /// The weights of the mean for the number of a pass.
    policy_pass: usize,
    value: Head,
    /// The weights of a point's owner.
    value_owner: usize,
    value_hidden: Layer,
    /// The weights of the winner.
    value_winner: usize,
    /// Biases of single numbers: pass, owner, winner.
    single: usize,
    rows: usize,
}

/// Weights and the row of biases.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Layer {
    weights: Range<usize>,
    bias: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Block {
    first: Layer,
    pool: Range<usize>,
    second: Layer,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Head {
    layer: Layer,
    pool: Range<usize>,
}

/// Hands out rows.
struct Rows(usize);

impl Rows {
    fn take(&mut self, rows: usize) -> Range<usize> {
        let first = self.0;
        self.0 += rows;
        first..self.0
    }

    fn one(&mut self) -> usize {
        self.take(1).start
    }

    fn layer(&mut self, rows: usize) -> Layer {
        Layer { weights: self.take(rows), bias: self.one() }
    }

    fn head(&mut self) -> Head {
        Head { layer: self.layer(WIDTH), pool: self.take(WIDTH) }
    }
}

impl Layout {
    fn new(blocks: usize) -> Layout {
        let mut rows = Rows(0);
        let block = |rows: &mut Rows| Block {
            first: rows.layer(WINDOW),
            pool: rows.take(WIDTH),
            second: rows.layer(WINDOW),
        };
        Layout {
            input: rows.layer(WINDOW),
            blocks: (0..blocks).map(|_| block(&mut rows)).collect(),
            policy: rows.head(),
            policy_point: rows.one(),
            policy_pass: rows.one(),
            value: rows.head(),
            value_owner: rows.one(),
            value_hidden: rows.layer(WIDTH),
            value_winner: rows.one(),
            single: rows.one(),
            rows: rows.0,
        }
    }
}

const PASS_BIAS: usize = 0;
const OWNER_BIAS: usize = 1;
const WINNER_BIAS: usize = 2;

/// A network.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardNet {
    layout: Layout,
    rows: Vec<Cell>,
}

impl BoardNet {
    /// A network of so many blocks that has learned nothing.
    pub fn new(blocks: usize, random: &mut Random) -> BoardNet {
        let layout = Layout::new(blocks);
        let mut rows = vec![Cell::ZERO; layout.rows];
        let mut fill = |range: &Range<usize>, inputs: usize| {
            let deviation = (2.0 / inputs as f64).sqrt();
            for row in &mut rows[range.clone()] {
                row.0 = std::array::from_fn(|_| (random.normal() * deviation) as f32);
            }
        };
        fill(&layout.input.weights, WINDOW / 2);
        for block in &layout.blocks {
            fill(&block.first.weights, WINDOW);
        }
        fill(&layout.policy.layer.weights, WIDTH);
        fill(&layout.value.layer.weights, WIDTH);
        fill(&layout.value_hidden.weights, WIDTH);
        for row in [layout.policy_point, layout.value_owner, layout.value_winner] {
            fill(&(row..row + 1), 8 * WIDTH);
        }
        BoardNet { layout, rows }
    }

    /// How many blocks it has.
    pub fn blocks(&self) -> usize {
        self.layout.blocks.len()
    }

    fn of(&self, range: &Range<usize>) -> &[Cell] {
        &self.rows[range.clone()]
    }
}
