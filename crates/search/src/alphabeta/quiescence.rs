//! At the horizon: captures are played out until the position is quiet.

use super::{
    ordering::{Candidate, Memory, best_first},
    table::{Bound, Entry, NO_MOVE, Ordinal},
    trace::Cause,
    worker::{INFINITE, MAX_PLY, PROVEN, Place, Window, Worker, from_table, to_table},
};
use ludus_core::{Ending, Evaluator, Score, SearchHints};

impl<P: Ending + SearchHints, E: Evaluator<P>> Worker<'_, P, E> {
    /// The value of a position at the horizon.
    /// Its evaluation is made unless it is known already.
    pub(super) fn horizon(
        &mut self,
        position: &P,
        window: Window,
        place: Place,
        judged: Option<i32>,
    ) -> i32 {
        let ply = place.ply;
        if !self.settings.quiescence {
            if let Some(outcome) = position.outcome() {
                let value = Score::terminal(outcome, position.turn(), ply as i32).0;
                return self.leaf(value, Cause::GameOver);
            }
            return self.stand(position, place.key, Window::OPEN);
        }
        let base = (self.scratch.moves.len(), self.scratch.order.len());
        let value = self.quiescence(position, window, place, judged);
        self.scratch.moves.truncate(base.0);
        self.scratch.order.truncate(base.1);
        value
    }

    fn stand(&mut self, position: &P, key: u64, window: Window) -> i32 {
        let value = self.evaluate_within(position, key, window);
        self.leaf(value, Cause::Horizon)
    }

    fn quiescence(
        &mut self,
        position: &P,
        window: Window,
        place: Place,
        judged: Option<i32>,
    ) -> i32 {
        let Window { mut alpha, beta } = window;
        let Place { key, ply, .. } = place;
        let pressed = position.is_pressed();
        // A pressed side has moves, or the list of its moves will tell.
        if !pressed && let Some(outcome) = position.horizon_outcome() {
            let value = Score::terminal(outcome, position.turn(), ply as i32).0;
            return self.leaf(value, Cause::GameOver);
        }
        if ply >= MAX_PLY {
            return self.stand(position, key, Window::OPEN);
        }
        let table = self.table.filter(|_| self.settings.table_from <= 0);
        let entry =
            table.and_then(|table| table.probe(key, || position.check(), &mut self.counts.table));
        if let Some(entry) = entry {
            let score = from_table(entry.score, ply);
            if window.is_null() && entry.bound.settles(score, alpha, beta) {
                self.counts.table.cutoffs += 1;
                return self.leaf(score, Cause::Table(entry.bound));
            }
        }
        let (mut best, standing) = if pressed {
            (-INFINITE, -INFINITE)
        } else {
            let range = if self.prunes() { window } else { Window::OPEN };
            let standing = judged.unwrap_or_else(|| self.stand(position, key, range));
            (standing, standing)
        };
        if best >= beta && self.prunes() {
            self.remember(position, key, best, Bound::Lower, ply);
            return best;
        }
        alpha = alpha.max(best);

        let (moves_from, order_from) = (self.scratch.moves.len(), self.scratch.order.len());
        if pressed {
            position.legal_moves(&mut self.scratch.moves);
        } else {
            position.noisy_moves(&mut self.scratch.moves);
        }
        let count = self.scratch.moves.len() - moves_from;
        if count == 0 {
            if pressed {
                return self.finished(position, ply);
            }
            return best;
        }
        let moves = &self.scratch.moves[moves_from..];
        if pressed {
            Memory::by_promise(position, moves, &mut self.scratch.order);
        } else {
            let gaining = |(index, &mv)| Candidate::gaining(position, mv, index as Ordinal);
            self.scratch.order.extend(moves.iter().enumerate().map(gaining));
        }
        for index in order_from..order_from + count {
            let candidate = best_first(&mut self.scratch.order[index..]);
            let mv = self.scratch.moves[moves_from + usize::from(candidate.ordinal())];
            if !pressed && self.settings.pruning.exchange {
                let unit = self.settings.pruning.unit;
                let hope = standing + position.gain(mv) + 2 * unit;
                if hope <= alpha || !position.exchange_wins(mv, 0) {
                    continue;
                }
            } else if pressed
                && best > -PROVEN
                && self.settings.pruning.exchange
                && candidate.is_quiet()
            {
                continue; // one answer that does not lose is enough here
            }
            let child = position.after(mv);
            self.scratch.frames[ply].moved = None;
            let below = Place { key: self.key_of(&child, 0), depth: 0, ply: ply + 1, cut: false };
            let range = if self.prunes() { Window { alpha, beta } } else { Window::OPEN };
            let value = self.child_after(Some(mv), &child, range, below);
            if self.budget.is_spent() {
                return 0;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if value >= beta && self.prunes() {
                break;
            }
        }
        if self.path.reach == super::path::UNTOUCHED {
            self.remember(position, key, best, Bound::of(best, window.alpha, beta), ply);
        }
        best
    }

    fn prunes(&self) -> bool {
        self.settings.windows != super::settings::Windows::Full
    }

    fn remember(&mut self, position: &P, key: u64, score: i32, bound: Bound, ply: usize) {
        if let Some(table) = self.table
            && self.settings.table_from <= 0
        {
            let entry = Entry { score: to_table(score, ply), bound, depth: 0, best: NO_MOVE };
            table.store(key, position.check(), entry, &mut self.counts.table);
        }
    }
}
