//! What was checked, how long it took and how it went.

use anyhow::Result;
use std::{
    process::ExitCode,
    time::{Duration, Instant},
};

/// Checks that passed and failed.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub passed: usize,
    pub failed: usize,
}

impl Tally {
    /// One check that passed.
    pub const PASS: Tally = Tally { passed: 1, failed: 0 };
    /// One check that failed.
    pub const FAIL: Tally = Tally { passed: 0, failed: 1 };

    pub fn add(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

struct Step {
    name: String,
    tally: Tally,
    time: Duration,
}

/// The steps of a task so far. A step that fails does not stop the next ones.
#[derive(Default)]
pub struct Report {
    steps: Vec<Step>,
    skipped: Vec<String>,
}

impl Report {
    /// Runs one step. An error is a failed check.
    pub fn step(&mut self, name: &str, run: impl FnOnce() -> Result<Tally>) {
        println!("\n== {name}");
        let start = Instant::now();
        let tally = run().unwrap_or_else(|error| {
            println!("{error:#}");
            Tally::FAIL
        });
        let time = start.elapsed();
        println!("{} in {:.1} s", verdict(tally), time.as_secs_f64());
        self.steps.push(Step { name: name.to_owned(), tally, time });
    }

    /// Notes what could not be checked and why.
    pub fn skip(&mut self, what: String) {
        println!("skipped: {what}");
        self.skipped.push(what);
    }

    #[cfg(test)]
    pub fn skipped(&self) -> &[String] {
        &self.skipped
    }

    /// Prints every step with its time, what was skipped, and the sum as the last line.
    pub fn finish(&self) -> ExitCode {
        println!("\n== summary");
        let mut sum = Tally::default();
        for Step { name, tally, time } in &self.steps {
            println!("{:>7.1} s  {:<6}  {name}", time.as_secs_f64(), verdict(*tally));
            sum.add(*tally);
        }
        for what in &self.skipped {
            println!("           skipped: {what}");
        }
        println!("{} passed, {} failed", sum.passed, sum.failed);
        if sum.failed > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
    }
}

fn verdict(tally: Tally) -> &'static str {
    if tally.failed > 0 { "FAILED" } else { "ok" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::bail;

    #[test]
    fn later_steps_run_after_a_failure_and_the_task_fails() {
        let mut report = Report::default();
        report.step("first", || bail!("no"));
        report.step("second", || Ok(Tally { passed: 2, failed: 0 }));
        assert_eq!(report.steps.len(), 2);
        assert_eq!(report.finish(), ExitCode::FAILURE);
    }
}
