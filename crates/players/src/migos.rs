//! `migos`: perfect play in Go on small boards, after Erik van der Werf's MIGOS.

use crate::{
    Recipe, Resources, roster,
    settings::{self, before, switch, text, whole},
};
use ludus_core::{
    Choice, History, Kind, Limits, Margin, MoveReport, OptionSpec, Options, Outcome, Player,
    PlayerError, Position, Proof, RankedLine, Report, Score, TextError, Watch,
};
use ludus_games::go::{
    Go, Move,
    solver::{DEEPEST, Effort, Folding, LARGEST, Solution, Solver, Unsuitable, suits},
};
use ludus_search::alphabeta::Allowance;
use std::time::Instant;

const OPTIONS: &[OptionSpec] = &[
    whole("depth", DEEPEST as i64, "plies to search at most; 0 leaves it to --depth"),
    whole(
        "nodes",
        i64::MAX,
        "positions to look at; 0 leaves it to --nodes, else as many as it takes up to 4x4, 20 million on 5x5",
    ),
    text("time", "", "time a move, such as 500ms"),
    OptionSpec {
        name: "table",
        kind: Kind::Bytes,
        default: "128MB",
        about: "memory for what it has proved, rounded down to a power of two; 0 for none",
    },
    switch("symmetry", "on", "take positions that mirror each other for one"),
];

/// The largest board on which it goes on until it has the answer.
const ALWAYS_SOLVED: usize = 4;
const NODES_BEYOND: u64 = 20_000_000;
/// What the line to the end may cost beyond the proof.
const NODES_FOR_LINE: u64 = 1_000_000;
/// Who plays what cannot be solved within the limits.
const STAND_IN: &str = "pvs:depth=4,step=1,table=16MB";

pub fn recipe() -> Recipe<Go> {
    Recipe {
        id: "migos",
        about: "solves small boards: plays perfectly up to 4x4, and on 5x5 once enough is settled",
        options: OPTIONS,
        build: |options, resources| Ok(Box::new(Migos::new(options, resources)?)),
        build_traced: None,
    }
}

struct Migos {
    solver: Solver,
    limits: Limits,
    stand_in: Box<dyn Player<Go>>,
}

impl Migos {
    fn new(options: &Options, resources: &Resources) -> Result<Migos, PlayerError> {
        let folding = if options.switch("symmetry") { Folding::Symmetries } else { Folding::None };
        Ok(Migos {
            solver: Solver::new(options.bytes("table"), folding),
            limits: settings::limits(options)?,
            stand_in: roster::build::<Go>(STAND_IN, resources)?,
        })
    }

    /// What can be proved, or else what its stand-in finds.
    fn solve(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        wanted: Wanted,
        watch: &mut Watch<'_, Move>,
    ) -> Result<Choice<Move>, PlayerError> {
        let go = game.last();
        suits(go).map_err(refusal)?;
        if go.outcome().is_some() {
            return Err(PlayerError::failed("the game is over"));
        }
        let limits = before(&self.limits, limits);
        let mut effort = effort(go, &limits, watch);
        let deepest = limits.depth.unwrap_or(DEEPEST);
        let solution = self.solver.solve(game, deepest, &mut effort).map_err(refusal)?;
        let Some(lead) = solution.lead() else {
            return self.stand_in(game, &limits, wanted, watch, effort.nodes);
        };
        let node_limit = effort.node_limit;
        let mut report = self.report(game, lead, &solution, &mut effort);
        (watch.on_report)(&report);
        if let Wanted::EveryMove { lines } = wanted {
            effort.node_limit = node_limit;
            self.judge_moves(game, deepest, &mut report, &mut effort, watch)?;
            report.lines.truncate(lines);
            report.nodes = effort.nodes;
            report.table = self.solver.table_report();
            (watch.on_report)(&report);
        }
        Ok(Choice::play(solution.mv, report))
    }

