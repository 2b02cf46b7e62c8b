//! The solver against plain alpha-beta.

mod plain;

use ludus_core::{Notation, Outcome, Position, Random, Score, Side};
use ludus_games::connect4::Connect4;
use ludus_knowledge::connect4::solver::{Connect4Solver, Connect4SolverBudget};
use plain::Plain;
use std::{
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

static GO_ON: AtomicBool = AtomicBool::new(false);
const MEMORY: u64 = 32 << 20;

fn after(moves: &str) -> Connect4 {
    let mut position = Connect4::default();
    for letter in moves.chars() {
        position.play(position.parse_move(&letter.to_string()).unwrap());
    }
    position
}

fn solve(solver: &mut Connect4Solver, position: &Connect4) -> Score {
    solver.score(position, &mut Connect4SolverBudget::unlimited(&GO_ON)).unwrap()
}

fn legal(position: &Connect4) -> Vec<u8> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    moves
}

/// A position with this number of discs in a random game that is not over.
fn random_position(random: &mut Random, discs: usize) -> Connect4 {
    let mut position = Connect4::default();
    for _ in 0..discs {
        let goes_on = |column: &u8| position.after(*column).outcome().is_none();
        let moves: Vec<u8> = legal(&position).into_iter().filter(goes_on).collect();
        match random.pick(&moves) {
            Some(column) => position.play(column),
            None => return random_position(random, discs),
        }
    }
    position
}

/// The score a line of `positions.txt` names, seen by the side to move.
fn named_score(result: &str) -> Score {
    match result.parse::<i32>() {
        Ok(plies) => Score(plies.signum() * Score::WIN.0 - plies),
        Err(_) if result == "draw" => Score::DRAW,
        Err(_) => panic!("what is {result:?}?"),
    }
}

#[test]
fn positions_at_three_stages() {
    let mut solver = Connect4Solver::new(MEMORY);
    let mut plain = Plain::new(1 << 16, u64::MAX);
    let mut counts = [0; 3];
    let lines = include_str!("connect4_solver/positions.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let [stage, moves, result] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let (position, score) = (after(moves), named_score(result));
        assert_eq!(solve(&mut solver, &position), score, "{line}");
        let stage = ["beginning", "middle", "end"].iter().position(|&name| name == stage).unwrap();
        counts[stage] += 1;
        if stage > 0 {
            assert_eq!(plain.proves(&position, score), Some(true), "{line}");
        }
    }
    assert_eq!(counts, [100; 3]);
}

#[test]
fn plain_alphabeta_refuses_wrong_scores() {
    let position = after("dbdbd"); // the second player must block, and can
    let mut plain = Plain::new(1 << 16, u64::MAX);
    assert_eq!(plain.proves(&position.after(0), Score(Score::WIN.0 - 1)), Some(true));
    assert_eq!(plain.proves(&position.after(0), Score(Score::WIN.0 - 3)), Some(false));
    assert_eq!(plain.proves(&position.after(0), Score::DRAW), Some(false));
}

#[test]
fn every_late_position_has_plain_alphabetas_score() {
    let mut random = Random::new(11);
    let mut solver = Connect4Solver::new(MEMORY);
    let mut plain = Plain::new(1 << 16, u64::MAX);
    for _ in 0..1_500 {
        let discs = 26 + random.below(16);
        let position = random_position(&mut random, discs);
        let score = solve(&mut solver, &position);
        assert_eq!(plain.proves(&position, score), Some(true), "{} {score}", position.text());
    }
}

#[test]
fn lines_lead_to_the_end_the_score_names() {
    let mut random = Random::new(12);
    let mut solver = Connect4Solver::new(MEMORY);
    for _ in 0..100 {
        let mut position = random_position(&mut random, 20);
        let mut effort = Connect4SolverBudget::unlimited(&GO_ON);
        let (best, score) = solver.best(&position, &mut effort).unwrap();
        let line = solver.line(&position, &mut effort);
        let scores = legal(&position)
            .into_iter()
            .map(|column| (column, solver.move_score(&position, column, &mut effort).unwrap()));
        let scores: Vec<(u8, Score)> = scores.collect();
        assert!(scores.contains(&(best, score)), "{} {scores:?}", position.text());
        assert_eq!(scores.iter().map(|&(_, score)| score).max(), Some(score));

        let turn = position.turn();
        let end = score.win_in().map_or(position.empty_cells(), i32::unsigned_abs);
        assert_eq!(line.len() as u32, end, "{}", position.text());
        for column in line {
            assert_eq!(position.outcome(), None);
            position.play(column);
        }
        let winner = match score.0.signum() {
            1 => Outcome::Win(turn),
            -1 => Outcome::Win(!turn),
            _ => Outcome::Draw,
        };
        assert_eq!(position.outcome(), Some(winner));
    }
}

#[test]
fn mirrored_positions_score_the_same() {
    let mut random = Random::new(13);
    let mut solvers = [Connect4Solver::new(MEMORY), Connect4Solver::new(MEMORY)]; // neither sees the other's side
    for _ in 0..50 {
        let mut moves = Vec::new();
        let mut sides = [Connect4::default(); 2];
        for _ in 0..18 {
            moves.clear();
            sides[0].legal_moves(&mut moves);
            let Some(column) = random.pick(&moves) else { break };
            sides[0].play(column);
            sides[1].play(6 - column);
        }
        let [one, other] = [0, 1].map(|side| solve(&mut solvers[side], &sides[side]));
        assert_eq!(one, other, "{}", sides[0].text());
    }
}

#[test]
fn a_finished_game_has_its_result_and_no_move() {
    let won = after("dededed");
    let mut solver = Connect4Solver::new(MEMORY);
    assert_eq!(won.outcome(), Some(Outcome::Win(Side::First)));
    assert_eq!(solve(&mut solver, &won), Score(-Score::WIN.0));
    assert_eq!(solver.best(&won, &mut Connect4SolverBudget::unlimited(&GO_ON)), None);
    assert_eq!(solver.best_known_move(&won), None);
    assert!(solver.line(&won, &mut Connect4SolverBudget::unlimited(&GO_ON)).is_empty());
}

#[test]
fn limits_end_the_search_of_the_empty_board() {
    let start = Connect4::default();
    let mut solver = Connect4Solver::new(MEMORY);
    for node_limit in [0, 1, 1_000, 10_000] {
        let mut effort =
            Connect4SolverBudget { node_limit, ..Connect4SolverBudget::unlimited(&GO_ON) };
        assert_eq!(solver.best(&start, &mut effort), None);
        assert_eq!(effort.nodes, node_limit);
        assert_eq!(
            solver.best_known_move(&start),
            Some(3),
            "nothing is proved, the centre is closest"
        );
    }
    let stopped = AtomicBool::new(true);
    assert_eq!(solver.score(&start, &mut Connect4SolverBudget::unlimited(&stopped)), None);
    let deadline = Some(Instant::now() + Duration::from_millis(5));
    let mut effort = Connect4SolverBudget { deadline, ..Connect4SolverBudget::unlimited(&GO_ON) };
    assert_eq!(solver.score(&start, &mut effort), None);
}

#[test]
fn a_guess_neither_misses_a_win_nor_allows_one() {
    let solver = Connect4Solver::new(MEMORY);
    assert_eq!(solver.best_known_move(&after("abacad")), Some(0));
    assert_eq!(
        solver.best_known_move(&after("abaca")),
        Some(0),
        "the first player threatens column a"
    );
}
