use super::*;
use ludus_core::{Notation, Options, Position, Random};

fn parse(text: &str) -> Reversi {
    Reversi::parse(&Options::defaults("reversi", &[]), text).expect("a position")
}

/// Plain negamax by the rules of the game.
fn plain(position: &Reversi) -> i32 {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let best = moves.iter().map(|&mv| -plain(&position.after(mv))).max();
    best.unwrap_or_else(|| position.final_margin() * position.turn().sign())
}

/// A position of a random game with at most `empties` empty squares.
fn random_position(random: &mut Random, empties: u32) -> Reversi {
    let mut position = Reversi::default();
    let mut moves = Vec::new();
    while position.empty().count_ones() > empties {
        moves.clear();
        position.legal_moves(&mut moves);
        match random.pick(&moves) {
            Some(mv) => position.play(mv),
            None => return position,
        }
    }
    position
}

fn exact(solver: &mut ExactSolver, position: &Reversi) -> ExactResult {
    solver.solve(position, MarginWindow::EXACT, &mut |_| false).expect("it is never stopped")
}

#[test]
fn the_solver_agrees_with_plain_negamax_in_every_window() {
    let mut random = Random::new(11);
    let mut solver = ExactSolver::new(1 << 16);
    for round in 0..600 {
        let position = random_position(&mut random, round % 9);
        let truth = plain(&position);
        solver.clear();
        for alpha in [-65, -20, truth - 2, truth - 1, truth, truth + 1, 13] {
            for width in [1, 2, 5, 130] {
                let window = MarginWindow { alpha, beta: alpha + width };
                let found = solver.solve(&position, window, &mut |_| false).unwrap();
                let text = position.text();
                match truth {
                    truth if truth <= alpha => assert!(found.margin <= alpha, "{text} {window:?}"),
                    truth if truth >= window.beta => assert!(found.margin >= window.beta, "{text}"),
                    truth => assert_eq!(found.margin, truth, "{text} {window:?}"),
                }
            }
        }
    }
}

#[test]
fn the_line_leads_to_the_margin() {
    let mut random = Random::new(12);
    let mut solver = ExactSolver::new(1 << 20);
    for _ in 0..60 {
        let position = random_position(&mut random, 12);
        let found = exact(&mut solver, &position);
        let mut end = position;
        for &mv in &found.line {
            let mut moves = Vec::new();
            end.legal_moves(&mut moves);
            assert!(moves.contains(&mv), "{}: {mv}", position.text());
            end.play(mv);
        }
        let margin = end.margin().expect("the line ends the game") as i32;
        assert_eq!(margin * position.turn().sign(), found.margin, "{}", position.text());
        assert_eq!(found.best, found.line.first().copied());
    }
}

#[test]
fn games_that_are_over_have_no_best_move() {
    let mut solver = ExactSolver::new(0);
    let full = |dark: usize| format!("{}{} X", "X".repeat(dark), "O".repeat(64 - dark));
    let wiped_out = format!("{}XX{} O", "-".repeat(30), "-".repeat(32));
    let no_moves = format!("X-O{} X", "-".repeat(61));
    let all_empty = format!("{} O", "-".repeat(64));
    for (text, margin) in [
        (full(40), 16),
        (full(32), 0),
        (full(0), -64),
        (wiped_out, -64),
        (no_moves, 0),
        (all_empty, 0),
    ] {
        let found = exact(&mut solver, &parse(&text));
        assert_eq!((found.margin, found.best, found.line), (margin, None, vec![]), "{text}");
    }
}

