//! `solver` reports exact scores and has a legal move whatever the limits.

use ludus_core::Limits;
use ludus_players::{Analysis, AnalysisControl, Resources, find_game};
use std::{sync::atomic::AtomicBool, time::Duration};

fn analyze(moves: &str, limits: Limits, stopped: bool) -> Analysis {
    let (game, options) = find_game("connect4").unwrap();
    let mut board = game.open(&options, None).unwrap();
    for column in moves.chars() {
        board.play(&column.to_string()).unwrap();
    }
    let stop = AtomicBool::new(stopped);
    let mut progress = AnalysisControl { limits, stop: &stop, on_report: &mut |_| {} };
    board.analyze("solver:table=32MB", &Resources::default(), &mut progress).unwrap()
}

#[test]
fn every_move_of_a_solved_position_has_its_score() {
    let analysis = analyze("bcdfeeebcabcbbafffff", Limits::default(), false);
    let best = analysis.best.unwrap();
    let scores: Vec<i32> = analysis.moves.iter().map(|entry| entry.score.unwrap()).collect();
    assert_eq!(scores.iter().max(), analysis.score.as_ref());
    let of_best = analysis.moves.iter().find(|entry| entry.mv == best).unwrap();
    assert_eq!(of_best.score, analysis.score);
    assert_eq!(analysis.pv.first(), Some(&best));
    assert_eq!((analysis.win, analysis.depth, analysis.pv.len()), (Some(15), 15, 15));
}

#[test]
fn limits_and_a_stop_leave_a_legal_move() {
    let nodes = Limits { nodes: Some(500), ..Limits::default() };
    let time = Limits { time: Some(Duration::from_millis(2)), ..Limits::default() };
    for (limits, stopped) in [(nodes, false), (time, false), (Limits::default(), true)] {
        let analysis = analyze("", limits, stopped);
        assert_eq!((analysis.score, analysis.best.as_deref()), (None, Some("d")));
    }
}
