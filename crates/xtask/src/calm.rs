//! `cargo xtask calm`: stress test for flaky tests.
//!
//! Runs the tests that use a browser, a server, a clock or another process repeatedly beside busy threads, and
//! names those that failed.

use crate::command::{self, cargo, shown};
use anyhow::{Context, Result, bail};
use std::{
    collections::BTreeMap,
    hint,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
    time::Instant,
};

/// Test programs and, after `--`, which of their tests.
const PROGRAMS: [&[&str]; 7] = [
    &["--package", "ludus-app", "--test", "browser"],
    &["--package", "ludus-app", "--test", "it"],
    &["--package", "ludus-app", "--lib"],
    &[
        "--package",
        "ludus-players",
        "--test",
        "it",
        "--",
        "process::",
        "uci_",
        "gtp_",
        "hub_",
        "ludus_",
        "fair_time::",
    ],
    &["--package", "ludus-arena", "--test", "it", "--", "contest::", "store"],
    &["--package", "ludus-search", "--test", "it", "--", "mcts::"],
    &["--package", "ludus-training", "--lib", "--", "processor::", "parallel::"],
];

/// Number of rounds and load.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct StressLoad {
    pub rounds: usize,
    /// Number of busy threads.
    pub busy: usize,
}

impl Default for StressLoad {
    fn default() -> StressLoad {
        StressLoad { rounds: 10, busy: 4 }
    }
}

pub fn run(load: StressLoad) -> Result<()> {
    for program in PROGRAMS {
        let built = program.iter().take_while(|word| **word != "--");
        let words: Vec<&str> = ["test", "--no-run"].into_iter().chain(built.copied()).collect();
        command::run(&mut cargo(&words))?;
    }
    let end = AtomicBool::new(false);
    let failures = thread::scope(|scope| {
        for _ in 0..load.busy {
            scope.spawn(|| {
                while !end.load(Relaxed) {
                    hint::spin_loop();
                }
            });
        }
        let failures = rounds(load.rounds);
        end.store(true, Relaxed);
        failures
    })?;
    let StressLoad { rounds, busy } = load;
    for (test, count) in &failures {
        println!("failed in {count} of {rounds} rounds: {test}");
    }
    let count: usize = failures.values().sum();
    println!("{rounds} rounds beside {busy} busy threads: {count} failures");
    if count > 0 { bail!("{} flaky tests", failures.len()) } else { Ok(()) }
}

/// Runs all programs `count` times; returns the number of failures of each test.
fn rounds(count: usize) -> Result<BTreeMap<String, usize>> {
    let mut failures = BTreeMap::new();
    for round in 1..=count {
        for program in PROGRAMS {
            let started = Instant::now();
            let mut command = cargo(&[&["test", "--quiet"], program].concat());
            let output =
                command.output().with_context(|| format!("cannot start {}", shown(&command)))?;
            let text = String::from_utf8_lossy(&output.stdout);
            let failed = failed_tests(&text, output.status.success());
            let verdict = if failed.is_empty() { "ok" } else { "FAILED" };
            let seconds = started.elapsed().as_secs();
            println!("round {round}: {verdict} in {seconds} s: {}", shown(&command));
            if !failed.is_empty() {
                println!("{text}{}", String::from_utf8_lossy(&output.stderr));
            }
            for test in failed {
                *failures.entry(format!("{} {test}", program[1])).or_default() += 1;
            }
        }
    }
    Ok(failures)
}

/// The failed tests, from the list at the end of the output; a program that crashed lists none.
fn failed_tests(output: &str, is_good: bool) -> Vec<String> {
    let list = output.rsplit_once("\nfailures:\n").map_or("", |(_, list)| list);
    let names = list.lines().map_while(|line| line.strip_prefix("    "));
    let failed: Vec<String> = names.map(str::to_owned).collect();
    if failed.is_empty() && !is_good { vec!["the program itself".to_owned()] } else { failed }
}

/// Reads `--rounds N` and `--busy N` in any order.
pub fn parse(words: &[&str]) -> Option<StressLoad> {
    let mut load = StressLoad::default();
    for pair in words.chunks(2) {
        match *pair {
            ["--rounds", number] => load.rounds = number.parse().ok()?,
            ["--busy", number] => load.busy = number.parse().ok()?,
            _ => return None,
        }
    }
    Some(load)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_in_any_order() {
        assert_eq!(parse(&[]), Some(StressLoad { rounds: 10, busy: 4 }));
        assert_eq!(
            parse(&["--busy", "0", "--rounds", "1"]),
            Some(StressLoad { rounds: 1, busy: 0 })
        );
        assert!(parse(&["--rounds"]).is_none() && parse(&["--load", "1"]).is_none());
    }

    #[test]
    fn failed_tests_are_read_from_the_list_at_the_end() {
        let output = "..F\nfailures:\n\n---- a::b stdout ----\npanicked\n\nfailures:\n    a::b\n    c\n\n\
                      test result: FAILED. 2 passed; 2 failed\n";
        assert_eq!(failed_tests(output, false), ["a::b", "c"]);
        assert_eq!(failed_tests("test result: ok. 3 passed\n", true), [""; 0]);
        assert_eq!(failed_tests("", false), ["the program itself"]);
    }
}
