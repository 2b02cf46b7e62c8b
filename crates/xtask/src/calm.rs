//! `cargo xtask calm`: stress test for flaky tests.
//!
//! Runs the tests that use a browser, a server, a clock or another process repeatedly beside busy threads, and
//! names those that failed.

use crate::command::{cargo, output, root};
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::{
    collections::BTreeMap,
    hint,
    path::{Path, PathBuf},
    process::Command,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    thread,
    time::Instant,
};

/// Test programs of packages, each with the parts of the names of its tests that run; all tests if empty.
const PROGRAMS: [(&str, &str, &[&str]); 7] = [
    ("ludus-app", "browser", &[]),
    ("ludus-app", "it", &[]),
    ("ludus-app", "ludus_app", &[]),
    ("ludus-players", "it", &["process::", "uci_", "gtp_", "hub_", "ludus_", "fair_time::"]),
    ("ludus-arena", "it", &["contest::", "store"]),
    ("ludus-search", "it", &["mcts::"]),
    ("ludus-training", "ludus_training", &["processor::", "parallel::"]),
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
    let programs = build()?;
    let end = AtomicBool::new(false);
    let failures = thread::scope(|scope| {
        for _ in 0..load.busy {
            scope.spawn(|| {
                while !end.load(Relaxed) {
                    hint::spin_loop();
                }
            });
        }
        let failures = rounds(load.rounds, &programs);
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

/// A test program as built, with the names of the tests to run.
struct TestProgram {
    name: String,
    file: PathBuf,
    /// The root of its package, where cargo would run it.
    folder: PathBuf,
    filters: &'static [&'static str],
}

/// Builds the tests as `cargo xtask test` does: with fewer packages selected, dependencies would have other
/// features and be built again.
fn build() -> Result<Vec<TestProgram>> {
    let words = ["test", "--workspace", "--tests", "--no-run", "--message-format", "json"];
    let artifacts = output(&mut cargo(&words))?;
    let artifacts: Vec<Value> =
        artifacts.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    PROGRAMS
        .iter()
        .map(|&(package, target, filters)| {
            let name = format!("{package} {target}");
            let found = artifacts.iter().find_map(|artifact| program_of(artifact, package, target));
            let (file, folder) = found.with_context(|| format!("cargo has built no {name}"))?;
            Ok(TestProgram { name, file, folder, filters })
        })
        .collect()
}

/// Executable and root of the package, if the message tells of this test program.
fn program_of(artifact: &Value, package: &str, target: &str) -> Option<(PathBuf, PathBuf)> {
    let folder = Path::new(artifact["manifest_path"].as_str()?).parent()?;
    let is_wanted = artifact["profile"]["test"] == true
        && artifact["target"]["name"] == target
        && folder == root().join("crates").join(package.strip_prefix("ludus-")?);
    let file = artifact["executable"].as_str().filter(|_| is_wanted)?;
    Some((file.into(), folder.to_owned()))
}

/// Runs all programs `count` times; returns the number of failures of each test.
fn rounds(count: usize, programs: &[TestProgram]) -> Result<BTreeMap<String, usize>> {
    let mut failures = BTreeMap::new();
    for round in 1..=count {
        for TestProgram { name, file, folder, filters } in programs {
            let started = Instant::now();
            let mut command = Command::new(file);
            command.arg("--quiet").args(*filters).current_dir(folder);
            let output = command.output().with_context(|| format!("cannot start {name}"))?;
            let text = String::from_utf8_lossy(&output.stdout);
            let failed = failed_tests(&text, output.status.success());
            let verdict = if failed.is_empty() { "ok" } else { "FAILED" };
            let seconds = started.elapsed().as_secs();
            println!("round {round}: {verdict} in {seconds} s: {name} {}", filters.join(" "));
            if !failed.is_empty() {
                println!("{text}{}", String::from_utf8_lossy(&output.stderr));
            }
            for test in failed {
                *failures.entry(format!("{name} {test}")).or_default() += 1;
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
    fn test_programs_are_found_among_cargos_messages() {
        let manifest = root().join("crates/app/Cargo.toml");
        let message = |test: bool| {
            serde_json::json!({ "manifest_path": manifest, "target": { "name": "it" },
                "profile": { "test": test }, "executable": "/target/it-1" })
        };
        let folder = root().join("crates/app");
        let found = program_of(&message(true), "ludus-app", "it");
        assert_eq!(found, Some(("/target/it-1".into(), folder)));
        assert!(program_of(&message(true), "ludus-app", "ludus").is_none());
        assert!(program_of(&message(true), "ludus-arena", "it").is_none());
        assert!(program_of(&message(false), "ludus-app", "it").is_none());
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
