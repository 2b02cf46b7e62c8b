//! The command line, one file per subcommand.

mod analyze;
mod bench;
mod book;
mod completions;
mod contest;
mod convert;
mod endgame;
mod engine;
mod engine_bench;
mod games;
mod gtp;
mod hub;
mod limits;
mod r#match;
mod mcts_bench;
mod models_bench;
mod openings;
mod perft;
mod play;
mod players;
mod progress;
mod ratings;
mod records;
mod reproduce;
mod search_table;
mod serve;
mod stdin_lines;
mod suite;
mod tournament;
mod train;
mod uci;

pub use play::default_opponent;

use crate::data_dir;
use clap::{Parser, Subcommand};
use ludus_arena::store::Store;
use ludus_players::{DataFolder, FoundData, Resources};
use std::{io::Write, path::PathBuf};

/// Board games with strong computer players: play, analyse, train, and run matches and tournaments.
///
/// Without a command, ludus starts the app in your browser (see `ludus serve`).
#[derive(Parser)]
#[command(name = "ludus", version = ludus_arena::build::VERSION, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    common: Common,
}

/// Options of every command.
#[derive(clap::Args, Clone)]
pub struct Common {
    /// Random seed
    #[arg(long, global = true, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Number of threads
    #[arg(long, global = true, default_value_t = 1, value_name = "N",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Write a single JSON document to stdout
    #[arg(long, global = true)]
    json: bool,
    /// Directory of games and ratings (default: LUDUS_DATA, or the user's data directory)
    #[arg(long, global = true, value_name = "DIR")]
    data_dir: Option<PathBuf>,
}

impl Common {
    /// The store, created if it does not exist.
    fn store(&self) -> anyhow::Result<Store> {
        data_dir::open(self.data_dir.as_deref())
    }

    /// The store, if it exists.
    fn existing_store(&self) -> anyhow::Result<Option<Store>> {
        data_dir::open_existing(self.data_dir.as_deref())
    }

    fn threads(&self) -> usize {
        self.threads.into()
    }

    fn resources(&self) -> Resources {
        let data = self.data_folder(FoundData::Used);
        Resources { seed: self.seed, threads: self.threads(), data }
    }

    /// Resources of players in contests, whose results must not depend on files found in the data
    /// directory.
    fn contest_resources(&self) -> Resources {
        Resources { data: self.data_folder(FoundData::Ignored), ..Resources::default() }
    }

    fn data_folder(&self, found_data: FoundData) -> Option<DataFolder> {
        let path = data_dir::folder(self.data_dir.as_deref()).ok()?;
        Some(DataFolder { path, found_data, on_step: Some(endgame::progress()) })
    }
}

#[derive(Subcommand)]
enum Command {
    Serve(serve::Args),
    Games(games::Args),
    Players(players::Args),
    Play(play::Args),
    Analyze(analyze::Args),
    Match(r#match::Args),
    Tournament(tournament::Args),
    Train(train::Args),
    Reproduce(reproduce::Args),
    Openings(openings::Args),
    Suite(suite::Args),
    Endgame(endgame::Args),
    Book(book::Args),
    Perft(perft::Args),
    Bench(bench::Args),
    Convert(convert::Args),
    Records(records::Args),
    Ratings(ratings::Args),
    Uci(uci::Args),
    Gtp(gtp::Args),
    Hub(hub::Args),
    Engine(engine::Args),
    Completions(completions::Args),
}

impl Cli {
    pub fn run(self, out: &mut impl Write) -> anyhow::Result<()> {
        let common = &self.common;
        match self.command {
            None => serve::run(&serve::Args::default(), common, out),
            Some(Command::Serve(args)) => serve::run(&args, common, out),
            Some(Command::Games(args)) => games::run(&args, common, out),
            Some(Command::Players(args)) => players::run(&args, common, out),
            Some(Command::Play(args)) => play::run(&args, common, out),
            Some(Command::Analyze(args)) => analyze::run(&args, common, out),
            Some(Command::Match(args)) => r#match::run(&args, common, out),
            Some(Command::Tournament(args)) => tournament::run(&args, common, out),
            Some(Command::Train(args)) => train::run(&args, common, out),
            Some(Command::Reproduce(args)) => reproduce::run(&args, common, out),
            Some(Command::Openings(args)) => openings::run(&args, common, out),
            Some(Command::Suite(args)) => suite::run(&args, common, out),
            Some(Command::Endgame(args)) => endgame::run(&args, common, out),
            Some(Command::Book(args)) => book::run(&args, common, out),
            Some(Command::Perft(args)) => perft::run(&args, common, out),
            Some(Command::Bench(args)) => bench::run(&args, common, out),
            Some(Command::Convert(args)) => convert::run(&args, common, out),
            Some(Command::Records(args)) => records::run(&args, common, out),
            Some(Command::Ratings(args)) => ratings::run(&args, common, out),
            Some(Command::Uci(args)) => uci::run(&args, common, out),
            Some(Command::Gtp(args)) => gtp::run(&args, common, out),
            Some(Command::Hub(args)) => hub::run(&args, common, out),
            Some(Command::Engine(args)) => engine::run(&args, common, out),
            Some(Command::Completions(args)) => completions::run(&args, out),
        }
    }
}

/// Writes one JSON document.
fn write_json(out: &mut impl Write, document: &impl serde::Serialize) -> anyhow::Result<()> {
    serde_json::to_writer_pretty(&mut *out, document)?;
    Ok(writeln!(out)?)
}
