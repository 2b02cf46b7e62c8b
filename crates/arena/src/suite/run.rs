//! Solving of suites by a player.

use super::{
    SuiteProblem,
    grade::Hardness,
    line::{LineReferee, LineStep},
};
use ludus_core::{
    Action, Choice, History, Limits, Notation, Player, PlayerError, Random, Report, SearchControl,
};
use ludus_games::chess::{Chess, Move};
use ludus_players::{Resources, build_player};
use serde::Serialize;
use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::channel,
    },
    thread,
    time::Instant,
};

/// Player and limits for solving a suite.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    /// The player.
    pub player: String,
    /// Limits of each problem.
    pub limits: Limits,
    /// Problems solved in parallel, each with one thread.
    pub threads: usize,
    /// Random seed; each problem has its own, derived from this one and the name of the problem.
    pub seed: u64,
    /// Moves the player is asked for.
    pub asked: Asked,
}

/// Moves a player is asked for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The first move.
    Key,
    /// Every move until the mate, against the best defence; of other problems the first move.
    Line,
}

/// The player's answer to one problem.
#[derive(Clone, Debug, Serialize)]
pub struct Answer {
    /// The problem.
    pub id: String,
    /// The position.
    pub position: String,
    /// The right moves.
    pub solutions: Vec<String>,
    /// The move chosen; `None` if the player resigned.
    pub played: Option<String>,
    /// Whether that move is right.
    pub solved: bool,
    /// The moves played out, if the player was asked for the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<LineAnswer>,
    /// Hardness given in the file: a depth, or `beyond` a depth.
    pub hardness: Option<String>,
    /// Score for the side to move, if the player gives one.
    pub score: Option<i32>,
    /// Completed depth.
    pub depth: u32,
    /// Positions or simulations visited.
    pub nodes: u64,
    /// Total time.
    pub seconds: f64,
    /// Time from which on its best move was right, if it reported progress.
    pub solved_after: Option<f64>,
}

/// Moves of a problem that was played out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineAnswer {
    /// Moves of the player and of the defence.
    pub moves: Vec<String>,
    /// Whether every move of the player was right.
    pub solved: bool,
}

/// A player that solves problems one by one.
pub struct ProblemSolver {
    player: Box<dyn Player<Chess>>,
    limits: Limits,
    seed: u64,
    asked: Asked,
}

impl ProblemSolver {
    /// Creates the player.
    ///
    /// # Errors
    /// If there is no such player.
    pub fn new(
        options: &SolveOptions,
        resources: &Resources,
    ) -> Result<ProblemSolver, PlayerError> {
        let resources = Resources { seed: options.seed, ..resources.clone() };
        Ok(ProblemSolver {
            player: build_player::<Chess>(&options.player, &resources)?,
            limits: options.limits,
            seed: options.seed,
            asked: options.asked,
        })
    }

    /// Solves a problem, independently of those before.
    ///
    /// # Errors
    /// If the player fails.
    pub fn solve(
        &mut self,
        problem: &SuiteProblem,
        stop: &AtomicBool,
    ) -> Result<Answer, PlayerError> {
        let seed = Random::new(self.seed).split(&format!("problem {}", problem.id)).bits();
        self.player.new_game(seed);
        let mut game = History::new(problem.position.clone());
        let mut answer = solve(problem, &game, self.player.as_mut(), &self.limits, stop)?;
        if let Asked::Line = self.asked {
            answer.line = Some(self.play_out(problem, &mut game, &answer, stop)?);
        }
        Ok(answer)
    }

