//! From claims to the exact lead: which to test, how deep, and when to give up.

use super::search::{Claim, DEEPEST, Search, Spent, Trust};
use super::{grid::PASS, node::NOWHERE, node::Node};

/// How deep refutations are believed loosely before everything is done again strictly.
const LOOSE_DEPTH: u32 = 40;

/// What is proved about the lead of the side to move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) lower: i32,
    pub(super) upper: i32,
    /// A move that leads to `lower`.
    pub(super) mv: u8,
    /// The deepest search that was completed.
    pub(super) depth: u32,
}

/// Which side a claim turned out to be right for.
enum Decision {
    /// The side to move leads by this much.
    Upheld(i32),
    /// It leads by this much at most.
    Denied(i32),
}

impl Answer {
    pub(super) fn is_exact(&self) -> bool {
        self.lower == self.upper
    }
}

impl Search<'_, '_> {
    /// The lead of the side to move at `root`, as exactly as `deepest` plies and the effort allow.
    pub(super) fn lead(&mut self, root: &Node, deepest: u32) -> Answer {
        let count = self.grid.count();
        let mut answer = Answer { lower: -count, upper: count, mv: PASS, depth: 0 };
        let mut step = 1;
        while !answer.is_exact() {
            let lead = next_claim(&answer, step);
            let Ok(decision) = self.settle(root, lead, deepest, &mut answer.depth) else { break };
            match decision {
                Decision::Upheld(lead) => {
                    (answer.lower, answer.mv) = (lead, self.root_move);
                    step *= 2;
                }
                Decision::Denied(lead) => answer.upper = lead,
            }
        }
        answer
    }

    /// A move of `root` that keeps a lead known to be there, if the effort suffices to find it.
    pub(super) fn move_worth(&mut self, root: &Node, lead: i32) -> Option<u8> {
        let claim = Claim { side: root.turn, lead };
        for depth in 1..=LOOSE_DEPTH {
            if self.decide(root, claim, depth).ok()?.claimed {
                return Some(self.root_move).filter(|&mv| mv != NOWHERE);
            }
        }
        None
    }

    /// Whether the side to move leads by `lead`: it claims so, the other claims that it does not,
    /// both ever deeper.
    fn settle(
        &mut self,
        root: &Node,
        lead: i32,
        deepest: u32,
        completed: &mut u32,
    ) -> Result<Decision, Spent> {
        self.set_trust(Trust::Loose);
        let mut depth = 1;
        while depth <= deepest.min(DEEPEST) {
            let own = self.decide(root, Claim { side: root.turn, lead }, depth)?;
            if own.claimed {
                return Ok(Decision::Upheld(own.lead));
            }
            let other = Claim { side: 1 - root.turn, lead: 1 - lead };
            let other = self.decide(root, other, depth)?;
            if other.claimed {
                return Ok(Decision::Denied(-other.lead));
            }
            *completed = depth.max(*completed);
            let hopeless = own.settled && other.settled || depth == LOOSE_DEPTH;
            if hopeless && self.trust() == Trust::Loose {
                self.set_trust(Trust::Strict);
                depth = 0;
            }
            depth += 1;
        }
        Err(Spent)
    }
}

/// The lead to claim next: first whether there is one at all, then in growing steps above what is
/// proved, as claims far off cost more than they tell; halving once they go too far.
fn next_claim(answer: &Answer, step: i32) -> i32 {
    let Answer { lower, upper, .. } = *answer;
    if lower < 1 && upper >= 1 {
        return 1;
    }
    let middle = (lower + upper + 1).div_euclid(2);
    if lower >= 1 { (lower + step / 2).max(lower + 1).min(middle) } else { middle }
}
