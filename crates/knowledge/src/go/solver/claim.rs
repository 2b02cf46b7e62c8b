//! Results of a search and the conditions they hold under.
//!
//! Under superko a value depends on the game history: a move may repeat a board. A result is a plan
//! of its winner: one move where the winner is to move, an answer to every move of the loser. With
//! another history the same plan still works if two conditions hold:
//!
//! - No move of the plan is forbidden: none of the boards its moves make is in that history
//!   ([`BoardSet`] is a superset of them).
//! - Every move of the loser that the plan did not have to answer, because it was forbidden, is
//!   still forbidden: the boards that forbade it are in that history (`dependencies`).
//!
//! A history that forbids the loser more moves does no harm. Boards that the plan itself goes
//! through are in the history of all later nodes, so a dependency ends at the node that has its
//! board.

use super::{
    grid::{Grid, Points, Symmetry},
    node::Stones,
};

/// A superset of a set of boards: their intersection, their union, and their classes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct BoardSet {
    /// Stones on all of them.
    always: Stones,
    /// Stones on any of them.
    ever: Stones,
    /// A bit for each [`Grid::class`].
    classes: u64,
}

impl BoardSet {
    pub(super) const EMPTY: BoardSet =
        BoardSet { always: [Points::MAX; 2], ever: [0; 2], classes: 0 };

    pub(super) fn add(&mut self, grid: &Grid, stones: Stones) {
        self.join(&BoardSet { always: stones, ever: stones, classes: 1 << grid.class(stones) });
    }

    pub(super) fn join(&mut self, other: &BoardSet) {
        for side in 0..2 {
            self.always[side] &= other.always[side];
            self.ever[side] |= other.ever[side];
        }
        self.classes |= other.classes;
    }

    /// Whether the board may be in the set.
    pub(super) fn may_hold(&self, grid: &Grid, stones: Stones) -> bool {
        let between = |side: usize| {
            self.always[side] & !stones[side] == 0 && stones[side] & !self.ever[side] == 0
        };
        between(0) && between(1) && self.classes >> grid.class(stones) & 1 == 1
    }

    /// The images of these boards, with the colours exchanged if `exchanged`.
    pub(super) fn image(&self, symmetry: &Symmetry, exchanged: bool) -> BoardSet {
        if *self == BoardSet::EMPTY {
            return *self;
        }
        BoardSet {
            always: image(self.always, symmetry, exchanged),
            ever: image(self.ever, symmetry, exchanged),
            classes: self.classes,
        }
    }
}

/// The image of a board, with the colours exchanged if `exchanged`.
pub(super) fn image(stones: Stones, symmetry: &Symmetry, exchanged: bool) -> Stones {
    let [first, second] = stones.map(|set| symmetry.set(set));
    if exchanged { [second, first] } else { [first, second] }
}

/// Boards of the path that a result depends on. Bit 0 is the game before the root, bit `p + 1` the
/// board of the node at ply `p`.
pub(super) type PastDependencies = u128;

/// The result of searching a claim, and its conditions.
#[derive(Copy, Clone, Debug)]
pub(super) struct ClaimResult {
    /// Whether the claim holds. If not, it may still hold at greater depth.
    pub(super) claimed: bool,
    /// A lower bound of the claimant's lead, if the claim holds.
    pub(super) lead: i32,
    /// Whether no deeper search can change the result.
    pub(super) settled: bool,
    /// Boards that the winner's moves make.
    pub(super) made: BoardSet,
    /// Boards that must be in the history.
    pub(super) dependencies: PastDependencies,
}

impl ClaimResult {
    /// The claimant has this lead, with any history.
    pub(super) fn claimed(lead: i32) -> ClaimResult {
        ClaimResult { claimed: true, lead, settled: true, made: BoardSet::EMPTY, dependencies: 0 }
    }

    /// The claim fails with any history; finally (`settled`) or within the search depth.
    pub(super) fn refuted(settled: bool) -> ClaimResult {
        ClaimResult { claimed: false, lead: 0, settled, made: BoardSet::EMPTY, dependencies: 0 }
    }

    /// Adds the conditions of another answer of the winner.
    pub(super) fn join(&mut self, other: &ClaimResult) {
        debug_assert_eq!(self.claimed, other.claimed);
        self.lead = self.lead.min(other.lead);
        self.settled &= other.settled;
        self.made.join(&other.made);
        self.dependencies |= other.dependencies;
    }
}
