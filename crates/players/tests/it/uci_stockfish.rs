//! The `uci` player with a real engine. Without Stockfish these tests are skipped.

use crate::seated::Seated;
use ludus_core::{Clock, Limits, PlayerError, Side};
use ludus_players::{Analysis, AnalysisControl, Board, Resources, SearchReport, find_game};
use ludus_test_support::program_or_skip;
use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

fn chess(position: Option<&str>) -> Box<dyn Board> {
    let (game, options) = find_game("chess").unwrap();
    game.open(&options, position).unwrap()
}

fn analyze(board: &dyn Board, spec: &str, limits: Limits) -> Result<Analysis, PlayerError> {
    let stop = AtomicBool::new(false);
    let mut progress = AnalysisControl { limits, stop: &stop, on_report: &mut |_| {} };
    board.analyze(spec, &Resources::default(), &mut progress)
}

#[test]
fn stockfish_beats_random_in_a_whole_game() {
    if program_or_skip!("stockfish").is_none() {
        return;
    }
    let mut seated = Seated::at(chess(None));
    seated.seat(Side::First, "uci:path=stockfish,depth=1,hash=16", &Resources::default()).unwrap();
    seated.seat(Side::Second, "random", &Resources::default()).unwrap();
    seated.new_game([1, 1]).unwrap();
    let clock =
        Clock { remaining: Duration::from_secs(60), increment: Duration::ZERO, moves_to_go: None };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    while seated.board.ending().is_none() {
        seated.let_play(limits).unwrap();
    }
    let finish = seated.board.ending().unwrap();
    assert!(finish.outcome.winner() != Some(Side::Second), "{:?}", seated.board.moves());
}

#[test]
fn what_stockfish_thinks_is_reported() {
    if program_or_skip!("stockfish").is_none() {
        return;
    }
    let mate = chess(Some("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"));
    let limits = Limits { depth: Some(6), ..Limits::default() };
    let found = analyze(&*mate, "uci", limits).unwrap();
    assert_eq!((found.best.as_deref(), found.win), (Some("a1a8"), Some(1)));
    assert_eq!(found.pv, ["a1a8"]);
    let start = chess(None);
    let found = analyze(&*start, "uci:nodes=2000,set=MultiPV=3,threads=1", limits).unwrap();
    assert!(found.nodes > 0 && found.score.is_some_and(|score| score.abs() < 200), "{found:?}");
    assert_eq!(found.moves.len(), 3, "{found:?}");
}

#[test]
fn strength_can_be_limited_within_the_range_of_the_engine() {
    if program_or_skip!("stockfish").is_none() {
        return;
    }
    let limits = Limits { nodes: Some(500), ..Limits::default() };
    analyze(&*chess(None), "uci:elo=1800", limits).unwrap();
    let error = analyze(&*chess(None), "uci:elo=100", limits).unwrap_err().to_string();
    assert!(error.contains("UCI_Elo \"100\": expected a whole number from 1"), "{error}");
    let error = analyze(&*chess(None), "uci:set=Wisdom=1", limits).unwrap_err();
    assert!(matches!(error, PlayerError::Input(_)), "{error}");
    assert!(error.to_string().contains("Move Overhead"), "{error}");
}

#[test]
fn raising_the_flag_stops_a_long_think() {
    if program_or_skip!("stockfish").is_none() {
        return;
    }
    let stop = AtomicBool::new(false);
    let time = Duration::from_secs(1_000_000);
    let limits = Limits { time: Some(time), ..Limits::default() };
    let mut raise = |_: &SearchReport<'_>| stop.store(true, Ordering::Relaxed);
    let mut progress = AnalysisControl { limits, stop: &stop, on_report: &mut raise };
    let found = chess(None).analyze("uci:grace=10m", &Resources::default(), &mut progress).unwrap();
    assert!(found.best.is_some());
}
