//! Suites of chess problems that several players solve: by the first move (*key*), and by every move
//! until the mate against the best defence (*strict*).

use super::{
    Experiment, ExperimentProgress, ExperimentRunner, Figure, Findings, Interval, NamedExperiment,
    Precision,
    experiment::wrong,
    numbered::NumberedTask,
    pairs::{NamedPlayer, check_players},
    verdict::compared,
};
use crate::{TrainingError, recipe::range};
use ludus_arena::{
    build::BUILD,
    suite::{
        SuiteProblem,
        chance::{RandomChance, SolvedCount},
        first_of_each_side,
        line::{LineReferee, LineStep},
        read,
        run::{Answer, Asked, ProblemSolver, SolveOptions},
    },
};
use ludus_core::{Limits, Notation, Position, TextError};
use ludus_players::find_game;
use serde::{Deserialize, Serialize};

/// Players that solve a suite of chess problems.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteTask {
    /// Suite, a file beside the experiment.
    pub file: String,
    /// Problems for each side to move, the first of the file; all of it if not given.
    pub each_side: Option<usize>,
    /// Search depth in plies, for players without a limit of their own.
    pub depth: Option<u32>,
    /// Nodes a move, for players without a limit of their own.
    pub nodes: Option<u64>,
    /// Players.
    pub players: Vec<SuitePlayer>,
}

/// A player with its published result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuitePlayer {
    /// Name for the table.
    pub name: String,
    /// Player, with its options.
    pub player: String,
    /// A program or weights that may be missing; without them it is left out.
    pub needs: Option<String>,
    /// Published result, which is compared with ours by the key.
    pub published: Option<PublishedSolved>,
}

/// Published number of problems solved.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PublishedSolved {
    /// Problems solved.
    pub solved: u64,
    /// All problems.
    pub problems: u64,
}

/// Results of all players on a suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuiteFindings {
    /// Chances of random moves, by problem.
    pub chances: Vec<RandomChance>,
    /// Results by player, in the order of the experiment.
    pub players: Vec<SuiteResult>,
}

/// Results of one player on a suite.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SuiteResult {
    /// Reason why it was left out.
    pub skipped: Option<String>,
    /// Its moves, by problem.
    pub solved: Vec<SolvedProblem>,
}

/// Moves of a player in a problem.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolvedProblem {
    /// The problem.
    pub id: String,
    /// Moves of the player and of the defence.
    pub moves: Vec<String>,
    /// Whether the first move is right.
    pub key: bool,
    /// Whether every move is right.
    pub strict: bool,
}

/// Way of counting a problem as solved.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum SolvedBy {
    Key,
    Strict,
}

impl SuiteResult {
    /// Number of problems solved.
    pub(super) fn count(&self, rule: SolvedBy) -> u64 {
        let is_solved = |problem: &&SolvedProblem| match rule {
            SolvedBy::Key => problem.key,
            SolvedBy::Strict => problem.strict,
        };
        self.solved.iter().filter(is_solved).count() as u64
    }
}

impl SuiteFindings {
    /// Exact distribution of the number of problems that random moves solve.
    pub(super) fn random(&self, rule: SolvedBy) -> SolvedCount {
        SolvedCount::of(self.chances.iter().map(|chance| match rule {
            SolvedBy::Key => chance.key,
            SolvedBy::Strict => chance.line,
        }))
    }

    /// The same for the moves after a given first move and its defence.
    pub(super) fn random_after_key(&self) -> SolvedCount {
        SolvedCount::of(self.chances.iter().filter_map(|chance| chance.after_key))
    }
}

impl SolvedProblem {
    fn of(answer: Answer) -> SolvedProblem {
        let line = answer.line.unwrap_or_else(|| unreachable!("the line was asked for"));
        let Answer { id, solved: key, .. } = answer;
        SolvedProblem { id, moves: line.moves, key, strict: line.solved }
    }

