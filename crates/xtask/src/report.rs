//! What was checked, how long it took and how it went.

use anyhow::Result;
use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

/// Checks that passed and failed, and the names of those that could not run, with the reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub passed: usize,
    pub failed: usize,
    pub skipped: Vec<String>,
}

impl Tally {
    /// One check that passed.
    pub fn pass() -> Tally {
        Tally { passed: 1, ..Tally::default() }
    }

    /// One check that failed.
    pub fn fail() -> Tally {
        Tally { failed: 1, ..Tally::default() }
    }

    pub fn add(&mut self, other: Tally) {
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

/// The steps of a task so far. A step that fails does not stop the next ones.
#[derive(Default)]
pub struct Report {
    steps: Vec<Step>,
    tally: Tally,
}

impl Report {
    /// Runs one step and says whether nothing failed. An error is a failed check.
    pub fn step(&mut self, name: &str, run: impl FnOnce() -> Result<Tally>) -> bool {
        println!("\n== {name}");
        let start = Instant::now();
        let tally = run().unwrap_or_else(|error| {
            println!("{error:#}");
            Tally::fail()
        });
        let time = start.elapsed();
        let succeeded = tally.failed == 0;
        let verdict = if succeeded { "ok" } else { "FAILED" };
        println!("{verdict} in {:.1} s", time.as_secs_f64());
        self.steps.push(Step { name: name.to_owned(), verdict, time });
        self.tally.add(tally);
        succeeded
    }

    /// Notes what is not checked, and why.
    pub fn skip(&mut self, what: &str, why: &str) {
        let what = format!("{what}: {why}");
        println!("\nskipped: {what}");
        self.tally.skipped.push(what);
    }

    /// Prints every step with its time, what was skipped, and the sum as the last line.
    pub fn finish(&self) -> ExitCode {
        println!("\n== summary");
        for Step { name, verdict, time } in &self.steps {
            println!("{:>7.1} s  {verdict:<6}  {name}", time.as_secs_f64());
        }
        let all: Duration = self.steps.iter().map(|step| step.time).sum();
        println!("{:>7.1} s  all steps", all.as_secs_f64());
        for what in &self.tally.skipped {
            println!("skipped: {what}");
        }
        println!("{}", self.tally.sum());
        if self.tally.failed > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    #[test]
    fn later_steps_run_after_a_failure_and_the_task_fails() {
        let mut report = Report::default();
        report.step("first", || bail!("no"));
        report.step("second", || Ok(Tally { passed: 2, ..Tally::default() }));
        assert_eq!(report.steps.len(), 2);
        assert_eq!(report.finish(), ExitCode::FAILURE);
    }

    #[test]
    fn what_is_skipped_is_counted_and_named() {
        let mut report = Report::default();
        let skipped = vec!["app plays: chromium is not installed".to_owned()];
        report.step("tests", || Ok(Tally { passed: 2, failed: 0, skipped }));
        report.skip("licences", "cargo-deny is not installed");
        assert_eq!(report.tally.sum(), "2 passed, 0 failed, 2 skipped");
        assert_eq!(report.tally.skipped[1], "licences: cargo-deny is not installed");
        assert_eq!(report.finish(), ExitCode::SUCCESS);
    }
}
