//! Errors of commands: one line on stderr, and an exit code.

use ludus_core::{PlayerError, TextError};
use ludus_training::TrainingError;
use std::{
    fmt,
    io::{self, Write},
    process::ExitCode,
};

/// Exit code for bad usage and bad input of any kind.
const BAD_INPUT_CODE: u8 = 2;
/// Exit code for internal and system failures.
const FAILURE_CODE: u8 = 1;

/// Bad input that is not reported by a parser.
#[derive(Debug)]
pub struct BadInput(pub String);

impl fmt::Display for BadInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadInput {}

/// A [`BadInput`] as an error to return.
pub fn bad_input(message: impl Into<String>) -> anyhow::Error {
    BadInput(message.into()).into()
}

/// Prints the error and returns the exit code. A closed pipe (`| head`) is not an error.
pub fn report(error: &anyhow::Error) -> ExitCode {
    let closed_pipe = |cause: &(dyn std::error::Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    };
    if error.chain().any(closed_pipe) {
        return ExitCode::SUCCESS;
    }
    print_message(&format!("{error:#}"));
    ExitCode::from(if error.chain().any(is_input) { BAD_INPUT_CODE } else { FAILURE_CODE })
}

fn is_input(cause: &(dyn std::error::Error + 'static)) -> bool {
    cause.is::<TextError>()
        || cause.is::<BadInput>()
        || matches!(cause.downcast_ref(), Some(PlayerError::Input(_)))
        || matches!(cause.downcast_ref(), Some(TrainingError::Busy(_)))
}

/// Help and version go to stdout; a wrong command line gives one line on stderr.
pub fn report_usage(usage: &clap::Error) -> ExitCode {
    if !usage.use_stderr() {
        return match usage.print() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => report(&error.into()),
        };
    }
    let text = usage.render().to_string();
    let message = text.split("\n\n").next().unwrap_or_default();
    let message = message.strip_prefix("error: ").unwrap_or(message);
    print_message(&format!("{message} (try ludus --help)"));
    ExitCode::from(BAD_INPUT_CODE)
}

/// Writes one line to stderr, ignoring write errors.
pub fn print_message(message: &str) {
    let line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    let _ = writeln!(io::stderr(), "ludus: {line}");
}
