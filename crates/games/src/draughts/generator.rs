//! The move generator of a position's rule set: the one place that chooses among the compiled ones.

use super::{
    moves::{CapturePaths, DraughtsMove},
    position::Draughts,
    static_rules::StaticRules,
};
use crate::with_static_rules;

/// A move generator, compiled for one rule set.
pub trait Generator {
    const FLYING_KINGS: bool;

    /// Whether there is a capture, found without a move list.
    fn can_capture(position: &Draughts) -> bool;

    /// The number of moves.
    fn count(position: &Draughts) -> usize;

    /// Appends every move.
    fn list(position: &Draughts, out: &mut Vec<DraughtsMove>);

    /// Every legal capture by every path.
    fn paths(position: &Draughts) -> CapturePaths;
}

#[inline]
pub fn can_capture(position: &Draughts) -> bool {
    with_static_rules!(position.rules, R => <R as StaticRules>::Generator::can_capture(position))
}

#[inline(always)] // into perft's loop, where the position is still in registers
pub fn count(position: &Draughts) -> usize {
    with_static_rules!(position.rules, R => <R as StaticRules>::Generator::count(position))
}

#[inline]
pub fn list(position: &Draughts, out: &mut Vec<DraughtsMove>) {
    with_static_rules!(position.rules, R => <R as StaticRules>::Generator::list(position, out));
}

pub fn paths(position: &Draughts) -> CapturePaths {
    with_static_rules!(position.rules, R => <R as StaticRules>::Generator::paths(position))
}
