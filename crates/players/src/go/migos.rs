//! `migos`: perfect play in Go on small boards, after Erik van der Werf's MIGOS.

use crate::{
    PlayerRecipe, Resources, roster,
    settings::{self, integer, merge_limits, switch, text},
};
use ludus_core::{
    Choice, History, Limits, MoveReport, OptionKind, OptionSpec, Options, Outcome, Player,
    PlayerError, Position, Proof, RankedLine, Report, Score, ScoreMargin, SearchControl, TextError,
};
use ludus_games::go::{Go, GoMove};
use ludus_knowledge::go::solver::{
    GoSolver, GoSolverBudget, MAX_DEPTH, MAX_SOLVER_SIZE, Solution, SymmetryFolding,
    UnsupportedGame, check_supported,
};
use ludus_search::alphabeta::TimeLimits;
use std::time::Instant;

const OPTIONS: &[OptionSpec] = &[
    integer("depth", MAX_DEPTH as i64, "largest search depth in plies; 0 leaves it to --depth"),
    integer(
        "nodes",
        i64::MAX,
        "positions to search; 0 leaves it to --nodes, else no limit up to 4x4 and 20 million on 5x5",
    ),
    text("time", "", "time a move, such as 500ms"),
    OptionSpec {
        name: "table",
        kind: OptionKind::Bytes,
        default: "128MB",
        about: "size of the transposition table, rounded down to a power of two; 0 for none",
    },
    switch("symmetry", "on", "treat mirrored and rotated positions as one"),
];

/// Largest board size that is searched until it is solved.
const MAX_ALWAYS_SOLVED_SIZE: usize = 4;
/// Default node limit on larger boards.
const LARGE_BOARD_NODES: u64 = 20_000_000;
/// Nodes for the line to the end, beyond those for the proof.
const NODES_FOR_LINE: u64 = 1_000_000;
/// The player of positions that cannot be solved within the limits.
const FALLBACK_PLAYER: &str = "pvs:depth=4,step=1,table=16MB";

pub fn recipe() -> PlayerRecipe<Go> {
    PlayerRecipe {
        id: "migos",
        about: "solves small boards: plays perfectly up to 4x4, and on 5x5 late in the game",
        options: OPTIONS,
        build: |options, resources| Ok(Box::new(Migos::new(options, resources)?)),
        build_traced: None,
    }
}

struct Migos {
    solver: GoSolver,
    limits: Limits,
    fallback: Box<dyn Player<Go>>,
}

impl Migos {
    fn new(options: &Options, resources: &Resources) -> Result<Migos, PlayerError> {
        let folding = if options.switch("symmetry") {
            SymmetryFolding::Symmetries
        } else {
            SymmetryFolding::None
        };
        Ok(Migos {
            solver: GoSolver::new(options.bytes("table"), folding),
            limits: settings::limits(options)?,
            fallback: roster::build::<Go>(FALLBACK_PLAYER, resources)?,
        })
    }

    /// The proven move, or else that of the fallback player.
    fn solve(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        purpose: SolvePurpose,
        control: &mut SearchControl<'_, GoMove>,
    ) -> Result<Choice<GoMove>, PlayerError> {
        let go = game.last();
        check_supported(go).map_err(refusal)?;
        if go.outcome().is_some() {
            return Err(PlayerError::failed("the game is over"));
        }
        let limits = merge_limits(&self.limits, limits);
        let mut effort = effort(go, &limits, control);
        let deepest = limits.depth.unwrap_or(MAX_DEPTH);
        let solution = self.solver.solve(game, deepest, &mut effort).map_err(refusal)?;
        let Some(lead) = solution.lead() else {
            return self.fallback_choice(game, &limits, purpose, control, effort.nodes);
        };
        let node_limit = effort.node_limit;
        let mut report = self.report(game, lead, &solution, &mut effort);
        (control.on_report)(&report);
        if let SolvePurpose::EveryMove { lines } = purpose {
            effort.node_limit = node_limit;
            self.score_moves(game, deepest, &mut report, &mut effort, control)?;
            report.lines.truncate(lines);
            report.nodes = effort.nodes;
            report.table = self.solver.table_report();
            (control.on_report)(&report);
        }
        Ok(Choice::play(solution.mv, report))
    }

    /// The move of the fallback player, without proof, within the rest of the limits.
    fn fallback_choice(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        purpose: SolvePurpose,
        control: &mut SearchControl<'_, GoMove>,
        nodes: u64,
    ) -> Result<Choice<GoMove>, PlayerError> {
        let limits = rest_of_limits(limits);
        let mut choice = match purpose {
            SolvePurpose::Move => self.fallback.choose(game, &limits, control)?,
            SolvePurpose::EveryMove { lines } => {
                self.fallback.analyze(game, &limits, lines, control)?
            }
        };
        choice.report.nodes += nodes;
        choice.report.proof = Proof::NotFound;
        Ok(choice)
    }

