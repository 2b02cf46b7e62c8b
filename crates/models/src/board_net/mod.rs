//! A convolutional network for whole boards: policy, value and ownership.
//!
//! ```text
//! planes -> 3x3 -> block -> ... -> block -+-> 1x1 -> policy: a logit for each point, one for a pass
//!                                         +-> 1x1 -+-> ownership of each point
//!                                                  +-> mean -> hidden -> winner
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
#[cfg(test)]
mod tests;
mod trainer;

pub use forward::{BoardNetEvaluator, BoardNetOutput, to_chances};
pub use trainer::{BoardNetSchedule, BoardNetTrainer, LEGAL, Losses, TrainingPosition};

pub use crate::kernels::{Channels, WIDTH};

use crate::kernels::product;
use ludus_core::Random;
use std::ops::Range;

const WINDOW_ROWS: usize = 9 * WIDTH;

/// The positions of the rows of weights of each layer.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Layout {
    input: Layer,
    blocks: Vec<Block>,
    policy: Head,
    /// The weights of a point's logit.
    policy_point: usize,
    /// The weights of the mean for a pass's logit.
    policy_pass: usize,
    value: Head,
    /// The weights of a point's ownership.
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

/// Allocates rows.
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
            first: rows.layer(WINDOW_ROWS),
            pool: rows.take(WIDTH),
            second: rows.layer(WINDOW_ROWS),
        };
        Layout {
            input: rows.layer(WINDOW_ROWS),
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

/// A board network.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardNet {
    layout: Layout,
    rows: Vec<Channels>,
}

impl BoardNet {
    /// An untrained network of `blocks` residual blocks.
    pub fn new(blocks: usize, random: &mut Random) -> BoardNet {
        let layout = Layout::new(blocks);
        let mut rows = vec![Channels::ZERO; layout.rows];
        let mut fill = |range: &Range<usize>, inputs: usize| {
            let deviation = (2.0 / inputs as f64).sqrt();
            for row in &mut rows[range.clone()] {
                row.0 = std::array::from_fn(|_| (random.normal() * deviation) as f32);
            }
        };
        fill(&layout.input.weights, WINDOW_ROWS / 2);
        for block in &layout.blocks {
            fill(&block.first.weights, WINDOW_ROWS);
        }
        fill(&layout.policy.layer.weights, WIDTH);
        fill(&layout.value.layer.weights, WIDTH);
        fill(&layout.value_hidden.weights, WIDTH);
        for row in [layout.policy_point, layout.value_owner, layout.value_winner] {
            fill(&(row..row + 1), 8 * WIDTH);
        }
        BoardNet { layout, rows }
    }

    /// The number of its residual blocks.
    pub fn blocks(&self) -> usize {
        self.layout.blocks.len()
    }

    fn of(&self, range: &Range<usize>) -> &[Channels] {
        &self.rows[range.clone()]
    }
}
