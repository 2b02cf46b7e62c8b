//! The `gtp` player against an engine that misbehaves on purpose.

use crate::{
    fake::{self, Engine, Fake, MOVE_TIME, check_faults, think},
    seated::{Seated, Turn},
};
use ludus_core::{Fault, PlayerError, Side};
use ludus_players::Resources;
use std::io::BufRead;

const BOARD: &str = "go:size=5";

/// The fake engine. It misbehaves only in games that begin at A1, so that the next game can go well.
#[test]
fn fake_engine() {
    let Some(behaviour) = fake::behaviour() else { return };
    let mut moves: Vec<String> = Vec::new();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let (id, command) = line.split_once(' ').unwrap_or((&line, ""));
        let words: Vec<&str> = command.split(' ').collect();
        let answer = match words[0] {
            "protocol_version" if behaviour == "mute" => continue,
            "protocol_version" if behaviour == "old" => Ok("1".to_owned()),
            "protocol_version" => Ok("2".to_owned()),
            "name" => Ok("Fake".to_owned()),
            "version" => Ok("1".to_owned()),
            "list_commands" => {
                Ok("play\nundo\ngenmove\nset_random_seed\ntime_settings\ntime_left".to_owned())
            }
            "boardsize" if words[1] != "5" => Err("unacceptable size"),
            "clear_board" => {
                moves.clear();
                Ok(String::new())
            }
            "play" if behaviour == "stubborn" && words[2] == "A1" => Err("illegal move"),
            "play" => {
                moves.push(words[2].to_owned());
                Ok(String::new())
            }
            "undo" => moves.pop().map(|_| String::new()).ok_or("cannot undo"),
            "genmove" => {
                let bad = moves.first().is_some_and(|mv| mv == "A1");
                let answer = if bad { misbehave(&behaviour) } else { Ok(good_move(&moves)) };
                moves.extend(answer.clone().ok());
                answer
            }
            "quit" => std::process::exit(0),
            _ => Ok(String::new()),
        };
        match answer {
            Ok(text) => print!("={id} {text}\n\n"),
            Err(text) => print!("?{id} {text}\n\n"),
        }
    }
    std::process::exit(0);
}

fn misbehave(behaviour: &str) -> Result<String, &'static str> {
    match behaviour {
        "occupied" => Ok("A1".to_owned()),
        "outside" => Ok("K9".to_owned()),
        "nonsense" => Ok("e4!?".to_owned()),
        "pass" => Ok("PASS".to_owned()),
        "resign" => Ok("resign".to_owned()),
        "refuse" => Err("not today"),
        "hang" => fake::hang(),
        "crash" => fake::crash(),
        "flood" => fake::flood("blah"),
        other => panic!("no such behaviour: {other}"),
    }
}

/// A free point, from the far corner.
fn good_move(moves: &[String]) -> String {
    let points = ('A'..='E').rev().flat_map(|c| (1..=5).rev().map(move |row| format!("{c}{row}")));
    points.into_iter().find(|point| !moves.contains(point)).unwrap_or("pass".to_owned())
}

fn engine(behaviour: &str, more: &str) -> Engine {
    Engine::new("gtp", behaviour, more)
}

fn seat(behaviour: &str) -> Fake {
    let grace = if behaviour == "hang" { ",grace=1s" } else { "" };
    Fake::new(BOARD, engine(behaviour, grace))
}

#[test]
fn every_fault_is_found_soon_and_the_next_game_goes_well() {
    let faults = [
        ("occupied", Fault::IllegalMove, "it played \"A1\" in 5/5/5/5/X4 w"),
        ("outside", Fault::IllegalMove, "it played \"K9\""),
        ("nonsense", Fault::IllegalMove, "it played \"e4!?\""),
        ("refuse", Fault::Protocol, "it did not move: not today"),
        ("stubborn", Fault::Protocol, "it refused \"play b A1\": illegal move"),
        ("hang", Fault::Hang, "it did not answer within"),
        ("crash", Fault::Crash, "exit status: 3"),
        ("crash", Fault::Crash, "\"assertion failed: everything\""),
        ("flood", Fault::Flood, "\"blah\""),
    ];
    check_faults(seat, ("A1", "B2"), &faults);
}

#[test]
fn an_engine_may_pass_and_resign() {
    let mut fake = seat("pass");
    let Ok(Turn::Moved(analysis)) = fake.answer("A1") else { panic!("no move") };
    assert_eq!(analysis.best.as_deref(), Some("pass"));
    fake.leave(1);
    let mut fake = seat("resign");
    assert!(matches!(fake.answer("A1"), Ok(Turn::Resigned)));
    fake.leave(1);
}

#[test]
fn the_engine_hears_only_what_is_new() {
    let mut fake = seat("good");
    fake.answer("B2").unwrap();
    fake.seated.board.play("B3").unwrap();
    fake.go().unwrap();
    fake.seated.board.undo();
    fake.seated.board.undo();
    fake.seated.board.play("B4").unwrap();
    fake.go().unwrap();
    let log = fake.leave(1);
    let said: Vec<&str> = log
        .lines()
        .filter_map(|line| line.strip_prefix("> ")?.split_once(' '))
        .map(|(_, command)| command)
        .skip_while(|command| !command.starts_with("boardsize"))
        .filter(|command| !command.starts_with("time_left") && *command != "protocol_version")
        .collect();
    let expected = [
        "boardsize 5",
        "clear_board",
        "set_random_seed 2",
        "komi 7.5",
        "play b B2",
        "time_settings 0 1 5",
        "genmove w",
        "play b B3",
        "genmove w",
        "undo",
        "undo",
        "play b B4",
        "genmove w",
    ];
    assert_eq!(said, expected, "{log}");
}

#[test]
fn a_board_the_engine_does_not_play_on_is_refused_clearly() {
    let engine = engine("good", "");
    let mut seated = Seated::open("go:size=7");
    seated.seat(Side::First, &engine.spec, &Resources::default()).unwrap();
    let error = think(&mut seated, MOVE_TIME).unwrap_err();
    assert!(matches!(error, PlayerError::Input(_)), "{error}");
    assert!(error.to_string().contains("board size for Fake 1 \"7\""), "{error}");
    assert!(error.to_string().contains("unacceptable size"), "{error}");
}

#[test]
fn an_engine_that_does_not_answer_or_speaks_another_version_is_found_when_seated() {
    for (behaviour, handshake, expected) in
        [("mute", ",handshake=500ms", Fault::Hang), ("old", "", Fault::Protocol)]
    {
        let engine = engine(behaviour, handshake);
        let seated = Seated::open(BOARD).seat(Side::First, &engine.spec, &Resources::default());
        match seated {
            Err(PlayerError::Fault(fault, _)) => assert_eq!(fault, expected),
            other => panic!("{behaviour}: {other:?}"),
        }
    }
    let missing =
        Seated::open("go").seat(Side::First, "gtp:path=no-such-engine", &Resources::default());
    assert!(matches!(missing, Err(PlayerError::Input(_))), "{missing:?}");
}

#[test]
fn stopping_a_move_ends_the_engine_without_blame() {
    let mut fake = seat("hang");
    fake.seated.board.play("A1").unwrap();
    let turn = fake.go_and_stop(" genmove ");
    assert!(matches!(turn, Err(PlayerError::Failed(_))), "{turn:?}");
    fake.leave(1);
}
