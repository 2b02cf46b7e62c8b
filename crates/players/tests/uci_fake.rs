//! The `uci` player against an engine that misbehaves on purpose.
//!
//! The engine is this very test program, started again with `fake_engine` as the only test and the
//! behaviour as a second filter. What the test harness prints around it is babble to be skipped.

use ludus_core::{Fault, Limits, PlayerError, Side};
use ludus_players::{Progress, Resources, Session, Turn, find_game};
use std::{
    io::{BufRead, Write},
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

const PREFIX: &str = "behave-";

/// The fake. It misbehaves only in games that begin with e2e4, so that the next game can go well.
#[test]
fn fake_engine() {
    let Some(behaviour) =
        std::env::args().find_map(|word| Some(word.strip_prefix(PREFIX)?.to_owned()))
    else {
        return; // an ordinary run of the tests
    };
    let mut position = String::new();
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let answer = match line.split(' ').next().unwrap_or_default() {
            "uci" if behaviour == "mute" => String::new(),
            "uci" => format!(
                "id name Fake\ninfo string process {}\n\
                 option name Skill Level type spin default 20 min 0 max 20\n\
                 option name Style type combo default Calm var Calm var Wild\n\
                 option name Clear type button\nuciok",
                std::process::id()
            ),
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
        "hang" => std::thread::sleep(Duration::from_secs(1000)),
        "slow" => std::thread::sleep(Duration::from_millis(300)),
        "crash" => {
            eprintln!("assertion failed: everything");
            std::process::exit(3);
        }
        "flood" => loop {
            println!("info string blah");
        },
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
    let mut session = chess();
    for mv in position.split(" moves ").nth(1).unwrap_or_default().split(' ') {
        if !mv.is_empty() {
            session.play(mv).unwrap();
        }
    }
    format!("bestmove {}", session.legal_moves()[0])
}

fn chess() -> Box<dyn Session> {
    let (game, options) = find_game("chess").unwrap();
    game.open(&options, None).unwrap()
}

/// A fake engine in the second seat, and a log that tells which processes it had.
struct Fake {
    session: Box<dyn Session>,
    log: PathBuf,
}

impl Fake {
    fn spec(behaviour: &str, more: &str) -> (String, PathBuf) {
        let name = format!("uci-{behaviour}-{}-{}.log", std::process::id(), more.len());
        let log = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_file(&log);
        let program = std::env::current_exe().unwrap();
        let spec = format!(
            "uci:path={},args=fake_engine --exact --nocapture {PREFIX}{behaviour},grace=1s,log={}{more}",
            program.display(),
            log.display()
        );
        (spec, log)
    }

    fn new(behaviour: &str, more: &str) -> Fake {
        let (spec, log) = Fake::spec(behaviour, more);
        let mut session = chess();
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
    fn leave(self, runs: usize) {
        drop(self.session);
        let log = std::fs::read_to_string(&self.log).unwrap();
        let processes: Vec<&str> =
            log.lines().filter_map(|line| line.split("string process ").nth(1)).collect();
        assert_eq!(processes.len(), runs, "{log}");
        for process in processes {
            // A process that nobody waited for would still be here, as a zombie.
            assert!(!Path::new("/proc").join(process).exists(), "{process} is still there");
        }
        let _ = std::fs::remove_file(&self.log);
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
        ("illegal", Fault::IllegalMove, "it played \"e2e4\" in rnbqkbnr/"),
        ("none", Fault::IllegalMove, "it gave no move"),
        ("empty", Fault::IllegalMove, "it gave no move"),
        ("hang", Fault::Hang, "it did not answer within 1."),
        ("crash", Fault::Crash, "exit status: 3"),
        ("crash", Fault::Crash, "\"assertion failed: everything\""),
        ("flood", Fault::Flood, "\"info string blah\""),
        ("endless", Fault::Flood, "a line of more than"),
    ] {
        let mut fake = Fake::new(behaviour, "");
        let started = Instant::now();
        let (found, detail) = fault(fake.answer("e2e4"));
        assert_eq!(found, expected, "{behaviour}: {detail}");
        assert!(detail.contains(words), "{behaviour}: {detail}");
        assert!(started.elapsed() < Duration::from_secs(8), "{behaviour}");
        let turn = fake.answer("d2d4");
        assert!(matches!(turn, Ok(Turn::Moved(_))), "{behaviour}: {turn:?}");
        fake.leave(2);
    }
}

#[test]
fn babble_is_skipped_and_late_answers_within_the_grace_count() {
    let mut fake = Fake::new("babble", "");
    let Ok(Turn::Moved(analysis)) = fake.answer("e2e4") else { panic!("no move") };
    assert_eq!((analysis.score, analysis.depth, analysis.nodes), (Some(12), 4, 120));
    fake.leave(1);
    let mut fake = Fake::new("slow", "");
    assert!(matches!(fake.answer("e2e4"), Ok(Turn::Moved(_))));
    fake.leave(1);
}

#[test]
fn an_engine_may_resign() {
    let mut fake = Fake::new("resign", "");
    assert!(matches!(fake.answer("e2e4"), Ok(Turn::Resigned)));
    fake.leave(1);
}

#[test]
fn an_engine_that_leaves_between_games_is_started_again_without_a_fault() {
    let mut fake = Fake::new("leave", "");
    assert!(matches!(fake.answer("e2e4"), Ok(Turn::Moved(_))));
    assert!(matches!(fake.answer("d2d4"), Ok(Turn::Moved(_))));
    fake.leave(2);
    // Within a game it is a crash.
    let mut fake = Fake::new("leave", ",depth=1");
    assert!(matches!(fake.answer("e2e4"), Ok(Turn::Moved(_))));
    let mv = fake.session.legal_moves().remove(0);
    fake.session.play(&mv).unwrap();
    assert_eq!(fault(fake.go()).0, Fault::Crash);
    fake.leave(1);
}

#[test]
fn a_handshake_has_its_time() {
    for behaviour in ["mute", "unready"] {
        let (spec, log) = Fake::spec(behaviour, ",handshake=500ms");
        let started = Instant::now();
        let seated = chess().seat(Side::First, &spec, &Resources::default());
        assert!(matches!(seated, Err(PlayerError::Fault(Fault::Hang, _))), "{seated:?}");
        assert!(started.elapsed() < Duration::from_secs(5));
        let _ = std::fs::remove_file(log);
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
        let (spec, log) = Fake::spec("good", more);
        let error = chess().seat(Side::First, &spec, &Resources::default()).unwrap_err();
        assert!(matches!(error, PlayerError::Input(_)), "{error}");
        assert!(error.to_string().contains(words), "{error}");
        let _ = std::fs::remove_file(log);
    }
    let fake = Fake::new("good", ",set=skill level=3;Style=Wild;Clear");
    let log = std::fs::read_to_string(&fake.log).unwrap();
    for line in ["name Skill Level value 3", "name Style value Wild", "> setoption name Clear\n"] {
        assert!(log.contains(line), "{log}");
    }
    fake.leave(1);
}
