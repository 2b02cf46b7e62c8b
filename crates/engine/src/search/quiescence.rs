//! At the horizon: captures are played out until the position is quiet.

use super::{
    node::{INFINITE, MAX_PLY, PROVEN, Place, Window, Worker, from_table, to_table},
    ordering::Candidate,
    table::{Bound, Entry, NO_MOVE, Ordinal},
    trace::Cause,
};
use ludus_core::{Ending, Evaluator, Score, Tactics};

impl<P: Ending + Tactics, E: Evaluator<P>> Worker<'_, P, E> {
    /// The value of a position at the horizon.
    pub(super) fn horizon(&mut self, position: &P, window: Window, ply: usize) -> i32 {
        if !self.settings.quiescence {
            if let Some(outcome) = position.outcome() {
                let value = Score::terminal(outcome, position.turn(), ply as i32).0;
                return self.leaf(value, Cause::GameOver);
            }
            return self.stand(position);
        }
        let base = (self.moves.len(), self.order.len());
        let value = self.quiescence(position, window, ply);
        self.moves.truncate(base.0);
        self.order.truncate(base.1);
        value
    }

    fn stand(&mut self, position: &P) -> i32 {
        let value = self.evaluator.evaluate(position).0;
        self.leaf(value, Cause::Horizon)
    }

    fn quiescence(&mut self, position: &P, window: Window, ply: usize) -> i32 {
        let Window { mut alpha, beta } = window;
        if let Some(outcome) = position.horizon_outcome() {
            let value = Score::terminal(outcome, position.turn(), ply as i32).0;
            return self.leaf(value, Cause::GameOver);
        }
        if ply >= MAX_PLY {
            return self.stand(position);
        }
        let guessing = self.settings.guesses();
        let table = self.table.filter(|_| guessing);
        let key = if table.is_some() { position.key() } else { 0 };
        let entry =
            table.and_then(|table| table.probe(key, || position.check(), &mut self.counts.table));
        if let Some(entry) = entry {
            let score = from_table(entry.score, ply);
            if window.is_null() && entry.bound.settles(score, alpha, beta) {
                self.counts.table.cutoffs += 1;
                return self.leaf(score, Cause::Table(entry.bound));
            }
        }
        let pressed = position.is_pressed();
        let (mut best, standing) = if pressed {
            (-INFINITE, -INFINITE)
        } else {
            let standing = self.stand(position);
            (standing, standing)
        };
        if best >= beta && self.prunes() {
            self.remember(position, key, best, Bound::Lower, ply);
            return best;
        }
        alpha = alpha.max(best);

        let (moves_from, order_from) = (self.moves.len(), self.order.len());
        position.noisy_moves(&mut self.moves);
        let count = self.moves.len() - moves_from;
        if count == 0 {
            if pressed {
                return self.finished(position, ply);
            }
            return best;
        }
        let rated = self.moves[moves_from..].iter().enumerate();
        self.order.extend(rated.map(|(ordinal, &mv)| Candidate {
            score: position.urgency(mv),
            ordinal: ordinal as Ordinal,
        }));
        for index in 0..count {
            let mv = self.next_noisy(moves_from, order_from + index);
            if !pressed && self.settings.pruning.exchange {
                let unit = self.settings.pruning.unit;
                let hope = standing + position.gain(mv) + 2 * unit;
                if hope <= alpha || !position.exchange_wins(mv, 0) {
                    continue;
                }
            } else if pressed
                && best > -PROVEN
                && self.settings.pruning.exchange
                && position.gain(mv) == 0
            {
                continue; // one answer that does not lose is enough here
            }
            let child = position.after(mv);
            self.frames[ply].moved = None;
            let below = Place { depth: 0, ply: ply + 1, cut: false };
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

    fn next_noisy(&mut self, moves_from: usize, from: usize) -> P::Move {
        let rest = &mut self.order[from..];
        let mut best = 0;
        for index in 1..rest.len() {
            if rest[index].score > rest[best].score {
                best = index;
            }
        }
        rest.swap(0, best);
        self.moves[moves_from + rest[0].ordinal as usize]
    }

    fn remember(&mut self, position: &P, key: u64, score: i32, bound: Bound, ply: usize) {
        if let Some(table) = self.table
            && self.settings.guesses()
        {
            let entry = Entry { score: to_table(score, ply), bound, depth: 0, best: NO_MOVE };
            table.store(key, position.check(), entry, &mut self.counts.table);
        }
    }
}
