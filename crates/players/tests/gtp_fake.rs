//! The `gtp` player against an engine that misbehaves on purpose.
//!
//! The engine is this very test program, started again with `fake_engine` as the only test and the
//! behaviour as a second filter. What the test harness prints around it is noise to be skipped.

use ludus_core::{Fault, Limits, PlayerError, Side};
use ludus_players::{Progress, Resources, Session, Turn, find_game};
use std::{
    io::BufRead,
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};

const PREFIX: &str = "behave-";

/// The fake. It misbehaves only in games that begin at A1, so that the next game can go well.
#[test]
fn fake_engine() {
    let Some(behaviour) =
        std::env::args().find_map(|word| Some(word.strip_prefix(PREFIX)?.to_owned()))
    else {
        return; // an ordinary run of the tests
    };
    println!("\nprocess {}", std::process::id());
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
        "hang" => {
            thread::sleep(Duration::from_secs(1000));
            Ok(String::new())
        }
        "crash" => {
            eprintln!("assertion failed: everything");
            std::process::exit(3);
        }
        "flood" => loop {
            println!("blah");
        },
        other => panic!("no such behaviour: {other}"),
    }
}

/// A free point, from the far corner.
fn good_move(moves: &[String]) -> String {
    let points = ('A'..='E').rev().flat_map(|c| (1..=5).rev().map(move |row| format!("{c}{row}")));
    points.into_iter().find(|point| !moves.contains(point)).unwrap_or("pass".to_owned())
}

struct Fake {
    session: Box<dyn Session>,
    log: PathBuf,
}

fn go(options: &str) -> Box<dyn Session> {
    let (game, options) = find_game(options).unwrap();
    game.open(&options, None).unwrap()
}

fn spec(behaviour: &str, name: &str, more: &str) -> (String, PathBuf) {
    let name = format!("gtp-{name}-{behaviour}-{}.log", std::process::id());
    let log = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_file(&log);
    let program = std::env::current_exe().unwrap();
    let (program, log_path) = (program.display(), log.display());
    let arguments = format!("fake_engine --exact --nocapture {PREFIX}{behaviour}");
    (format!("gtp:path={program},args={arguments},grace=1s,log={log_path}{more}"), log)
}

impl Fake {
    fn new(behaviour: &str, name: &str) -> Fake {
        let (spec, log) = spec(behaviour, name, "");
        let mut session = go("go:size=5");
        session.seat(Side::Second, &spec, &Resources::default()).unwrap();
        Fake { session, log }
    }

    /// Lets the engine answer to `mv`, the first of a new game.
    fn answer(&mut self, mv: &str) -> Result<Turn, PlayerError> {
        self.session.new_game(None, [1, 2]).unwrap();
        self.session.play(mv).unwrap();
        self.go()
    }

