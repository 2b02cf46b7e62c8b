//! The endgame solver of Reversi: exact margins within the limits of a move.

use ludus_core::{
    EndgameSolver, History, Limits, MoveReport, Position, Proof, RankedLine, Report, Score,
    ScoreMargin, SearchControl, Side,
};
use ludus_games::reversi::Reversi;
use ludus_knowledge::reversi::endgame::{ExactResult, ExactSolver, MarginWindow};
use ludus_search::alphabeta::TimeLimits;
use std::time::{Duration, Instant};

/// The endgame solver of Reversi.
#[derive(Default)]
pub struct ReversiEndgameSolver {
    /// Created on first use: its table takes memory.
    solver: Option<ExactSolver>,
}

const TABLE_BYTES: usize = 64 << 20;

/// Nodes to solve a position with twenty empty squares, about.
const NODES_AT_TWENTY_EMPTY: f64 = 7e6;
/// Growth of the nodes with each further empty square.
const NODE_GROWTH_PER_SQUARE: f64 = 2.6;
const NODES_PER_SECOND: f64 = 30e6;
/// Longest solve that is tried without limits.
const MAX_SOLVE_SECONDS: f64 = 60.0;

impl ReversiEndgameSolver {
    /// Nodes the limits allow.
    fn node_budget(limits: &Limits) -> f64 {
        let hard = TimeLimits::of(limits)
            .hard
            .map_or(f64::INFINITY, |hard| hard.as_secs_f64() * NODES_PER_SECOND / 2.0);
        limits.nodes.map_or(hard, |nodes| hard.min(nodes as f64))
    }

    /// The budget to solve `positions` with `empty` squares each; `None` if the limits are too tight.
    fn budget(limits: &Limits, positions: usize, empty: usize) -> Option<SolveBudget> {
        let expected = positions as f64
            * NODES_AT_TWENTY_EMPTY
            * NODE_GROWTH_PER_SQUARE.powi(empty as i32 - 20);
        let nodes = ReversiEndgameSolver::node_budget(limits);
        if limits.depth.is_some() || expected > nodes.min(MAX_SOLVE_SECONDS * NODES_PER_SECOND) {
            return None;
        }
        let time = TimeLimits::of(limits).hard.map_or(Duration::MAX, |hard| hard / 2);
        Some(SolveBudget { started: Instant::now(), time, nodes, spent: 0 })
    }

    /// The exact margin of `position` for its side to move.
    fn exact_margin(
        &mut self,
        position: &Reversi,
        budget: &mut SolveBudget,
        control: &SearchControl<'_, u8>,
    ) -> Option<ExactResult> {
        let solver = self.solver.get_or_insert_with(|| ExactSolver::new(TABLE_BYTES));
        let solved = solver.solve(position, MarginWindow::EXACT, &mut |nodes| {
            control.stopped()
                || budget.started.elapsed() >= budget.time
                || (budget.spent + nodes) as f64 >= budget.nodes
        })?;
        budget.spent += solved.nodes;
        Some(solved)
    }
}

/// Limits of a solve, and the nodes spent so far.
struct SolveBudget {
    started: Instant,
    time: Duration,
    nodes: f64,
    spent: u64,
}

/// The score of a lead of `margin` discs for the side to move, `plies` before the end.
fn score(margin: i32, plies: usize) -> Score {
    match margin.signum() {
        0 => Score::DRAW,
        sign => Score(sign * (Score::WIN.0 - plies as i32)),
    }
}

/// A lead of the side to move, from the view of the first side.
fn margin_of_first(position: &Reversi, margin: i32) -> ScoreMargin {
    let discs = if position.turn() == Side::First { margin } else { -margin } as f32;
    ScoreMargin { board: discs, total: discs }
}

impl EndgameSolver<Reversi> for ReversiEndgameSolver {
    fn solve(
        &mut self,
        game: &History<Reversi>,
        limits: &Limits,
        control: &mut SearchControl<'_, u8>,
    ) -> Option<Report<u8>> {
        let position = game.last();
        let mut budget =
            ReversiEndgameSolver::budget(limits, 1, position.empty_squares() as usize)?;
        let solved = self.exact_margin(position, &mut budget, control)?;
        let plies = solved.line.len();
        Some(Report {
            score: Some(score(solved.margin, plies)),
            proof: Proof::Found,
            margin: Some(margin_of_first(position, solved.margin)),
            depth: plies as u32,
            nodes: solved.nodes,
            leaves: solved.nodes,
            line: solved.line,
            ..Report::default()
        })
    }

    fn solve_moves(
        &mut self,
        game: &History<Reversi>,
        limits: &Limits,
        control: &mut SearchControl<'_, u8>,
    ) -> Option<Report<u8>> {
        let position = game.last();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let empty = (position.empty_squares() as usize).saturating_sub(1);
        let mut budget = ReversiEndgameSolver::budget(limits, moves.len(), empty)?;
        let mut solved_moves = Vec::with_capacity(moves.len());
        for mv in moves {
            let solved = self.exact_margin(&position.after(mv), &mut budget, control)?;
            let line: Vec<u8> = std::iter::once(mv).chain(solved.line).collect();
            solved_moves.push((-solved.margin, line));
        }
        let of_move = |(margin, line): &(i32, Vec<u8>)| MoveReport {
            mv: line[0],
            score: Some(score(*margin, line.len())),
            visits: 0,
        };
        let moves = solved_moves.iter().map(of_move).collect();
        solved_moves.sort_by_key(|(margin, _)| std::cmp::Reverse(*margin));
        let lines: Vec<RankedLine<u8>> = solved_moves
            .into_iter()
            .map(|(margin, line)| RankedLine {
                score: Some(score(margin, line.len())),
                margin: Some(margin_of_first(position, margin)),
                line,
            })
            .collect();
        let best = lines.first()?;
        Some(Report {
            score: best.score,
            proof: Proof::Found,
            margin: best.margin,
            depth: best.line.len() as u32,
            nodes: budget.spent,
            leaves: budget.spent,
            line: best.line.clone(),
            moves,
            lines,
            ..Report::default()
        })
    }

    fn new_game(&mut self) {
        if let Some(solver) = &mut self.solver {
            solver.clear();
        }
    }
}
