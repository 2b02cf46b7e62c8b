//! The `hub` player against an engine that misbehaves on purpose.

use crate::{
    fake::{self, Engine, Fake, MOVE_TIME, check_faults, think},
    seated::{Seated, Turn},
};
use ludus_core::{Fault, History, PlayerError, Position, Side};
use ludus_formats::hub::HubMessage;
use ludus_games::draughts::{Draughts, Rules};
use ludus_players::{
    Resources,
    external::hub::{move_text, read_move, read_position},
};
use std::io::BufRead;

const GAME: &str = "draughts:rules=international";

/// The fake engine. It misbehaves only in games that begin with 32-28, so that the next game can go well.
#[test]
fn fake_engine() {
    let Some(behaviour) = fake::behaviour() else { return };
    let mut position = None;
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let Some(message) = HubMessage::read(&line) else { continue };
        match message.name.as_str() {
            "hub" if behaviour == "mute" => {}
            "hub" => println!(
                "id name=Fake version=2\n\
                 param name=variant value=normal type=enum values=\"normal russian\"\n\
                 param name=book value=true type=bool\nwait"
            ),
            "init" if behaviour == "unready" => {}
            "init" => println!("init\nready"),
            "ping" => println!("pong"),
            "pos" => position = Some(message),
            "go" => {
                let position = position.as_ref().unwrap();
                let bad = position.value("moves").is_some_and(|moves| moves.starts_with("32-28"));
                if bad {
                    misbehave(&behaviour, position);
                } else {
                    println!("done move={}", good_move(position));
                }
            }
            "stop" => println!("done move={}", good_move(position.as_ref().unwrap())),
            "quit" => std::process::exit(0),
            _ => {}
        }
    }
    std::process::exit(0);
}

fn misbehave(behaviour: &str, position: &HubMessage) {
    match behaviour {
        "illegal" => println!("done move=32-28"),
        "none" => println!("done"),
        "short" => println!("done move=1x2"),
        "hang" => fake::hang(),
        "crash" => fake::crash(),
        "flood" => fake::flood("info depth=1"),
        "obedient" => {} // waits for `stop`
        "babble" => {
            let mv = good_move(position);
            println!("=\"\n\ninfo score=x\ninfo pv=\"1-2 3-4\"\nerror message=\"none\"");
            println!("info depth=7 score=0.12 nodes=99 pv=\"{mv} 1-1\"\ndone move={mv} ponder=1-1");
        }
        other => panic!("no such behaviour: {other}"),
    }
}

/// The first legal move.
fn good_move(position: &HubMessage) -> String {
    let start = read_position(Rules::International, position.value("pos").unwrap()).unwrap();
    let mut game: History<Draughts> = History::new(start);
    for text in position.value("moves").unwrap_or_default().split_whitespace() {
        game.push(read_move(game.last(), text).unwrap());
    }
    let mut moves = Vec::new();
    game.last().legal_moves(&mut moves);
    move_text(game.last(), moves[0])
}

fn engine(behaviour: &str, more: &str) -> Engine {
    Engine::new("hub", behaviour, more)
}

fn seat(behaviour: &str) -> Fake {
    let grace = if behaviour == "hang" { ",grace=1s" } else { "" };
    Fake::new(GAME, engine(behaviour, grace))
}

#[test]
fn every_fault_is_found_soon_and_the_next_game_goes_well() {
    let faults = [
        ("illegal", Fault::IllegalMove, "it played \"32-28\" in B:W"),
        ("none", Fault::IllegalMove, "it gave no move"),
        ("short", Fault::IllegalMove, "it played \"1x2\""),
        ("hang", Fault::Hang, "it did not answer within "),
        ("crash", Fault::Crash, "exit status: 3"),
        ("crash", Fault::Crash, "\"assertion failed: everything\""),
        ("flood", Fault::Flood, "\"info depth=1\""),
    ];
    check_faults(seat, ("32-28", "33-28"), &faults);
}

#[test]
fn babble_is_skipped_and_reports_are_heard() {
    let mut fake = seat("babble");
    let Ok(Turn::Moved(analysis)) = fake.answer("32-28") else { panic!("no move") };
    assert_eq!((analysis.score, analysis.depth, analysis.nodes), (Some(12), 7, 99));
    assert_eq!(analysis.pv.len(), 1);
    fake.leave(1);
}

#[test]
fn stop_is_passed_on() {
    let mut fake = Fake::new(GAME, engine("obedient", ",time=10m"));
    fake.seated.board.play("32-28").unwrap();
    let turn = fake.go_and_stop("> go think");
    assert!(matches!(turn, Ok(Turn::Moved(_))), "{turn:?}");
    fake.leave(1);
}

/// Seats an engine in a game by `rules` and lets it think.
fn seat_and_think(rules: &str, engine: &Engine) -> Result<Turn, PlayerError> {
    let mut seated = Seated::open(&format!("draughts:rules={rules}"));
    seated.seat(Side::First, &engine.spec, &Resources::default())?;
    think(&mut seated, MOVE_TIME)
}

#[test]
fn variants_and_parameters_must_be_the_engines() {
    let fake = engine("good", ",set=book=false");
    let turn = seat_and_think("international", &fake);
    assert!(turn.is_ok(), "{turn:?}");
    let said = fake.log();
    assert!(said.contains("> set-param name=book value=false\n> init\n"), "{said}");
    assert!(said.contains("> level move-time=0.200\n> ping\n"), "{said}");
    for (rules, more, words) in [
        ("english", "", "variant \"english\": expected one of the values the engine knows: normal"),
        ("international", ",set=bok=false", "one of the engine's parameters: variant, book"),
        ("international", ",set=book", "name=value"),
        ("international", ",time=soon", "a time such as"),
    ] {
        let error = seat_and_think(rules, &engine("good", more)).unwrap_err();
        assert!(matches!(error, PlayerError::Input(_)), "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn a_handshake_has_its_time() {
    for behaviour in ["mute", "unready"] {
        let turn = seat_and_think("international", &engine(behaviour, ",handshake=500ms"));
        assert!(matches!(turn, Err(PlayerError::Fault(Fault::Hang, _))), "{turn:?}");
    }
}
