//! `solver`: perfect play in Connect Four.

use crate::Recipe;
use ludus_core::{
    Choice, History, Kind, Limits, MoveReport, OptionSpec, Player, PlayerError, Position, Proof,
    Report, Watch,
};
use ludus_games::connect4::{
    Connect4,
    solver::{Effort, Solver},
};
use ludus_search::alphabeta::Allowance;
use std::time::Instant;

const OPTIONS: &[OptionSpec] = &[OptionSpec {
    name: "table",
    kind: Kind::Bytes,
    default: "288MB",
    about: "memory for what it has proved, rounded down to a power of two and 16MB",
}];

/// What the scores of the other moves may cost in play, beyond the best one's. Those of the empty board
/// take minutes; late in the game all of them are known at once.
const NODES_FOR_OTHER_MOVES: u64 = 2_000_000;

pub fn recipe() -> Recipe<Connect4> {
    Recipe {
        id: "solver",
        about: "plays perfectly: wins as early, loses as late as can be",
        options: OPTIONS,
        build: |options, _| {
            Ok(Box::new(SolverPlayer { solver: Solver::new(options.bytes("table")) }))
        },
        build_traced: None,
    }
}

struct SolverPlayer {
    solver: Solver,
}

/// What is wanted besides the best move.
struct Wanted {
    /// Nodes for the scores of the other moves.
    nodes: u64,
    /// Moves with a line.
    lines: usize,
}

impl SolverPlayer {
    fn solve(
        &mut self,
        position: &Connect4,
        limits: &Limits,
        wanted: &Wanted,
        watch: &mut Watch<'_, u8>,
    ) -> Result<Choice<u8>, PlayerError> {
        let time = Allowance::of(limits).hard;
        let node_limit = limits.nodes.unwrap_or(u64::MAX);
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        let mut effort = Effort { stop: watch.stop, deadline, node_limit, nodes: 0 };
        let Some((mv, score)) = self.solver.best(position, &mut effort) else {
            return self.guess(position, &mut effort);
        };
        let mut report = Report {
            score: Some(score),
            proof: Proof::Found,
            depth: score.win_in().map_or(position.empty_cells(), i32::unsigned_abs),
            nodes: effort.nodes,
            line: vec![mv],
            ..Report::default()
        };
        (watch.on_report)(&report);
        report.line.extend(self.solver.line(&position.after(mv), &mut effort));
        effort.node_limit = node_limit.min(effort.nodes.saturating_add(wanted.nodes));
        self.judge_moves(position, &mut report, &mut effort, watch);
        if wanted.lines > 1 {
            report.rank_moves(wanted.lines);
            for ranked in report.lines.iter_mut().filter(|ranked| ranked.line.len() == 1) {
                let next = position.after(ranked.line[0]);
                ranked.line.extend(self.solver.line(&next, &mut effort));
            }
        }
        report.nodes = effort.nodes;
        (watch.on_report)(&report);
        Ok(Choice::play(mv, report))
    }

    /// A move without proof, beside the moves whose scores are known all the same.
    fn guess(
        &mut self,
        position: &Connect4,
        effort: &mut Effort<'_>,
    ) -> Result<Choice<u8>, PlayerError> {
        let guess = self.solver.guess(position);
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

    /// Finds the exact score of every move, the best one's excepted, as far as the effort suffices, and
    /// tells of each: that of an early position may take a minute.
    fn judge_moves(
        &mut self,
        position: &Connect4,
        report: &mut Report<u8>,
        effort: &mut Effort<'_>,
        watch: &mut Watch<'_, u8>,
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
            (watch.on_report)(report);
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

    /// The tables hold only facts, but under a limit they decide how far the next search gets.
    fn new_game(&mut self, _: u64) {
        self.solver.clear();
    }

    fn choose(
        &mut self,
        game: &History<Connect4>,
        limits: &Limits,
        watch: &mut Watch<'_, u8>,
    ) -> Result<Choice<u8>, PlayerError> {
        let wanted = Wanted { nodes: NODES_FOR_OTHER_MOVES, lines: 1 };
        self.solve(game.last(), limits, &wanted, watch)
    }

    /// Scores every move, however long that takes within the limits.
    fn analyze(
        &mut self,
        game: &History<Connect4>,
        limits: &Limits,
        lines: usize,
        watch: &mut Watch<'_, u8>,
    ) -> Result<Choice<u8>, PlayerError> {
        self.solve(game.last(), limits, &Wanted { nodes: u64::MAX, lines }, watch)
    }
}
