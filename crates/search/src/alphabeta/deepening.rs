//! Iterative deepening, aspiration windows and memory-enhanced test drivers: from the value of a node
//! to the choice of a move.

use super::{
    ordering::{Candidate, EarlyMoves, score_captures_and_refutations},
    settings::{FirstGuess, RootSearch, SearchSettings},
    table::{NO_MOVE, Ordinal},
    worker::{INFINITE, MAX_PLY, NodeContext, Window, Worker},
};
use ludus_core::{Evaluator, Position, Score, SearchHints};

/// The result of a finished iteration.
#[derive(Clone, Debug)]
pub struct Iteration<M> {
    pub depth: u32,
    pub value: i32,
    pub line: Vec<M>,
    /// RootState moves whose value is known exactly.
    pub exact: Vec<(Ordinal, i32)>,
    /// The best moves with their lines, best first, if several were asked for.
    pub lines: Vec<RootLine<M>>,
}

/// One of the best root moves and what it leads to.
#[derive(Clone, Debug)]
pub struct RootLine<M> {
    pub ordinal: Ordinal,
    pub value: i32,
    pub line: Vec<M>,
}

/// Largest depth of an iteration.
pub const MAX_DEPTH: u32 = MAX_PLY as u32 - 60;

/// The depths of the iterations of a search.
#[derive(Copy, Clone, Debug)]
pub struct IterationPlan {
    /// The depth of the first iteration.
    pub first: u32,
    /// The depth of the last.
    pub last: u32,
    /// Plies from one to the next.
    pub step: u32,
    /// Number of root moves that are to have a line.
    pub lines: usize,
}

impl IterationPlan {
    /// The iterations of `settings` up to `depth`. A search that may be cut short needs some.
    pub fn new(settings: &SearchSettings, depth: u32, may_be_cut_short: bool) -> IterationPlan {
        let depth = depth.clamp(1, MAX_DEPTH);
        match settings.step {
            0 if !may_be_cut_short => {
                IterationPlan { first: depth, last: depth, step: 1, lines: 1 }
            }
            step => {
                let step = step.max(1);
                // The last iteration has the depth wanted, so the first makes up the difference.
                IterationPlan { first: (depth - 1) % step + 1, last: depth, step, lines: 1 }
            }
        }
    }

    /// The same plan with `lines` lines.
    pub fn with_lines(self, lines: usize) -> IterationPlan {
        IterationPlan { lines: lines.max(1), ..self }
    }

    /// Lazy SMP: the plan of a helper. Every second one begins a step deeper, so that threads do not all
    /// do the same at the same time.
    pub fn staggered(self, helper: u32) -> IterationPlan {
        let later = self.first + self.step * ((helper + 1) % 2);
        IterationPlan { first: later.min(self.last), ..self }
    }
}

