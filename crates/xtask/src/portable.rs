//! `cargo xtask portable`: the tests without the processor features of `.cargo/config.toml`.

use crate::{
    command::scratch,
    report::Report,
    suite::{Runner, Suite},
    test::Extent,
};
use std::{ffi::OsString, process::ExitCode};

/// Builds in a folder of its own, so that the usual build stays as it is.
pub fn run() -> ExitCode {
    let mut report = Report::default();
    // Set but empty, it takes the place of the flags in the configuration file.
    let flags = ("RUSTFLAGS", OsString::new());
    let environment = vec![flags, ("CARGO_TARGET_DIR", scratch("portable").into())];
    Suite { runner: Runner::best(), extent: Extent::Everything, environment }.steps(&mut report);
    report.finish()
}
