//! Exact solvers that take over from the search when a game nears its end.

use ludus_core::{
    History, Limits, Margin, MoveReport, Position, Proof, RankedLine, Report, Score, Side, Watch,
};
use ludus_games::reversi::{
    Reversi,
    endgame::{ExactSolver, Solved, Window},
};
use ludus_search::alphabeta::Allowance;
use std::time::{Duration, Instant};

/// Something that can play the end of a game perfectly.
pub trait EndgameSolver<P: Position>: Send {
    /// The proven value of the last position of `game` and the line to the end, if that can be had
    /// within a share of the limits.
    fn finish(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Option<Report<P::Move>>;

    /// The same for every move, with a line for each, best first, if that can be had.
    fn judge_moves(
        &mut self,
        game: &History<P>,
        limits: &Limits,
        watch: &mut Watch<'_, P::Move>,
    ) -> Option<Report<P::Move>>;

    /// Forgets the game before.
    fn new_game(&mut self);
}

/// The endgame solver of Reversi.
#[derive(Default)]
pub struct ReversiEndgameSolver {
    /// Made when first needed: it takes memory.
    solver: Option<ExactSolver>,
}

const TABLE_BYTES: usize = 64 << 20;

/// What a position with twenty empty squares takes, about; each further square takes so much more.
const NODES_AT_TWENTY: f64 = 7e6;
const NODES_A_SECOND: f64 = 30e6;
const GROWTH: f64 = 2.6;

impl ReversiEndgameSolver {
    /// How many positions may be looked at.
    fn allowed(limits: &Limits) -> f64 {
        let hard = Allowance::of(limits)
            .hard
            .map_or(f64::INFINITY, |hard| hard.as_secs_f64() * NODES_A_SECOND / 2.0);
        limits.nodes.map_or(hard, |nodes| hard.min(nodes as f64))
    }

    /// What it may take to solve so many positions with so many empty squares, if it may be tried.
    fn effort(limits: &Limits, positions: usize, empty: usize) -> Option<Effort> {
        let expected = positions as f64 * NODES_AT_TWENTY * GROWTH.powi(empty as i32 - 20);
        let nodes = ReversiEndgameSolver::allowed(limits);
        if limits.depth.is_some() || expected > nodes.min(60.0 * NODES_A_SECOND) {
            return None;
        }
        let time = Allowance::of(limits).hard.map_or(Duration::MAX, |hard| hard / 2);
        Some(Effort { started: Instant::now(), time, nodes, spent: 0 })
    }

    /// The exact margin of `position` for its side to move.
    fn solve(
        &mut self,
        position: &Reversi,
        effort: &mut Effort,
        watch: &Watch<'_, u8>,
    ) -> Option<Solved> {
        let solver = self.solver.get_or_insert_with(|| ExactSolver::new(TABLE_BYTES));
        let solved = solver.solve(position, Window::EXACT, &mut |nodes| {
            watch.stopped()
                || effort.started.elapsed() >= effort.time
                || (effort.spent + nodes) as f64 >= effort.nodes
        })?;
        effort.spent += solved.nodes;
        Some(solved)
    }
}

/// What solving may cost, and what it has cost so far.
struct Effort {
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

/// A lead of the side to move as the first side sees it.
fn margin_of_first(position: &Reversi, margin: i32) -> Margin {
    let discs = if position.turn() == Side::First { margin } else { -margin } as f32;
    Margin { board: discs, total: discs }
}

impl EndgameSolver<Reversi> for ReversiEndgameSolver {
    fn finish(
        &mut self,
        game: &History<Reversi>,
        limits: &Limits,
        watch: &mut Watch<'_, u8>,
    ) -> Option<Report<u8>> {
        let position = game.last();
        let mut effort =
            ReversiEndgameSolver::effort(limits, 1, position.empty_squares() as usize)?;
        let solved = self.solve(position, &mut effort, watch)?;
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

    fn judge_moves(
        &mut self,
        game: &History<Reversi>,
        limits: &Limits,
        watch: &mut Watch<'_, u8>,
    ) -> Option<Report<u8>> {
        let position = game.last();
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let empty = (position.empty_squares() as usize).saturating_sub(1);
        let mut effort = ReversiEndgameSolver::effort(limits, moves.len(), empty)?;
        let mut judged = Vec::with_capacity(moves.len());
        for mv in moves {
            let solved = self.solve(&position.after(mv), &mut effort, watch)?;
            let line: Vec<u8> = std::iter::once(mv).chain(solved.line).collect();
            judged.push((-solved.margin, line));
        }
        let of_move = |(margin, line): &(i32, Vec<u8>)| MoveReport {
            mv: line[0],
            score: Some(score(*margin, line.len())),
            visits: 0,
        };
        let moves = judged.iter().map(of_move).collect();
        judged.sort_by_key(|(margin, _)| std::cmp::Reverse(*margin));
        let lines: Vec<RankedLine<u8>> = judged
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
            nodes: effort.spent,
            leaves: effort.spent,
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