    /// Plays a move without proof, within what is left of the limits.
    fn stand_in(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        wanted: Wanted,
        watch: &mut Watch<'_, Move>,
        nodes: u64,
    ) -> Result<Choice<Move>, PlayerError> {
        let limits = shared(limits);
        let mut choice = match wanted {
            Wanted::Move => self.stand_in.choose(game, &limits, watch)?,
            Wanted::EveryMove { lines } => self.stand_in.analyze(game, &limits, lines, watch)?,
        };
        choice.report.nodes += nodes;
        choice.report.proof = Proof::NotFound;
        Ok(choice)
    }

    /// Finds the final count after every move, as far as the effort suffices, and makes lines of those
    /// that are known, best first.
    fn judge_moves(
        &mut self,
        game: &History<Go>,
        deepest: u32,
        report: &mut Report<Move>,
        effort: &mut Effort<'_>,
        watch: &mut Watch<'_, Move>,
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
            |&mv: &Move| MoveReport { mv, score: report.score.filter(|_| mv == best), visits: 0 };
        report.moves = moves.iter().map(entry).collect();
        for (index, &mv) in moves.iter().enumerate().filter(|&(_, &mv)| mv != best) {
            let mut next = game.clone();
            next.push(mv);
            let Some(lead) = self.lead(&next, deepest, effort)? else { continue };
            let mut line = vec![mv];
            line.extend(self.solver.line(&next, lead, effort));
            let (score, margin) = worth(go, lead, line.len());
            report.moves[index].score = Some(score);
            report.lines.push(RankedLine { score: Some(score), margin: Some(margin), line });
            report.nodes = effort.nodes;
            (watch.on_report)(report);
        }
        let own = f32::from(go.turn().sign() as i8);
        let lead =
            |ranked: &RankedLine<Move>| ranked.margin.map_or(0.0, |margin| own * margin.total);
        report.lines.sort_by(|one, other| lead(other).total_cmp(&lead(one)));
        Ok(())
    }

    /// Black's lead before komi at the end of `game`, if it is over or can be solved.
    fn lead(
        &mut self,
        game: &History<Go>,
        deepest: u32,
        effort: &mut Effort<'_>,
    ) -> Result<Option<i32>, PlayerError> {
        let go = game.last();
        if go.outcome().is_some() {
            return Ok(Some((go.score() + go.rules().komi()).round() as i32));
        }
        Ok(self.solver.solve(game, deepest, effort).map_err(refusal)?.lead())
    }

    /// What is reported of a solved position, with the line to its end as far as it is found.
    fn report(
        &mut self,
        game: &History<Go>,
        lead: i32,
        solution: &Solution,
        effort: &mut Effort<'_>,
    ) -> Report<Move> {
        effort.node_limit = effort.node_limit.min(effort.nodes.saturating_add(NODES_FOR_LINE));
        let mut next = game.clone();
        next.push(solution.mv);
        let mut line = vec![solution.mv];
        line.extend(self.solver.line(&next, lead, effort));
        let (score, margin) = worth(game.last(), lead, line.len());
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

    /// The table holds only facts, but under a limit it decides how far the next search gets.
    fn new_game(&mut self, seed: u64) {
        self.solver.clear();
        self.stand_in.new_game(seed);
    }

    fn choose(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
    ) -> Result<Choice<Move>, PlayerError> {
        self.solve(game, limits, Wanted::Move, watch)
    }

    /// Tells the final count after every move, however long that takes within the limits.
    fn analyze(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        lines: usize,
        watch: &mut Watch<'_, Move>,
    ) -> Result<Choice<Move>, PlayerError> {
        self.solve(game, limits, Wanted::EveryMove { lines }, watch)
    }
}

/// What a solution is for.
#[derive(Copy, Clone)]
enum Wanted {
    /// A move to play.
    Move,
    /// What every move is worth, and so many lines.
    EveryMove { lines: usize },
}

/// The score for the side to move and the final count, when Black leads by so much before komi after
/// so many moves.
fn worth(go: &Go, lead: i32, plies: usize) -> (Score, Margin) {
    let total = lead as f32 - go.rules().komi();
    let score = Score::terminal(Outcome::from_margin(total), go.turn(), (plies as i32).max(1));
    (score, Margin { board: lead as f32, total })
}

/// What a proof may cost: half of the limits, as the other half is for playing without one.
fn effort<'a>(go: &Go, limits: &Limits, watch: &Watch<'a, Move>) -> Effort<'a> {
    let time = Allowance::of(limits).hard.map(|time| time / 2);
    let unlimited = go.board().size() <= ALWAYS_SOLVED || time.is_some();
    let nodes = limits.nodes.map(|nodes| nodes / 2);
    Effort {
        stop: watch.stop,
        deadline: time.and_then(|time| Instant::now().checked_add(time)),
        node_limit: nodes.unwrap_or(if unlimited { u64::MAX } else { NODES_BEYOND }),
        nodes: 0,
    }
}