    fn go(&mut self) -> Result<Turn, PlayerError> {
        let limits = Limits { time: Some(Duration::from_millis(200)), ..Limits::default() };
        let stop = AtomicBool::new(false);
        self.session.let_play(&mut Progress { limits, stop: &stop, on_report: &mut |_| {} })
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

#[track_caller]
fn fault(turn: Result<Turn, PlayerError>) -> (Fault, String) {
    match turn {
        Err(PlayerError::Fault(fault, detail)) => (fault, detail),
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_fault_is_found_soon_and_the_next_game_goes_well() {
    for (behaviour, expected, words) in [
        ("occupied", Fault::IllegalMove, "it played \"A1\" in 5/5/5/5/X4 w"),
        ("outside", Fault::IllegalMove, "it played \"K9\""),
        ("nonsense", Fault::IllegalMove, "it played \"e4!?\""),
        ("refuse", Fault::Protocol, "it did not move: not today"),
        ("stubborn", Fault::Protocol, "it refused \"play b A1\": illegal move"),
        ("hang", Fault::Hang, "it did not answer within"),
        ("crash", Fault::Crash, "exit status: 3"),
        ("crash", Fault::Crash, "\"assertion failed: everything\""),
        ("flood", Fault::Flood, "\"blah\""),
    ] {
        let mut fake = Fake::new(behaviour, "fault");
        let started = Instant::now();
        let (found, detail) = fault(fake.answer("A1"));
        assert_eq!(found, expected, "{behaviour}: {detail}");
        assert!(detail.contains(words), "{behaviour}: {detail}");
        assert!(started.elapsed() < Duration::from_secs(8), "{behaviour}");
        let turn = fake.answer("B2");
        assert!(matches!(turn, Ok(Turn::Moved(_))), "{behaviour}: {turn:?}");
        fake.leave(2);
    }
}

#[test]
fn an_engine_may_pass_and_resign() {
    let mut fake = Fake::new("pass", "may");
    let Ok(Turn::Moved(analysis)) = fake.answer("A1") else { panic!("no move") };
    assert_eq!(analysis.best.as_deref(), Some("pass"));
    fake.leave(1);
    let mut fake = Fake::new("resign", "may");
    assert!(matches!(fake.answer("A1"), Ok(Turn::Resigned)));
    fake.leave(1);
}

#[test]
fn the_engine_hears_only_what_is_new() {
    let mut fake = Fake::new("good", "new");
    fake.answer("B2").unwrap();
    fake.session.play("B3").unwrap();
    fake.go().unwrap();
    fake.session.undo();
    fake.session.undo();
    fake.session.play("B4").unwrap();
    fake.go().unwrap();
    let log = fake.leave(1);
    let said: Vec<&str> = log
        .lines()
        .filter_map(|line| line.strip_prefix("> ")?.split_once(' '))
        .map(|(_, command)| command)
        .skip_while(|command| !command.starts_with("boardsize"))
        .filter(|command| !command.starts_with("time_left"))
        .collect();
    let expected = [
        "boardsize 5",
        "clear_board",
        "set_random_seed 2",
        "komi 7.5",
        "play b B2",
        "time_settings 0 1 1",
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
    let (spec, log) = spec("good", "size", "");
    let mut session = go("go:size=7");
    session.seat(Side::First, &spec, &Resources::default()).unwrap();
    let stop = AtomicBool::new(false);
    let limits = Limits::default();
    let turn = session.let_play(&mut Progress { limits, stop: &stop, on_report: &mut |_| {} });
    let error = turn.unwrap_err();
    assert!(matches!(error, PlayerError::Input(_)), "{error}");
    assert!(error.to_string().contains("board size for Fake 1 \"7\""), "{error}");
    assert!(error.to_string().contains("unacceptable size"), "{error}");
    drop(session);
    let _ = std::fs::remove_file(log);
}

#[test]
fn an_engine_that_does_not_answer_or_speaks_another_version_is_found_when_seated() {
    for (behaviour, expected) in [("mute", Fault::Hang), ("old", Fault::Protocol)] {
        let (spec, log) = spec(behaviour, "seat", ",handshake=1s");
        let seated = go("go:size=5").seat(Side::First, &spec, &Resources::default());
        match seated {
            Err(PlayerError::Fault(fault, _)) => assert_eq!(fault, expected),
            other => panic!("{behaviour}: {other:?}"),
        }
        let _ = std::fs::remove_file(log);
    }
    let missing = go("go").seat(Side::First, "gtp:path=no-such-engine", &Resources::default());
    assert!(matches!(missing, Err(PlayerError::Input(_))), "{missing:?}");
}

#[test]
fn stopping_a_move_ends_the_engine_without_blame() {
    let mut fake = Fake::new("hang", "stop");
    fake.session.play("A1").unwrap();
    let stop = AtomicBool::new(false);
    let turn = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(300));
            stop.store(true, Ordering::Relaxed);
        });
        let limits = Limits::default();
        fake.session.let_play(&mut Progress { limits, stop: &stop, on_report: &mut |_| {} })
    });
    assert!(matches!(turn, Err(PlayerError::Failed(_))), "{turn:?}");
    fake.leave(1);
}
