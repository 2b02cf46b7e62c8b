//! The exact lead by a sequence of claims, with iterative deepening.

use super::search::{BudgetExhausted, Claim, MAX_DEPTH, RefutationMode, Search};
use super::{grid::PASS, node::NOWHERE, node::Node};

/// Depth up to which loose refutations are accepted before the search restarts strictly.
const MAX_LOOSE_DEPTH: u32 = 40;

/// Proved bounds of the lead of the side to move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct LeadBounds {
    pub(super) lower: i32,
    pub(super) upper: i32,
    /// A move that leads to `lower`.
    pub(super) mv: u8,
    /// The deepest search that was completed.
    pub(super) depth: u32,
}

/// The outcome of testing a claim.
enum ClaimOutcome {
    /// The side to move leads by this much.
    Upheld(i32),
    /// It leads by this much at most.
    Denied(i32),
}

impl LeadBounds {
    pub(super) fn is_exact(&self) -> bool {
        self.lower == self.upper
    }
}

impl Search<'_, '_> {
    /// The lead of the side to move at `root`, as exactly as `deepest` plies and the budget allow.
    pub(super) fn lead(&mut self, root: &Node, deepest: u32) -> LeadBounds {
        let count = self.grid.count();
        let mut answer = LeadBounds { lower: -count, upper: count, mv: PASS, depth: 0 };
        let mut step = 1;
        while !answer.is_exact() {
            let lead = next_claim(&answer, step);
            let Ok(decision) = self.test_claim(root, lead, deepest, &mut answer.depth) else {
                break;
            };
            match decision {
                ClaimOutcome::Upheld(lead) => {
                    (answer.lower, answer.mv) = (lead, self.root_move);
                    step *= 2;
                }
                ClaimOutcome::Denied(lead) => answer.upper = lead,
            }
        }
        answer
    }

    /// A move of `root` that keeps a known lead, if the budget suffices to find it.
    pub(super) fn move_keeping(&mut self, root: &Node, lead: i32) -> Option<u8> {
        let claim = Claim { side: root.turn, lead };
        for depth in 1..=MAX_LOOSE_DEPTH {
            if self.decide(root, claim, depth).ok()?.claimed {
                return Some(self.root_move).filter(|&mv| mv != NOWHERE);
            }
        }
        None
    }

    /// Tests whether the side to move leads by `lead`: its claim and the opponent's counter-claim
    /// are searched alternately by iterative deepening.
    fn test_claim(
        &mut self,
        root: &Node,
        lead: i32,
        deepest: u32,
        completed: &mut u32,
    ) -> Result<ClaimOutcome, BudgetExhausted> {
        self.set_refutation_mode(RefutationMode::Loose);
        let mut depth = 1;
        while depth <= deepest.min(MAX_DEPTH) {
            let own = self.decide(root, Claim { side: root.turn, lead }, depth)?;
            if own.claimed {
                return Ok(ClaimOutcome::Upheld(own.lead));
            }
            let other = Claim { side: 1 - root.turn, lead: 1 - lead };
            let other = self.decide(root, other, depth)?;
            if other.claimed {
                return Ok(ClaimOutcome::Denied(-other.lead));
            }
            *completed = depth.max(*completed);
            let inconclusive = own.settled && other.settled || depth == MAX_LOOSE_DEPTH;
            if inconclusive && self.refutation_mode() == RefutationMode::Loose {
                self.set_refutation_mode(RefutationMode::Strict);
                depth = 0;
            }
            depth += 1;
        }
        Err(BudgetExhausted)
    }
}

/// The lead to claim next: first 1, then in growing steps above the lower bound, because claims far
/// off are expensive; bisection once they go too far.
fn next_claim(answer: &LeadBounds, step: i32) -> i32 {
    let LeadBounds { lower, upper, .. } = *answer;
    if lower < 1 && upper >= 1 {
        return 1;
    }
    let middle = (lower + upper + 1).div_euclid(2);
    if lower >= 1 { (lower + step / 2).max(lower + 1).min(middle) } else { middle }
}