/// The other half of the limits.
fn shared(limits: &Limits) -> Limits {
    Limits {
        depth: limits.depth,
        nodes: limits.nodes.map(|nodes| nodes.div_ceil(2)),
        time: Allowance::of(limits).hard.map(|time| time / 2),
        clock: None,
    }
}

/// Says what would be right.
fn refusal(reason: Unsuitable) -> PlayerError {
    let (found, expected) = match reason {
        Unsuitable::Size(size) => (
            format!("{size}x{size}"),
            format!("a board of at most {LARGEST}x{LARGEST}, such as go:size=4"),
        ),
        Unsuitable::Ko => (
            "another rule of ko".to_owned(),
            "positional superko, such as go:size=4,ko=positional".to_owned(),
        ),
        Unsuitable::Suicide => (
            "suicide".to_owned(),
            "rules that forbid suicide, such as go:size=4,rules=chinese".to_owned(),
        ),
        Unsuitable::Scoring => (
            "territory scoring".to_owned(),
            "area scoring, such as go:size=4,rules=chinese".to_owned(),
        ),
    };
    TextError::whole("game for migos", &found, expected).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Progress, find_game};
    use ludus_core::Notation;
    use std::sync::atomic::AtomicBool;

    fn choose(game: &str, player: &str) -> Result<Choice<Move>, PlayerError> {
        let options = Options::parse(game, Go::OPTIONS).unwrap();
        let game = History::new(Go::start(&options).unwrap());
        let mut player = roster::build::<Go>(player, &Resources::default()).unwrap();
        let stop = AtomicBool::new(false);
        let mut watch = Watch { stop: &stop, on_report: &mut |_| {} };
        player.choose(&game, &Limits::default(), &mut watch)
    }

    #[test]
    fn small_boards_are_reported_with_their_margin() {
        for (game, board, total, wins) in
            [("go:size=2", 1.0, -6.5, false), ("go:size=3,komi=0", 9.0, 9.0, true)]
        {
            let report = choose(game, "migos:table=4MB").unwrap().report;
            assert_eq!(report.margin, Some(Margin { board, total }));
            assert_eq!(report.score.unwrap().win_in().unwrap() > 0, wins);
            assert!(report.line.ends_with(&[Move::Pass, Move::Pass]), "{:?}", report.line);
        }
    }

    #[test]
    fn an_analysis_tells_the_margin_in_words() {
        let (game, options) = find_game("go:size=3").unwrap();
        let session = game.open(&options, None).unwrap();
        let stop = AtomicBool::new(false);
        let mut progress =
            Progress { limits: Limits::default(), stop: &stop, on_report: &mut |_| {} };
        let analysis =
            session.analyze("migos:table=4MB", &Resources::default(), &mut progress).unwrap();
        let margin = analysis.margin.unwrap();
        assert_eq!(margin.text(&*session), "Black by 9 on the board, Black by 1.5 in all");
    }

    #[test]
    fn what_is_not_solved_is_played_all_the_same() {
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
