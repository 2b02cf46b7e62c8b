//! One node of a depth-first search: the body that all textbook searches and the strong one share.
//!
//! [`Worker::node`] leads to the steps of a node above the horizon; from the sixth on they are in
//! `move_loop`:
//!
//! 1. mate-distance pruning
//! 2. static evaluation
//! 3. transposition-table cutoff
//! 4. reverse futility pruning, razoring and null-move pruning
//! 5. internal iterative reduction
//! 6. move ordering
//! 7. late-move pruning, history pruning and futility pruning
//! 8. SEE pruning
//! 9. forced-reply extensions and singular extensions
//! 10. late-move reductions and principal variation search
//! 11. bounds, killer moves, countermoves and the history heuristic
//! 12. storing the result

use super::{
    params::SearchParams,
    path::{self, PATH_INDEPENDENT},
    settings::{Fail, Reuse},
    table::{NO_MOVE, Ordinal, TableEntry, TranspositionTable},
    trace::Cause,
    worker::{MAX_PLY, NodeContext, PROVEN, Window, Worker, from_table, refined_eval},
};
use ludus_core::{Evaluator, Position, Score, SearchHints};

/// A node above the horizon whose moves are to be searched.
pub(super) struct Node<'a> {
    pub key: u64,
    pub ply: usize,
    pub cut_node: bool,
    /// Depth to search to, after internal iterative reduction.
    pub depth: i32,
    /// Depth to store the result with.
    pub stored_depth: i32,
    /// The window after mate-distance pruning.
    pub window: Window,
    /// The table, if the result goes there.
    pub table: Option<&'a TranspositionTable>,
    pub entry: Option<TableEntry>,
    pub static_eval: Option<i32>,
    /// Whether the static evaluation has grown since this side's last turn.
    pub improving: bool,
    pub must_respond: bool,
    /// The move left out to test whether it is singular.
    pub excluded: Option<Ordinal>,
}