    /// Plays a problem out after the first move.
    fn play_out(
        &mut self,
        problem: &SuiteProblem,
        game: &mut History<Chess>,
        answer: &Answer,
        stop: &AtomicBool,
    ) -> Result<LineAnswer, PlayerError> {
        let mut referee = LineReferee::new(problem);
        let mut line = LineAnswer { moves: Vec::new(), solved: false };
        let mut next = answer.played.as_deref().map(|text| problem.position.parse_move(text));
        while let Some(mv) = next.take().transpose()? {
            line.moves.push(game.last().record_text(mv));
            game.push(mv);
            match referee.play(mv) {
                LineStep::Failed => break,
                LineStep::Solved => line.solved = true,
                LineStep::Reply(reply) => {
                    line.moves.push(game.last().record_text(reply));
                    game.push(reply);
                    let mut control = SearchControl { stop, on_report: &mut |_| {} };
                    let choice = self.player.choose(game, &self.limits, &mut control)?;
                    next = played(&choice).map(Ok);
                }
            }
        }
        Ok(line)
    }
}

fn played(choice: &Choice<Move>) -> Option<Move> {
    match choice.action {
        Action::Play(mv) => Some(mv),
        Action::Resign => None,
    }
}

/// Has the player solve every problem independently of the others. Answers are returned in the order
/// of the problems; `on_answer` is called as they come.
pub fn solve_suite(
    problems: &[SuiteProblem],
    options: &SolveOptions,
    on_answer: &mut dyn FnMut(&Answer),
) -> Result<Vec<Answer>, PlayerError> {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(None);
    let (sender, receiver) = channel();
    let work = |sender: std::sync::mpsc::Sender<(usize, Answer)>| -> Result<(), PlayerError> {
        let mut solver = ProblemSolver::new(options, &Resources::default())?;
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(problem) = problems.get(index) else { return Ok(()) };
            let answer = solver.solve(problem, &AtomicBool::new(false))?;
            if sender.send((index, answer)).is_err() {
                return Ok(());
            }
        }
    };
    let mut answers: Vec<(usize, Answer)> = thread::scope(|scope| {
        for _ in 0..options.threads.clamp(1, problems.len().max(1)) {
            let (sender, work, failed, next) = (sender.clone(), &work, &failed, &next);
            scope.spawn(move || {
                if let Err(error) = work(sender) {
                    next.store(problems.len(), Ordering::Relaxed);
                    failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                }
            });
        }
        drop(sender);
        receiver.iter().inspect(|(_, answer)| on_answer(answer)).collect()
    });
    if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    answers.sort_by_key(|(index, _)| *index);
    Ok(answers.into_iter().map(|(_, answer)| answer).collect())
}

