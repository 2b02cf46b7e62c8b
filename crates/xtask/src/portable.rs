//! `cargo xtask portable`: the tests without the processor features of `.cargo/config.toml`.

use crate::{
    command::scratch,
    report::TestReport,
    suite::{Suite, TestRunner},
    test::TestScope,
};
use std::{ffi::OsString, process::ExitCode};

/// Builds in a separate target folder, so that the default build is not invalidated.
pub fn run() -> ExitCode {
    let mut report = TestReport::default();
    // Set but empty, it overrides the flags in the configuration file.
    let flags = ("RUSTFLAGS", OsString::new());
    let environment = vec![flags, ("CARGO_TARGET_DIR", scratch("portable").into())];
    Suite { runner: TestRunner::best(), scope: TestScope::Everything, environment }
        .steps(&mut report);
    report.finish()
}
