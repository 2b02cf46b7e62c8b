//! Tests that took long in the last complete run on this machine: `cargo xtask test --quick` skips them.

use crate::command::scratch;
use std::{collections::BTreeSet, fs, io};

/// A test that takes longer is slow.
const MAX_QUICK_SECONDS: f64 = 1.0;
const FILE: &str = "slow-tests.txt";

/// Slow tests, each as nextest names it: program and test, with a space between.
#[derive(Default)]
pub struct SlowTests(BTreeSet<String>);

impl SlowTests {
    /// The slow tests of the last complete run; none if there was no such run.
    pub fn of_last_run() -> SlowTests {
        let text = fs::read_to_string(scratch(FILE)).unwrap_or_default();
        SlowTests(text.lines().map(str::to_owned).collect())
    }

    /// Notes the test of a line such as `PASS [   1.104s] ( 458/1352) ludus-formats::it hostile::nested`, if it
    /// was slow. Tests that failed are not noted, so that they run again.
    pub fn read_line(&mut self, line: &str) {
        self.0.extend(slow_test(line));
    }

    /// Keeps them for `--quick`.
    pub fn save(&self) -> io::Result<()> {
        let lines: String = self.0.iter().map(|test| format!("{test}\n")).collect();
        fs::write(scratch(FILE), lines)
    }

    /// Reason why they are skipped; `None` if there are none.
    pub fn notice(&self) -> Option<String> {
        let count = self.0.len();
        (count > 0).then(|| {
            let which = if count == 1 { "1 test".to_owned() } else { format!("{count} tests") };
            format!(
                "{which} of over {MAX_QUICK_SECONDS} s in the last complete run (target/{FILE})"
            )
        })
    }

    /// Filter of nextest that excludes them.
    pub fn filter(&self) -> String {
        let excluded = self.0.iter().filter_map(|test| {
            let (program, name) = test.split_once(' ')?;
            Some(format!(" & not (binary_id(={program}) & test(={name}))"))
        });
        excluded.collect()
    }
}

fn slow_test(line: &str) -> Option<String> {
    let (seconds, rest) = line.trim_start().strip_prefix("PASS [")?.split_once("s]")?;
    let (_, test) = rest.split_once(") ")?;
    let is_slow = seconds.trim().parse::<f64>().is_ok_and(|it| it > MAX_QUICK_SECONDS);
    is_slow.then(|| test.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_tests_are_read_from_nextest_and_excluded() {
        let mut slow = SlowTests::default();
        assert!(slow.notice().is_none() && slow.filter().is_empty());
        for line in [
            "        PASS [   1.104s] ( 458/1352) ludus-formats::it hostile::nested",
            "        PASS [   0.999s] ( 459/1352) ludus-formats::it hostile::short",
            "        FAIL [  12.000s] ( 460/1352) ludus-app::it play::fails",
            "        PASS [  40.017s] ( 461/1352) ludus-players go::tests::decides",
            "     Summary [ 120.512s] 9 tests run: 5 passed",
        ] {
            slow.read_line(line);
        }
        assert_eq!(
            slow.filter(),
            " & not (binary_id(=ludus-formats::it) & test(=hostile::nested))\
             \u{20}& not (binary_id(=ludus-players) & test(=go::tests::decides))"
        );
        assert!(slow.notice().unwrap().starts_with("2 tests of over 1 s"));
    }
}
