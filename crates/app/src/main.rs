//! `ludus`: board-game minds, played, explained, trained and pitted against each other.

use std::process::ExitCode;

fn main() -> ExitCode {
    ludus_app::main()
}
