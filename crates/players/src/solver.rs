//! `solver`: perfect play in Connect Four.

use crate::Recipe;
use ludus_core::{
    Choice, History, Kind, Limits, MoveReport, OptionSpec, Player, PlayerError, Position, Report,
    Watch,
};
use ludus_engine::search::Allowance;
use ludus_games::connect4::{
    Connect4,
    solver::{Effort, Solver},
};
use std::time::Instant;

const OPTIONS: &[OptionSpec] = &[OptionSpec {
    name: "table",
    kind: Kind::Bytes,
    default: "288MB",
    about: "memory for what it has proved, rounded down to a power of two and 16MB",
}];

/// What the scores of the other moves may cost beyond the best one's. Those of the empty board would
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

impl SolverPlayer {
    /// Every move of `position` in board order, with its exact score if the effort suffices.
    fn judge_moves(
        &mut self,
        position: &Connect4,
        best: MoveReport<u8>,
        effort: &mut Effort<'_>,
    ) -> Vec<MoveReport<u8>> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let report = |mv: u8| {
            if mv == best.mv {
                return best;
            }
            MoveReport { mv, score: self.solver.move_score(position, mv, effort), visits: 0 }
        };
        moves.into_iter().map(report).collect()
    }
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
        let position = game.last();
        let time = Allowance::of(limits).hard;
        let node_limit = limits.nodes.unwrap_or(u64::MAX);
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        let mut effort = Effort { stop: watch.stop, deadline, node_limit, nodes: 0 };
        let Some((mv, score)) = self.solver.best(position, &mut effort) else {
            let guess = self.solver.guess(position);
            let mv = guess.ok_or_else(|| PlayerError::failed("the game is over"))?;
            let report = Report { nodes: effort.nodes, line: vec![mv], ..Report::default() };
            return Ok(Choice::play(mv, report));
        };
        let mut report = Report {
            score: Some(score),
            depth: score.win_in().map_or(position.empty_cells(), i32::unsigned_abs),
            nodes: effort.nodes,
            line: vec![mv],
            ..Report::default()
        };
        (watch.on_report)(&report);
        report.line.extend(self.solver.line(&position.after(mv), &mut effort));
        effort.node_limit = node_limit.min(effort.nodes.saturating_add(NODES_FOR_OTHER_MOVES));
        let best = MoveReport { mv, score: report.score, visits: 0 };
        report.moves = self.judge_moves(position, best, &mut effort);
        report.nodes = effort.nodes;
        (watch.on_report)(&report);
        Ok(Choice::play(mv, report))
    }
}