    /// The same, judged again by its moves.
    fn recounted(&self, problem: &SuiteProblem) -> Result<SolvedProblem, TextError> {
        let mut referee = LineReferee::new(problem);
        let mut moves = self.moves.iter();
        let mut again =
            SolvedProblem { id: problem.id.clone(), moves: Vec::new(), key: false, strict: false };
        while let Some(text) = moves.next() {
            let position = referee.position().clone();
            let mv = position.parse_move(text)?;
            again.moves.push(position.record_text(mv));
            let step = referee.play(mv);
            again.key |= again.moves.len() == 1 && step != LineStep::Failed;
            match step {
                LineStep::Failed => break,
                LineStep::Solved => again.strict = true,
                LineStep::Reply(reply) => {
                    moves.next();
                    again.moves.push(position.after(mv).record_text(reply));
                }
            }
        }
        Ok(again)
    }
}

impl SuitePlayer {
    pub(super) fn named(&self) -> NamedPlayer {
        let SuitePlayer { name, player, needs, .. } = self.clone();
        NamedPlayer { name, player, needs }
    }
}

impl SuiteTask {
    pub(super) fn check(&self) -> Result<(), TextError> {
        range("suite.each_side", self.each_side.unwrap_or(1) as f64, 1.0, 1e6)?;
        range("suite.depth", self.depth.unwrap_or(1).into(), 1.0, 100.0)?;
        range("suite.nodes", self.nodes.unwrap_or(1) as f64, 1.0, 1e15)?;
        let players: Vec<NamedPlayer> = self.players.iter().map(SuitePlayer::named).collect();
        check_players("suite", &players)?;
        for SuitePlayer { name, published, .. } in &self.players {
            let Some(PublishedSolved { solved, problems }) = *published else { continue };
            range("published.problems", problems as f64, 1.0, 1e9)?;
            if solved > problems {
                let found = format!("published {solved} of {problems} of {name}");
                return Err(wrong(&found, "no more problems solved than there are"));
            }
        }
        Ok(())
    }

    pub(super) fn problems(&self, named: &NamedExperiment) -> Result<Vec<SuiteProblem>, TextError> {
        let in_file = |error: TextError| TextError {
            what: format!("{}: {}", self.file, error.what),
            ..error
        };
        let problems = read(named.files.text(&self.file)?).map_err(in_file)?;
        match self.each_side {
            Some(count) => first_of_each_side(problems, count).map_err(in_file),
            None => Ok(problems),
        }
    }

    fn options(&self, player: &str, seed: u64) -> SolveOptions {
        SolveOptions {
            player: player.to_owned(),
            limits: Limits { depth: self.depth, nodes: self.nodes, ..Limits::default() },
            threads: 1,
            seed,
            asked: Asked::Line,
        }
    }
}

/// Name of a player's figure.
fn figure_name(player: &SuitePlayer) -> String {
    format!("{}: solved", player.name)
}

/// Names of the published figures.
pub(super) fn figure_names(suite: &SuiteTask) -> Vec<String> {
    suite.players.iter().filter(|player| player.published.is_some()).map(figure_name).collect()
}

/// Every published figure beside ours, by the key.
pub(super) fn figures(
    experiment: &Experiment,
    suite: &SuiteTask,
    found: &SuiteFindings,
) -> Vec<Figure> {
    let players = suite.players.iter().zip(&found.players);
    players.filter_map(|(player, result)| figure(experiment, player, result)).collect()
}

/// Figure of one player.
pub(super) fn figure(
    experiment: &Experiment,
    player: &SuitePlayer,
    result: &SuiteResult,
) -> Option<Figure> {
    let PublishedSolved { solved, problems } = player.published?;
    let all = result.solved.len() as u64;
    let published = Interval::share(solved, problems)?;
    let ours = Interval::share(result.count(SolvedBy::Key), all)?;
    let name = figure_name(player);
    let precision = Precision::of_share(&ours, all, experiment.precision_of(&name));
    Some(compared(name, published, ours, &precision))
}

