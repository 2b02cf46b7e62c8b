//! What the result of a search holds under.
//!
//! Under superko a value depends on the past: a move may bring back a board. A result is a plan of
//! its winner: one move where the winner is to move, an answer to every move of the loser. In another
//! past the same plan still works if two things hold:
//!
//! - No move of the plan is forbidden there: none of the boards its moves make lies in that past
//!   ([`Boards`] remembers a superset of them).
//! - Every move of the loser that the plan did not have to answer, because it was forbidden, is
//!   forbidden there as well: the boards that forbade them lie in that past (`needs`).
//!
//! A past that forbids the loser more moves than before does no harm. Boards that the plan itself
//! goes through are in the past of whatever comes after them, so a need ends at the node that has
//! its board.

use super::{
    grid::{Grid, Points, Symmetry},
    node::Stones,
};

/// A superset of some boards: what they have in common, what they have at all, and their classes.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Boards {
    /// Stones on all of them.
    always: Stones,
    /// Stones on any of them.
    ever: Stones,
    /// A bit for each [`Grid::class`].
    classes: u64,
}

impl Boards {
    pub(super) const NONE: Boards = Boards { always: [Points::MAX; 2], ever: [0; 2], classes: 0 };

    pub(super) fn add(&mut self, grid: &Grid, stones: Stones) {
        self.join(&Boards { always: stones, ever: stones, classes: 1 << grid.class(stones) });
    }

    pub(super) fn join(&mut self, other: &Boards) {
        for side in 0..2 {
            self.always[side] &= other.always[side];
            self.ever[side] |= other.ever[side];
        }
        self.classes |= other.classes;
    }

    /// Whether the board may be one of them.
    pub(super) fn may_hold(&self, grid: &Grid, stones: Stones) -> bool {
        let between = |side: usize| {
            self.always[side] & !stones[side] == 0 && stones[side] & !self.ever[side] == 0
        };
        between(0) && between(1) && self.classes >> grid.class(stones) & 1 == 1
    }

    /// The images of these boards, with the colours exchanged if `exchanged`.
    pub(super) fn image(&self, symmetry: &Symmetry, exchanged: bool) -> Boards {
        if *self == Boards::NONE {
            return *self;
        }
        Boards {
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

/// Which places of the path a result needs. Bit 0 is the game before the root, bit `p + 1` the board
/// of the node at ply `p`.
pub(super) type Needs = u128;

/// Who wins the question a search asks, and what that holds under.
#[derive(Copy, Clone, Debug)]
pub(super) struct Verdict {
    /// Whether the side that claims a lead has it. If not, the other may only have held out as
    /// deep as the search went.
    pub(super) claimed: bool,
    /// The lead the claimant has at least, if it has what it claims.
    pub(super) lead: i32,
    /// Whether a deeper search could say otherwise.
    pub(super) settled: bool,
    /// Boards that the winner's moves make.
    pub(super) made: Boards,
    /// Boards that must be in the past.
    pub(super) needs: Needs,
}

impl Verdict {
    /// The claimant has this lead, whatever the past.
    pub(super) fn claimed(lead: i32) -> Verdict {
        Verdict { claimed: true, lead, settled: true, made: Boards::NONE, needs: 0 }
    }

    /// The claim fails, whatever the past; `settled` or only as far as the search goes.
    pub(super) fn refuted(settled: bool) -> Verdict {
        Verdict { claimed: false, lead: 0, settled, made: Boards::NONE, needs: 0 }
    }

    /// Adds what another answer of the winner needs.
    pub(super) fn join(&mut self, other: &Verdict) {
        debug_assert_eq!(self.claimed, other.claimed);
        self.lead = self.lead.min(other.lead);
        self.settled &= other.settled;
        self.made.join(&other.made);
        self.needs |= other.needs;
    }
}
