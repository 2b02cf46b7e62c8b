//! An engine that misbehaves on purpose, in the second seat of a game.
//!
//! The engine is the test program itself, started again with the `fake_engine` of its protocol as the only
//! test and the behaviour as a second filter. The output of the test harness around it has to be skipped.

use crate::seated::{Seated, Turn};
use ludus_core::{Fault, Limits, PlayerError, Side};
use ludus_players::Resources;
use std::{
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

const PREFIX: &str = "behave-";
/// Time after which a waiting test fails.
const TEST_TIMEOUT: Duration = Duration::from_secs(600);
/// Time for a move of the engines.
pub const MOVE_TIME: Duration = Duration::from_millis(200);

/// The behaviour of this process as an engine; `None` in an ordinary run of the tests.
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

/// A fake engine as the specification of a player. Its log goes with it.
pub struct Engine {
    pub spec: String,
    log: PathBuf,
}

impl Engine {
    /// `more` is appended to the specification; timeouts it does not set are longer than the test runs.
    pub fn new(protocol: &str, behaviour: &str, more: &str) -> Engine {
        Engine::of_module(&format!("{protocol}_fake"), protocol, behaviour, more)
    }

    /// The same with the `fake_engine` of another module.
    pub fn of_module(module: &str, protocol: &str, behaviour: &str, more: &str) -> Engine {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Relaxed);
        let name = format!("{protocol}-{behaviour}-{}-{number}.log", std::process::id());
        let log = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_file(&log);
        let program = std::env::current_exe().unwrap();
        let (program, log_path) = (program.display(), log.display());
        let arguments = format!("{module}::fake_engine --exact --nocapture {PREFIX}{behaviour}");
        let mut spec = format!("{protocol}:path={program},args={arguments},log={log_path}{more}");
        for option in ["grace", "handshake"] {
            if !more.contains(option) {
                spec += &format!(",{option}=10m");
            }
        }
        Engine { spec, log }
    }

    /// Its input (`>`) and output (`<`).
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
    pub seated: Seated,
    pub engine: Engine,
}

impl Fake {
    pub fn new(game: &str, engine: Engine) -> Fake {
        let mut seated = Seated::open(game);
        seated.seat(Side::Second, &engine.spec, &Resources::default()).unwrap();
        Fake { seated, engine }
    }

    /// Lets the engine answer to `mv`, the first of a new game.
    pub fn answer(&mut self, mv: &str) -> Result<Turn, PlayerError> {
        self.answer_within(MOVE_TIME, mv)
    }

    fn answer_within(&mut self, time: Duration, mv: &str) -> Result<Turn, PlayerError> {
        self.seated.new_game([1, 2]).unwrap();
        self.seated.board.play(mv).unwrap();
        think(&mut self.seated, time)
    }

    pub fn go(&mut self) -> Result<Turn, PlayerError> {
        think(&mut self.seated, MOVE_TIME)
    }

    /// Lets the engine think without a limit, and stops it when it has received `command`.
    pub fn go_and_stop(&mut self, command: &str) -> Result<Turn, PlayerError> {
        let stop = AtomicBool::new(false);
        let engine = &self.engine;
        thread::scope(|scope| {
            scope.spawn(|| {
                wait_until(|| engine.log().contains(command));
                stop.store(true, Relaxed);
            });
            self.seated.let_play_until(Limits::default(), &stop)
        })
    }

    /// Ends the engine, makes sure that all its processes, `runs` of them, are gone, and returns
    /// its log.
    pub fn leave(self, runs: usize) -> String {
        drop(self.seated);
        let log = self.engine.log();
        let processes: Vec<&str> =
            log.lines().filter_map(|line| line.strip_prefix("< process ")).collect();
        assert_eq!(processes.len(), runs, "{log}");
        for process in processes {
            // A process that was not waited for would still be there, as a zombie.
            assert!(!Path::new("/proc").join(process).exists(), "{process} is still there");
        }
        log
    }
}

pub fn wait_until(holds: impl Fn() -> bool) {
    let started = Instant::now();
    while !holds() {
        assert!(started.elapsed() < TEST_TIMEOUT);
        thread::sleep(Duration::from_millis(5));
    }
}

/// Lets the player to move think for `time`.
pub fn think(seated: &mut Seated, time: Duration) -> Result<Turn, PlayerError> {
    seated.let_play(Limits { time: Some(time), ..Limits::default() })
}

#[track_caller]
pub fn fault(turn: Result<Turn, PlayerError>) -> (Fault, String) {
    match turn {
        Err(PlayerError::Fault(fault, detail)) => (fault, detail),
        other => panic!("{other:?}"),
    }
}

/// Checks that engines of these behaviours answer the first move `bad` with these faults and messages,
/// and answer `good` in the next game correctly. Only a hang is found by the clock.
pub fn check_faults(
    seat: impl Fn(&str) -> Fake,
    (bad, good): (&str, &str),
    faults: &[(&str, Fault, &str)],
) {
    for &(behaviour, expected, words) in faults {
        let mut fake = seat(behaviour);
        let (found, detail) = fault(fake.answer(bad));
        assert_eq!(found, expected, "{behaviour}: {detail}");
        assert!(detail.contains(words), "{behaviour}: {detail}");
        // The engine of the hang test still has its short grace.
        let turn = fake.answer_within(TEST_TIMEOUT, good);
        assert!(matches!(turn, Ok(Turn::Moved(_))), "{behaviour}: {turn:?}");
        fake.leave(2);
    }
}
