//! Quiescence search: at the horizon captures are played out until the position is quiet.

use super::{
    ordering::{Candidate, best_first, score_by_hint},
    table::{Bound, NO_MOVE, Ordinal, TableEntry},
    trace::Cause,
    worker::{INFINITE, MAX_PLY, NodeContext, PROVEN, Window, Worker, from_table, to_table},
};
use ludus_core::{Evaluator, Position, Score, SearchHints};

impl<P: Position, E: Evaluator<P>, H: SearchHints<P>> Worker<'_, P, E, H> {
    /// The value of a position at the horizon; `static_eval` is its evaluation, if that is known already.
    pub(super) fn horizon(
        &mut self,
        position: &P,
        window: Window,
        context: NodeContext,
        static_eval: Option<i32>,
    ) -> i32 {
        let ply = context.ply;
        if !self.settings.quiescence {
            if let Some(outcome) = position.outcome() {
                let value = Score::terminal(outcome, position.turn(), ply as i32).0;
                return self.leaf(value, Cause::GameOver);
            }
            return self.static_leaf(position, context.key, Window::OPEN);
        }
        let base = (self.scratch.moves.len(), self.scratch.order.len());
        let value = self.quiescence(position, window, context, static_eval);
        self.scratch.moves.truncate(base.0);
        self.scratch.order.truncate(base.1);
        value
    }

    fn static_leaf(&mut self, position: &P, key: u64, window: Window) -> i32 {
        let value = self.evaluate_within(position, key, window);
        self.leaf(value, Cause::Horizon)
    }

    fn quiescence(
        &mut self,
        position: &P,
        window: Window,
        context: NodeContext,
        static_eval: Option<i32>,
    ) -> i32 {
        let Window { alpha, beta } = window;
        let NodeContext { key, ply, .. } = context;
        let must_respond = self.hints.must_respond(position);
        // A side that must respond has moves, or the list of its moves is empty below.
        if !must_respond && let Some(outcome) = self.hints.horizon_outcome(position) {
            let value = Score::terminal(outcome, position.turn(), ply as i32).0;
            return self.leaf(value, Cause::GameOver);
        }
        if ply >= MAX_PLY {
            return self.static_leaf(position, key, Window::OPEN);
        }
        // Transposition-table cutoff.
        let table = self.table.filter(|_| self.settings.min_table_depth <= 0);
        let entry = table.and_then(|table| {
            table.probe(key, || position.verification_key(), &mut self.stats.table)
        });
        if let Some(entry) = entry {
            let score = from_table(entry.score, ply);
            if window.is_null() && entry.bound.settles(score, alpha, beta) {
                self.stats.table.cutoffs += 1;
                return self.leaf(score, Cause::Table(entry.bound));
            }
        }
        // Standing pat.
        let stand_pat = if must_respond {
            -INFINITE
        } else {
            let range = if self.prunes() { window } else { Window::OPEN };
            static_eval.unwrap_or_else(|| self.static_leaf(position, key, range))
        };
        if stand_pat >= beta && self.prunes() {
            self.store_quiescence(position, key, stand_pat, Bound::Lower, ply);
            return stand_pat;
        }

        let (moves_from, order_from) = (self.scratch.moves.len(), self.scratch.order.len());
        if must_respond {
            position.legal_moves(&mut self.scratch.moves);
        } else {
            self.hints.noisy_moves(position, &mut self.scratch.moves);
        }
        if self.scratch.moves.len() == moves_from {
            return if must_respond { self.finished(position, ply) } else { stand_pat };
        }
        let moves = &self.scratch.moves[moves_from..];
        if must_respond {
            score_by_hint(self.hints, position, moves, &mut self.scratch.order);
        } else {
            let capture =
                |(index, &mv)| Candidate::capture(self.hints, position, mv, index as Ordinal);
            self.scratch.order.extend(moves.iter().enumerate().map(capture));
        }
        let Some(best) = self.search_noisy_moves(
            position,
            window,
            ply,
            (moves_from, order_from),
            stand_pat,
            must_respond,
        ) else {
            return 0;
        };
        if self.path.reach == super::path::PATH_INDEPENDENT {
            self.store_quiescence(position, key, best, Bound::of(best, alpha, beta), ply);
        }
        best
    }

    /// The best value of standing pat and of the moves scored; `None` once the budget is spent.
    #[inline(always)]
    fn search_noisy_moves(
        &mut self,
        position: &P,
        window: Window,
        ply: usize,
        (moves_from, order_from): (usize, usize),
        stand_pat: i32,
        must_respond: bool,
    ) -> Option<i32> {
        let beta = window.beta;
        let mut best = stand_pat;
        let mut alpha = window.alpha.max(best);
        for index in order_from..self.scratch.order.len() {
            let candidate = best_first(&mut self.scratch.order[index..]);
            let mv = self.scratch.moves[moves_from + usize::from(candidate.ordinal())];
            if !must_respond && self.settings.pruning.see_pruning {
                // Delta pruning and SEE pruning.
                let hope =
                    self.params.optimistic_score(stand_pat, self.hints.material_gain(position, mv));
                let threshold = self.params.quiescence_see_threshold();
                if hope <= alpha || !self.hints.see_at_least(position, mv, threshold) {
                    continue;
                }
            } else if must_respond
                && best > -PROVEN
                && self.settings.pruning.see_pruning
                && candidate.is_quiet()
            {
                continue; // Evasion pruning: one reply that does not lose is enough.
            }
            let child = position.after(mv);
            self.scratch.stack[ply].current_move = None;
            let below = NodeContext {
                key: self.key_of(&child, 0),
                depth: 0,
                ply: ply + 1,
                cut_node: false,
            };
            let range = if self.prunes() { Window { alpha, beta } } else { Window::OPEN };
            let value = self.child_after(Some(mv), &child, range, below);
            if self.budget.is_spent() {
                return None;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if value >= beta && self.prunes() {
                break;
            }
        }
        Some(best)
    }

    fn prunes(&self) -> bool {
        self.settings.windows != super::settings::Windows::Full
    }

    fn store_quiescence(&mut self, position: &P, key: u64, score: i32, bound: Bound, ply: usize) {
        if let Some(table) = self.table
            && self.settings.min_table_depth <= 0
        {
            let entry = TableEntry { score: to_table(score, ply), bound, depth: 0, best: NO_MOVE };
            table.store(key, position.verification_key(), entry, &mut self.stats.table);
        }
    }
}
