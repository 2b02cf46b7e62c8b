//! NNUE: an efficiently updatable neural network for searches (Yu Nasu 2018).
//!
//! ```text
//! pieces as the side to move sees them   --> sums, clipped, squared --\
//!                                                                      >-- one output per bucket
//! pieces as the other side sees them     --> sums, clipped, squared --/
//! ```
//!
//! Both sides share the weights of the first layer. A piece on a square is an input, so a move changes
//! few of them, and the sums of the first layer (the accumulator) are updated rather than computed
//! again. In a search all weights are 16-bit integers.

mod checkpoint;
mod evaluator;
mod file;
mod samples;
mod trainer;

pub use evaluator::{CorrectedEval, MAX_CORRECTED_SCORE, NnueEvaluator};
pub use samples::{NnueSample, NnueSamples};
pub use trainer::{NnueSchedule, NnueTrainer, NnueTrainerState};

use ludus_core::NnueInputs;

/// Quantisation of the sums: this many to one unit.
pub(crate) const SUM_UNIT: i32 = 255;
/// Quantisation of the output weights: this many to one unit.
pub(crate) const OUTPUT_UNIT: i32 = 64;
/// The largest output weight: its product with the largest clipped sum fits 16 bits.
pub(crate) const MAX_OUTPUT_WEIGHT: f32 = 127.0 / OUTPUT_UNIT as f32;
/// Width of the first layer for one side's perspective. Fixed, so that the compiler can keep the sums in
/// registers.
pub const WIDTH: usize = 64;

/// The sums of one side's perspective, or the weights of an input.
#[derive(Copy, Clone, Debug, PartialEq)]
#[repr(align(64))]
pub(crate) struct Row(pub [i16; WIDTH]);

/// The size of a network, besides its width.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Inputs of one side's perspective.
    pub inputs: usize,
    /// Output buckets.
    pub output_buckets: usize,
}

impl Shape {
    /// The shape of the networks of a game.
    pub fn of<K: NnueInputs>() -> Shape {
        Shape { inputs: K::INPUTS, output_buckets: K::OUTPUT_BUCKETS }
    }
}

/// A quantised network, as a search uses it.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    pub(crate) shape: Shape,
    /// The weights of each input.
    pub(crate) inputs: Vec<Row>,
    /// The sums of an empty board: the biases of the first layer.
    pub(crate) empty: Row,
    /// For each output bucket the weights for the side to move and those for the other side.
    pub(crate) outputs: Vec<[Row; 2]>,
    /// For each output bucket, in units of the product of a squared sum and an output weight.
    pub(crate) biases: Vec<i32>,
    /// Hundredths of the game's unit to one unit of output.
    pub(crate) scale: i32,
}

impl Net {
    /// Its size.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    #[inline]
    pub(crate) fn row(&self, input: usize) -> &Row {
        &self.inputs[input]
    }

    /// The output of `bucket` in hundredths for the side to move, whose sums come first.
    #[inline]
    pub(crate) fn output(&self, bucket: usize, sums: [&Row; 2]) -> i32 {
        let [own, other] = &self.outputs[bucket];
        let sum = screlu_dot(sums[0], own) + screlu_dot(sums[1], other) + self.biases[bucket];
        // A whole unit is SUM_UNIT² · OUTPUT_UNIT.
        let unit = i64::from(SUM_UNIT * SUM_UNIT * OUTPUT_UNIT);
        (i64::from(sum) * i64::from(self.scale) / unit) as i32
    }
}

/// The dot product of the clipped and squared sums (squared clipped ReLU) with the weights.
#[inline]
fn screlu_dot(sums: &Row, weights: &Row) -> i32 {
    let weigh = |(&sum, &weight): (&i16, &i16)| {
        let clipped = sum.clamp(0, SUM_UNIT as i16);
        // Within 16 bits: weights are at most 127.
        i32::from(clipped.wrapping_mul(weight)) * i32::from(clipped)
    };
    sums.0.iter().zip(&weights.0).map(weigh).sum()
}
