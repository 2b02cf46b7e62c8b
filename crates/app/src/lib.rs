//! The `ludus` command, as a library: a library can be compiled as soon as the metadata of its
//! dependencies exists, a binary only after they are fully compiled.

mod cli;
mod data_dir;
mod embedded;
mod error;
mod records;
mod server;
mod terminal;

use clap::Parser;
use std::{io::Write, process::ExitCode};

/// Runs the command given by the program's arguments.
pub fn main() -> ExitCode {
    let cli = match cli::Cli::try_parse() {
        Ok(cli) => cli,
        Err(usage) => return error::report_usage(&usage),
    };
    let mut out = std::io::stdout().lock();
    let result = cli.run(&mut out).and_then(|()| Ok(out.flush()?));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error::report(&error),
    }
}
