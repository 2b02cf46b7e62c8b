//! What stands where: the inputs of networks that are brought up to date move by move.

use crate::{Position, Side};

/// A game whose positions are, for a network, sets of squares: one set for each kind of man of each
/// side. An input is a man on a square, as one of the two sides sees it.
pub trait NnueInputs: Position {
    /// The sets: an array of bit boards, those of the first side before those of the second.
    type Sets: Copy + PartialEq + AsRef<[u64]> + Send + Sync;

    /// Inputs are numbered below this.
    const INPUTS: usize;
    /// Ways in which a side may look at the board, such as turned round or not. Sums over the men are
    /// kept for each of them.
    const ASPECTS: usize;
    /// Parts of the game with an output of their own.
    const STAGES: usize;

    /// No man anywhere.
    const EMPTY: Self::Sets;

    /// Whether the inputs say what stands where. A game may have rules or boards of which they do
    /// not; those are judged without a network.
    fn is_described(&self) -> bool {
        true
    }

    /// Where the men stand.
    fn sets(&self) -> Self::Sets;

    /// How `side` looks at the board.
    fn aspect(&self, side: Side) -> usize;

    /// The number of the input "a man of set `set` on `square`", as `side` sees it.
    fn input(side: Side, aspect: usize, set: usize, square: usize) -> usize;

    /// The part of the game.
    fn stage(&self) -> usize;

    /// A number that grows by one with every move, where the position knows it: a hint for what may
    /// be remembered from the position before.
    fn clock(&self) -> usize {
        0
    }
}
