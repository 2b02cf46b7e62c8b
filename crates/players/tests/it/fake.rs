//! An engine that misbehaves on purpose, in the second seat of a game.
//!
//! The engine is the test program itself, started again with the `fake_engine` of its protocol as the only
//! test and the behaviour as a second filter. What the test harness prints around it is noise to be skipped.

use ludus_core::{Fault, Limits, PlayerError, Side};
use ludus_players::{Progress, Resources, Session, Turn, find_game};
use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

const PREFIX: &str = "behave-";

/// How this process has to behave as an engine; `None` in an ordinary run of the tests.
pub fn behaviour() -> Option<String> {
    let wanted = std::env::args().find_map(|word| Some(word.strip_prefix(PREFIX)?.to_owned()))?;
    println!("\nprocess {}", std::process::id());
    Some(wanted)
}

pub fn hang() -> ! {
    loop {
        thread::sleep(Duration::from_secs(1000));
    }
}

pub fn crash() -> ! {
    eprintln!("assertion failed: everything");
    std::process::exit(3);
}

pub fn flood(line: &str) -> ! {
    loop {
        println!("{line}");
    }
}

pub fn open(game: &str) -> Box<dyn Session> {
    let (game, options) = find_game(game).unwrap();
    game.open(&options, None).unwrap()
}

/// A fake engine as the specification of a player. Its log goes with it.
pub struct Engine {
    pub spec: String,
    log: PathBuf,
}

impl Engine {
    /// `more` is appended to the specification.
    pub fn new(protocol: &str, behaviour: &str, more: &str) -> Engine {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Relaxed);
        let name = format!("{protocol}-{behaviour}-{}-{number}.log", std::process::id());
        let log = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_file(&log);
        let program = std::env::current_exe().unwrap();
        let (program, log_path) = (program.display(), log.display());
        let arguments =
            format!("{protocol}_fake::fake_engine --exact --nocapture {PREFIX}{behaviour}");
        let spec =
            format!("{protocol}:path={program},args={arguments},grace=1s,log={log_path}{more}");
        Engine { spec, log }
    }

    /// All that was said to it (`>`) and by it (`<`).
    pub fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.log);
    }
}

/// A fake engine in the second seat.
pub struct Fake {
    pub session: Box<dyn Session>,
    pub engine: Engine,
}

impl Fake {
    pub fn new(game: &str, engine: Engine) -> Fake {
        let mut session = open(game);
        session.seat(Side::Second, &engine.spec, &Resources::default()).unwrap();
        Fake { session, engine }
    }

    /// Lets the engine answer to `mv`, the first of a new game.
    pub fn answer(&mut self, mv: &str) -> Result<Turn, PlayerError> {
        self.session.new_game(None, [1, 2]).unwrap();
        self.session.play(mv).unwrap();
        self.go()
    }

    pub fn go(&mut self) -> Result<Turn, PlayerError> {
        think(&mut *self.session)
    }

    /// Lets the engine think without a limit, and stops it soon.
    pub fn go_and_stop(&mut self) -> Result<Turn, PlayerError> {
        let stop = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(300));
                stop.store(true, Relaxed);
            });
            let limits = Limits::default();
            self.session.let_play(&mut Progress { limits, stop: &stop, on_report: &mut |_| {} })
        })
    }

    /// Ends the engine, makes sure that all its processes, `runs` of them, are gone, and returns
    /// its log.
    pub fn leave(self, runs: usize) -> String {
        drop(self.session);
        let log = self.engine.log();
        let processes: Vec<&str> =
            log.lines().filter_map(|line| line.strip_prefix("< process ")).collect();
        assert_eq!(processes.len(), runs, "{log}");
        for process in processes {
            // A process that nobody waited for would still be here, as a zombie.
            assert!(!Path::new("/proc").join(process).exists(), "{process} is still there");
        }
        log
    }
}

/// Lets who is to move in `session` think for a fifth of a second.
pub fn think(session: &mut dyn Session) -> Result<Turn, PlayerError> {
    let limits = Limits { time: Some(Duration::from_millis(200)), ..Limits::default() };
    let stop = AtomicBool::new(false);
    session.let_play(&mut Progress { limits, stop: &stop, on_report: &mut |_| {} })
}

#[track_caller]
pub fn fault(turn: Result<Turn, PlayerError>) -> (Fault, String) {
    match turn {
        Err(PlayerError::Fault(fault, detail)) => (fault, detail),
        other => panic!("{other:?}"),
    }
}

/// Engines of these behaviours answer to the first move `bad` with these faults, told in these
/// words, and to `good` in the next game as they should.
pub fn check_faults(
    seat: impl Fn(&str) -> Fake,
    (bad, good): (&str, &str),
    faults: &[(&str, Fault, &str)],
) {
    for &(behaviour, expected, words) in faults {
        let mut fake = seat(behaviour);
        let started = Instant::now();
        let (found, detail) = fault(fake.answer(bad));
        assert_eq!(found, expected, "{behaviour}: {detail}");
        assert!(detail.contains(words), "{behaviour}: {detail}");
        assert!(started.elapsed() < Duration::from_secs(8), "{behaviour}");
        let turn = fake.answer(good);
        assert!(matches!(turn, Ok(Turn::Moved(_))), "{behaviour}: {turn:?}");
        fake.leave(2);
    }
}
