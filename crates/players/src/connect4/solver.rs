//! `solver`: perfect play in Connect Four.

use crate::PlayerRecipe;
use ludus_core::{
    Choice, History, Limits, MoveReport, OptionKind, OptionSpec, Player, PlayerError, Position,
    Proof, Report, SearchControl,
};
use ludus_games::connect4::Connect4;
use ludus_knowledge::connect4::solver::{Connect4Solver, Connect4SolverBudget};
use ludus_search::alphabeta::TimeLimits;
use std::time::Instant;

const OPTIONS: &[OptionSpec] = &[OptionSpec {
    name: "table",
    kind: OptionKind::Bytes,
    default: "288MB",
    about: "size of its transposition table, rounded down to a power of two and 16MB",
}];

/// Nodes for the scores of the other moves in play, beyond those for the best one. They take minutes
/// for the empty board, and hardly any time late in the game.
const NODES_FOR_OTHER_MOVES: u64 = 2_000_000;

pub fn recipe() -> PlayerRecipe<Connect4> {
    PlayerRecipe {
        id: "solver",
        about: "plays perfectly: wins as early and loses as late as possible",
        options: OPTIONS,
        build: |options, _| {
            Ok(Box::new(SolverPlayer { solver: Connect4Solver::new(options.bytes("table")) }))
        },
        build_traced: None,
    }
}

struct SolverPlayer {
    solver: Connect4Solver,
}

/// Results wanted besides the best move.
struct ExtraResults {
    /// Nodes for the scores of the other moves.
    nodes: u64,
    /// Number of moves with a line.
    lines: usize,
}

impl SolverPlayer {
    fn solve(
        &mut self,
        position: &Connect4,
        limits: &Limits,
        wanted: &ExtraResults,
        control: &mut SearchControl<'_, u8>,
    ) -> Result<Choice<u8>, PlayerError> {
        let time = TimeLimits::of(limits).hard;
        let node_limit = limits.nodes.unwrap_or(u64::MAX);
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        let mut effort =
            Connect4SolverBudget { stop: control.stop, deadline, node_limit, nodes: 0 };
        let Some((mv, score)) = self.solver.best(position, &mut effort) else {
            return self.unproven(position, &mut effort);
        };
        let mut report = Report {
            score: Some(score),
            proof: Proof::Found,
            depth: score.win_in().map_or(position.empty_cells(), i32::unsigned_abs),
            nodes: effort.nodes,
            line: vec![mv],
            ..Report::default()
        };
        (control.on_report)(&report);
        report.line.extend(self.solver.line(&position.after(mv), &mut effort));
        effort.node_limit = node_limit.min(effort.nodes.saturating_add(wanted.nodes));
        self.score_moves(position, &mut report, &mut effort, control);
        if wanted.lines > 1 {
            report.rank_moves(wanted.lines);
            for ranked in report.lines.iter_mut().filter(|ranked| ranked.line.len() == 1) {
                let next = position.after(ranked.line[0]);
                ranked.line.extend(self.solver.line(&next, &mut effort));
            }
        }
        report.nodes = effort.nodes;
        (control.on_report)(&report);
        Ok(Choice::play(mv, report))
    }

    /// The most promising move, without proof, and the scores of moves that are known already.
    fn unproven(
        &mut self,
        position: &Connect4,
        effort: &mut Connect4SolverBudget<'_>,
    ) -> Result<Choice<u8>, PlayerError> {
        let guess = self.solver.best_known_move(position);
        let mv = guess.ok_or_else(|| PlayerError::failed("the game is over"))?;
        let moves = moves(position).into_iter();
        let moves = moves.map(|mv| MoveReport {
            mv,
            score: self.solver.move_score(position, mv, effort),
            visits: 0,
        });
        let report = Report {
            moves: moves.collect(),
            proof: Proof::NotFound,
            nodes: effort.nodes,
            line: vec![mv],
            ..Report::default()
        };
        Ok(Choice::play(mv, report))
    }

    /// Computes the exact score of every move but the best, as far as the node limit allows, and
    /// reports each of them: in an early position one may take a minute.
    fn score_moves(
        &mut self,
        position: &Connect4,
        report: &mut Report<u8>,
        effort: &mut Connect4SolverBudget<'_>,
        control: &mut SearchControl<'_, u8>,
    ) {
        let best = MoveReport { mv: report.line[0], score: report.score, visits: 0 };
        let entry =
            |mv| if mv == best.mv { best } else { MoveReport { mv, score: None, visits: 0 } };
        report.moves = moves(position).into_iter().map(entry).collect();
        for index in 0..report.moves.len() {
            let mv = report.moves[index].mv;
            if mv == best.mv {
                continue;
            }
            report.moves[index].score = self.solver.move_score(position, mv, effort);
            report.nodes = effort.nodes;
            (control.on_report)(report);
        }
    }
}

fn moves(position: &Connect4) -> Vec<u8> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

impl Player<Connect4> for SolverPlayer {
    fn name(&self) -> &str {
        "solver"
    }

    /// Clears the table: its entries stay valid, but under a limit they decide how far a search gets.
    fn new_game(&mut self, _: u64) {
        self.solver.clear();
    }

    fn choose(
        &mut self,
        game: &History<Connect4>,
        limits: &Limits,
        control: &mut SearchControl<'_, u8>,
    ) -> Result<Choice<u8>, PlayerError> {
        let wanted = ExtraResults { nodes: NODES_FOR_OTHER_MOVES, lines: 1 };
        self.solve(game.last(), limits, &wanted, control)
    }

    /// Scores every move, however long that takes within the limits.
    fn analyze(
        &mut self,
        game: &History<Connect4>,
        limits: &Limits,
        lines: usize,
        control: &mut SearchControl<'_, u8>,
    ) -> Result<Choice<u8>, PlayerError> {
        self.solve(game.last(), limits, &ExtraResults { nodes: u64::MAX, lines }, control)
    }
}
