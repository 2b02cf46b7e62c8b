//! Minimax against well-known facts.

use crate::known::Known;
use ludus_core::{HasEval, Limits, Notation, Options, Position, Score};
use ludus_games::{connect4::Connect4, tictactoe::TicTacToe};
use ludus_search::alphabeta::{Budget, Minimax};
use std::sync::atomic::AtomicBool;

fn search<P: Known<Knowledge: HasEval<P>>>(
    position: &P,
    depth: u32,
    limits: Limits,
) -> ludus_core::Report<P::Move> {
    let stop = AtomicBool::new(false);
    let mut budget = Budget::new(&limits, &stop);
    Minimax::new(&mut P::Knowledge::handcrafted(), &mut budget).search(position, depth)
}

#[test]
fn tictactoe_is_a_draw() {
    let report = search(&TicTacToe::default(), 9, Limits::default());
    assert_eq!(report.score, Some(Score::DRAW));
    assert_eq!((report.nodes, report.leaves), (549_945, 255_168));
    assert!(report.moves.iter().all(|mv| mv.score == Some(Score::DRAW)));
}

#[test]
fn the_nearest_win_is_chosen_and_the_nearest_loss_avoided() {
    let options = Options::defaults("connect4", &[]);
    let position = Connect4::parse(&options, "7/7/7/7/2oo3/2xx3 x").unwrap();
    let report = search(&position, 5, Limits::default());
    assert_eq!(
        report.score.and_then(Score::win_in),
        Some(3),
        "three with both ends open cannot be met"
    );
    let position = Connect4::parse(&options, "7/7/7/x6/x5o/x4oo x").unwrap();
    let report = search(&position, 3, Limits::default());
    assert_eq!(report.line, [0]);
    assert_eq!(report.score.and_then(Score::win_in), Some(1));
}

#[test]
fn a_spent_budget_still_gives_a_legal_move() {
    for nodes in [0, 1, 5, 1000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let start = Connect4::default();
        let report = search(&start, 6, limits);
        let mut moves = Vec::new();
        start.legal_moves(&mut moves);
        assert!(moves.contains(&report.line[0]));
        assert!(report.nodes <= nodes && report.depth == 0);
    }
}
