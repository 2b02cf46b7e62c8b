//! `cargo xtask test`: everything a change must pass.

use crate::{
    command::{self, cargo, shown, succeeds},
    packages, perft,
    report::{Report, Tally},
    web,
};
use anyhow::{Context, Result};
use std::{
    io::{BufRead, BufReader},
    process::{Command, ExitCode, Stdio},
};

/// How much to check.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Extent {
    Everything,
    /// All but the perft counts that need a release build.
    Quick,
}

pub fn run(extent: Extent) -> ExitCode {
    let mut report = Report::default();
    packages::provide(packages::NEEDED, &mut report, packages::apt_install);
    command_step(&mut report, &mut cargo(&["fmt", "--all", "--", "--check"]));
    let clippy = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    command_step(&mut report, &mut cargo(&clippy));
    tests_step(&mut report, &mut cargo(&["test", "--workspace", "--no-fail-fast"]));
    let mut doc = cargo(&["doc", "--workspace", "--no-deps"]);
    command_step(&mut report, doc.env("RUSTDOCFLAGS", "-D warnings"));
    web::step(&mut report);
    licences_step(&mut report);
    if extent == Extent::Everything {
        perft::step(&mut report);
    } else {
        report.skip("perft in the release build: --quick was given".to_owned());
    }
    report.finish()
}

fn command_step(report: &mut Report, command: &mut Command) {
    report.step(&shown(command), || command::run(command).map(|()| Tally::PASS));
}

fn licences_step(report: &mut Report) {
    if succeeds(&mut cargo(&["deny", "--version"])) {
        command_step(report, &mut cargo(&["deny", "check", "licenses", "bans", "sources"]));
    } else {
        report.skip("licences of the dependencies: cargo-deny is not installed".to_owned());
    }
}

/// Runs `cargo test …` and counts its tests one by one.
pub fn tests_step(report: &mut Report, command: &mut Command) {
    report.step(&shown(command), || count_tests(command));
}

fn count_tests(command: &mut Command) -> Result<Tally> {
    let mut child = command
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {}", shown(command)))?;
    let output = child.stdout.take().context("the output was asked for")?;
    let mut tally = Tally::default();
    for line in BufReader::new(output).lines() {
        let line = line.context("the tests must print UTF-8")?;
        let counted = read_result(&line).unwrap_or_default();
        tally.add(counted);
        if is_telling(&line) {
            println!("{line}");
        }
    }
    // A build that fails runs no test, and a test program that crashes counts none.
    if !child.wait()?.success() && tally.failed == 0 {
        tally.add(Tally::FAIL);
    }
    Ok(tally)
}

/// Reads `test result: ok. 12 passed; 0 failed; …`.
fn read_result(line: &str) -> Option<Tally> {
    let (_, counts) = line.strip_prefix("test result: ")?.split_once(". ")?;
    let count = |word: &str| {
        counts.split("; ").find_map(|part| part.strip_suffix(word)?.trim().parse().ok())
    };
    Some(Tally { passed: count("passed")?, failed: count("failed")? })
}

/// Whether a line of test output is worth a reader's time: not one of a program without tests.
fn is_telling(line: &str) -> bool {
    let empty = line.is_empty() || line == "running 0 tests";
    !empty && read_result(line) != Some(Tally::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_test_programs_are_read() {
        let ok = "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out";
        assert_eq!(read_result(ok), Some(Tally { passed: 12, failed: 0 }));
        let failed = "test result: FAILED. 3 passed; 2 failed; 0 ignored; finished in 0.01s";
        assert_eq!(read_result(failed), Some(Tally { passed: 3, failed: 2 }));
        assert_eq!(read_result("test result: odd"), None);
        assert_eq!(read_result("test conforms ... ok"), None);
    }

    #[test]
    fn programs_without_tests_are_not_shown() {
        assert!(!is_telling("running 0 tests"));
        assert!(!is_telling("test result: ok. 0 passed; 0 failed; 0 ignored"));
        assert!(is_telling("test conforms ... ok"));
    }
}
