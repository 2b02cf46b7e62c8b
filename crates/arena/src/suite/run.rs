//! Solving of suites by a player.

use super::{SuiteProblem, grade::Hardness};
use ludus_core::{Action, History, Limits, Notation, Player, PlayerError, Report, SearchControl};
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
    /// Random seed.
    pub seed: u64,
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
    /// Whether the answer is right.
    pub solved: bool,
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
        let resources = Resources { seed: options.seed, ..Resources::default() };
        let mut player = build_player::<Chess>(&options.player, &resources)?;
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(problem) = problems.get(index) else { return Ok(()) };
            player.new_game(options.seed);
            let answer = solve(problem, player.as_mut(), &options.limits)?;
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

/// Solves one problem.
fn solve(
    problem: &SuiteProblem,
    player: &mut dyn Player<Chess>,
    limits: &Limits,
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
    let mut control = SearchControl { stop: &AtomicBool::new(false), on_report: &mut on_report };
    let game = History::new(problem.position.clone());
    let choice = player.choose(&game, limits, &mut control)?;
    let played = match choice.action {
        Action::Play(mv) => Some(mv),
        Action::Resign => None,
    };
    let solved = played.is_some_and(|mv| solutions.contains(&mv));
    let position = &problem.position;
    Ok(Answer {
        id: problem.id.clone(),
        position: position.text(),
        solutions: solutions.iter().map(|&mv| position.record_text(mv)).collect(),
        played: played.map(|mv| position.record_text(mv)),
        solved,
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
    use crate::suite::read;

    const SUITE: &str = "\
        kbK5/pp6/1P6/8/8/8/8/R7 w - - dm 2; id \"Morphy\";\n\
        3q3k/8/8/r7/8/1N6/8/3R2K1 w - - bm Rxd8+; id \"queen\";\n\
        3q3k/8/8/r7/8/1N6/8/3R2K1 w - - bm Nxa5; id \"wrong\";\n\
        rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - bm Qh4#; id \"fool\";\n";

    fn solved(player: &str, threads: usize) -> Vec<bool> {
        let options = SolveOptions {
            player: player.to_owned(),
            limits: Limits { depth: Some(3), ..Limits::default() },
            threads,
            seed: 1,
        };
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
    fn a_player_that_is_none_is_an_error() {
        let options = SolveOptions {
            player: "unknown".to_owned(),
            limits: Limits::default(),
            threads: 2,
            seed: 1,
        };
        let result = solve_suite(&read(SUITE).unwrap(), &options, &mut |_| {});
        assert!(matches!(result, Err(PlayerError::Input(_))));
    }
}
