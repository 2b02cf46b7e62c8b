//! The tests of the workspace: built, run and counted.
//!
//! A test that has to be skipped at run time passes and appends its name to the file named by
//! `LUDUS_SKIPPED` (`crates/test-support`). It is counted as skipped.

use crate::{
    command::{self, cargo, scratch, shown, succeeds},
    report::{TestCounts, TestReport},
    slow_tests::SlowTests,
    test::TestScope,
};
use anyhow::{Context, Result};
use std::{
    ffi::OsString,
    fs,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{self, Command, Stdio},
};

/// The environment variable with the file of skipped tests, one per line.
const SKIPPED: &str = "LUDUS_SKIPPED";

/// Every test program; `--tests` excludes the examples, which Clippy checks.
const ALL: &[&str] = &["--tests"];

/// Unit tests, and one integration test program per crate.
const QUICK: &[&str] = &["--lib", "--bins", "--test", "it"];

/// The program that runs test programs.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TestRunner {
    /// `cargo test`: one test program after the other.
    Cargo,
    /// `cargo nextest`: a process per test, so that no processor idles at the end of a program.
    Nextest,
}

impl TestRunner {
    /// Nextest if it is installed.
    pub fn best() -> TestRunner {
        let nextest = succeeds(&mut cargo(&["nextest", "--version"]));
        if nextest { TestRunner::Nextest } else { TestRunner::Cargo }
    }
}

/// The test suite with its runner, scope and environment.
pub struct Suite {
    pub runner: TestRunner,
    pub scope: TestScope,
    pub environment: Vec<(&'static str, OsString)>,
}

impl Suite {
    /// Builds the tests and runs them.
    pub fn steps(&self, report: &mut TestReport) {
        let programs = if self.scope == TestScope::Quick { QUICK } else { ALL };
        // Always the whole workspace: with fewer crates selected, dependencies have other features.
        let test = [&["test", "--workspace"], programs].concat();
        let mut build = self.cargo(&[&test[..], &["--no-run"]].concat());
        if !report.step(&shown(&build), || command::run(&mut build).map(|()| TestCounts::pass())) {
            return report.skip("all tests", "they do not compile");
        }
        let is_everything = self.scope == TestScope::Everything;
        match self.runner {
            TestRunner::Cargo => self.run(report, &[&test[..], &["--no-fail-fast"]].concat()),
            TestRunner::Nextest => {
                self.nextest(report, programs);
                if is_everything {
                    self.run(report, &["test", "--workspace", "--test", "browser"]);
                }
            }
        }
        if is_everything {
            let perft = ["test", "--workspace", "--test", "it", "--", "--ignored", "large_perft"];
            self.run(report, &perft);
            self.run(report, &["test", "--workspace", "--doc"]);
        }
    }

    fn run(&self, report: &mut TestReport, words: &[&str]) {
        let mut command = self.cargo(words);
        report.step(&shown(&command), || run_and_count(&mut command, &mut |_| {}));
    }

    /// Runs `programs` with nextest. A complete run finds the slow tests that a quick one skips.
    fn nextest(&self, report: &mut TestReport, programs: &[&str]) {
        let known = match self.scope {
            TestScope::Everything => SlowTests::default(),
            TestScope::Quick => SlowTests::of_last_run(),
        };
        if let Some(notice) = known.notice() {
            report.skip(&notice, "--quick was given");
        }
        // The browser tests share a driver within their process.
        let filter = format!("not binary(browser){}", known.filter());
        let nextest = ["nextest", "run", "--workspace", "--no-fail-fast"];
        let plain = ["--color", "never"];
        let mut command = self.cargo(&[&nextest[..], programs, &plain].concat());
        let name = shown(&command);
        command.args(["-E", &filter]);
        let mut found = SlowTests::default();
        report.step(&name, || run_and_count(&mut command, &mut |line| found.read_line(line)));
        if self.scope == TestScope::Everything
            && let Err(error) = found.save()
        {
            println!("the slow tests are not noted for --quick: {error}");
        }
    }

    fn cargo(&self, words: &[&str]) -> Command {
        let mut command = cargo(words);
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }
}

/// Runs tests, prints their output, counts them, and passes every line to `on_line`.
fn run_and_count(command: &mut Command, on_line: &mut dyn FnMut(&str)) -> Result<TestCounts> {
    let skipped = SkippedTests::new(scratch(&format!("skipped-tests-{}.txt", process::id())))?;
    // Nextest reports on standard error, which is where cargo reports its builds, too.
    let (reader, writer) = std::io::pipe().context("a pipe")?;
    let mut child = command
        .env(SKIPPED, &skipped.file)
        .stdout(writer.try_clone().context("a pipe")?)
        .stderr(writer)
        .spawn()
        .with_context(|| format!("cannot start {}", shown(command)))?;
    // The command holds the other end of the pipe.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut counts = TestCounts::default();
    for line in BufReader::new(reader).split(b'\n') {
        let line = line.context("the output of the tests")?;
        let line = String::from_utf8_lossy(&line);
        counts.add(read_result(&line).unwrap_or_default());
        on_line(&line);
        if is_relevant(&line) {
            println!("{line}");
        }
    }
    // A build that fails runs no test, and a test program that crashes counts none.
    if !child.wait()?.success() && counts.failed == 0 {
        counts.add(TestCounts::fail());
    }
    counts.skipped = skipped.names()?;
    counts.passed = counts.passed.saturating_sub(counts.skipped.len());
    Ok(counts)
}

/// The file in which tests record that they were skipped.
struct SkippedTests {
    file: PathBuf,
}

impl SkippedTests {
    fn new(file: PathBuf) -> Result<SkippedTests> {
        let folder = file.parent().unwrap_or(Path::new("."));
        let made = fs::create_dir_all(folder).and_then(|()| fs::write(&file, ""));
        made.with_context(|| format!("cannot write {}", file.display()))?;
        Ok(SkippedTests { file })
    }

