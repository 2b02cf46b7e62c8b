//! `cargo xtask portable`: the tests without the processor features of `.cargo/config.toml`.

use crate::{
    command::{cargo, scratch},
    report::Report,
    test::tests_step,
};
use std::process::ExitCode;

/// Builds in a folder of its own, so that the usual build stays as it is.
pub fn run() -> ExitCode {
    let mut report = Report::default();
    let mut tests = cargo(&["test", "--workspace", "--no-fail-fast"]);
    // Set but empty, it takes the place of the flags in the configuration file.
    tests.env("RUSTFLAGS", "").env("CARGO_TARGET_DIR", scratch("portable"));
    tests_step(&mut report, &mut tests);
    report.finish()
}