impl<P: Position, E: Evaluator<P>, H: SearchHints<P>> Worker<'_, P, E, H> {
    /// The value of `position` for its side to move, or a bound on it if it is outside `window`.
    /// Meaningless once the budget is spent.
    pub fn node(&mut self, position: &P, window: Window, context: NodeContext) -> i32 {
        let ply = context.ply;
        self.scratch.lines[ply].clear();
        if ply > 0 {
            if self.budget.spend() {
                return 0;
            }
            if self.settings.path_draws {
                self.path.enter(ply, context.key);
                if let Some(draw) = self.path.draw(position, ply) {
                    return self.leaf(draw, Cause::Path);
                }
            }
            if let Some(value) = self.probe_endgame(position, context) {
                return value;
            }
        }
        let value = if context.depth <= 0 || ply >= MAX_PLY {
            self.horizon(position, window, context, None)
        } else {
            self.above_horizon(position, window, context)
        };
        if self.settings.fail == Fail::Hard {
            value.clamp(window.alpha, window.beta)
        } else {
            value
        }
    }

    pub(super) fn above_horizon(
        &mut self,
        position: &P,
        window: Window,
        context: NodeContext,
    ) -> i32 {
        let base = (self.scratch.moves.len(), self.scratch.order.len(), self.scratch.tried.len());
        let value = self.search_node(position, window, context);
        self.scratch.moves.truncate(base.0);
        self.scratch.order.truncate(base.1);
        self.scratch.tried.truncate(base.2);
        value
    }

    /// Steps 1 to 5: what settles a node, or its depth, before its moves are made.
    fn search_node(&mut self, position: &P, window: Window, context: NodeContext) -> i32 {
        let NodeContext { key, depth, ply, cut_node } = context;
        let selective = self.settings.is_selective();
        let excluded = self.scratch.stack[ply].excluded.take();

        // Step 1. Mate-distance pruning.
        let mut window = window;
        if selective && ply > 0 {
            window = within_mate_distance(window, ply);
            if window.alpha >= window.beta {
                return window.alpha;
            }
        }

        // Step 2. Static evaluation. Meanwhile the entry of the table, which takes as long, is on its
        // way.
        let must_respond = selective && self.hints.must_respond(position);
        let raw_eval = (selective && !must_respond && excluded.is_none())
            .then(|| self.evaluate(position, key));

        // Step 3. Transposition-table cutoff.
        let table =
            self.table.filter(|_| excluded.is_none() && depth >= self.settings.min_table_depth);
        let entry = table.and_then(|table| {
            table.probe(key, || position.verification_key(), &mut self.stats.table)
        });
        if let Some(entry) = entry
            && let Some(score) = self.table_cutoff(position, &entry, window, context)
        {
            return score;
        }
        let static_eval = match excluded {
            Some(_) => self.scratch.stack[ply].static_eval,
            None => raw_eval.map(|raw_eval| refined_eval(raw_eval, entry, ply)),
        };
        self.scratch.stack[ply].static_eval = static_eval;
        let earlier = ply.checked_sub(2).and_then(|ply| self.scratch.stack[ply].static_eval);
        let improving = matches!((static_eval, earlier), (Some(now), Some(then)) if now > then);

        // Step 4. Reverse futility pruning, razoring and null-move pruning.
        if let Some(static_eval) = static_eval
            && window.is_null()
            && excluded.is_none()
            && let Some(value) = self.prune_node(position, static_eval, improving, window, context)
        {
            return value;
        }

        // Step 5. Internal iterative reduction: no hash move, search one ply less.
        let mut node = Node {
            key,
            ply,
            cut_node,
            depth,
            stored_depth: depth,
            window,
            table,
            entry,
            static_eval,
            improving,
            must_respond,
            excluded,
        };
        if self.settings.pruning.late_move_reductions
            && depth >= self.params.iir_min_depth
            && ply > 0
            && excluded.is_none()
            && self.table.is_some()
        {
            node.depth -= i32::from(entry.is_none_or(|entry| entry.best == NO_MOVE));
        }
        self.search_moves(position, &node)
    }

    /// Step 3. Transposition-table cutoff: the stored score, if it settles the node.
    #[inline(always)]
    fn table_cutoff(
        &mut self,
        position: &P,
        entry: &TableEntry,
        window: Window,
        context: NodeContext,
    ) -> Option<i32> {
        let NodeContext { depth, ply, .. } = context;
        let selective = self.settings.is_selective();
        let is_deep_enough = match self.settings.reuse {
            Reuse::Exact => entry.depth == depth,
            Reuse::Deeper => entry.depth >= depth,
        };
        if ply == 0
            || !(window.is_null() || !selective || self.settings.table_cuts_open_windows)
            || !is_deep_enough
            || !(selective
                || !self.settings.path_draws
                || path::is_path_independent(position, depth))
        {
            return None;
        }
        let score = from_table(entry.score, ply);
        if !entry.bound.settles(score, window.alpha, window.beta) {
            return None;
        }
        self.stats.table.cutoffs += 1;
        self.trace_cause(Cause::Table(entry.bound));
        Some(score)
    }

    /// Step 4: techniques that need no move of this position.
    fn prune_node(
        &mut self,
        position: &P,
        static_eval: i32,
        improving: bool,
        window: Window,
        context: NodeContext,
    ) -> Option<i32> {
        let Window { alpha, beta } = window;
        if self.settings.pruning.futility && beta.abs() < PROVEN {
            // Reverse futility pruning.
            if self.params.reverse_futility(static_eval, beta, context.depth, improving) {
                let value = SearchParams::reverse_futility_value(static_eval, beta);
                return Some(self.leaf(value, Cause::Futility));
            }
            // Razoring.
            if self.params.razor(static_eval, alpha, context.depth) {
                let value = self.horizon(position, window, context, Some(static_eval));
                if value <= alpha {
                    return Some(value);
                }
            }
        }
        self.null_move_pruning(position, static_eval, beta, context)
    }

    /// Null-move pruning: if passing the turn is good enough, a move will be.
    #[inline(always)]
    fn null_move_pruning(
        &mut self,
        position: &P,
        static_eval: i32,
        beta: i32,
        context: NodeContext,
    ) -> Option<i32> {
        let NodeContext { depth, ply, cut_node, .. } = context;
        let after_null_move = ply == 0 || self.scratch.stack[ply - 1].current_move.is_none();
        if !self.settings.pruning.null_move
            || static_eval < beta
            || depth < self.params.nmp_min_depth
            || after_null_move
            || beta < -PROVEN
        {
            return None;
        }
        let passed = self.hints.null_move(position)?;
        let reduction = self.params.null_move_reduction(depth, static_eval - beta);
        self.scratch.stack[ply].current_move = None;
        let below = NodeContext {
            key: self.key_of(&passed, depth),
            depth: depth - 1 - reduction,
            ply: ply + 1,
            cut_node: !cut_node,
        };
        self.path.reach = PATH_INDEPENDENT;
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

    /// Searches a move and turns its value to the mover's view.
    #[inline]
    pub(super) fn child(
        &mut self,
        child: &P,
        mv: P::Move,
        window: Window,
        context: NodeContext,
    ) -> i32 {
        self.child_after(Some(mv), child, window, context)
    }

    #[inline]
    pub(super) fn child_after(
        &mut self,
        mv: Option<P::Move>,
        child: &P,
        window: Window,
        context: NodeContext,
    ) -> i32 {
        let window = window.flipped();
        if let Some(trace) = &mut self.trace {
            trace.enter(mv, window, context);
        }
        let value = self.node(child, window, context);
        if let Some(trace) = &mut self.trace {
            trace.leave((!self.budget.is_spent()).then_some(value), window);
        }
        -value
    }
}

/// Step 1. Mate-distance pruning: no line from `ply` is better than winning at once or worse than having lost already.
#[inline]
fn within_mate_distance(window: Window, ply: usize) -> Window {
    Window {
        alpha: window.alpha.max(ply as i32 - Score::WIN.0),
        beta: window.beta.min(Score::WIN.0 - 1 - ply as i32),
    }
}
