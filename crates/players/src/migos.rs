//! `migos`: perfect play in Go on small boards, after Erik van der Werf's MIGOS.

use crate::{
    Recipe, Resources, roster,
    settings::{self, before, switch, text, whole},
};
use ludus_core::{
    Choice, History, Kind, Limits, Margin, MoveReport, OptionSpec, Options, Outcome, Player,
    PlayerError, Position, Report, Score, TextError, Watch,
};
use ludus_engine::search::Allowance;
use ludus_games::go::{
    Go, Move,
    solver::{DEEPEST, Effort, Folding, LARGEST, Solution, Solver, Unsuitable, suits},
};
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

    /// Plays a move without proof, within what is left of the limits.
    fn stand_in(
        &mut self,
        game: &History<Go>,
        limits: &Limits,
        watch: &mut Watch<'_, Move>,
        nodes: u64,
    ) -> Result<Choice<Move>, PlayerError> {
        let mut choice = self.stand_in.choose(game, &shared(limits), watch)?;
        choice.report.nodes += nodes;
        Ok(choice)
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
        let go = game.last();
        let total = lead as f32 - go.rules().komi();
        let plies = (line.len() as i32).max(1);
        let score = Score::terminal(Outcome::from_margin(total), go.turn(), plies);
        Report {
            score: Some(score),
            margin: Some(Margin { board: lead as f32, total }),
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
            return self.stand_in(game, &limits, watch, effort.nodes);
        };
        let report = self.report(game, lead, &solution, &mut effort);
        (watch.on_report)(&report);
        Ok(Choice::play(solution.mv, report))
    }
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
