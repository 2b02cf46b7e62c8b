//! `cargo xtask test`: all checks that a change must pass.

use crate::{
    api,
    command::{self, cargo, shown, succeeds},
    guards, packages,
    report::{TestCounts, TestReport},
    suite::{Suite, TestRunner},
    web,
};
use std::process::{Command, ExitCode};

/// Extent of the checks.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum TestScope {
    Everything,
    /// Without the slow checks that changes of rules, algorithms or players rarely break.
    Quick,
}

/// Checks that `--quick` skips.
const SKIPPED_BY_QUICK: [&str; 5] = [
    "separate test programs: the app in a real browser (crates/app/tests/browser), the memory use of the \
     store (crates/arena/tests/store_memory.rs)",
    "the large perft counts",
    "the API against its OpenAPI description (schemathesis)",
    "cargo doc and the examples in the documentation",
    "the licences of the dependencies",
];

pub fn run(scope: TestScope) -> ExitCode {
    let mut report = TestReport::default();
    packages::provide(packages::NEEDED, packages::apt_install);
    command_step(&mut report, &mut cargo(&["fmt", "--all", "--", "--check"]));
    report.step("guards", guards::run);
    let clippy = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    command_step(&mut report, &mut cargo(&clippy));
    let suite = Suite { runner: TestRunner::best(), scope, environment: Vec::new() };
    suite.steps(&mut report);
    web::steps(&mut report);
    if scope == TestScope::Quick {
        SKIPPED_BY_QUICK.iter().for_each(|what| report.skip(what, "--quick was given"));
        return report.finish();
    }
    api::step(&mut report);
    let mut doc = cargo(&["doc", "--workspace", "--no-deps"]);
    command_step(&mut report, doc.env("RUSTDOCFLAGS", "-D warnings"));
    licences_step(&mut report);
    report.finish()
}

/// `cargo xtask guards`: the guards without the other steps.
pub fn guards_alone() -> ExitCode {
    let mut report = TestReport::default();
    report.step("guards", guards::run);
    report.finish()
}

fn command_step(report: &mut TestReport, command: &mut Command) {
    report.step(&shown(command), || command::run(command).map(|()| TestCounts::pass()));
}

fn licences_step(report: &mut TestReport) {
    if succeeds(&mut cargo(&["deny", "--version"])) {
        command_step(report, &mut cargo(&["deny", "check", "licenses", "bans", "sources"]));
    } else {
        report.skip("the licences of the dependencies", "cargo-deny is not installed");
    }
}
