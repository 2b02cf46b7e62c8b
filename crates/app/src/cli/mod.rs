//! The command line: one file a subcommand.

mod analyze;
mod bench;
mod command_lines;
mod completions;
mod convert;
mod games;
mod gtp;
mod hub;
mod limits;
mod perft;
mod play;
mod players;
mod uci;
mod welcome;

use clap::{Parser, Subcommand};
use ludus_players::Resources;
use std::io::Write;

/// Board-game minds: played, explained, trained and pitted against each other.
///
/// Without a command, ludus asks what you would like to play.
#[derive(Parser)]
#[command(name = "ludus", version, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    common: Common,
}

/// What every command understands.
#[derive(clap::Args, Clone)]
pub struct Common {
    /// Decides everything random
    #[arg(long, global = true, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Threads to use
    #[arg(long, global = true, default_value_t = 1, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Write one JSON document to stdout, and nothing else
    #[arg(long, global = true)]
    json: bool,
}

impl Common {
    fn threads(&self) -> usize {
        self.threads.into()
    }

    fn resources(&self) -> Resources {
        Resources { seed: self.seed, threads: self.threads() }
    }
}

#[derive(Subcommand)]
enum Command {
    Games(games::Args),
    Players(players::Args),
    Play(play::Args),
    Analyze(analyze::Args),
    Perft(perft::Args),
    Bench(bench::Args),
    Convert(convert::Args),
    Gtp(gtp::Args),
    Hub(hub::Args),
    Uci(uci::Args),
    Completions(completions::Args),
}

impl Cli {
    pub fn run(self, out: &mut impl Write) -> anyhow::Result<()> {
        let common = &self.common;
        match self.command {
            None => welcome::run(common, out),
            Some(Command::Games(args)) => games::run(&args, common, out),
            Some(Command::Players(args)) => players::run(&args, common, out),
            Some(Command::Play(args)) => play::run(&args, common, out),
            Some(Command::Analyze(args)) => analyze::run(&args, common, out),
            Some(Command::Perft(args)) => perft::run(&args, common, out),
            Some(Command::Bench(args)) => bench::run(&args, common, out),
            Some(Command::Convert(args)) => convert::run(&args, common, out),
            Some(Command::Gtp(args)) => gtp::run(&args, common, out),
            Some(Command::Hub(args)) => hub::run(&args, common, out),
            Some(Command::Uci(args)) => uci::run(&args, common, out),
            Some(Command::Completions(args)) => completions::run(&args, out),
        }
    }
}

/// Writes one JSON document.
fn write_json(out: &mut impl Write, document: &impl serde::Serialize) -> anyhow::Result<()> {
    serde_json::to_writer_pretty(&mut *out, document)?;
    Ok(writeln!(out)?)
}