    /// Computes the final margin after every move, as far as the limits allow, with lines of the solved
    /// moves, best first.
    fn score_moves(
        &mut self,
        game: &History<Go>,
        deepest: u32,
        report: &mut Report<GoMove>,
        effort: &mut GoSolverBudget<'_>,
        control: &mut SearchControl<'_, GoMove>,
    ) -> Result<(), PlayerError> {
        let go = game.last();
        let best = report.line[0];
        report.lines = vec![RankedLine {
            score: report.score,
            margin: report.margin,
            line: report.line.clone(),
        }];
        let mut moves = Vec::new();
        go.legal_moves(&mut moves);
        let entry =
            |&mv: &GoMove| MoveReport { mv, score: report.score.filter(|_| mv == best), visits: 0 };
        report.moves = moves.iter().map(entry).collect();
        for (index, &mv) in moves.iter().enumerate().filter(|&(_, &mv)| mv != best) {
            let mut next = game.clone();
            next.push(mv);
            let Some(lead) = self.lead(&next, deepest, effort)? else { continue };
            let mut line = vec![mv];
            line.extend(self.solver.line(&next, lead, effort));
            let (score, margin) = score_and_margin(go, lead, line.len());
            report.moves[index].score = Some(score);
            report.lines.push(RankedLine { score: Some(score), margin: Some(margin), line });
            report.nodes = effort.nodes;
            (control.on_report)(report);
        }
        let own = f32::from(go.turn().sign() as i8);
        let lead =
            |ranked: &RankedLine<GoMove>| ranked.margin.map_or(0.0, |margin| own * margin.total);
        report.lines.sort_by(|one, other| lead(other).total_cmp(&lead(one)));
        Ok(())
    }

    /// Black's lead before komi with best play, if `game` is over or can be solved.
    fn lead(
        &mut self,
        game: &History<Go>,
        deepest: u32,
        effort: &mut GoSolverBudget<'_>,
    ) -> Result<Option<i32>, PlayerError> {
        let go = game.last();
        if go.outcome().is_some() {
            return Ok(Some((go.score() + go.rules().komi()).round() as i32));
        }
        Ok(self.solver.solve(game, deepest, effort).map_err(refusal)?.lead())
    }

    /// The report of a solved position, with the line to the end as far as it is found.
    fn report(
        &mut self,
        game: &History<Go>,
        lead: i32,
        solution: &Solution,
        effort: &mut GoSolverBudget<'_>,
    ) -> Report<GoMove> {
        effort.node_limit = effort.node_limit.min(effort.nodes.saturating_add(NODES_FOR_LINE));
        let mut next = game.clone();
        next.push(solution.mv);
        let mut line = vec![solution.mv];
        line.extend(self.solver.line(&next, lead, effort));
        let (score, margin) = score_and_margin(game.last(), lead, line.len());
        Report {
            score: Some(score),
            proof: Proof::Found,
            margin: Some(margin),
            depth: solution.depth,
            nodes: effort.nodes,
            leaves: 0,
            line,
            moves: vec![MoveReport { mv: solution.mv, score: Some(score), visits: 0 }],
            table: self.solver.table_report(),
            ..Report::default()
        }
    }
}

impl Player<Go> for Migos {
    fn name(&self) -> &str {
        "migos"
    }

    /// Clears the table: its entries stay valid, but under a limit they decide how far a search gets.
    fn new_game(&mut self, seed: u64) {
        self.solver.clear();
        self.fallback.new_game(seed);
    }

    fn choose(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        control: &mut SearchControl<'_, GoMove>,
    ) -> Result<Choice<GoMove>, PlayerError> {
        self.solve(game, limits, SolvePurpose::Move, control)
    }

    /// Computes the final margin after every move, however long that takes within the limits.
    fn analyze(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        lines: usize,
        control: &mut SearchControl<'_, GoMove>,
    ) -> Result<Choice<GoMove>, PlayerError> {
        self.solve(game, limits, SolvePurpose::EveryMove { lines }, control)
    }
}

/// The purpose of a solution.
#[derive(Copy, Clone)]
enum SolvePurpose {
    /// A move to play.
    Move,
    /// The score of every move, and this number of lines.
    EveryMove { lines: usize },
}

/// The score for the side to move and the final margin, if Black leads by `lead` before komi after
/// `plies`.
fn score_and_margin(go: &Go, lead: i32, plies: usize) -> (Score, ScoreMargin) {
    let total = lead as f32 - go.rules().komi();
    let score = Score::terminal(Outcome::from_margin(total), go.turn(), (plies as i32).max(1));
    (score, ScoreMargin { board: lead as f32, total })
}

