//! `ludus completions`: shell completions.

use super::Cli;
use clap::CommandFactory;
use std::io::Write;

/// Write a completion script for a shell
#[derive(clap::Args)]
pub struct Args {
    /// Shell; the script is written to stdout
    shell: clap_complete::Shell,
}

pub fn run(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "ludus", &mut script);
    Ok(out.write_all(&script)?)
}
