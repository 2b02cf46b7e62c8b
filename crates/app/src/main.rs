//! `ludus`: board games with strong computer players.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    ludus_app::main()
}