    /// The tests and their reasons, in order, each test once.
    fn names(self) -> Result<Vec<String>> {
        let text = fs::read_to_string(&self.file)
            .with_context(|| format!("cannot read {}", self.file.display()))?;
        fs::remove_file(&self.file).ok();
        let mut lines: Vec<String> = text.lines().map(String::from).collect();
        lines.sort();
        lines.dedup_by(|a, b| test_of(a) == test_of(b));
        Ok(lines)
    }
}

/// `PACKAGE TEST` of `PACKAGE TEST: REASON`.
fn test_of(line: &str) -> &str {
    line.split_once(": ").map_or(line, |(test, _reason)| test)
}

/// Reads the last line of a test program or of nextest.
///
/// ```text
/// test result: ok. 12 passed; 0 failed; 1 ignored; …
///      Summary [   1.234s] 12 tests run: 11 passed (1 slow), 1 failed, 1 skipped
/// ```
fn read_result(line: &str) -> Option<TestCounts> {
    if let Some(rest) = line.strip_prefix("test result: ") {
        let (_, counts) = rest.split_once(". ")?;
        return Some(counted(counts.split("; ")));
    }
    let (_, counts) = line.trim_start().strip_prefix("Summary [")?.split_once("run: ")?;
    Some(counted(counts.split(", ")))
}

/// Sums parts such as `11 passed (1 slow)`.
fn counted<'a>(parts: impl Iterator<Item = &'a str>) -> TestCounts {
    let mut counts = TestCounts::default();
    for part in parts {
        let Some((number, kind)) = part.trim().split_once(' ') else { continue };
        let Ok(number) = number.parse::<usize>() else { continue };
        match kind {
            _ if kind.starts_with("passed") => counts.passed += number,
            "failed" | "exec failed" | "timed out" => counts.failed += number,
            _ => {}
        }
    }
    counts
}

/// Whether a line of output is worth printing: not one of a program without tests.
fn is_relevant(line: &str) -> bool {
    let empty = line.trim().is_empty() || line == "running 0 tests";
    !empty && read_result(line) != Some(TestCounts::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(passed: usize, failed: usize) -> Option<TestCounts> {
        Some(TestCounts { passed, failed, skipped: Vec::new() })
    }

    #[test]
    fn results_of_test_programs_are_read() {
        let ok = "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out";
        assert_eq!(read_result(ok), counts(12, 0));
        let failed = "test result: FAILED. 3 passed; 2 failed; 0 ignored; finished in 0.01s";
        assert_eq!(read_result(failed), counts(3, 2));
        assert_eq!(read_result("test result: odd"), None);
        assert_eq!(read_result("test conforms ... ok"), None);
    }

    #[test]
    fn results_of_nextest_are_read() {
        let ok = "     Summary [   0.512s] 1 test run: 1 passed, 6 skipped";
        assert_eq!(read_result(ok), counts(1, 0));
        let failed = "     Summary [ 120.512s] 9 tests run: 5 passed (2 slow, 1 leaky), 2 failed, \
                      1 exec failed, 1 timed out, 0 skipped";
        assert_eq!(read_result(failed), counts(5, 4));
    }

    #[test]
    fn irrelevant_lines_are_not_printed() {
        assert!(!is_relevant("running 0 tests"));
        assert!(!is_relevant("test result: ok. 0 passed; 0 failed; 0 ignored"));
        assert!(is_relevant("test conforms ... ok"));
        assert!(is_relevant("test result: ok. 1 passed; 0 failed; 0 ignored"));
    }

    #[test]
    fn a_test_skipped_twice_counts_once() {
        let folder = scratch("test-of-skipped-tests");
        let skipped = SkippedTests::new(folder.join("skipped.txt")).unwrap();
        let noted = "app b::plays: no browser\napp a::plays: no: driver\napp b::plays: no driver\n";
        fs::write(&skipped.file, noted).unwrap();
        assert_eq!(
            skipped.names().unwrap(),
            ["app a::plays: no: driver", "app b::plays: no browser"]
        );
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_skipped_test_is_no_test_that_passed() {
        let results = "echo 'app a::plays: no browser' >> $LUDUS_SKIPPED; \
                       echo 'test result: ok. 3 passed; 0 failed; 0 ignored'";
        let run = |script| {
            run_and_count(&mut command::program("sh", &["-c", script]), &mut |_| {}).unwrap()
        };
        let counted = run(results);
        assert_eq!((counted.passed, counted.failed), (2, 0));
        assert_eq!(counted.skipped, ["app a::plays: no browser"]);
        let crashed = run("exit 3");
        assert_eq!((crashed.passed, crashed.failed), (0, 1));
    }
}
