//! Checks of the suites under `data/suites`.

use ludus_arena::suite::{Goal, SuiteProblem, forced, read};
use ludus_core::{Position, Side};
use ludus_data::suites::{CHESS_MATE_IN_TWO, CHESS_TACTICS};
use std::collections::HashSet;

fn check_distinct(problems: &[SuiteProblem]) {
    let keys: HashSet<u64> = problems.iter().map(|problem| problem.position.key()).collect();
    let names: HashSet<&str> = problems.iter().map(|problem| problem.id.as_str()).collect();
    assert_eq!((keys.len(), names.len()), (problems.len(), problems.len()));
}

/// Checks for equal numbers of problems for White and Black.
fn check_balanced(problems: &[SuiteProblem]) {
    let white = problems.iter().filter(|problem| problem.position.turn() == Side::First).count();
    assert_eq!(2 * white, problems.len());
}

#[test]
fn tactics_have_one_solution_among_several_moves() {
    let problems = read(CHESS_TACTICS).unwrap();
    assert_eq!(problems.len(), 300);
    check_distinct(&problems);
    check_balanced(&problems);
    for problem in &problems {
        assert!(matches!(&problem.goal, Goal::Best(moves) if moves.len() == 1), "{}", problem.id);
        assert!(problem.position.count_moves() >= 5, "{}", problem.id);
    }
}

#[test]
fn mates_in_two_have_one_key_and_no_shorter_mate() {
    let problems = read(CHESS_MATE_IN_TWO).unwrap();
    assert!(problems.len() >= 220, "{}", problems.len());
    check_distinct(&problems);
    check_balanced(&problems);
    for problem in &problems {
        assert_eq!(problem.goal, Goal::Mate(2), "{}", problem.id);
        assert_eq!(problem.solutions().len(), 1, "{}", problem.id);
        assert_eq!(forced::win_in(&problem.position, 3), Some(3), "{}", problem.id);
    }
}
