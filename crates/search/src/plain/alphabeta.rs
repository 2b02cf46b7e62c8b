//! Minimax with alpha-beta pruning to a fixed depth.

use super::{effort::Effort, values::Values};
use crate::alphabeta::{Cause, NodeContext, Trace, Window};
use ludus_core::{Limits, MoveReport, Position, RankedLine, Report, Score, Side};
use std::sync::atomic::AtomicBool;

/// The parts of the search that can be left out.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct AlphaBetaSettings {
    /// Plies to search.
    pub depth: u32,
    /// Orders the moves of every node by the value of the position after them, best first; equal ones keep
    /// the order of the rules.
    pub ordering: bool,
    /// Cuts when beta <= alpha; without it every move of every node is searched.
    pub pruning: bool,
}

/// A value for the first side with the line that leads to it.
type Valued<M> = (f64, Vec<M>);

/// The bounds of a node, for the first side.
#[derive(Copy, Clone)]
struct Bounds {
    alpha: f64,
    beta: f64,
}

impl Bounds {
    const OPEN: Bounds = Bounds { alpha: f64::NEG_INFINITY, beta: f64::INFINITY };
}

/// A move of a node with the position after it.
struct Child<P: Position> {
    mv: P::Move,
    position: P,
    /// The value it is ordered by, which is also its value at the horizon; `None` without ordering.
    value: Option<f64>,
}

/// One search: the first side maximises, the second minimises, and the first of equal moves stays.
pub struct AlphaBeta<'a, P: Position, V> {
    settings: AlphaBetaSettings,
    values: &'a mut V,
    effort: Effort<'a>,
    leaves: u64,
    trace: Option<&'a mut Trace<P::Move>>,
    batch: Vec<P>,
    batch_values: Vec<f64>,
}

