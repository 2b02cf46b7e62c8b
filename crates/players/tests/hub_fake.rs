//! The `hub` player against an engine that misbehaves on purpose.
//!
//! The engine is this very test program, started again with `fake_engine` as the only test and the
//! behaviour as a second filter. What the test harness prints around it is noise to be skipped.

use ludus_core::{Fault, History, Limits, PlayerError, Position, Side};
use ludus_formats::hub::Message;
use ludus_games::draughts::{Draughts, Rules};
use ludus_players::{
    Progress, Resources, Session, Turn,
    external::hub::{move_text, read_move, read_position},
    find_game,
};
use std::{
    io::BufRead,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

const PREFIX: &str = "behave-";

/// The fake. It misbehaves only in games that begin with 32-28, so that the next game can go well.
#[test]
fn fake_engine() {
    let Some(behaviour) =
        std::env::args().find_map(|word| Some(word.strip_prefix(PREFIX)?.to_owned()))
    else {
        return; // an ordinary run of the tests
    };
    println!("\nprocess {}", std::process::id());
    let mut position = None;
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let Some(message) = Message::read(&line) else { continue };
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

fn misbehave(behaviour: &str, position: &Message) {
    match behaviour {
        "illegal" => println!("done move=32-28"),
        "none" => println!("done"),
        "short" => println!("done move=1x2"),
        "hang" => thread::sleep(Duration::from_secs(1000)),
        "crash" => {
            eprintln!("assertion failed: everything");
            std::process::exit(3);
        }
        "flood" => loop {
            println!("info depth=1");
        },
        "obedient" => {} // until it is told to stop
        "babble" => {
            let mv = good_move(position);
            println!("=\"\n\ninfo score=x\ninfo pv=\"1-2 3-4\"\nerror message=\"none\"");
            println!("info depth=7 score=0.12 nodes=99 pv=\"{mv} 1-1\"\ndone move={mv} ponder=1-1");
        }
        other => panic!("no such behaviour: {other}"),
    }
}

/// The first legal move.
fn good_move(position: &Message) -> String {
    let start = read_position(Rules::International, position.value("pos").unwrap()).unwrap();
    let mut game: History<Draughts> = History::new(start);
    for text in position.value("moves").unwrap_or_default().split_whitespace() {
        game.push(read_move(game.last(), text).unwrap());
    }
    let mut moves = Vec::new();
    game.last().legal_moves(&mut moves);
    move_text(game.last(), moves[0])
}

struct Fake {
    session: Box<dyn Session>,
    log: PathBuf,
}

fn draughts(rules: &str) -> Box<dyn Session> {
    let (game, options) = find_game(&format!("draughts:rules={rules}")).unwrap();
    game.open(&options, None).unwrap()
}

fn spec(behaviour: &str, name: &str, more: &str) -> (String, PathBuf) {
    let name = format!("hub-{name}-{behaviour}-{}.log", std::process::id());
    let log = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&log);
    let program = std::env::current_exe().unwrap();
    let (program, log_path) = (program.display(), log.display());
    let arguments = format!("fake_engine --exact --nocapture {PREFIX}{behaviour}");
    (format!("hub:path={program},args={arguments},grace=1s,log={log_path}{more}"), log)
}

fn think(session: &mut dyn Session, stop: &AtomicBool) -> Result<Turn, PlayerError> {
    let limits = Limits { time: Some(Duration::from_millis(200)), ..Limits::default() };
    session.let_play(&mut Progress { limits, stop, on_report: &mut |_| {} })
}

impl Fake {
    fn new(behaviour: &str, name: &str, more: &str) -> Fake {
        let (spec, log) = spec(behaviour, name, more);
        let mut session = draughts("international");
        session.seat(Side::Second, &spec, &Resources::default()).unwrap();
        Fake { session, log }
    }

    /// Lets the engine answer to `mv`, the first of a new game.
    fn answer(&mut self, mv: &str) -> Result<Turn, PlayerError> {
        self.session.new_game(None, [1, 2]).unwrap();
        self.session.play(mv).unwrap();
        think(&mut *self.session, &AtomicBool::new(false))
    }

    /// Ends the engine and makes sure that all its processes, `runs` of them, are gone.
    fn leave(self, runs: usize) -> String {
        drop(self.session);
        let log = std::fs::read_to_string(&self.log).unwrap();
        let processes: Vec<&str> =
            log.lines().filter_map(|line| line.strip_prefix("< process ")).collect();
        assert_eq!(processes.len(), runs, "{log}");
        for process in processes {
            // A process that nobody waited for would still be here, as a zombie.
            assert!(!Path::new("/proc").join(process).exists(), "{process} is still there");
        }
        let _ = std::fs::remove_file(&self.log);
        log
    }
}

#[test]
fn every_fault_is_found_soon_and_the_next_game_goes_well() {
    for (behaviour, expected, words) in [
        ("illegal", Fault::IllegalMove, "it played \"32-28\" in B:W"),
        ("none", Fault::IllegalMove, "it gave no move"),
        ("short", Fault::IllegalMove, "it played \"1x2\""),
        ("hang", Fault::Hang, "it did not answer within 1."),
        ("crash", Fault::Crash, "exit status: 3"),
        ("crash", Fault::Crash, "\"assertion failed: everything\""),
        ("flood", Fault::Flood, "\"info depth=1\""),
    ] {
        let mut fake = Fake::new(behaviour, "fault", "");
        let started = Instant::now();
        match fake.answer("32-28") {
            Err(PlayerError::Fault(found, detail)) => {
                assert_eq!(found, expected, "{behaviour}: {detail}");
                assert!(detail.contains(words), "{behaviour}: {detail}");
            }
            other => panic!("{behaviour}: {other:?}"),
        }
        assert!(started.elapsed() < Duration::from_secs(8), "{behaviour}");
        let turn = fake.answer("33-28");
        assert!(matches!(turn, Ok(Turn::Moved(_))), "{behaviour}: {turn:?}");
        fake.leave(2);
    }
}

#[test]
fn babble_is_skipped_and_reports_are_heard() {
    let mut fake = Fake::new("babble", "babble", "");
    let Ok(Turn::Moved(analysis)) = fake.answer("32-28") else { panic!("no move") };
    assert_eq!((analysis.score, analysis.depth, analysis.nodes), (Some(12), 7, 99));
    assert_eq!(analysis.pv.len(), 1);
    fake.leave(1);
}

#[test]
fn stop_is_passed_on() {
    let mut fake = Fake::new("obedient", "stop", ",time=1m");
    fake.session.play("32-28").unwrap();
    let stop = AtomicBool::new(false);
    let started = Instant::now();
    let turn = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(300));
            stop.store(true, Ordering::Relaxed);
        });
        think(&mut *fake.session, &stop)
    });
    assert!(matches!(turn, Ok(Turn::Moved(_))), "{turn:?}");
    assert!(started.elapsed() < Duration::from_secs(10));
    fake.leave(1);
}