/// Boards with discs strewn at random, which games do not reach: many passes and sudden ends.
#[test]
fn strange_boards_are_solved_too() {
    let mut random = Random::new(13);
    let mut solver = ExactSolver::new(1 << 14);
    let (mut passes, mut ends) = (0, 0);
    for round in 0..1500 {
        let mut empty = 0u64;
        while empty.count_ones() < round % 9 {
            empty |= 1 << random.below(64);
        }
        let few = random.bits() & random.bits() & random.bits();
        let own = [few, !few, random.bits()][round as usize % 3] & !empty;
        let position = Reversi::new(own, !(own | empty), ludus_core::Side::Second);
        let found = exact(&mut solver, &position);
        assert_eq!(found.margin, plain(&position), "{}", position.text());
        passes += u32::from(found.line.contains(&PASS));
        let placed = found.line.iter().filter(|&&mv| mv != PASS).count();
        ends += u32::from(placed < empty.count_ones() as usize);
    }
    assert!(passes > 100 && ends > 40, "{passes} lines with a pass, {ends} that end early");
}

#[test]
fn a_tiny_table_changes_no_margin() {
    let mut random = Random::new(14);
    let (mut large, mut tiny) = (ExactSolver::new(1 << 22), ExactSolver::new(0));
    for _ in 0..20 {
        let position = random_position(&mut random, 13);
        let (a, b) = (exact(&mut large, &position), exact(&mut tiny, &position));
        assert_eq!(a.margin, b.margin, "{}", position.text());
        let result = large.solve(&position, MarginWindow::RESULT, &mut |_| false).unwrap();
        assert_eq!(result.margin.signum(), a.margin.signum(), "{}", position.text());
    }
}

#[test]
fn it_stops_when_told_and_is_right_afterwards() {
    let mut random = Random::new(15);
    let mut solver = ExactSolver::new(1 << 22);
    let position = random_position(&mut random, 16);
    assert_eq!(solver.solve(&position, MarginWindow::EXACT, &mut |_| true), None);
    let mut calls = 0;
    let stopped = solver.solve(&position, MarginWindow::EXACT, &mut |nodes| {
        calls += 1;
        nodes > 50_000
    });
    assert_eq!(stopped, None);
    assert!(calls > 1);
    let mut fresh = ExactSolver::new(1 << 22);
    assert_eq!(exact(&mut solver, &position).margin, exact(&mut fresh, &position).margin);
}

/// A stable disc survives every game that can follow.
#[test]
fn stable_discs_are_never_turned_over() {
    fn turn_over(board: SolverBoard, passed: bool, seen: &mut u64) {
        let moves = board.placements();
        if moves == 0 {
            if !passed {
                turn_over(board.passed(), true, seen);
            }
            return;
        }
        for square in (0..64).filter(|square| moves >> square & 1 == 1) {
            let turned = board.flips(square);
            *seen |= turned;
            turn_over(board.after(square, turned), false, seen);
        }
    }
    let stability = stability::Stability::new();
    let mut random = Random::new(16);
    let mut found = 0;
    for round in 0..400 {
        let position = random_position(&mut random, 2 + round % 6);
        let board = SolverBoard::new(position.own(), position.other());
        let stable = stability.stable(board.own, board.other);
        assert_eq!(stable & !board.own, 0);
        let mut turned = 0;
        turn_over(board, false, &mut turned);
        assert_eq!(stable & turned, 0, "{}", position.text());
        found += stable.count_ones();
    }
    assert!(found > 2000, "{found} stable discs");
}

#[test]
fn the_suite_has_the_margins_it_states() {
    let suite = ludus_data::suites::REVERSI_20_EMPTIES;
    let positions: Vec<&str> = suite.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(positions.len(), 50);
    let mut solver = ExactSolver::new(1 << 24);
    for (index, line) in positions.iter().enumerate() {
        let (text, margin) = line.rsplit_once(' ').expect("a position and its margin");
        let position = parse(text);
        let margin: i32 = margin.parse().expect("a margin");
        assert_eq!(position.empty().count_ones(), 20, "{text}");
        assert!(margin.abs() <= 10 && margin % 2 == 0, "{text}");
        if QUICK.contains(&index) {
            assert_eq!(exact(&mut solver, &position).margin, margin, "{text}");
        }
    }
}

/// Positions of the suite that take less than two million nodes.
const QUICK: [usize; 4] = [18, 32, 35, 36];
