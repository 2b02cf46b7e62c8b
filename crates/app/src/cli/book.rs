//! `ludus book`: opening books from long searches.

use super::{Common, contest::stop_on_interrupt, progress::Progress, write_json};
use crate::error::bad_input;
use anyhow::Context;
use clap::Subcommand;
use ludus_core::{Notation, Options, options::split_name};
use ludus_games::go::Go;
use ludus_players::go_book::Book;
use ludus_training::{
    TrainingError,
    book::{BookJob, BookSettings},
};
use serde_json::json;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

/// Build an opening book, or look into one
///
/// A book is a text file: a line for each position of the first moves, with the moves a long search found there and how
/// they did. Players of Go look into it before they think (book=FILE); the one under data/go is built in.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Search the positions that are likeliest to come, for either side; goes on where it was stopped
    Build(BuildArgs),
    /// What a book knows
    Info(InfoArgs),
}

#[derive(clap::Args)]
struct BuildArgs {
    /// The game: go, with its options
    game: String,
    /// Who searches; it should not look into a book itself
    #[arg(long, default_value = "engine:playouts=20000,book=off", value_name = "PLAYER")]
    player: String,
    /// How many positions
    #[arg(long, default_value_t = 300, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    positions: u64,
    /// The file of the book (default: book-9x9.txt or what the size is)
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Go on with the book that is there, also to more positions; starts one that has not begun
    #[arg(long)]
    resume: bool,
    /// Searches at once (default: one for each core)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
}

#[derive(clap::Args)]
struct InfoArgs {
    /// The book
    file: PathBuf,
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    match &args.command {
        Command::Build(args) => build(args, common, out),
        Command::Info(args) => info(&args.file, common, out),
    }
}

impl BuildArgs {
    fn settings(&self, common: &Common) -> anyhow::Result<BookSettings> {
        let (name, _) = split_name(&self.game);
        if name != Go::ID {
            return Err(bad_input(format!("{name:?} has no opening books; go has")));
        }
        Ok(BookSettings {
            options: Options::parse(&self.game, Go::OPTIONS)?,
            player: self.player.clone(),
            positions: self.positions,
            seed: common.seed,
        })
    }

    fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.concurrency.map_or_else(cores, usize::from)
    }
}

fn build(args: &BuildArgs, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let settings = args.settings(common)?;
    let size = settings.options.integer("size");
    let name = PathBuf::from(format!("book-{size}x{size}.txt"));
    let file = args.out.as_ref().unwrap_or(&name);
    let stop = stop_on_interrupt()?;
    let job = BookJob {
        settings: &settings,
        out: file,
        resume: args.resume,
        threads: args.threads(),
        stop: &stop,
    };
    let progress = Progress::new("opening book", "positions");
    let book = job.run(&mut |done| progress.show(done, args.positions, ""));
    drop(progress);
    let book = book.map_err(|error| match error {
        TrainingError::Text(error) => error.into(),
        TrainingError::Player(error) => error.into(),
        other => anyhow::Error::from(other),
    })?;
    show(&book, file, common, out)
}

fn info(file: &Path, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let name = file.display().to_string();
    let text = fs::read_to_string(file)
        .map_err(|error| bad_input(format!("cannot read {name}: {error}")))?;
    let book = Book::parse(&text).with_context(|| name)?;
    show(&book, file, common, out)
}

fn show(book: &Book, file: &Path, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let (size, positions, moves) = (book.size(), book.positions(), book.moves());
    if common.json {
        let document = json!({
            "file": file, "size": size, "positions": positions, "moves": moves, "plies": book.plies(),
        });
        return write_json(out, &document);
    }
    writeln!(
        out,
        "{}: {size}x{size}, {positions} positions up to ply {}, {moves} moves",
        file.display(),
        book.plies()
    )?;
    Ok(())
}
