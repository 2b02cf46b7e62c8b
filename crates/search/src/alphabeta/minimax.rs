//! Plain minimax: the reference that every other search is tested against.

use super::{Budget, Trace, Window, trace::Cause, worker::NodeContext};
use ludus_core::{Evaluator, MoveReport, Position, Report, Score, Side};

/// Minimax to a fixed depth: the first side maximises, the second minimises, nothing is pruned.
///
/// Draws by repetition or by a counter beside the board do not count: they depend on the path, and the
/// value of a position here must not.
pub struct Minimax<'a, 'b, P: Position, E> {
    evaluator: &'a mut E,
    budget: &'a mut Budget<'b>,
    moves: Vec<P::Move>,
    leaves: u64,
    trace: Option<&'a mut Trace<P::Move>>,
}

impl<'a, 'b, P: Position, E: Evaluator<P>> Minimax<'a, 'b, P, E> {
    /// A search with `evaluator` at its leaves.
    pub fn new(evaluator: &'a mut E, budget: &'a mut Budget<'b>) -> Minimax<'a, 'b, P, E> {
        Minimax { evaluator, budget, moves: Vec::new(), leaves: 0, trace: None }
    }

    /// The same search, recorded in `trace`.
    pub fn with_trace(mut self, trace: &'a mut Trace<P::Move>) -> Minimax<'a, 'b, P, E> {
        self.trace = Some(trace);
        self
    }

    /// Searches every move of `root` to `depth` plies and reports them all, the first of the best
    /// as its line. When the budget runs out, the moves not yet finished have no score.
    pub fn search(mut self, root: &P, depth: u32) -> Report<P::Move> {
        let mut moves = Vec::new();
        root.legal_moves(&mut moves);
        let mut report = Report {
            line: moves.first().copied().into_iter().collect(),
            depth,
            ..Report::default()
        };
        self.enter(None, depth, 0);
        for mv in moves {
            let value = self.child(mv, &root.after(mv), depth.saturating_sub(1), 1);
            let score = (!self.budget.is_spent()).then(|| seen_by(root.turn(), value));
            if score > report.score {
                (report.score, report.line) = (score, vec![mv]);
            }
            report.moves.push(MoveReport { mv, score, visits: 0 });
        }
        self.leave(report.score);
        if let Some(trace) = &mut self.trace {
            let value = report.score.filter(|_| !self.budget.is_spent());
            trace.end_pass(depth as i32, Window::OPEN, value.map(|score| score.0));
        }
        if self.budget.is_spent() {
            report.depth = 0; // no depth was completed
        }
        (report.nodes, report.leaves) = (self.budget.nodes(), self.leaves);
        report
    }

    fn enter(&mut self, mv: Option<P::Move>, depth: u32, ply: i32) {
        if let Some(trace) = &mut self.trace {
            let context =
                NodeContext { key: 0, depth: depth as i32, ply: ply as usize, cut_node: false };
            trace.enter(mv, Window::OPEN, context);
        }
    }

    fn leave(&mut self, score: Option<Score>) {
        if let Some(trace) = &mut self.trace {
            let score = score.filter(|_| !self.budget.is_spent());
            trace.leave(score.map(|score| score.0), Window::OPEN);
        }
    }

    fn leaf(&mut self, score: Score, cause: Cause) -> Score {
        self.leaves += 1;
        if let Some(trace) = &mut self.trace {
            trace.cause(cause);
        }
        score
    }

    /// The value of `position`, reached by `mv`, for the first side.
    fn child(&mut self, mv: P::Move, position: &P, depth: u32, ply: i32) -> Score {
        self.enter(Some(mv), depth, ply);
        let value = self.value(position, depth, ply);
        self.leave(Some(seen_by(position.turn(), value)));
        value
    }

    /// The value of `position` for the first side.
    fn value(&mut self, position: &P, depth: u32, ply: i32) -> Score {
        if self.budget.spend() {
            return Score::DRAW;
        }
        if let Some(outcome) = position.outcome() {
            return self.leaf(Score::terminal(outcome, Side::First, ply), Cause::GameOver);
        }
        if depth == 0 {
            let score = self.evaluator.evaluate(position);
            return self.leaf(seen_by(position.turn(), score), Cause::Horizon);
        }
        let base = self.moves.len();
        position.legal_moves(&mut self.moves);
        let mut best = seen_by(position.turn(), -Score::INFINITE);
        for index in base..self.moves.len() {
            let mv = self.moves[index];
            let value = self.child(mv, &position.after(mv), depth - 1, ply + 1);
            best = if position.turn() == Side::First { best.max(value) } else { best.min(value) };
        }
        self.moves.truncate(base);
        best
    }
}

/// Converts the first side's score into `side`'s, and back.
fn seen_by(side: Side, score: Score) -> Score {
    if side == Side::First { score } else { -score }
}