impl ExperimentRunner<'_> {
    pub(super) fn check_suite(
        &self,
        named: &NamedExperiment,
        suite: &SuiteTask,
    ) -> Result<(), TrainingError> {
        suite.problems(named)?;
        let (game, _) = find_game("chess")?;
        let players: Vec<NamedPlayer> = suite.players.iter().map(SuitePlayer::named).collect();
        self.check_named_players(game, &players)
    }

    pub(super) fn solve_suite(
        &self,
        named: &NamedExperiment,
        suite: &SuiteTask,
        on_step: &mut dyn FnMut(&ExperimentProgress<'_>),
    ) -> Result<Findings, TrainingError> {
        let problems = suite.problems(named)?;
        let (game, _) = find_game("chess")?;
        let skipped: Vec<Option<String>> =
            suite.players.iter().map(|player| self.missing(game, &player.named())).collect();
        let count = problems.len() as u64;
        let total = count * skipped.iter().filter(|reason| reason.is_none()).count() as u64;
        let mut before = 0;
        let mut players = Vec::new();
        for (player, skipped) in suite.players.iter().zip(skipped) {
            if skipped.is_some() {
                players.push(SuiteResult { skipped, solved: Vec::new() });
                continue;
            }
            let (mut done, mut keys) = (0, 0);
            let solved = self.solve(named, suite, player, &problems, &mut |problem| {
                done += 1;
                keys += u64::from(problem.key);
                on_step(&ExperimentProgress {
                    experiment: &named.name,
                    done: before + done,
                    total,
                    unit: "problems",
                    note: format!("{}, {keys} of {done}", player.name),
                });
            })?;
            players.push(SuiteResult { skipped: None, solved });
            before += count;
        }
        let chances = problems.iter().map(RandomChance::of).collect();
        Ok(Findings::Suite(SuiteFindings { chances, players }))
    }

    /// Solves what is left of the problems.
    fn solve(
        &self,
        named: &NamedExperiment,
        suite: &SuiteTask,
        player: &SuitePlayer,
        problems: &[SuiteProblem],
        report: &mut dyn FnMut(&SolvedProblem),
    ) -> Result<Vec<SolvedProblem>, TrainingError> {
        let (game, _) = find_game("chess")?;
        let build = game.identify(&player.player, &self.resources)?.build(BUILD);
        let options = suite.options(&player.player, named.experiment.seed);
        let positions: Vec<String> =
            problems.iter().map(|problem| problem.position.text()).collect();
        let task = NumberedTask {
            name: &named.name,
            task: format!("{options:?} {build} {}", positions.join(", ")),
            count: problems.len() as u64,
        };
        let solve = |solver: &mut ProblemSolver, number: u64| -> Result<_, TrainingError> {
            Ok(SolvedProblem::of(solver.solve(&problems[number as usize], self.stop)?))
        };
        self.numbered(&task, || Ok(ProblemSolver::new(&options, &self.resources)?), solve, report)
    }

    /// Solves some problems again; the ids of those with other moves now.
    pub(super) fn solved_differently(
        &self,
        named: &NamedExperiment,
        suite: &SuiteTask,
        (player, result): (&SuitePlayer, &SuiteResult),
        most: u64,
    ) -> Result<Vec<String>, TrainingError> {
        let problems = suite.problems(named)?;
        let options = suite.options(&player.player, named.experiment.seed);
        let mut solver = ProblemSolver::new(&options, &self.resources)?;
        let count = problems.len().min(result.solved.len()) as u64;
        let mut different = Vec::new();
        for number in 0..most.min(count) {
            let place = (number * count / most.min(count)) as usize;
            let again = SolvedProblem::of(solver.solve(&problems[place], self.stop)?);
            self.check_not_stopped()?;
            if again != result.solved[place] {
                different.push(again.id);
            }
        }
        Ok(different)
    }
}

impl SuiteFindings {
    /// The same, judged again by the moves of the players.
    pub(super) fn recounted(
        &self,
        named: &NamedExperiment,
        suite: &SuiteTask,
    ) -> Result<SuiteFindings, TextError> {
        let problems = suite.problems(named)?;
        let result = |result: &SuiteResult| -> Result<SuiteResult, TextError> {
            let pairs = result.solved.iter().zip(&problems);
            let solved = pairs.map(|(solved, problem)| solved.recounted(problem));
            let solved = solved.collect::<Result<_, TextError>>()?;
            Ok(SuiteResult { skipped: result.skipped.clone(), solved })
        };
        let players = self.players.iter().map(result).collect::<Result<_, TextError>>()?;
        Ok(SuiteFindings { chances: problems.iter().map(RandomChance::of).collect(), players })
    }
}
