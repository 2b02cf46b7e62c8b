//! One node of a depth-first search: the body that all textbook searches and the strong one share.

use super::{
    ordering::{Memory, Played, Quiet},
    path::{self, UNTOUCHED},
    pruning,
    settings::{Fail, Reuse, Windows},
    table::{Bound, Entry, NO_MOVE, Ordinal},
    trace::Cause,
    worker::{INFINITE, MAX_PLY, PROVEN, Place, Window, Worker, corrected, from_table, to_table},
};
use ludus_core::{Ending, Evaluator, Score, SearchHints};

impl<P: Ending + SearchHints, E: Evaluator<P>> Worker<'_, P, E> {
    /// The value of `position` for its side to move, or a bound on it if it is outside `window`.
    /// Meaningless once the budget is spent.
    pub fn node(&mut self, position: &P, window: Window, place: Place) -> i32 {
        let ply = place.ply;
        self.scratch.lines[ply].clear();
        if ply > 0 {
            if self.budget.spend() {
                return 0;
            }
            if self.settings.path {
                self.path.enter(ply, place.key);
                if let Some(draw) = self.path.draw(position, ply) {
                    return self.leaf(draw, Cause::Path);
                }
            }
            if let Some(value) = self.known(position, place) {
                return value;
            }
        }
        let value = if place.depth <= 0 || ply >= MAX_PLY {
            self.horizon(position, window, place, None)
        } else {
            self.above_horizon(position, window, place)
        };
        if self.settings.fail == Fail::Hard {
            value.clamp(window.alpha, window.beta)
        } else {
            value
        }
    }

    fn above_horizon(&mut self, position: &P, window: Window, place: Place) -> i32 {
        let base = (self.scratch.moves.len(), self.scratch.order.len(), self.scratch.tried.len());
        let value = self.search_moves(position, window, place);
        self.scratch.moves.truncate(base.0);
        self.scratch.order.truncate(base.1);
        self.scratch.tried.truncate(base.2);
        value
    }

    /// A node above the horizon: the one long function.
    fn search_moves(&mut self, position: &P, window: Window, place: Place) -> i32 {
        let Place { key, mut depth, ply, cut } = place;
        let Window { mut alpha, mut beta } = window;
        let rules = self.settings.pruning;
        let guessing = self.settings.guesses();
        let excluded = self.scratch.frames[ply].excluded.take();

        // 1. No line from here is better than winning at once or worse than having lost already.
        if guessing && ply > 0 {
            alpha = alpha.max(ply as i32 - Score::WIN.0);
            beta = beta.min(Score::WIN.0 - 1 - ply as i32);
            if alpha >= beta {
                return alpha;
            }
        }
        let window = Window { alpha, beta };
        let null_window = window.is_null();

        // 2. What the position looks like without a search. Meanwhile its place in the table, which
        // takes as long to arrive, is on its way.
        let pressed = guessing && position.is_pressed();
        let looks =
            (guessing && !pressed && excluded.is_none()).then(|| self.evaluate(position, key));

        // 3. What the table knows.
        let table = self.table.filter(|_| excluded.is_none() && depth >= self.settings.table_from);
        let entry =
            table.and_then(|table| table.probe(key, || position.check(), &mut self.counts.table));
        if let Some(entry) = entry
            && ply > 0
            && (null_window || !guessing || self.settings.cuts_open_windows)
            && self.fits(&entry, depth)
            && (guessing || !self.settings.path || path::is_cut_off(position, depth))
        {
            let score = from_table(entry.score, ply);
            if entry.bound.settles(score, alpha, beta) {
                self.counts.table.cutoffs += 1;
                return self.leaf_of_table(score, entry.bound);
            }
        }
        let judged = match excluded {
            Some(_) => self.scratch.frames[ply].judged,
            None => looks.map(|looks| corrected(looks, entry, ply)),
        };
        self.scratch.frames[ply].judged = judged;
        let earlier = ply.checked_sub(2).and_then(|earlier| self.scratch.frames[earlier].judged);
        let improving = matches!((judged, earlier), (Some(now), Some(then)) if now > then);

        // 4. Guesses that need no move of this position.
        if let Some(judged) = judged
            && null_window
            && excluded.is_none()
            && let Some(value) = self.guess(position, judged, improving, window, place)
        {
            return value;
        }
        if rules.reductions && depth >= 4 && ply > 0 && excluded.is_none() && self.table.is_some() {
            // Without a good first move the full depth is not worth its price.
            depth -= i32::from(entry.is_none_or(|entry| entry.best == NO_MOVE));
        }

        // 5. The moves and their order.
        let moves_from = self.scratch.moves.len();
        let tried_from = self.scratch.tried.len();
        position.legal_moves(&mut self.scratch.moves);
        let count = self.scratch.moves.len() - moves_from;
        if count == 0 {
            return self.finished(position, ply);
        }
        let table_move = entry.map_or(NO_MOVE, |entry| entry.best);
        let before = ply.checked_sub(1).and_then(|above| self.scratch.frames[above].moved);
        let mut line = self.line_up(position, table_move, before, ply, moves_from);
        self.scratch.frames[ply + 2].killers = [None; 2];
        let extension = self.extension(position, count, ply);
        let mut best = -INFINITE;
        let mut best_move = NO_MOVE;
        let mut reach = UNTOUCHED;
        let mut searched = 0;

        let mut index = 0;
        loop {
            // Moves near the horizon may be given up; not where only a shorter win would do.
            let judged = judged.filter(|_| ply > 0 && best > -PROVEN && alpha < PROVEN);
            let late = |history| pruning::Lateness { depth, index: searched, improving, history };
            let is_hopeless = |history| {
                judged.is_some_and(|judged| {
                    rules.late_moves && late(history).is_too_late()
                        || rules.futility && late(history).is_futile(judged, alpha, rules.unit)
                })
            };
            let Some(candidate) = self.next(position, &mut line, || is_hopeless(0)) else { break };
            index += 1;
            let ordinal = candidate.ordinal();
            let mv = self.scratch.moves[moves_from + ordinal as usize];
            if excluded == Some(ordinal) {
                continue;
            }
            let is_quiet = candidate.is_quiet();
            let played = Memory::played(position, candidate);
            let history = if is_quiet { self.memory.quiet_score(played, before) } else { 0 };

            // 6. Moves given up unsearched.
            if judged.is_some() {
                // Tame moves come by falling promise: after one of them all others are hopeless.
                let hopeless = candidate.is_tame() && is_hopeless(history);
                if hopeless {
                    self.give_up_tame(&mut line);
                }
                let loses = !hopeless
                    && rules.exchange
                    && depth <= pruning::EXCHANGE_DEPTH
                    && searched > 0
                    && !position
                        .exchange_wins(mv, pruning::exchange_loss(depth, is_quiet, rules.unit));
                if hopeless || loses {
                    self.skip(mv);
                    continue;
                }
            }

            // 7. A move much better than all others is searched deeper.
            let mut deeper = extension;
            if rules.singular
                && extension == 0
                && ordinal == table_move
                && ply > 0
                && excluded.is_none()
                && let Some(entry) = entry
                && pruning::may_be_singular(&entry, depth)
                && (ply as i32) < 2 * self.root.depth
            {
                let target =
                    from_table(entry.score, ply) - pruning::singular_gap(depth, rules.unit);
                self.scratch.frames[ply].excluded = Some(ordinal);
                let half = Place { key, depth: (depth - 1) / 2, ply, cut };
                let window = Window::null(target - 1);
                if let Some(trace) = &mut self.trace {
                    trace.enter(None, window, half);
                }
                let value = self.above_horizon(position, window, half);
                if let Some(trace) = &mut self.trace {
                    trace.leave((!self.budget.is_spent()).then_some(value), window);
                }
                if self.budget.is_spent() {
                    return 0;
                }
                if value < target {
                    deeper = 1;
                } else if target >= beta {
                    return target; // several moves are good enough
                } else if from_table(entry.score, ply) >= beta {
                    deeper = -1;
                }
            }

            // 8. The search of the move.
            let child = position.after(mv);
            let child_key = self.key_of(&child, depth - 1 + deeper);
            self.scratch.frames[ply].moved = Some(played);
            self.path.reach = UNTOUCHED;
            let full = depth - 1 + deeper;
            let mut reduction = 0;
            if rules.reductions
                && depth >= rules.reduce_from
                && searched > 0
                && (is_quiet || candidate.loses())
            {
                reduction =
                    pruning::reduction(depth, searched) + i32::from(null_window) + i32::from(cut)
                        - i32::from(improving)
                        - i32::from(candidate.is_refutation())
                        - i32::from(child.is_pressed())
                        - i32::from(pressed)
                        - (history / pruning::HISTORY_PLY).clamp(-2, 2);
                reduction = reduction.clamp(0, (full - 1).max(0));
            }
            let below = Place { key: child_key, depth: full, ply: ply + 1, cut: !cut };
            let value = match self.settings.windows {
                Windows::Full => self.child(&child, mv, Window::OPEN, below),
                Windows::Narrowing => self.child(&child, mv, Window { alpha, beta }, below),
                _ if searched == 0 => {
                    let first = Place { cut: null_window && !cut, ..below };
                    self.child(&child, mv, Window { alpha, beta }, first)
                }
                Windows::Principal | Windows::Scout => {
                    let narrow = Window::null(alpha);
                    let mut value = -INFINITE;
                    if reduction > 0 {
                        let less = Place { depth: full - reduction, cut: true, ..below };
                        value = self.child(&child, mv, narrow, less);
                    }
                    if reduction == 0 || value > alpha && !self.budget.is_spent() {
                        value = self.child(&child, mv, narrow, below);
                    }
                    if value > alpha && value < beta && !null_window && !self.is_exact(full) {
                        let again = Window { alpha: self.second_bound(alpha, value), beta };
                        value = self.child(&child, mv, again, Place { cut: false, ..below });
                    }
                    value
                }
            };
            if self.budget.is_spent() {
                return 0;
            }
            searched += 1;

            // 9. What it tells.
            let touched = self.path.reach;
            if ply == 0 {
                self.note_root(ordinal, value, alpha, beta);
            }
            if value > best {
                (best, best_move) = (value, ordinal);
                if value > alpha || ply == 0 && searched == 1 {
                    self.extend_line(ply, mv);
                }
            }
            if value >= beta && self.settings.windows != Windows::Full {
                reach = touched; // the other moves do not matter
                if is_quiet && self.settings.ordering {
                    let bonus = pruning::history_bonus(depth);
                    self.memory.learn(played, before, bonus);
                    self.refuted_by(Quiet::new(candidate, mv), before, ply, bonus, tried_from);
                }
                self.cut(self.left(&line, count, index));
                break;
            }
            reach = reach.min(touched);
            alpha = alpha.max(value);
            if is_quiet {
                self.scratch.tried.push(played);
            }
        }
        self.path.reach = if reach >= ply as i32 { UNTOUCHED } else { reach };
        if best_move == NO_MOVE {
            return alpha; // the excluded move is the only one
        }

        // 10. What the table should know next time.
        if let Some(table) = table {
            // A value that depends on how the position was reached must not be found on other ways.
            let bound = if reach >= ply as i32 { self.bound(best, window) } else { Bound::None };
            let best_move =
                if bound == Bound::Upper && self.settings.windows != Windows::Full && ply > 0 {
                    NO_MOVE
                } else {
                    best_move
                };
            let entry =
                Entry { score: to_table(best, ply), bound, depth: place.depth, best: best_move };
            table.store(key, position.check(), entry, &mut self.counts.table);
        }
        best
    }

    fn fits(&self, entry: &Entry, depth: i32) -> bool {
        match self.settings.reuse {
            Reuse::Exact => entry.depth == depth,
            Reuse::Deeper => entry.depth >= depth,
        }
    }

    fn bound(&self, value: i32, window: Window) -> Bound {
        if self.settings.windows == Windows::Full {
            return Bound::Exact;
        }
        Bound::of(value, window.alpha, window.beta)
    }

    /// Guesses made from the evaluation and from a passed turn.
    fn guess(
        &mut self,
        position: &P,
        judged: i32,
        improving: bool,
        window: Window,
        place: Place,
    ) -> Option<i32> {
        let rules = self.settings.pruning;
        let Place { depth, ply, cut, .. } = place;
        let Window { alpha, beta } = window;
        if rules.futility && beta.abs() < PROVEN {
            if pruning::is_far_above(judged, beta, depth, improving, rules.unit) {
                return Some(self.leaf((judged + beta) / 2, Cause::Futility));
            }
            if pruning::is_far_below(judged, alpha, depth, rules.unit) {
                let value = self.horizon(position, window, place, Some(judged));
                if value <= alpha {
                    return Some(value);
                }
            }
        }
        let passed_before = ply == 0 || self.scratch.frames[ply - 1].moved.is_none();
        let deep_enough = depth >= pruning::NULL_DEPTH;
        if !rules.null_move || judged < beta || !deep_enough || passed_before || beta < -PROVEN {
            return None;
        }
        let passed = position.passed()?;
        let reduction = pruning::null_reduction(depth, judged - beta, rules.unit);
        self.scratch.frames[ply].moved = None;
        let below = Place {
            key: self.key_of(&passed, depth),
            depth: depth - 1 - reduction,
            ply: ply + 1,
            cut: !cut,
        };
        self.path.reach = UNTOUCHED;
        let value = self.child_after(None, &passed, Window::null(beta - 1), below);
        if self.budget.is_spent() {
            return Some(0);
        }
        if value < beta {
            return None;
        }
        // A win found by passing is no proof of one.
        Some(self.leaf(if value > PROVEN { beta } else { value }, Cause::NullMove))
    }

    fn extension(&self, position: &P, replies: usize, ply: usize) -> i32 {
        let short = (ply as i32) < 2 * self.root.depth;
        if self.settings.extensions && short { position.extension(replies) } else { 0 }
    }

    /// Searches a move and turns its value to the mover's view.
    #[inline]
    fn child(&mut self, child: &P, mv: P::Move, window: Window, place: Place) -> i32 {
        self.child_after(Some(mv), child, window, place)
    }

    #[inline]
    pub(super) fn child_after(
        &mut self,
        mv: Option<P::Move>,
        child: &P,
        window: Window,
        place: Place,
    ) -> i32 {
        let window = window.turned();
        if let Some(trace) = &mut self.trace {
            trace.enter(mv, window, place);
        }
        let value = self.node(child, window, place);
        if let Some(trace) = &mut self.trace {
            trace.leave((!self.budget.is_spent()).then_some(value), window);
        }
        -value
    }

    /// Whether a null-window search to `depth` that fails low below has looked at every leaf, so
    /// that its value is exact.
    fn is_exact(&self, depth: i32) -> bool {
        self.settings.windows == Windows::Scout
            && self.settings.fail == Fail::Soft
            && depth <= 1
            && self.table.is_none()
            && !self.settings.quiescence
            && !self.settings.extensions
    }

    /// The lower edge of the second search of a move.
    fn second_bound(&self, alpha: i32, value: i32) -> i32 {
        match (self.settings.windows, self.settings.fail) {
            (Windows::Scout, Fail::Soft) if !self.settings.guesses() => value - 1,
            _ => alpha,
        }
    }

    fn extend_line(&mut self, ply: usize, mv: P::Move) {
        let (upper, lower) = self.scratch.lines.split_at_mut(ply + 1);
        let line = &mut upper[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&lower[0]);
    }

    fn note_root(&mut self, ordinal: Ordinal, value: i32, alpha: i32, beta: i32) {
        let open = self.settings.windows == Windows::Full;
        if open || value > alpha && value < beta {
            self.root.exact.push((ordinal, value));
        }
        if value > alpha {
            self.root.raised = Some((ordinal, value));
        }
        if self.root.best.is_none_or(|(_, best)| value > best) {
            self.root.best = Some((ordinal, value));
        }
    }

    /// Learns from a quiet move that was good enough to leave the others out.
    fn refuted_by(
        &mut self,
        mv: Quiet<P::Move>,
        before: Option<Played>,
        ply: usize,
        bonus: i32,
        tried_from: usize,
    ) {
        let killers = &mut self.scratch.frames[ply].killers;
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        self.memory.set_counter(before, mv);
        for &tried in &self.scratch.tried[tried_from..] {
            self.memory.learn(tried, before, -bonus);
        }
    }
}