/// The limits of a proof: half of those of the move, as the other half is for the fallback player.
fn effort<'a>(go: &Go, limits: &Limits, control: &SearchControl<'a, GoMove>) -> GoSolverBudget<'a> {
    let time = TimeLimits::of(limits).hard.map(|time| time / 2);
    let unlimited = go.board().size() <= MAX_ALWAYS_SOLVED_SIZE || time.is_some();
    let nodes = limits.nodes.map(|nodes| nodes / 2);
    GoSolverBudget {
        stop: control.stop,
        deadline: time.and_then(|time| Instant::now().checked_add(time)),
        node_limit: nodes.unwrap_or(if unlimited { u64::MAX } else { LARGE_BOARD_NODES }),
        nodes: 0,
    }
}

/// The other half of the limits.
fn rest_of_limits(limits: &Limits) -> Limits {
    Limits {
        depth: limits.depth,
        nodes: limits.nodes.map(|nodes| nodes.div_ceil(2)),
        time: TimeLimits::of(limits).hard.map(|time| time / 2),
        clock: None,
    }
}

/// The error that names what migos can solve.
fn refusal(reason: UnsupportedGame) -> PlayerError {
    let (found, expected) = match reason {
        UnsupportedGame::Size(size) => (
            format!("{size}x{size}"),
            format!("a board of at most {MAX_SOLVER_SIZE}x{MAX_SOLVER_SIZE}, such as go:size=4"),
        ),
        UnsupportedGame::Ko => (
            "another rule of ko".to_owned(),
            "positional superko, such as go:size=4,ko=positional".to_owned(),
        ),
        UnsupportedGame::Suicide => (
            "suicide".to_owned(),
            "rules that forbid suicide, such as go:size=4,rules=chinese".to_owned(),
        ),
        UnsupportedGame::Scoring => (
            "territory scoring".to_owned(),
            "area scoring, such as go:size=4,rules=chinese".to_owned(),
        ),
    };
    TextError::whole("game for migos", &found, expected).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AnalysisControl, find_game};
    use ludus_core::Notation;
    use std::sync::atomic::AtomicBool;

    fn choose(game: &str, player: &str) -> Result<Choice<GoMove>, PlayerError> {
        let options = Options::parse(game, Go::OPTIONS).unwrap();
        let game = History::new(Go::start(&options).unwrap());
        let mut player = roster::build::<Go>(player, &Resources::default()).unwrap();
        let stop = AtomicBool::new(false);
        let mut control = SearchControl { stop: &stop, on_report: &mut |_| {} };
        player.choose(&game, &Limits::default(), &mut control)
    }

    #[test]
    fn small_boards_are_reported_with_their_margin() {
        for (game, board, total, wins) in
            [("go:size=2", 1.0, -6.5, false), ("go:size=3,komi=0", 9.0, 9.0, true)]
        {
            let report = choose(game, "migos:table=4MB").unwrap().report;
            assert_eq!(report.margin, Some(ScoreMargin { board, total }));
            assert_eq!(report.score.unwrap().win_in().unwrap() > 0, wins);
            assert!(report.line.ends_with(&[GoMove::Pass, GoMove::Pass]), "{:?}", report.line);
        }
    }

    #[test]
    fn an_analysis_gives_the_margin_as_text() {
        let (game, options) = find_game("go:size=3").unwrap();
        let board = game.open(&options, None).unwrap();
        let stop = AtomicBool::new(false);
        let mut progress =
            AnalysisControl { limits: Limits::default(), stop: &stop, on_report: &mut |_| {} };
        let analysis =
            board.analyze("migos:table=4MB", &Resources::default(), &mut progress).unwrap();
        let margin = analysis.margin.unwrap();
        assert_eq!(margin.text(&*board), "Black by 9 on the board, Black by 1.5 in all");
    }

    #[test]
    fn unsolved_positions_are_played_by_the_fallback() {
        let choice = choose("go:size=4", "migos:nodes=2000,table=1MB").unwrap();
        assert_eq!(choice.report.margin, None);
        assert!(!choice.report.line.is_empty());
    }

    #[test]
    fn other_games_are_refused() {
        for (game, expected) in [
            ("go:size=9", "\"9x9\": expected a board of at most 5x5"),
            ("go:size=3,ko=simple", "positional superko"),
            ("go:size=3,rules=tromp-taylor", "forbid suicide"),
            ("go:size=3,rules=japanese,ko=positional", "area scoring"),
        ] {
            let error = choose(game, "migos").unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
