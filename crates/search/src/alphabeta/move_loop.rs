//! The loop over the moves of a node: steps 6 to 12 of those listed in `node`.
//!
//! The steps are functions for the reader's sake only: all are inlined.

use super::{
    node::Node,
    ordering::{Candidate, HistoryIndex, HistoryTables, QuietMove},
    path::PATH_INDEPENDENT,
    pruning::LateMoves,
    reductions::LateMove,
    settings::{Fail, Windows},
    table::{Bound, NO_MOVE, Ordinal, TableEntry},
    worker::{INFINITE, NodeContext, PROVEN, Window, Worker, from_table, to_table},
};
use ludus_core::{Evaluator, Position, SearchHints};

/// Results of the moves of a node searched so far.
struct MoveLoop {
    alpha: i32,
    best: i32,
    best_move: Ordinal,
    /// The smallest ply the value depends on.
    reach: i32,
    /// Moves searched.
    searched: usize,
    /// The start of this node's quiet moves among those tried.
    tried_from: usize,
    /// The move that led to this node.
    previous: Option<HistoryIndex>,
}

/// A move about to be searched.
#[derive(Copy, Clone)]
struct NextMove<M> {
    mv: M,
    candidate: Candidate,
    history_index: HistoryIndex,
    /// History score; 0 unless the move is quiet.
    history: i32,
    extension: i32,
}

impl MoveLoop {
    fn new(window: Window, tried_from: usize, previous: Option<HistoryIndex>) -> MoveLoop {
        MoveLoop {
            alpha: window.alpha,
            best: -INFINITE,
            best_move: NO_MOVE,
            reach: PATH_INDEPENDENT,
            searched: 0,
            tried_from,
            previous,
        }
    }
}

impl<'a, P: Position, E: Evaluator<P>, H: SearchHints<P>> Worker<'a, P, E, H> {
    /// Steps 6 to 12: the moves of a node.
    #[inline(always)]
    pub(super) fn search_moves(&mut self, position: &P, node: &Node<'_>) -> i32 {
        // Step 6. Move ordering.
        let ply = node.ply;
        let moves_from = self.scratch.moves.len();
        let tried_from = self.scratch.tried.len();
        position.legal_moves(&mut self.scratch.moves);
        let count = self.scratch.moves.len() - moves_from;
        if count == 0 {
            return self.finished(position, ply);
        }
        let hash_move = node.entry.map_or(NO_MOVE, |entry| entry.best);
        let previous = ply.checked_sub(1).and_then(|above| self.scratch.stack[above].current_move);
        let mut picker = self.move_picker(position, hash_move, previous, ply, moves_from);
        self.scratch.stack[ply + 2].killers = [None; 2];
        let forced = self.forced_reply_extension(position, count, ply);
        let mut found = MoveLoop::new(node.window, tried_from, previous);
        let mut taken = 0;
        loop {
            let late = self.late_moves(node, &found);
            let are_pruned = |history| late.is_some_and(|late| late.are_pruned(history));
            let Some(candidate) = self.next_move(position, &mut picker, || are_pruned(0)) else {
                break;
            };
            taken += 1;
            let ordinal = candidate.ordinal();
            let mv = self.scratch.moves[moves_from + usize::from(ordinal)];
            if node.excluded == Some(ordinal) {
                continue;
            }
            let history_index = HistoryTables::<P, H>::index_of(position, candidate);
            let is_quiet = candidate.is_quiet();
            let history =
                if is_quiet { self.history_tables.quiet_score(history_index, previous) } else { 0 };

            // Step 7. Late-move pruning, history pruning and futility pruning. Prunable moves come by
            // falling scores, so all later ones go with the first.
            if candidate.is_prunable() && are_pruned(history) {
                self.skip_quiets(&mut picker);
                self.trace_skip(mv);
                continue;
            }
            // Step 8. SEE pruning.
            if late.is_some()
                && self.see_pruning(position, mv, is_quiet, node.depth, found.searched)
            {
                self.trace_skip(mv);
                continue;
            }
            // Step 9. Forced-reply extensions and singular extensions.
            let mut extension = forced;
            if forced == 0 && ordinal == hash_move && self.may_be_singular(node) {
                match self.singular_extension(position, node, ordinal) {
                    Ok(plies) => extension = plies,
                    Err(value) => return value,
                }
            }
            // Step 10. Late-move reductions and principal variation search.
            let next = NextMove { mv, candidate, history_index, history, extension };
            let value = self.search_move(position, node, &found, next);
            if self.budget.is_spent() {
                return 0;
            }
            // Step 11. Bounds, killer moves, countermoves and the history heuristic.
            if self.take_value(node, &mut found, next, value) {
                self.trace_cut(self.remaining_moves(&picker, count, taken));
                break;
            }
        }
        let is_independent = found.reach >= ply as i32;
        self.path.reach = if is_independent { PATH_INDEPENDENT } else { found.reach };
        if found.best_move == NO_MOVE {
            return found.alpha; // the excluded move is the only one
        }
        // Step 12. Storing the result.
        self.store(position, node, &found, is_independent);
        found.best
    }

