//! The `gtp` player with a real engine. Without GNU Go these tests are skipped.

use ludus_core::{EndReason, Limits, PlayerError, Side};
use ludus_players::{AnalysisControl, Resources, find_game};
use ludus_test_support::program_or_skip;
use std::sync::atomic::AtomicBool;

const GNU_GO: &str =
    "gtp:args=--mode gtp --level 1 --chinese-rules --positional-superko --capture-all-dead";

/// Plays a whole game; the winner and why it ended.
fn play(game: &str, first: &str, second: &str) -> (Option<Side>, EndReason) {
    let (game, options) = find_game(game).unwrap();
    let mut session = game.open(&options, None).unwrap();
    for (side, player) in [(Side::First, first), (Side::Second, second)] {
        session.seat(side, player, &Resources::default()).unwrap();
    }
    let stop = AtomicBool::new(false);
    for _ in 0..1000 {
        if let Some(finish) = session.ending() {
            return (finish.outcome.winner(), finish.reason);
        }
        let limits = Limits::default();
        let mut progress = AnalysisControl { limits, stop: &stop, on_report: &mut |_| {} };
        if let ludus_players::Turn::Resigned = session.let_play(&mut progress).unwrap() {
            return (Some(!session.turn()), EndReason::Resignation);
        }
    }
    panic!("the game does not end: {:?}", session.moves());
}

#[test]
fn gnu_go_wins_whole_games_without_an_illegal_move_on_either_side() {
    if program_or_skip!("gnugo").is_none() {
        return;
    }
    assert_eq!(play("go:size=9", "random", GNU_GO).0, Some(Side::Second));
    assert_eq!(play("go:size=9", GNU_GO, "greedy").0, Some(Side::First));
    assert_eq!(play("go:size=9,handicap=4", "random", GNU_GO).0, Some(Side::Second));
}

#[test]
fn a_board_gnu_go_does_not_know_is_refused() {
    if program_or_skip!("gnugo").is_none() {
        return;
    }
    let (game, options) = find_game("go:size=25").unwrap();
    let mut session = game.open(&options, None).unwrap();
    session.seat(Side::First, GNU_GO, &Resources::default()).unwrap();
    let stop = AtomicBool::new(false);
    let limits = Limits::default();
    let turn =
        session.let_play(&mut AnalysisControl { limits, stop: &stop, on_report: &mut |_| {} });
    match turn {
        Err(PlayerError::Input(error)) => {
            assert!(error.to_string().contains("unacceptable size"), "{error}");
        }
        other => panic!("{other:?}"),
    }
}