impl<'a, P: Position, V: Values<P>> AlphaBeta<'a, P, V> {
    /// A search with `values` at its leaves.
    pub fn new(
        settings: AlphaBetaSettings,
        values: &'a mut V,
        limits: &Limits,
        stop: &'a AtomicBool,
    ) -> AlphaBeta<'a, P, V> {
        let effort = Effort::new(limits, stop);
        let (batch, batch_values) = (Vec::new(), Vec::new());
        AlphaBeta { settings, values, effort, leaves: 0, trace: None, batch, batch_values }
    }

    /// The same search, recorded in `trace`.
    pub fn with_trace(mut self, trace: &'a mut Trace<P::Move>) -> AlphaBeta<'a, P, V> {
        self.trace = Some(trace);
        self
    }

    /// Searches `root`, in which the game goes on, for the `lines` best moves: each further one by a search without
    /// those before it. Stopped by a limit, it reports the best of the root moves it finished, or the first.
    pub fn search(mut self, root: &P, lines: usize) -> Report<P::Move> {
        let mut report = Report { depth: self.settings.depth, ..Report::default() };
        let mut excluded = Vec::new();
        for _ in 0..lines.max(1) {
            let (value, line) = self.root(root, &excluded, &mut report.moves);
            let Some(&best) = line.first() else { break };
            let score = value.map(|value| self.score_of_line(root.turn(), value, line.len()));
            if excluded.is_empty() {
                (report.score, report.line) = (score, line.clone());
            }
            if self.effort.is_spent() && !excluded.is_empty() {
                break;
            }
            report.lines.push(RankedLine { score, margin: None, line });
            excluded.push(best);
            if self.effort.is_spent() {
                report.depth = 0;
                break;
            }
        }
        if lines <= 1 {
            report.lines.clear();
        }
        (report.nodes, report.leaves) = (self.effort.nodes(), self.leaves);
        report.table = self.values.cache();
        report
    }

    /// The score for `side` of a line of `plies`: a proven win is one at the end of the line.
    fn score_of_line(&self, side: Side, value: f64, plies: usize) -> Score {
        let Score(score) = self.values.score(value);
        let score = if Score(score).win_in().is_some() {
            score.signum() * (Score::WIN.0 - plies as i32)
        } else {
            score
        };
        Score(score * side.sign())
    }

    /// Searches the moves of the root but `excluded`; exact values of moves are appended to `moves`. The value is
    /// `None` if no move was finished.
    fn root(
        &mut self,
        root: &P,
        excluded: &[P::Move],
        moves: &mut Vec<MoveReport<P::Move>>,
    ) -> (Option<f64>, Vec<P::Move>) {
        self.enter(None, root, self.settings.depth, Bounds::OPEN);
        let mut children = self.children(root);
        children.retain(|child| !excluded.contains(&child.mv));
        let mut best: Option<Valued<P::Move>> = None;
        let mut bounds = Bounds::OPEN;
        let maximises = root.turn() == Side::First;
        for child in &children {
            let (value, line) = self.visit(child, self.settings.depth.saturating_sub(1), bounds);
            if self.effort.is_spent() {
                break;
            }
            let improves = best.as_ref().is_none_or(|best| is_better(maximises, value, best.0));
            if excluded.is_empty() {
                // A move that does not improve has a bound, not a value.
                let exact = improves || !self.settings.pruning;
                let score = exact.then(|| self.score_of_line(root.turn(), value, 1 + line.len()));
                moves.push(MoveReport { mv: child.mv, score, visits: 0 });
            }
            if improves {
                best = Some((value, with_first(child.mv, line)));
                bounds = self.narrowed(bounds, maximises, value);
            }
        }
        let value = best.as_ref().map(|best| best.0).filter(|_| !self.effort.is_spent());
        self.leave(root, value, Bounds::OPEN);
        self.end_pass(root, value);
        let fallback = || children.first().map(|child| vec![child.mv]).unwrap_or_default();
        match best {
            Some((value, line)) => (Some(value), line),
            None => (None, fallback()),
        }
    }

    /// The moves of `position` in the order they are searched.
    fn children(&mut self, position: &P) -> Vec<Child<P>> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let child = |mv| Child { mv, position: position.after(mv), value: None };
        let mut children: Vec<Child<P>> = moves.into_iter().map(child).collect();
        if self.settings.ordering {
            self.order(&mut children, position.turn());
        }
        children
    }

    /// Sorts `children` by the value of the position after the move; one batch of evaluations.
    fn order(&mut self, children: &mut [Child<P>], turn: Side) {
        self.batch.clear();
        self.batch_values.clear();
        for child in children.iter_mut() {
            child.value = self.values.ending(&child.position);
            if child.value.is_none() {
                self.batch.push(child.position.clone());
            }
        }
        self.values.evaluate(&self.batch, &mut self.batch_values);
        let open = children.iter_mut().filter(|child| child.value.is_none());
        for (child, &value) in open.zip(&self.batch_values) {
            child.value = Some(value);
        }
        let value = |child: &Child<P>| child.value.unwrap_or(0.0) * f64::from(turn.sign());
        children.sort_by(|one, other| value(other).total_cmp(&value(one)));
    }

    /// The value of a child and the line below it; any value once the effort is spent.
    fn visit(&mut self, child: &Child<P>, depth: u32, bounds: Bounds) -> Valued<P::Move> {
        self.enter(Some(child.mv), &child.position, depth, bounds);
        let valued = self.value(child, depth, bounds);
        let value = (!self.effort.is_spent()).then_some(valued.0);
        self.leave(&child.position, value, bounds);
        valued
    }

    fn value(&mut self, child: &Child<P>, depth: u32, bounds: Bounds) -> Valued<P::Move> {
        if !self.effort.spend() {
            return (0.0, Vec::new());
        }
        if let Some(value) = self.values.ending(&child.position) {
            return self.leaf(value, Cause::GameOver);
        }
        if depth == 0 {
            let value = child.value.unwrap_or_else(|| self.evaluate(&child.position));
            return self.leaf(value, Cause::Horizon);
        }
        if !self.effort.go_on() {
            return (0.0, Vec::new());
        }
        self.inner(&child.position, depth, bounds)
    }

    /// The value of a node with moves: the loop of algorithm 2 of the source, or algorithm 1 without pruning.
    fn inner(&mut self, position: &P, depth: u32, mut bounds: Bounds) -> Valued<P::Move> {
        let maximises = position.turn() == Side::First;
        let worst = if maximises { f64::NEG_INFINITY } else { f64::INFINITY };
        let mut best = (worst, Vec::new());
        let children = self.children(position);
        for (index, child) in children.iter().enumerate() {
            let (value, line) = self.visit(child, depth - 1, bounds);
            if self.effort.is_spent() {
                break;
            }
            if is_better(maximises, value, best.0) {
                best = (value, with_first(child.mv, line));
            }
            bounds = self.narrowed(bounds, maximises, best.0);
            if self.settings.pruning && bounds.beta <= bounds.alpha {
                self.trace_cut(children.len() - index - 1);
                break;
            }
        }
        best
    }

    /// `bounds` after a move of this value, if it prunes.
    fn narrowed(&self, bounds: Bounds, maximises: bool, value: f64) -> Bounds {
        let Bounds { alpha, beta } = bounds;
        match (self.settings.pruning, maximises) {
            (false, _) => bounds,
            (true, true) => Bounds { alpha: alpha.max(value), beta },
            (true, false) => Bounds { alpha, beta: beta.min(value) },
        }
    }

    fn evaluate(&mut self, position: &P) -> f64 {
        self.batch_values.clear();
        self.values.evaluate(std::slice::from_ref(position), &mut self.batch_values);
        self.batch_values[0]
    }

    fn leaf(&mut self, value: f64, cause: Cause) -> Valued<P::Move> {
        self.leaves += 1;
        if let Some(trace) = &mut self.trace {
            trace.cause(cause);
        }
        (value, Vec::new())
    }

    /// The window of `bounds` as the side to move in `position` sees it.
    fn window(&self, position: &P, bounds: Bounds) -> Window {
        let edge = |value: f64| match value {
            f64::NEG_INFINITY => -Score::INFINITE.0,
            f64::INFINITY => Score::INFINITE.0,
            value => self.values.score(value).0,
        };
        let window = Window { alpha: edge(bounds.alpha), beta: edge(bounds.beta) };
        if position.turn() == Side::First { window } else { window.flipped() }
    }

    fn enter(&mut self, mv: Option<P::Move>, position: &P, depth: u32, bounds: Bounds) {
        if self.trace.is_none() {
            return;
        }
        let window = self.window(position, bounds);
        let ply = self.settings.depth.saturating_sub(depth) as usize;
        let context = NodeContext { key: 0, depth: depth as i32, ply, cut_node: false };
        if let Some(trace) = &mut self.trace {
            trace.enter(mv, window, context);
        }
    }

    fn leave(&mut self, position: &P, value: Option<f64>, bounds: Bounds) {
        if self.trace.is_none() {
            return;
        }
        let window = self.window(position, bounds);
        let score = value.map(|value| self.values.score(value).0 * position.turn().sign());
        if let Some(trace) = &mut self.trace {
            trace.leave(score, window);
        }
    }

    fn trace_cut(&mut self, moves: usize) {
        if let Some(trace) = &mut self.trace {
            trace.trace_cut(moves);
        }
    }

    fn end_pass(&mut self, root: &P, value: Option<f64>) {
        let score = value.map(|value| self.values.score(value).0 * root.turn().sign());
        if let Some(trace) = &mut self.trace {
            trace.end_pass(self.settings.depth as i32, Window::OPEN, score);
        }
    }
}

fn is_better(maximises: bool, value: f64, best: f64) -> bool {
    if maximises { value > best } else { value < best }
}

fn with_first<M>(mv: M, mut line: Vec<M>) -> Vec<M> {
    line.insert(0, mv);
    line
}

#[cfg(test)]
#[path = "alphabeta_tests.rs"]
mod tests;
