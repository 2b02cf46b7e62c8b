//! The `uci` player against an engine that misbehaves on purpose.

use crate::{
    fake::{self, Engine, Fake, MOVE_TIME, check_faults, fault},
    seated::{Seated, Turn},
};
use ludus_core::{Fault, PlayerError, Side};
use ludus_players::Resources;
use std::io::{BufRead, Write};

/// The fake engine. It misbehaves only in games that begin with e2e4, so that the next game can go well.
#[test]
fn fake_engine() {
    let Some(behaviour) = fake::behaviour() else { return };
    let mut position = String::new();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let answer = match line.split(' ').next().unwrap_or_default() {
            "uci" if behaviour == "mute" => String::new(),
            "uci" => "id name Fake\n\
                 option name Skill Level type spin default 20 min 0 max 20\n\
                 option name Style type combo default Calm var Calm var Wild\n\
                 option name Clear type button\nuciok"
                .to_owned(),
            "isready" if behaviour == "unready" => String::new(),
            "isready" => "readyok".to_owned(),
            "position" => {
                position = line;
                String::new()
            }
            "go" if position.contains("e2e4") => misbehave(&behaviour, &position),
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
        "illegal" => return "bestmove e2e4".to_owned(),
        "none" => return "bestmove (none)".to_owned(),
        "empty" => return "bestmove".to_owned(),
        "resign" => return "bestmove resign".to_owned(),
        "hang" => fake::hang(),
        "slow" => std::thread::sleep(2 * MOVE_TIME),
        "crash" => fake::crash(),
        "flood" => fake::flood("info string blah"),
        "endless" => loop {
            print!("blah ");
        },
        "babble" => {
            for line in ["", "bestmov", "info", "info score cp x pv", "info pv e9e9", "option"] {
                println!("{line}");
            }
            std::io::stdout().write_all(b"\xff\xfe\0\n").unwrap();
            println!("info depth 4 score cp 12 nodes 99 pv e7e5 g1f3 a1a1");
            println!("info depth 5 score cp 900 lowerbound nodes 120 pv a7a6");
        }
        "leave" => {
            println!("{}", good_move(position));
            std::process::exit(0);
        }
        other => panic!("no such behaviour: {other}"),
    }
    good_move(position)
}

/// The first legal move.
fn good_move(position: &str) -> String {
    let mut board = Seated::open("chess").board;
    for mv in position.split(" moves ").nth(1).unwrap_or_default().split(' ') {
        if !mv.is_empty() {
            board.play(mv).unwrap();
        }
    }
    format!("bestmove {}", board.legal_moves()[0])
}

fn engine(behaviour: &str, more: &str) -> Engine {
    Engine::new("uci", behaviour, more)
}

fn seat(behaviour: &str) -> Fake {
    let grace = if behaviour == "hang" { ",grace=1s" } else { "" };
    Fake::new("chess", engine(behaviour, grace))
}

#[test]
fn every_fault_is_found_soon_and_the_next_game_goes_well() {
    let faults = [
        ("illegal", Fault::IllegalMove, "it played \"e2e4\" in rnbqkbnr/"),
        ("none", Fault::IllegalMove, "it gave no move"),
        ("empty", Fault::IllegalMove, "it gave no move"),
        ("hang", Fault::Hang, "it did not answer within "),
        ("crash", Fault::Crash, "exit status: 3"),
        ("crash", Fault::Crash, "\"assertion failed: everything\""),
        ("flood", Fault::Flood, "\"info string blah\""),
        ("endless", Fault::Flood, "a line of more than"),
    ];
    check_faults(seat, ("e2e4", "d2d4"), &faults);
}

#[test]
fn babble_is_skipped_and_late_answers_within_the_grace_count() {
    let mut fake = seat("babble");
    let Ok(Turn::Moved(analysis)) = fake.answer("e2e4") else { panic!("no move") };
    assert_eq!((analysis.score, analysis.depth, analysis.nodes), (Some(12), 4, 120));
    fake.leave(1);
    let mut fake = seat("slow");
    assert!(matches!(fake.answer("e2e4"), Ok(Turn::Moved(_))));
    fake.leave(1);
}

#[test]
fn an_engine_may_resign() {
    let mut fake = seat("resign");
    assert!(matches!(fake.answer("e2e4"), Ok(Turn::Resigned)));
    fake.leave(1);
}

#[test]
fn an_engine_that_leaves_between_games_is_started_again_without_a_fault() {
    let mut fake = seat("leave");
    assert!(matches!(fake.answer("e2e4"), Ok(Turn::Moved(_))));
    assert!(matches!(fake.answer("d2d4"), Ok(Turn::Moved(_))));
    fake.leave(2);
    // Within a game it is a crash.
    let mut fake = seat("leave");
    assert!(matches!(fake.answer("e2e4"), Ok(Turn::Moved(_))));
    let mv = fake.seated.board.legal_moves().remove(0);
    fake.seated.board.play(&mv).unwrap();
    assert_eq!(fault(fake.go()).0, Fault::Crash);
    fake.leave(1);
}

#[test]
fn a_handshake_has_its_time() {
    for behaviour in ["mute", "unready"] {
        let engine = engine(behaviour, ",handshake=500ms");
        let seated = Seated::open("chess").seat(Side::First, &engine.spec, &Resources::default());
        assert!(matches!(seated, Err(PlayerError::Fault(Fault::Hang, _))), "{seated:?}");
    }
}

#[test]
fn options_the_engine_does_not_have_are_refused_by_name() {
    for (more, words) in [
        (",set=Skill=3", "expected one of the engine's options Skill Level, Style, Clear"),
        (",set=Skill Level=30", "Skill Level \"30\": expected a whole number from 0 to 20"),
        (",set=Style=Mild", "expected one of Calm, Wild"),
        (",set=Clear=1", "it is a button"),
        (",elo=1500", "bad engine option \"UCI_LimitStrength\""),
        (",threads=2", "bad engine option \"Threads\""),
        (",time=soon", "expected a time such as"),
    ] {
        let engine = engine("good", more);
        let seated = Seated::open("chess").seat(Side::First, &engine.spec, &Resources::default());
        let error = seated.unwrap_err();
        assert!(matches!(error, PlayerError::Input(_)), "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
    let fake = Fake::new("chess", engine("good", ",set=skill level=3;Style=Wild;Clear"));
    let log = fake.leave(1);
    for line in ["name Skill Level value 3", "name Style value Wild", "> setoption name Clear\n"] {
        assert!(log.contains(line), "{log}");
    }
}
