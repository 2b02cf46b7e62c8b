//! From the value of a node to the choice of a move: iterations, windows and test drivers.

use super::{
    ordering::{Candidate, Early, Memory},
    settings::{Driver, Guess, Settings},
    table::{NO_MOVE, Ordinal},
    worker::{INFINITE, MAX_PLY, Place, Window, Worker},
};
use ludus_core::{Ending, Evaluator, Score, SearchHints};

/// What a finished iteration found.
#[derive(Clone, Debug)]
pub struct Iteration<M> {
    pub depth: u32,
    pub value: i32,
    pub line: Vec<M>,
    /// Root moves whose value is known exactly.
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

/// Depths beyond this are no use in any game here.
pub const MAX_DEPTH: u32 = MAX_PLY as u32 - 60;

/// How a search of several iterations proceeds.
#[derive(Copy, Clone, Debug)]
pub struct Plan {
    /// The depth of the first iteration.
    pub first: u32,
    /// The depth of the last.
    pub last: u32,
    /// From one to the next.
    pub step: u32,
    /// How many root moves are to have a line.
    pub lines: usize,
}

impl Plan {
    /// The iterations of `settings` up to `depth`. A search that may be cut short needs some.
    pub fn new(settings: &Settings, depth: u32, may_be_cut_short: bool) -> Plan {
        let depth = depth.clamp(1, MAX_DEPTH);
        match settings.step {
            0 if !may_be_cut_short => Plan { first: depth, last: depth, step: 1, lines: 1 },
            step => {
                let step = step.max(1);
                // The last iteration has the depth wanted, so the first makes up the difference.
                Plan { first: (depth - 1) % step + 1, last: depth, step, lines: 1 }
            }
        }
    }

    /// The same with a line for each of so many root moves.
    pub fn with_lines(self, lines: usize) -> Plan {
        Plan { lines: lines.max(1), ..self }
    }

    /// The plan of a helping thread: every second one begins a step deeper, so that threads do not
    /// all do the same at the same time.
    pub fn staggered(self, helper: u32) -> Plan {
        let later = self.first + self.step * ((helper + 1) % 2);
        Plan { first: later.min(self.last), ..self }
    }
}

impl<P: Ending + SearchHints, E: Evaluator<P>> Worker<'_, P, E> {
    /// Searches deeper and deeper, telling of every iteration finished; `on_iteration` says whether
    /// to go on. If the last one was cut short, [`unfinished`](Worker::unfinished) tells its best.
    pub fn deepen(
        &mut self,
        position: &P,
        plan: Plan,
        on_iteration: &mut dyn FnMut(&Iteration<P::Move>, &mut Self) -> bool,
    ) {
        self.order_root(position);
        self.consult_at_root(position);
        let mut values = Vec::new();
        let mut depth = plan.first;
        while depth <= plan.last {
            self.root.depth = depth as i32;
            let found = match plan.lines {
                1 => self.one_line(position, depth, plan, &mut values),
                _ => self.several_lines(position, depth, plan, &mut values),
            };
            let Some(iteration) = found else { break };
            if !on_iteration(&iteration, self) {
                break;
            }
            depth += plan.step;
        }
    }

    /// One iteration for the best move; `values` holds that of the last one.
    fn one_line(
        &mut self,
        position: &P,
        depth: u32,
        plan: Plan,
        values: &mut Vec<i32>,
    ) -> Option<Iteration<P::Move>> {
        let value = self.value(position, depth, plan, values.first().copied())?;
        *values = vec![value];
        let iteration = self.iteration(position, depth, value);
        self.best_first();
        Some(iteration)
    }

    /// The value of the root by the settings' driver, which may know the `previous` one; `None` if the
    /// budget ended the search.
    pub(super) fn value(
        &mut self,
        position: &P,
        depth: u32,
        plan: Plan,
        previous: Option<i32>,
    ) -> Option<i32> {
        let previous = previous.unwrap_or(0);
        match self.settings.driver {
            Driver::Open => self.pass(position, Window::OPEN),
            Driver::Aspiration(_) if depth < 4 && plan.step > 0 => {
                self.pass(position, Window::OPEN)
            }
            Driver::Aspiration(width) => self.aspire(position, previous, width),
            Driver::Test(guess) => self.test(position, guess, previous),
        }
    }

