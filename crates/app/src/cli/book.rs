//! `ludus book`: opening books built by long searches.

use super::{
    Common, contest::stop_on_interrupt, progress::ProgressReporter, train::training_error,
    write_json,
};
use crate::error::bad_input;
use anyhow::Context;
use clap::Subcommand;
use ludus_core::{Notation, Options, options::split_name};
use ludus_games::go::Go;
use ludus_players::go::book::Book;
use ludus_training::book::{BookJob, BookSettings};
use serde_json::json;
use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

/// Build an opening book, or show information about one
///
/// A book is a text file with one line per position, with the moves found by a long search and their results. Go players
/// use it before they search (book=FILE); the one in data/go is built in.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Search the most likely positions for either side; continues after an interruption
    Build(BuildArgs),
    /// Show the size of a book
    Info(InfoArgs),
}

#[derive(clap::Args)]
struct BuildArgs {
    /// The game: go, with its options
    game: String,
    /// Player that searches; it should not use a book itself
    #[arg(long, default_value = "engine:playouts=20000,book=off", value_name = "PLAYER")]
    player: String,
    /// Number of positions
    #[arg(long, default_value_t = 300, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    positions: u64,
    /// File of the book (default: book-9x9.txt, by board size)
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Extend the existing book, also to more positions, or start it if there is none
    #[arg(long)]
    resume: bool,
    /// Number of parallel searches (default: number of CPU cores)
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
            return Err(bad_input(format!("{name:?} has no opening books, only go has")));
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
    let progress = ProgressReporter::new("opening book", "positions");
    let book = job.run(&mut |done| progress.show(done, args.positions, ""));
    drop(progress);
    let book = book.map_err(training_error)?;
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