/// Asks for the first move.
fn solve(
    problem: &SuiteProblem,
    game: &History<Chess>,
    player: &mut dyn Player<Chess>,
    limits: &Limits,
    stop: &AtomicBool,
) -> Result<Answer, PlayerError> {
    let solutions = problem.solutions();
    let started = Instant::now();
    let mut right_since = None;
    let mut on_report = |report: &Report<Move>| {
        if let Some(first) = report.line.first() {
            let right = solutions.contains(first);
            right_since =
                right.then(|| right_since.unwrap_or_else(|| started.elapsed().as_secs_f64()));
        }
    };
    let mut control = SearchControl { stop, on_report: &mut on_report };
    let choice = player.choose(game, limits, &mut control)?;
    let played = played(&choice);
    let solved = played.is_some_and(|mv| solutions.contains(&mv));
    let position = &problem.position;
    Ok(Answer {
        id: problem.id.clone(),
        position: position.text(),
        solutions: solutions.iter().map(|&mv| position.record_text(mv)).collect(),
        played: played.map(|mv| position.record_text(mv)),
        solved,
        line: None,
        hardness: problem.hardness.map(Hardness::text),
        score: choice.report.score.map(|score| score.0),
        depth: choice.report.depth,
        nodes: choice.report.nodes,
        seconds: started.elapsed().as_secs_f64(),
        solved_after: right_since.filter(|_| solved),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::{chance::RandomChance, read};

    const SUITE: &str = "\
        kbK5/pp6/1P6/8/8/8/8/R7 w - - dm 2; id \"Morphy\";\n\
        3q3k/8/8/r7/8/1N6/8/3R2K1 w - - bm Rxd8+; id \"queen\";\n\
        3q3k/8/8/r7/8/1N6/8/3R2K1 w - - bm Nxa5; id \"wrong\";\n\
        rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - bm Qh4#; id \"fool\";\n";

    fn options(player: &str, threads: usize, asked: Asked) -> SolveOptions {
        SolveOptions {
            player: player.to_owned(),
            limits: Limits { depth: Some(3), ..Limits::default() },
            threads,
            seed: 1,
            asked,
        }
    }

    fn solved(player: &str, threads: usize) -> Vec<bool> {
        let options = options(player, threads, Asked::Key);
        let mut calls = 0;
        let answers = solve_suite(&read(SUITE).unwrap(), &options, &mut |_| calls += 1).unwrap();
        assert_eq!(calls, answers.len());
        let order: Vec<&str> = answers.iter().map(|answer| answer.id.as_str()).collect();
        assert_eq!(order, ["Morphy", "queen", "wrong", "fool"]);
        answers.iter().map(|answer| answer.solved).collect()
    }

    #[test]
    fn right_answers_are_counted_as_such() {
        for player in ["minimax", "alphabeta"] {
            assert_eq!(solved(player, 1), [true, true, false, true], "{player}");
        }
        assert_eq!(solved("minimax", 3), [true, true, false, true]);
    }

    #[test]
    fn lines_are_played_out_to_the_mate() {
        let problems = read(SUITE).unwrap();
        let answers =
            solve_suite(&problems, &options("minimax", 2, Asked::Line), &mut |_| {}).unwrap();
        let lines: Vec<&LineAnswer> =
            answers.iter().map(|answer| answer.line.as_ref().unwrap()).collect();
        let solved: Vec<bool> = lines.iter().map(|line| line.solved).collect();
        assert_eq!(solved, [true, true, false, true]);
        assert_eq!((lines[0].moves.len(), lines[0].moves[0].as_str()), (3, "Ra6"), "{lines:?}");
        assert!(lines[0].moves[2].ends_with('#'), "{lines:?}");
        assert!(lines[1..].iter().all(|line| line.moves.len() == 1), "{lines:?}");
    }

    #[test]
    fn random_players_solve_their_exact_expectation() {
        let problems = read(SUITE).unwrap();
        let chance: f64 = problems.iter().map(|it| RandomChance::of(it).line).sum();
        const RUNS: u64 = 400;
        let mut solved = 0;
        for seed in 0..RUNS {
            let options = SolveOptions { seed, ..options("random", 2, Asked::Line) };
            let answers = solve_suite(&problems, &options, &mut |_| {}).unwrap();
            solved += answers.iter().filter(|it| it.line.as_ref().unwrap().solved).count();
        }
        let expected = chance * RUNS as f64;
        assert!((solved as f64 - expected).abs() < 5.0 * expected.sqrt(), "{solved}, {expected}");
    }

    #[test]
    fn every_problem_has_a_seed_of_its_own() {
        let line = "3q3k/8/8/r7/8/1N6/8/3R2K1 w - - bm Rxd8+;";
        let text: String = (0..40).map(|number| format!("{line} id \"{number}\";\n")).collect();
        let problems = read(&text).unwrap();
        let answers =
            solve_suite(&problems, &options("random", 1, Asked::Key), &mut |_| {}).unwrap();
        let moves: std::collections::HashSet<_> =
            answers.iter().map(|answer| answer.played.clone()).collect();
        assert!(moves.len() > 5, "{moves:?}");
    }

    #[test]
    fn a_player_that_is_none_is_an_error() {
        let options =
            SolveOptions { limits: Limits::default(), ..options("unknown", 2, Asked::Key) };
        let result = solve_suite(&read(SUITE).unwrap(), &options, &mut |_| {});
        assert!(matches!(result, Err(PlayerError::Input(_))));
    }
}