    /// Steps 7 and 8: what decides whether the moves still to come may be pruned; `None` at the root,
    /// and where only a shorter win or a longer defence would do.
    #[inline(always)]
    fn late_moves(&self, node: &Node<'_>, found: &MoveLoop) -> Option<LateMoves<'a>> {
        let is_open = node.ply > 0 && found.best > -PROVEN && found.alpha < PROVEN;
        let static_eval = node.static_eval.filter(|_| is_open)?;
        Some(LateMoves {
            params: self.params,
            reductions: self.reductions,
            late_move_pruning: self.settings.pruning.late_move_pruning,
            futility: self.settings.pruning.futility,
            static_eval,
            alpha: found.alpha,
            depth: node.depth,
            index: found.searched,
            improving: node.improving,
        })
    }

    /// Step 8. SEE pruning: whether a move loses too much in the exchange on its square.
    #[inline(always)]
    fn see_pruning(
        &self,
        position: &P,
        mv: P::Move,
        is_quiet: bool,
        depth: i32,
        searched: usize,
    ) -> bool {
        self.settings.pruning.see_pruning
            && depth <= self.params.see_max_depth
            && searched > 0
            && !self.hints.see_at_least(position, mv, self.params.see_threshold(depth, is_quiet))
    }

    /// Step 9. Forced-reply extension: plies by which a node with `replies` moves is searched deeper.
    fn forced_reply_extension(&self, position: &P, replies: usize, ply: usize) -> i32 {
        if self.settings.extensions && self.may_extend(ply) {
            self.hints.extension(position, replies)
        } else {
            0
        }
    }

    /// Whether the line is short enough to be extended.
    fn may_extend(&self, ply: usize) -> bool {
        (ply as i32) < self.params.extension_limit * self.root.depth
    }

    /// Step 9. Singular extensions: whether the hash move is to be tested for being singular.
    #[inline(always)]
    fn may_be_singular(&self, node: &Node<'_>) -> bool {
        self.settings.pruning.singular_extensions
            && node.ply > 0
            && node.excluded.is_none()
            && node.entry.is_some_and(|entry| self.params.may_be_singular(&entry, node.depth))
            && self.may_extend(node.ply)
    }

    /// Step 9. Singular extensions: plies the hash move is searched deeper, because all others are
    /// much worse by a shallower search. The error is the node's value if that search settles it.
    #[inline(always)]
    fn singular_extension(
        &mut self,
        position: &P,
        node: &Node<'_>,
        hash_move: Ordinal,
    ) -> Result<i32, i32> {
        let Node { key, ply, cut_node, depth, .. } = *node;
        let score = node.entry.map_or(0, |entry| from_table(entry.score, ply));
        let target = score - self.params.singular_margin(depth);
        self.scratch.stack[ply].excluded = Some(hash_move);
        let shallow = NodeContext { key, depth: self.params.singular_depth(depth), ply, cut_node };
        let window = Window::null(target - 1);
        if let Some(trace) = &mut self.trace {
            trace.enter(None, window, shallow);
        }
        let value = self.above_horizon(position, window, shallow);
        if let Some(trace) = &mut self.trace {
            trace.leave((!self.budget.is_spent()).then_some(value), window);
        }
        if self.budget.is_spent() {
            return Err(0);
        }
        self.params.singular_plies(value, target, score, node.window.beta)
    }

    /// Step 10. Late-move reductions and principal variation search: the value of a move.
    #[inline(always)]
    fn search_move(
        &mut self,
        position: &P,
        node: &Node<'_>,
        found: &MoveLoop,
        next: NextMove<P::Move>,
    ) -> i32 {
        let child = position.after(next.mv);
        let depth = node.depth - 1 + next.extension;
        let key = self.key_of(&child, depth);
        self.scratch.stack[node.ply].current_move = Some(next.history_index);
        self.path.reach = PATH_INDEPENDENT;
        let reduction = self.late_move_reduction(&child, node, found.searched, next, depth);
        let below = NodeContext { key, depth, ply: node.ply + 1, cut_node: !node.cut_node };
        let window = Window { alpha: found.alpha, ..node.window };
        match self.settings.windows {
            Windows::Full => self.child(&child, next.mv, Window::OPEN, below),
            Windows::AlphaBeta => self.child(&child, next.mv, window, below),
            _ if found.searched == 0 => {
                let cut_node = node.window.is_null() && !node.cut_node;
                self.child(&child, next.mv, window, NodeContext { cut_node, ..below })
            }
            Windows::Pvs | Windows::NegaScout => {
                let is_null = node.window.is_null();
                self.principal_variation_search(&child, next.mv, window, is_null, below, reduction)
            }
        }
    }

    /// Step 10. Late-move reductions: plies less for the first search of a move to `depth`.
    #[inline(always)]
    fn late_move_reduction(
        &self,
        child: &P,
        node: &Node<'_>,
        searched: usize,
        next: NextMove<P::Move>,
        depth: i32,
    ) -> i32 {
        let candidate = next.candidate;
        if !self.settings.pruning.late_move_reductions
            || node.depth < self.params.lmr_min_depth
            || searched == 0
            || !(candidate.is_quiet() || candidate.is_losing_capture())
        {
            return 0;
        }
        let late_move = LateMove {
            depth: node.depth,
            index: searched,
            in_null_window: node.window.is_null(),
            at_cut_node: node.cut_node,
            improving: node.improving,
            is_refutation: candidate.is_refutation(),
            forces_response: self.hints.must_respond(child),
            must_respond: node.must_respond,
            history: next.history,
        };
        let reduction = self.params.late_move_reduction(self.reductions, late_move);
        reduction.clamp(0, (depth - 1).max(0))
    }

    /// Step 10. Principal variation search of a move after the first: with a null window and the
    /// reduction, without the reduction, and with the whole window, as long as it fails high.
    #[inline(always)]
    fn principal_variation_search(
        &mut self,
        child: &P,
        mv: P::Move,
        window: Window,
        is_null: bool,
        below: NodeContext,
        reduction: i32,
    ) -> i32 {
        let Window { alpha, beta } = window;
        let narrow = Window::null(alpha);
        let mut value = -INFINITE;
        if reduction > 0 {
            let depth = below.depth - reduction;
            value = self.child(child, mv, narrow, NodeContext { depth, cut_node: true, ..below });
        }
        if reduction == 0 || value > alpha && !self.budget.is_spent() {
            value = self.child(child, mv, narrow, below);
        }
        if value > alpha && value < beta && !is_null && !self.is_exact(below.depth) {
            let again = Window { alpha: self.second_alpha(alpha, value), beta };
            value = self.child(child, mv, again, NodeContext { cut_node: false, ..below });
        }
        value
    }

    /// Step 11: takes the value of a move over. `true` if it causes a cutoff.
    #[inline(always)]
    fn take_value(
        &mut self,
        node: &Node<'_>,
        found: &mut MoveLoop,
        next: NextMove<P::Move>,
        value: i32,
    ) -> bool {
        let (ply, beta) = (node.ply, node.window.beta);
        let ordinal = next.candidate.ordinal();
        let is_quiet = next.candidate.is_quiet();
        found.searched += 1;
        let reach = self.path.reach;
        if ply == 0 {
            self.note_root(ordinal, value, found.alpha, beta);
        }
        if value > found.best {
            (found.best, found.best_move) = (value, ordinal);
            if value > found.alpha || ply == 0 && found.searched == 1 {
                self.extend_line(ply, next.mv);
            }
        }
        if value >= beta && self.settings.windows != Windows::Full {
            found.reach = reach; // the other moves do not matter
            if is_quiet && self.settings.ordering {
                self.update_histories(node, found, next);
            }
            return true;
        }
        found.reach = found.reach.min(reach);
        found.alpha = found.alpha.max(value);
        if is_quiet {
            self.scratch.tried.push(next.history_index);
        }
        false
    }

    /// Step 11. Killer moves, countermoves and the history heuristic, after a quiet move has caused a
    /// cutoff.
    #[inline(always)]
    fn update_histories(&mut self, node: &Node<'_>, found: &MoveLoop, next: NextMove<P::Move>) {
        let bonus = self.params.history_bonus(node.depth);
        self.history_tables.update(next.history_index, found.previous, bonus);
        let quiet = QuietMove::new(next.candidate, next.mv);
        self.update_refutations(quiet, node.ply, found, bonus);
    }

    fn update_refutations(
        &mut self,
        mv: QuietMove<P::Move>,
        ply: usize,
        found: &MoveLoop,
        bonus: i32,
    ) {
        let killers = &mut self.scratch.stack[ply].killers;
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        self.history_tables.set_countermove(found.previous, mv);
        for &tried in &self.scratch.tried[found.tried_from..] {
            self.history_tables.update(tried, found.previous, -bonus);
        }
    }

    /// Step 12: stores the result.
    #[inline(always)]
    fn store(&mut self, position: &P, node: &Node<'_>, found: &MoveLoop, is_independent: bool) {
        let Some(table) = node.table else { return };
        // A value that depends on how the position was reached must not be found on other ways.
        let bound = if is_independent { self.bound(found.best, node.window) } else { Bound::None };
        let is_guess =
            bound == Bound::Upper && self.settings.windows != Windows::Full && node.ply > 0;
        let entry = TableEntry {
            score: to_table(found.best, node.ply),
            bound,
            depth: node.stored_depth,
            best: if is_guess { NO_MOVE } else { found.best_move },
        };
        table.store(node.key, position.verification_key(), entry, &mut self.stats.table);
    }

    fn bound(&self, value: i32, window: Window) -> Bound {
        if self.settings.windows == Windows::Full {
            return Bound::Exact;
        }
        Bound::of(value, window.alpha, window.beta)
    }

    /// Whether a null-window search to `depth` that fails low below has looked at every leaf, so
    /// that its value is exact.
    fn is_exact(&self, depth: i32) -> bool {
        self.settings.windows == Windows::NegaScout
            && self.settings.fail == Fail::Soft
            && depth <= 1
            && self.table.is_none()
            && !self.settings.quiescence
            && !self.settings.extensions
    }

    /// The lower edge of the second search of a move.
    fn second_alpha(&self, alpha: i32, value: i32) -> i32 {
        match (self.settings.windows, self.settings.fail) {
            (Windows::NegaScout, Fail::Soft) if !self.settings.is_selective() => value - 1,
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
            self.root.raised_alpha = Some((ordinal, value));
        }
        if self.root.best.is_none_or(|(_, best)| value > best) {
            self.root.best = Some((ordinal, value));
        }
    }
}
