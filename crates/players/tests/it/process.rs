//! Engine processes that answer, crash, hang, flood or do not read.
#![cfg(unix)]

use ludus_core::{Fault, PlayerError};
use ludus_players::external::{process::EngineProcess, program::Program};
use std::{
    path::Path,
    sync::atomic::AtomicBool,
    thread,
    time::{Duration, Instant},
};

fn shell(script: &str) -> EngineProcess {
    let mut program = Program::new("sh", "", "");
    program.arguments = vec!["-c".to_owned(), script.to_owned()];
    let mut engine = EngineProcess::new(program);
    engine.start().unwrap();
    engine
}

/// Time after which a waiting test fails.
const TEST_TIMEOUT: Duration = Duration::from_secs(600);

fn soon() -> Option<Instant> {
    Some(Instant::now() + TEST_TIMEOUT)
}

fn fault(result: Result<String, PlayerError>) -> (Fault, String) {
    match result {
        Err(PlayerError::Fault(fault, detail)) => (fault, detail),
        other => panic!("{other:?}"),
    }
}

/// Whether a process has ended and was waited for; a zombie still has an entry.
fn is_gone(process: u32) -> bool {
    !Path::new(&format!("/proc/{process}")).exists()
}

#[test]
fn lines_go_both_ways_and_the_process_goes_at_the_end() {
    let mut engine = shell("read line; echo \"heard $line\"; read line");
    engine.ask("a\nb").unwrap();
    assert_eq!(engine.read_line(soon()).unwrap(), "heard a b");
    let process = engine.process_id().unwrap();
    drop(engine);
    assert!(is_gone(process));
}

#[test]
fn a_crash_reports_the_status_and_the_last_lines() {
    // The last output is still in the pipe when the process is gone.
    let much = "head -c 60000 /dev/zero | tr '\\0' '\\n'";
    let mut engine = shell(&format!("echo thinking; {much} >&2; echo oops >&2; exit 3"));
    assert_eq!(engine.read_line(soon()).unwrap(), "thinking");
    let (fault, detail) = fault(engine.read_line(soon()));
    assert_eq!(fault, Fault::Crash);
    for part in ["sh: it ended with exit status: 3", "\"thinking\"", "\"oops\""] {
        assert!(detail.contains(part), "{part} is not in {detail}");
    }
    assert!(!engine.is_running());
    engine.start().unwrap();
    assert_eq!(engine.read_line(soon()).unwrap(), "thinking");
}

#[test]
fn a_hang_ends_at_the_deadline_and_children_of_the_engine_end_too() {
    let mut engine = shell("sleep 1000 & echo $!; trap '' TERM; sleep 1000; sleep 1000");
    let grandchild: u32 = engine.read_line(soon()).unwrap().parse().unwrap();
    let started = Instant::now();
    let process = engine.process_id().unwrap();
    let deadline = Some(started + Duration::from_millis(100));
    assert_eq!(fault(engine.read_line(deadline)).0, Fault::Hang);
    assert!(started.elapsed() >= Duration::from_millis(100));
    assert!(is_gone(process));
    let running = |process: u32| {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        !stat.is_empty() && !stat.contains(") Z")
    };
    while running(grandchild) {
        assert!(started.elapsed() < TEST_TIMEOUT, "{grandchild} still runs");
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn floods_of_lines_and_lines_without_end_are_faults() {
    for script in ["while :; do echo babble; done", "yes", "cat /dev/zero"] {
        let mut engine = shell(script);
        let answer = loop {
            match engine.read_line(soon()) {
                Ok(_) => {}
                Err(error) => break Err(error),
            }
        };
        assert_eq!(fault(answer).0, Fault::Flood, "{script}");
    }
}

#[test]
fn an_engine_that_does_not_read_cannot_block_us() {
    let mut engine = shell("sleep 1000");
    let long = "x".repeat(50_000);
    for _ in 0..20 {
        engine.ask(&long).unwrap();
    }
    let deadline = Some(Instant::now() + Duration::from_millis(50));
    assert_eq!(fault(engine.read_line(deadline)).0, Fault::Hang);
}

#[test]
fn the_flag_interrupts_and_the_engine_stays() {
    let mut engine = shell("read line; echo late");
    let stop = AtomicBool::new(true);
    assert!(engine.read_line_unless(None, &stop).unwrap().is_none());
    engine.send("stop").unwrap();
    assert_eq!(engine.read_line(soon()).unwrap(), "late");
}

#[test]
fn a_missing_program_and_a_bad_log_are_errors_of_the_input() {
    for program in [Program::new("no-such-engine", "", ""), Program::new("sh", "", "/no/log")] {
        let error = EngineProcess::new(program).start().unwrap_err();
        assert!(matches!(error, PlayerError::Input(_)), "{error}");
    }
}
