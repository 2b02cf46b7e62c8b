//! A network for searches: efficiently updatable, as Yu Nasu called his (2018).
//!
//! ```text
//! men as the side to move sees them   --> sums, clipped, squared --\
//!                                                                   >-- one output for each stage
//! men as the other side sees them     --> sums, clipped, squared --/
//! ```
//!
//! Both sides share the weights of the first layer. A man on a square is an input, so a move changes
//! few of them, and the sums of the first layer are brought up to date rather than made anew. In a
//! search all weights are 16-bit integers.

mod checkpoint;
mod evaluator;
mod file;
mod samples;
mod trainer;

pub use evaluator::{Corrected, NetEvaluator, SURE};
pub use samples::{Sample, Samples};
pub use trainer::{Schedule, Trainer, TrainerState};

use ludus_core::NnueInputs;

/// Sums are this many to one unit.
pub(crate) const SUM_UNIT: i32 = 255;
/// Output weights are this many to one unit.
pub(crate) const OUTPUT_UNIT: i32 = 64;
/// The largest output weight: its product with the largest clipped sum fits 16 bits.
pub(crate) const OUTPUT_MOST: f32 = 127.0 / OUTPUT_UNIT as f32;
/// Sums of one side's view. Fixed, so that the compiler can keep them in registers.
pub const WIDTH: usize = 64;

/// The sums of one side's view, or the weights of an input.
#[derive(Copy, Clone, Debug, PartialEq)]
#[repr(align(64))]
pub(crate) struct Row(pub [i16; WIDTH]);

/// How large a network is, besides its width.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Inputs of one side's view.
    pub inputs: usize,
    /// Outputs.
    pub stages: usize,
}

impl Shape {
    /// That of the networks of a game.
    pub fn of<P: NnueInputs>() -> Shape {
        Shape { inputs: P::INPUTS, stages: P::STAGES }
    }
}

/// A network as a search uses it.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    pub(crate) shape: Shape,
    /// The weights of each input.
    pub(crate) inputs: Vec<Row>,
    /// The sums without any man.
    pub(crate) empty: Row,
    /// For each stage the weights for the side to move and those for the other side.
    pub(crate) outputs: Vec<[Row; 2]>,
    /// For each stage, in units of the product of a squared sum and an output weight.
    pub(crate) biases: Vec<i32>,
    /// Hundredths of the game's unit to one unit of output.
    pub(crate) scale: i32,
}

impl Net {
    /// How large it is.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    #[inline]
    pub(crate) fn row(&self, input: usize) -> &Row {
        &self.inputs[input]
    }

    /// The output of `stage` in hundredths for the side to move, whose sums come first.
    #[inline]
    pub(crate) fn output(&self, stage: usize, sums: [&Row; 2]) -> i32 {
        let [own, other] = &self.outputs[stage];
        let sum = weighed(sums[0], own) + weighed(sums[1], other) + self.biases[stage];
        // A whole unit is SUM_UNIT² · OUTPUT_UNIT.
        let unit = i64::from(SUM_UNIT * SUM_UNIT * OUTPUT_UNIT);
        (i64::from(sum) * i64::from(self.scale) / unit) as i32
    }
}

/// The weighed sum of the clipped and squared sums.
#[inline]
fn weighed(sums: &Row, weights: &Row) -> i32 {
    let weigh = |(&sum, &weight): (&i16, &i16)| {
        let clipped = sum.clamp(0, SUM_UNIT as i16);
        // Within 16 bits: weights are at most 127.
        i32::from(clipped.wrapping_mul(weight)) * i32::from(clipped)
    };
    sums.0.iter().zip(&weights.0).map(weigh).sum()
}
