//! Report of the checks: results and times.

use anyhow::Result;
use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

/// Numbers of checks passed and failed, and the names of skipped ones with the reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TestCounts {
    pub passed: usize,
    pub failed: usize,
    pub skipped: Vec<String>,
}

impl TestCounts {
    /// One check that passed.
    pub fn pass() -> TestCounts {
        TestCounts { passed: 1, ..TestCounts::default() }
    }

    /// One check that failed.
    pub fn fail() -> TestCounts {
        TestCounts { failed: 1, ..TestCounts::default() }
    }

    pub fn add(&mut self, other: TestCounts) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped.extend(other.skipped);
    }

    /// The closing line.
    fn sum(&self) -> String {
        format!("{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped.len())
    }
}

struct Step {
    name: String,
    verdict: &'static str,
    time: Duration,
}

/// The steps of a task so far. A failed step does not stop the next ones.
#[derive(Default)]
pub struct TestReport {
    steps: Vec<Step>,
    counts: TestCounts,
}

impl TestReport {
    /// Runs one step; whether it succeeded. An error counts as a failed check.
    pub fn step(&mut self, name: &str, run: impl FnOnce() -> Result<TestCounts>) -> bool {
        println!("\n== {name}");
        let start = Instant::now();
        let counts = run().unwrap_or_else(|error| {
            println!("{error:#}");
            TestCounts::fail()
        });
        let time = start.elapsed();
        let succeeded = counts.failed == 0;
        let verdict = if succeeded { "ok" } else { "FAILED" };
        println!("{verdict} in {:.1} s", time.as_secs_f64());
        self.steps.push(Step { name: name.to_owned(), verdict, time });
        self.counts.add(counts);
        succeeded
    }

    /// Records a skipped check and the reason.
    pub fn skip(&mut self, what: &str, why: &str) {
        let what = format!("{what}: {why}");
        println!("\nskipped: {what}");
        self.counts.skipped.push(what);
    }

    /// Prints every step with its time, what was skipped, and the sum as the last line.
    pub fn finish(&self) -> ExitCode {
        println!("\n== summary");
        for Step { name, verdict, time } in &self.steps {
            println!("{:>7.1} s  {verdict:<6}  {name}", time.as_secs_f64());
        }
        let all: Duration = self.steps.iter().map(|step| step.time).sum();
        println!("{:>7.1} s  all steps", all.as_secs_f64());
        for what in &self.counts.skipped {
            println!("skipped: {what}");
        }
        println!("{}", self.counts.sum());
        if self.counts.failed > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    #[test]
    fn later_steps_run_after_a_failure_and_the_task_fails() {
        let mut report = TestReport::default();
        report.step("first", || bail!("no"));
        report.step("second", || Ok(TestCounts { passed: 2, ..TestCounts::default() }));
        assert_eq!(report.steps.len(), 2);
        assert_eq!(report.finish(), ExitCode::FAILURE);
    }

    #[test]
    fn skipped_checks_are_counted_and_named() {
        let mut report = TestReport::default();
        let skipped = vec!["app plays: chromium is not installed".to_owned()];
        report.step("tests", || Ok(TestCounts { passed: 2, failed: 0, skipped }));
        report.skip("licences", "cargo-deny is not installed");
        assert_eq!(report.counts.sum(), "2 passed, 0 failed, 2 skipped");
        assert_eq!(report.counts.skipped[1], "licences: cargo-deny is not installed");
        assert_eq!(report.finish(), ExitCode::SUCCESS);
    }
}