    /// The moves at the root, the likeliest first.
    fn order_root(&mut self, position: &P) {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        self.root.order = (0..moves.len() as Ordinal).collect();
        if self.settings.ordering {
            let entry = self.table.and_then(|table| {
                table.probe(position.key(), || position.check(), &mut self.counts.table)
            });
            let table_move = entry.map_or(NO_MOVE, |entry| entry.best);
            let mut candidates = Vec::new();
            if let Some(&mv) = moves.get(usize::from(table_move)) {
                candidates.push(Candidate::from_table(position, mv, table_move));
            }
            let mut early = Early::new(table_move);
            Memory::rate_promising(position, &moves, [&None; 3], &mut early, &mut candidates);
            self.memory.rate_quiet(position, &moves, None, early, false, &mut candidates);
            candidates.sort_by(|one, other| other.cmp(one));
            self.root.order = candidates.iter().map(|candidate| candidate.ordinal()).collect();
        }
    }

    /// Puts the best move of the last search of the tree in front.
    fn best_first(&mut self) {
        if self.settings.remembered_first
            && let Some((best, _)) = self.root.best
            && let Some(index) = self.root.order.iter().position(|&ordinal| ordinal == best)
        {
            self.root.order[..=index].rotate_right(1);
        }
    }

    /// One search of the tree; `None` if the budget ended it.
    fn pass(&mut self, position: &P, window: Window) -> Option<i32> {
        self.root.best = None;
        self.root.raised = None;
        self.root.exact.clear();
        self.path.reach = super::path::UNTOUCHED;
        let key = self.key_of(position, self.root.depth) ^ self.root.left_out;
        let place = Place { key, depth: self.root.depth, ply: 0, cut: false };
        if let Some(trace) = &mut self.trace {
            trace.enter(None, window, place);
        }
        let value = self.node(position, window, place);
        let value = (!self.budget.is_spent()).then_some(value);
        if let Some(trace) = &mut self.trace {
            trace.leave(value, window);
            trace.end_pass(place.depth, window, value);
        }
        value
    }

    /// Looks in a window around `guess`, and in a wider one if the value is not there.
    fn aspire(&mut self, position: &P, guess: i32, width: i32) -> Option<i32> {
        let mut width = width;
        let mut alpha = (guess - width).max(-INFINITE);
        let mut beta = (guess + width).min(INFINITE);
        loop {
            let value = self.pass(position, Window { alpha, beta })?;
            if value <= alpha && alpha > -INFINITE {
                beta = (alpha + beta) / 2;
                alpha = (value - width).max(-INFINITE);
            } else if value >= beta && beta < INFINITE {
                beta = (value + width).min(INFINITE);
                self.best_first();
            } else {
                return Some(value);
            }
            width *= 2;
            if width > 1000 {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
        }
    }

    /// Closes in on the value with null windows from `guess` on.
    fn test(&mut self, position: &P, guess: Guess, previous: i32) -> Option<i32> {
        let (mut lower, mut upper) = (-INFINITE, INFINITE);
        let mut value = match guess {
            Guess::Previous => previous,
            Guess::Above => INFINITE,
            Guess::Below => -INFINITE,
        };
        // The move of a failed-low pass means nothing; that of the last failed-high one counts.
        let mut best = None;
        let mut line = Vec::new();
        while lower < upper {
            let beta = if value == lower { value + 1 } else { value };
            value = self.pass(position, Window::null(beta - 1))?;
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
        if self.root.known.is_some_and(|known| known.is_drawn()) {
            // The search looked for the best chances; what the root is worth is known.
            exact.iter_mut().for_each(|(_, value)| *value = Score::DRAW.0);
            return Iteration { depth, value: Score::DRAW.0, line, exact, lines: Vec::new() };
        }
        Iteration { depth, value, line, exact, lines: Vec::new() }
    }

    /// Continues a line cut short by the table with the moves the table has.
    fn follow_table(&mut self, position: &P, line: &mut Vec<P::Move>, length: usize) {
        let Some(table) = self.table else { return };
        let mut last = line.iter().fold(position.clone(), |position, &mv| position.after(mv));
        let mut seen = vec![last.key()];
        while line.len() < length {
            let counts = &mut self.counts.table;
            let Some(entry) = table.probe(last.key(), || last.check(), counts) else { return };
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

    /// The best move of an iteration that was cut short, if it searched one to its end. Where the
    /// last iteration's best is tried first, another that raised the bound is better indeed.
    pub fn unfinished(&self) -> Option<(Ordinal, i32)> {
        self.root.raised
    }
}
