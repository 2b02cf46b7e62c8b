//! Inputs of NNUE networks, whose first layer (the accumulator) is updated move by move.

use crate::{Position, Side};

/// The positions of a game as a network sees them: bit planes, one plane of squares for each kind of
/// piece of each side. An input is a piece on a square, seen from the perspective of one of the two
/// sides.
pub trait NnueInputs: Copy + Send + Sync + 'static {
    /// The positions of the game.
    type Position: Position;

    /// The planes: an array of bitboards, those of the first side before those of the second.
    type Planes: Copy + PartialEq + AsRef<[u64]> + Send + Sync;

    /// Inputs are numbered below this.
    const INPUTS: usize;
    /// Orientations of a side's perspective, such as mirrored or not (by the side its king is on).
    /// Accumulators are kept for each of them.
    const ORIENTATIONS: usize;
    /// Output buckets: phases of the game with output weights of their own.
    const OUTPUT_BUCKETS: usize;

    /// An empty board.
    const EMPTY: Self::Planes;

    /// Whether the inputs can describe this position. Variants and board sizes that they cannot
    /// describe are evaluated without a network.
    fn has_nnue_inputs(_position: &Self::Position) -> bool {
        true
    }

    /// The squares of each kind of piece.
    fn planes(position: &Self::Position) -> Self::Planes;

    /// The orientation of `side`'s perspective.
    fn orientation(position: &Self::Position, side: Side) -> usize;

    /// The index of the input "a piece of `plane` on `square`" in the perspective of `side`.
    fn input(side: Side, orientation: usize, plane: usize, square: usize) -> usize;

    /// The output bucket of this position.
    fn output_bucket(position: &Self::Position) -> usize;

    /// A number that grows by one with every move, if the position has one: a hint which cached
    /// accumulator may belong to the position before.
    fn ply_hint(_position: &Self::Position) -> usize {
        0
    }
}
