//! `cargo xtask test`: everything a change must pass.

use crate::{
    command::{self, cargo, shown, succeeds},
    packages,
    report::{Report, Tally},
    suite::{Runner, Suite},
    web,
};
use std::process::{Command, ExitCode};

/// How much to check.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Extent {
    Everything,
    /// What a change of the rules, the algorithms or the players can break, without what takes long.
    Quick,
}

/// What `--quick` leaves out.
const NOT_QUICK: [&str; 4] = [
    "test programs of their own: the app in a real browser (crates/app/tests/browser), the memory of the \
     store (crates/arena/tests/store_memory.rs)",
    "the large perft counts",
    "cargo doc and the examples in the documentation",
    "the licences of the dependencies",
];

pub fn run(extent: Extent) -> ExitCode {
    let mut report = Report::default();
    packages::provide(packages::NEEDED, packages::apt_install);
    command_step(&mut report, &mut cargo(&["fmt", "--all", "--", "--check"]));
    let clippy = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    command_step(&mut report, &mut cargo(&clippy));
    let suite = Suite { runner: Runner::best(), extent, environment: Vec::new() };
    suite.steps(&mut report);
    web::step(&mut report);
    if extent == Extent::Quick {
        NOT_QUICK.iter().for_each(|what| report.skip(what, "--quick was given"));
        return report.finish();
    }
    let mut doc = cargo(&["doc", "--workspace", "--no-deps"]);
    command_step(&mut report, doc.env("RUSTDOCFLAGS", "-D warnings"));
    licences_step(&mut report);
    report.finish()
}

fn command_step(report: &mut Report, command: &mut Command) {
    report.step(&shown(command), || command::run(command).map(|()| Tally::pass()));
}

fn licences_step(report: &mut Report) {
    if succeeds(&mut cargo(&["deny", "--version"])) {
        command_step(report, &mut cargo(&["deny", "check", "licenses", "bans", "sources"]));
    } else {
        report.skip("the licences of the dependencies", "cargo-deny is not installed");
    }
}