#[test]
fn variants_and_parameters_must_be_the_engines() {
    let seat_and_think = |rules: &str, more: &str| {
        let (spec, log) = spec("good", &format!("{rules}{}", more.len()), more);
        let mut session = draughts(rules);
        let result = session
            .seat(Side::First, &spec, &Resources::default())
            .and_then(|()| think(&mut *session, &AtomicBool::new(false)).map(drop));
        drop(session);
        let said = std::fs::read_to_string(&log).unwrap_or_default();
        let _ = std::fs::remove_file(log);
        (result, said)
    };
    let (result, said) = seat_and_think("international", ",set=book=false");
    assert!(result.is_ok(), "{result:?}");
    assert!(said.contains("> set-param name=book value=false\n> init\n"), "{said}");
    assert!(said.contains("> level move-time=0.150\n> go think\n"), "{said}");
    for (rules, more, words) in [
        ("english", "", "variant \"english\": expected one of the values the engine knows: normal"),
        ("international", ",set=bok=false", "one of the engine's parameters: variant, book"),
        ("international", ",set=book", "name=value"),
        ("international", ",time=soon", "a time such as"),
    ] {
        let (result, _) = seat_and_think(rules, more);
        let error = result.unwrap_err();
        assert!(matches!(error, PlayerError::Input(_)), "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn a_handshake_has_its_time() {
    for behaviour in ["mute", "unready"] {
        let (spec, log) = spec(behaviour, "seat", ",handshake=500ms");
        let mut session = draughts("international");
        let result = session
            .seat(Side::First, &spec, &Resources::default())
            .and_then(|()| think(&mut *session, &AtomicBool::new(false)).map(drop));
        assert!(matches!(result, Err(PlayerError::Fault(Fault::Hang, _))), "{result:?}");
        let _ = std::fs::remove_file(log);
    }
}