impl<P: Position, E: Evaluator<P>, H: SearchHints<P>> Worker<'_, P, E, H> {
    /// Iterative deepening. `on_iteration` sees every finished iteration and says whether to go on; if the
    /// last one was cut short, [`partial_best`](Worker::partial_best) is its best move.
    pub fn deepen(
        &mut self,
        position: &P,
        plan: IterationPlan,
        on_iteration: &mut dyn FnMut(&Iteration<P::Move>, &mut Self) -> bool,
    ) {
        self.order_root(position);
        self.probe_endgame_at_root(position);
        let mut values = Vec::new();
        let mut depth = plan.first;
        while depth <= plan.last {
            self.root.depth = depth as i32;
            let found = match plan.lines {
                1 => self.search_one_line(position, depth, plan, &mut values),
                _ => self.search_multi_pv(position, depth, plan, &mut values),
            };
            let Some(iteration) = found else { break };
            if !on_iteration(&iteration, self) {
                break;
            }
            depth += plan.step;
        }
    }

    /// One iteration for the best move; `values` holds the value of the last one.
    fn search_one_line(
        &mut self,
        position: &P,
        depth: u32,
        plan: IterationPlan,
        values: &mut Vec<i32>,
    ) -> Option<Iteration<P::Move>> {
        let value = self.root_value(position, depth, plan, values.first().copied())?;
        *values = vec![value];
        let iteration = self.iteration(position, depth, value);
        self.move_best_to_front();
        Some(iteration)
    }

    /// The value of the root, searched as the settings say; `previous` is that of the iteration before.
    /// `None` if the budget ended the search.
    pub(super) fn root_value(
        &mut self,
        position: &P,
        depth: u32,
        plan: IterationPlan,
        previous: Option<i32>,
    ) -> Option<i32> {
        let previous = previous.unwrap_or(0);
        let min_depth = self.params.aspiration_min_depth as u32;
        match self.settings.root_search {
            RootSearch::OpenWindow => self.search_root(position, Window::OPEN),
            RootSearch::Aspiration if depth < min_depth && plan.step > 0 => {
                self.search_root(position, Window::OPEN)
            }
            RootSearch::Aspiration => self.aspiration_search(position, previous),
            RootSearch::Mtd(guess) => self.mtd_search(position, guess, previous),
        }
    }

    /// Orders the root moves, the most promising first.
    fn order_root(&mut self, position: &P) {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        self.root.order = (0..moves.len() as Ordinal).collect();
        if self.settings.ordering {
            let entry = self.table.and_then(|table| {
                table.probe(position.key(), || position.verification_key(), &mut self.stats.table)
            });
            let hash_move = entry.map_or(NO_MOVE, |entry| entry.best);
            let mut candidates = Vec::new();
            if let Some(&mv) = moves.get(usize::from(hash_move)) {
                candidates.push(Candidate::hash_move(self.hints, position, mv, hash_move));
            }
            let mut early = EarlyMoves::new(hash_move);
            score_captures_and_refutations(
                self.hints,
                position,
                &moves,
                [&None; 3],
                &mut early,
                &mut candidates,
            );
            self.history_tables.score_quiets(position, &moves, None, early, false, &mut candidates);
            candidates.sort_by(|one, other| other.cmp(one));
            self.root.order = candidates.iter().map(|candidate| candidate.ordinal()).collect();
        }
    }

    /// Puts the best move of the last search of the tree in front.
    fn move_best_to_front(&mut self) {
        if self.settings.hash_move_first
            && let Some((best, _)) = self.root.best
            && let Some(index) = self.root.order.iter().position(|&ordinal| ordinal == best)
        {
            self.root.order[..=index].rotate_right(1);
        }
    }

    /// One search of the tree; `None` if the budget ended it.
    fn search_root(&mut self, position: &P, window: Window) -> Option<i32> {
        self.root.best = None;
        self.root.raised_alpha = None;
        self.root.exact.clear();
        self.path.reach = super::path::PATH_INDEPENDENT;
        let key = self.key_of(position, self.root.depth) ^ self.root.exclusion_key;
        let context = NodeContext { key, depth: self.root.depth, ply: 0, cut_node: false };
        if let Some(trace) = &mut self.trace {
            trace.enter(None, window, context);
        }
        let value = self.node(position, window, context);
        let value = (!self.budget.is_spent()).then_some(value);
        if let Some(trace) = &mut self.trace {
            trace.leave(value, window);
            trace.end_pass(context.depth, window, value);
        }
        value
    }

    /// Aspiration windows: a window around `guess`, and wider ones while the value is outside.
    fn aspiration_search(&mut self, position: &P, guess: i32) -> Option<i32> {
        let mut width = self.params.aspiration_width;
        let mut alpha = (guess - width).max(-INFINITE);
        let mut beta = (guess + width).min(INFINITE);
        loop {
            let value = self.search_root(position, Window { alpha, beta })?;
            if value <= alpha && alpha > -INFINITE {
                beta = (alpha + beta) / 2;
                alpha = (value - width).max(-INFINITE);
            } else if value >= beta && beta < INFINITE {
                beta = (value + width).min(INFINITE);
                self.move_best_to_front();
            } else {
                return Some(value);
            }
            width = width.saturating_mul(self.params.aspiration_growth);
            if width > self.params.aspiration_max_width {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Memory-enhanced test driver: closes in on the value with null windows from `guess` on.
    fn mtd_search(&mut self, position: &P, guess: FirstGuess, previous: i32) -> Option<i32> {
        let (mut lower, mut upper) = (-INFINITE, INFINITE);
        let mut value = match guess {
            FirstGuess::Previous => previous,
            FirstGuess::Above => INFINITE,
            FirstGuess::Below => -INFINITE,
        };
        // Only a pass that fails high has a meaningful move: that of the last one is taken.
        let mut best = None;
        let mut line = Vec::new();
        while lower < upper {
            let beta = if value == lower { value + 1 } else { value };
            value = self.search_root(position, Window::null(beta - 1))?;
            if value < beta {
                upper = value;
            } else {
                lower = value;
                best = self.root.best;
                line.clone_from(&self.scratch.lines[0]);
            }
        }
        self.root.best = best.map(|(ordinal, _)| (ordinal, value)).or(self.root.best);
        self.scratch.lines[0] = line;
        Some(value)
    }

    pub(super) fn iteration(&mut self, position: &P, depth: u32, value: i32) -> Iteration<P::Move> {
        let mut exact = std::mem::take(&mut self.root.exact);
        let mut line = self.scratch.lines[0].clone();
        if let Some((best, _)) = self.root.best {
            let mut moves = Vec::new();
            position.legal_moves(&mut moves);
            let mv = moves[best as usize];
            if line.first() != Some(&mv) {
                line = vec![mv];
            }
            exact.retain(|&(ordinal, _)| ordinal != best);
            exact.push((best, value));
        }
        self.follow_table(position, &mut line, depth as usize);
        if self.root.endgame.is_some_and(|known| known.is_drawn()) {
            // The search looked for the best chances in a root that is known to be drawn.
            exact.iter_mut().for_each(|(_, value)| *value = Score::DRAW.0);
            return Iteration { depth, value: Score::DRAW.0, line, exact, lines: Vec::new() };
        }
        Iteration { depth, value, line, exact, lines: Vec::new() }
    }

    /// Continues a line that a table cutoff has shortened with the moves of the table.
    fn follow_table(&mut self, position: &P, line: &mut Vec<P::Move>, length: usize) {
        let Some(table) = self.table else { return };
        let mut last = line.iter().fold(position.clone(), |position, &mv| position.after(mv));
        let mut seen = vec![last.key()];
        while line.len() < length {
            let stats = &mut self.stats.table;
            let Some(entry) = table.probe(last.key(), || last.verification_key(), stats) else {
                return;
            };
            let mut moves = Vec::new();
            last.legal_moves(&mut moves);
            let Some(&mv) = moves.get(entry.best as usize) else { return };
            last.play(mv);
            if seen.contains(&last.key()) {
                return;
            }
            seen.push(last.key());
            line.push(mv);
        }
    }

    /// The best move of an iteration that was cut short, if a move of it was finished. Where the last
    /// iteration's best move is tried first, another one that raised alpha is better indeed.
    pub fn partial_best(&self) -> Option<(Ordinal, i32)> {
        self.root.raised_alpha
    }
}
