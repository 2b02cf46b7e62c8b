//! The `ludus` command. A library, because a binary is not compiled before everything below it is
//! finished, while a library needs only what the others declare.

mod cli;
mod data_dir;
mod error;
mod records;
mod server;
mod terminal;

use clap::Parser;
use std::{io::Write, process::ExitCode};

/// Runs the command that the program's arguments name.
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
