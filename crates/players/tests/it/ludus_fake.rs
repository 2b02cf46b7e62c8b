//! The `ludus` player against an engine that misbehaves on purpose.

use crate::{
    fake::{self, Engine, Fake, check_faults, fault},
    seated::{Seated, Turn},
};
use ludus_core::{Fault, PlayerError, Side};
use ludus_players::Resources;
use std::io::BufRead;

const GAME: &str = "reversi";

/// The fake engine. It misbehaves only in games that begin with d3, so that the next game can go well.
#[test]
fn fake_engine() {
    let Some(behaviour) = fake::behaviour() else { return };
    let mut position = String::new();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let answer = match line.split(' ').next().unwrap_or_default() {
            "ludus" if behaviour == "mute" => String::new(),
            "ludus" if behaviour == "new" => "id name Fake\nludus 2".to_owned(),
            "ludus" if behaviour == "narrow" => "id name Fake\ngame chess\nludus 1".to_owned(),
            "ludus" => "id name Fake 7\nid build abc\ngame reversi\ngame chess\nludus 1".to_owned(),
            "player" if !line.ends_with(" good") => "error no such player".to_owned(),
            "position" if behaviour == "forgetful" && line.contains("d3") => {
                "error what is d3?".to_owned()
            }
            "position" => {
                position = line;
                String::new()
            }
            "ping" => "pong".to_owned(),
            "go" if position.contains("d3") => misbehave(&behaviour, &position),
            "go" => good_move(&position),
            "quit" => std::process::exit(0),
            _ => String::new(),
        };
        println!("{answer}");
    }
    std::process::exit(0);
}

fn misbehave(behaviour: &str, position: &str) -> String {
    match behaviour {
        "illegal" => return "bestmove d3".to_owned(),
        "none" => return "error my head hurts\nbestmove none".to_owned(),
        "resign" => return "bestmove resign".to_owned(),
        "hang" => fake::hang(),
        "crash" => fake::crash(),
        "flood" => fake::flood("info depth 1"),
        "babble" => {
            for line in ["", "bestmov", "info", "info score x pv", "info pv z9", "pong", "ludus 9"]
            {
                println!("{line}");
            }
            println!("info depth 4 score 12 nodes 99 pv c3 c4 a1 a1");
        }
        "won" => println!("info depth 5 win 7 pv c3"),
        other => panic!("no such behaviour: {other}"),
    }
    good_move(position)
}

/// The first legal move.
fn good_move(position: &str) -> String {
    let mut board = Seated::open(GAME).board;
    for mv in position.split(" moves ").nth(1).unwrap_or_default().split(' ') {
        if !mv.is_empty() {
            board.play(mv).unwrap();
        }
    }
    format!("bestmove {}", board.legal_moves()[0])
}

fn seat(behaviour: &str) -> Fake {
    let grace = if behaviour == "hang" { ",grace=1s" } else { "" };
    Fake::new(GAME, Engine::new("ludus", behaviour, grace))
}

#[test]
fn every_fault_is_found_soon_and_the_next_game_goes_well() {
    let faults = [
        ("illegal", Fault::IllegalMove, "it played \"d3\" in "),
        ("none", Fault::IllegalMove, "it gave no move: my head hurts"),
        ("hang", Fault::Hang, "it did not answer within "),
        ("crash", Fault::Crash, "\"assertion failed: everything\""),
        ("flood", Fault::Flood, "\"info depth 1\""),
        ("forgetful", Fault::Protocol, "it refused the position: what is d3?"),
    ];
    check_faults(seat, ("d3", "c4"), &faults);
}

#[test]
fn babble_is_skipped() {
    let mut fake = seat("babble");
    let Ok(Turn::Moved(analysis)) = fake.answer("d3") else { panic!("no move") };
    assert_eq!((analysis.score, analysis.depth, analysis.nodes), (Some(12), 4, 99));
    fake.leave(1);
    let mut fake = seat("won");
    let Ok(Turn::Moved(analysis)) = fake.answer("d3") else { panic!("no move") };
    assert_eq!(analysis.win, Some(7));
    fake.leave(1);
}

#[test]
fn an_engine_may_resign() {
    let mut fake = seat("resign");
    assert!(matches!(fake.answer("d3"), Ok(Turn::Resigned)));
    fake.leave(1);
}

#[test]
fn a_game_is_announced_with_its_seed_and_played_move_by_move() {
    let mut fake = seat("good");
    for game in 0..2 {
        assert!(matches!(fake.answer("c4"), Ok(Turn::Moved(_))), "game {game}");
    }
    let log = fake.leave(1);
    let said: Vec<&str> = log
        .lines()
        .filter_map(|line| line.strip_prefix("> "))
        .filter(|line| *line != "ping")
        .collect();
    let expected = [
        "ludus 1",
        "game reversi",
        "newgame seed 2",
        "position start moves c4",
        "go time 200",
        "newgame seed 2",
        "position start moves c4",
        "go time 200",
        "quit",
    ];
    assert_eq!(said, expected, "{log}");
}

#[test]
fn refused_settings_are_errors_of_the_input() {
    for (behaviour, more, words) in [
        ("good", ",player=bad", "it says \"no such player\"".to_owned()),
        ("narrow", "", "bad game \"reversi\": expected one Fake plays: chess".to_owned()),
    ] {
        let engine = Engine::new("ludus", behaviour, more);
        let seated = Seated::open(GAME).seat(Side::First, &engine.spec, &Resources::default());
        let error = seated.unwrap_err();
        assert!(matches!(error, PlayerError::Input(_)), "{error}");
        assert!(error.to_string().contains(&words), "{error}");
    }
    Fake::new(GAME, Engine::new("ludus", "good", ",player=good")).leave(1);
}

#[test]
fn a_handshake_has_its_time_and_its_version() {
    for (behaviour, expected) in [("mute", Fault::Hang), ("new", Fault::Protocol)] {
        let engine = Engine::new("ludus", behaviour, ",handshake=500ms");
        let seated = Seated::open(GAME).seat(Side::First, &engine.spec, &Resources::default());
        assert_eq!(fault(seated.map(|()| Turn::Resigned)).0, expected);
    }
}
