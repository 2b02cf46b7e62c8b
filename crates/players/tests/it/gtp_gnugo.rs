//! The `gtp` player with a real engine. Without GNU Go these tests are skipped.

use crate::seated::{Seated, Turn};
use ludus_core::{EndReason, Limits, PlayerError, Side};
use ludus_players::Resources;
use ludus_test_support::program_or_skip;

const GNU_GO: &str =
    "gtp:args=--mode gtp --level 1 --chinese-rules --positional-superko --capture-all-dead";

/// Plays a whole game; the winner and why it ended.
fn play(game: &str, first: &str, second: &str) -> (Option<Side>, EndReason) {
    let mut seated = Seated::open(game);
    for (side, player) in [(Side::First, first), (Side::Second, second)] {
        seated.seat(side, player, &Resources::default()).unwrap();
    }
    for _ in 0..1000 {
        if let Some(finish) = seated.board.ending() {
            return (finish.outcome.winner(), finish.reason);
        }
        if let Turn::Resigned = seated.let_play(Limits::default()).unwrap() {
            return (Some(!seated.board.turn()), EndReason::Resignation);
        }
    }
    panic!("the game does not end: {:?}", seated.board.moves());
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
    let mut seated = Seated::open("go:size=25");
    seated.seat(Side::First, GNU_GO, &Resources::default()).unwrap();
    match seated.let_play(Limits::default()) {
        Err(PlayerError::Input(error)) => {
            assert!(error.to_string().contains("unacceptable size"), "{error}");
        }
        other => panic!("{other:?}"),
    }
}
