//! `ludus`: board games with strong computer players.

use std::process::ExitCode;

fn main() -> ExitCode {
    ludus_app::main()
}
