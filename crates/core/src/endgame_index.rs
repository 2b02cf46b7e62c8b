//! Numbering of endgame positions, for endgame databases built by retrograde analysis.
//!
//! The endings of a game fall into slices, such as all positions with two kings against a man and a
//! king. A slice numbers its positions; some indices may stand for no position.

use crate::Position;
use std::ops::Range;

/// Address of a position in an endgame database.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct EndgameSlot {
    /// The slice, below [`EndgameIndex::SLICES`].
    pub slice: usize,
    /// The index within the slice.
    pub index: u64,
}

/// A numbering of the endings of a game, so that they can be solved.
///
/// A position and its mirror image for the other side may share a slot: databases hold values for
/// the side to move.
pub trait EndgameIndex: Copy + Send + Sync + 'static {
    /// The positions of the game.
    type Position: Position;

    /// Slices are numbered below this.
    const SLICES: usize;
    /// The largest number of pieces of any slice.
    const MAX_PIECES: usize;

    /// Slices with exactly `pieces` pieces of both sides, in groups to be solved together, in an
    /// order in which every move leads to the own group, to an earlier one, or to fewer pieces.
    fn groups(pieces: usize) -> Vec<Vec<usize>>;

    /// Other slices with as many pieces that a move from this one may lead to, the mirror image's
    /// included.
    fn next_slices(slice: usize) -> Vec<usize>;

    /// Number of indices of a slice.
    fn slice_size(slice: usize) -> u64;

    /// Number of indices of a slice that stand for a position.
    fn position_count(slice: usize) -> u64;

    /// Number of boards with exactly `pieces` pieces, those with pieces of one side only included;
    /// the side to move is not distinguished.
    fn board_count(pieces: usize) -> u64;

    /// A short name for a slice, fit for a file.
    fn slice_name(slice: usize) -> String;

    /// Number of pieces of the positions of a slice.
    fn slice_pieces(slice: usize) -> usize;

    /// Number of pieces on the board.
    fn pieces(position: &Self::Position) -> usize;

    /// Whether the game is played by the rules that the databases are for.
    #[inline]
    fn is_tabulated(_position: &Self::Position) -> bool {
        true
    }

    /// The slot of this position; `None` if no slice has it, as when one side has no pieces left.
    fn endgame_slot(position: &Self::Position) -> Option<EndgameSlot>;

    /// The position at `slot`; `None` if the index stands for none.
    fn position_at(slot: EndgameSlot) -> Option<Self::Position>;

    /// Calls `each` with the positions of a part of a slice, in ascending order of the index.
    fn for_each_position(
        slice: usize,
        part: Range<u64>,
        mut each: impl FnMut(u64, &Self::Position),
    ) {
        for index in part {
            if let Some(position) = Self::position_at(EndgameSlot { slice, index }) {
                each(index, &position);
            }
        }
    }

    /// Whether every move is a conversion, one that leads to fewer pieces. Such positions are not
    /// stored: their value follows from a one-ply search.
    fn is_converting(position: &Self::Position) -> bool;

    /// Unmoves, for retrograde analysis: calls `each` with the slots of all positions from which a move
    /// within the group may have led here, and perhaps of some from which it was not legal.
    fn for_each_predecessor(position: &Self::Position, each: impl FnMut(EndgameSlot));
}
