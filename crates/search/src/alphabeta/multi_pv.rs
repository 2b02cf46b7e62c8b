//! Several lines at once (MultiPV): the best move of the root, the best of the others, and so on.
//!
//! Every line of an iteration is a search of the whole tree without the root moves that have a line
//! already, so all of them come from the same depth. A root without some of its moves has another
//! value, so it has another key in the table; below it nothing changes.

use super::{
    deepening::{Iteration, IterationPlan, RootLine},
    table::Ordinal,
    worker::Worker,
};
use ludus_core::{Evaluator, Position, SearchHints};
use std::cmp::Reverse;

impl<P: Position, E: Evaluator<P>, H: SearchHints<P>> Worker<'_, P, E, H> {
    /// One MultiPV iteration; `values` holds the values of the last one, best first. `None` if the budget
    /// ended it, even if some of its lines are finished.
    pub(super) fn search_multi_pv(
        &mut self,
        position: &P,
        depth: u32,
        plan: IterationPlan,
        values: &mut Vec<i32>,
    ) -> Option<Iteration<P::Move>> {
        let (order, known) = (self.root.order.clone(), self.root.endgame);
        let mut lines: Vec<RootLine<P::Move>> = Vec::new();
        let mut exact = Vec::new();
        let mut finished = true;
        while lines.len() < plan.lines {
            self.exclude_moves(&order, &lines);
            if self.root.order.is_empty() {
                break;
            }
            let previous = values.get(lines.len()).copied();
            let Some(value) = self.root_value(position, depth, plan, previous) else {
                finished = false;
                break;
            };
            let mut found = self.iteration(position, depth, value);
            let Some(&(ordinal, value)) = found.exact.last() else { break };
            exact.append(&mut found.exact);
            lines.push(RootLine { ordinal, value, line: found.line });
        }
        // A selective search may find a later line to be the better one.
        lines.sort_by_key(|line| Reverse(line.value));
        (self.root.order, self.root.endgame, self.root.exclusion_key) = (order, known, 0);
        if !finished {
            // A part of an iteration counts only while no iteration is complete.
            let best = lines.first().map(|best| (best.ordinal, best.value));
            self.root.raised_alpha = best.or(self.root.raised_alpha).filter(|_| values.is_empty());
            return None;
        }
        self.root.raised_alpha = None;
        *values = lines.iter().map(|line| line.value).collect();
        if self.settings.hash_move_first {
            let rank = |ordinal: &Ordinal| lines.iter().position(|line| line.ordinal == *ordinal);
            self.root.order.sort_by_key(|ordinal| rank(ordinal).unwrap_or(usize::MAX));
        }
        exact.retain(|&(ordinal, _)| lines.iter().all(|line| line.ordinal != ordinal));
        exact.extend(lines.iter().map(|line| (line.ordinal, line.value)));
        let best = lines.first()?;
        Some(Iteration { depth, value: best.value, line: best.line.clone(), exact, lines })
    }

    /// Excludes the moves that have a line from the next search. Moves that are worse by the endgame
    /// oracle come after all others; the value of the root does not hold for them.
    fn exclude_moves(&mut self, order: &[Ordinal], lines: &[RootLine<P::Move>]) {
        let is_left = |ordinal: &Ordinal| !lines.iter().any(|line| line.ordinal == *ordinal);
        self.root.order = order.iter().copied().filter(is_left).collect();
        if self.root.order.is_empty() {
            self.root.endgame = None;
            self.root.order = self.root.inferior_moves.iter().copied().filter(is_left).collect();
        }
        let salt = |line: &RootLine<P::Move>| {
            (u64::from(line.ordinal) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        };
        self.root.exclusion_key = lines.iter().map(salt).fold(0, |all, salt| all ^ salt);
    }
}
