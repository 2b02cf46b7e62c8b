//! Conformance tests of exact solvers of endgames.

use super::random_positions;
use crate::{
    EndgameSolver, History, Limits, Notation, Options, Random, Report, Score, ScoreMargin,
    SearchControl, Side,
};
use std::sync::atomic::AtomicBool;

/// Checks `solver` against a plain search of the last `plies` plies of random games of `spec`, and
/// returns the number of positions solved.
///
/// # Panics
/// At the first violation, naming the position.
pub fn check_endgame_solver<P: Notation>(
    spec: &str,
    games: usize,
    plies: usize,
    solver: &mut dyn EndgameSolver<P>,
) -> usize {
    let options = Options::parse(spec, P::OPTIONS).expect("the kit is given valid options");
    let mut random = Random::new(2);
    let mut solved = 0;
    for _ in 0..games {
        solver.new_game();
        let positions = random_positions::<P>(&options, 1, &mut random);
        let ending = &positions[positions.len().saturating_sub(plies + 1)..];
        let going_on = ending.iter().filter(|position| plain_end(*position).is_none());
        solved += going_on.filter(|position| check_position(solver, position)).count();
    }
    solved
}

/// The final value, first side minus second side: the margin where points are counted, else 1, 0 or -1.
fn plain_end<P: Notation>(position: &P) -> Option<f32> {
    let of_outcome = position.outcome().map(|outcome| outcome.value(Side::First));
    let of_rule = position.rule_draw().map(|_| 0.0);
    position.margin().or(of_outcome).or(of_rule)
}

/// The value with best play by both sides.
fn plain_value<P: Notation>(position: &P) -> f32 {
    if let Some(value) = plain_end(position) {
        return value;
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let values = moves.into_iter().map(|mv| plain_value(&position.after(mv)));
    match position.turn() {
        Side::First => values.fold(f32::NEG_INFINITY, f32::max),
        Side::Second => values.fold(f32::INFINITY, f32::min),
    }
}

/// Checks both reports of a position; `false` if the solver does not solve it.
fn check_position<P: Notation>(solver: &mut dyn EndgameSolver<P>, position: &P) -> bool {
    let place = position.text();
    let game = History::new(position.clone());
    let stop = AtomicBool::new(false);
    let control = &mut SearchControl { stop: &stop, on_report: &mut |_| {} };
    let Some(report) = solver.solve(&game, &Limits::default(), control) else { return false };
    check_report(position, &report, &place);
    if let Some(report) = solver.solve_moves(&game, &Limits::default(), control) {
        check_report(position, &report, &place);
        check_lines(position, &report, &place);
    }
    true
}

fn check_report<P: Notation>(position: &P, report: &Report<P::Move>, place: &str) {
    assert!(report.is_proven(report.score), "a solver must prove its value: {place}");
    let value = plain_value(position);
    check_line(position, (report.score, report.margin), &report.line, value, place);
}

/// The line of every move, best first.
fn check_lines<P: Notation>(position: &P, report: &Report<P::Move>, place: &str) {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let reported: Vec<P::Move> = report.moves.iter().map(|entry| entry.mv).collect();
    assert!(reported == moves, "every move in the order of the game: {place}");
    assert_eq!(report.lines.len(), moves.len(), "a line for every move: {place}");
    let mut before = f32::INFINITY;
    for ranked in &report.lines {
        let first = ranked.line[0];
        let entry = report.moves.iter().find(|entry| entry.mv == first);
        assert_eq!(entry.and_then(|entry| entry.score), ranked.score, "{first:?} twice: {place}");
        let value = plain_value(&position.after(first));
        check_line(position, (ranked.score, ranked.margin), &ranked.line, value, place);
        let own = value * position.turn().sign() as f32;
        assert!(own <= before, "lines must be the best first: {place}");
        before = own;
    }
}

/// A line must lead to the end with the plain `value`, and score and margin must say so.
fn check_line<P: Notation>(
    position: &P,
    (score, margin): (Option<Score>, Option<ScoreMargin>),
    line: &[P::Move],
    value: f32,
    place: &str,
) {
    let mut last = position.clone();
    let mut legal = Vec::new();
    for mv in line {
        legal.clear();
        last.legal_moves(&mut legal);
        assert!(legal.contains(mv), "{mv:?} of the line is illegal: {place}");
        last.play(*mv);
    }
    assert_eq!(plain_end(&last), Some(value), "the line {line:?} gives away value: {place}");
    let score = score.unwrap_or_else(|| panic!("a solver must give a score: {place}"));
    let own = value * position.turn().sign() as f32;
    let expected = if own == 0.0 { 0 } else { own.signum() as i32 };
    assert_eq!(score.0.signum(), expected, "score {score:?}, value {own}: {place}");
    if let (Some(margin), Some(counted)) = (margin, last.margin()) {
        assert_eq!(margin.total, counted, "the margin: {place}");
    }
}
