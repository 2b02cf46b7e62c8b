//! `ludus endgame`: tables of endings, solved once and for all.

use super::{Common, contest::stop_on_interrupt, progress::Progress, write_json};
use crate::{data_dir, error::bad_input};
use clap::Subcommand;
use ludus_core::Options;
use ludus_players::{
    Endgames, OnStep,
    endgames::{EndgameInfo, EndgameStep, ProbeError},
    find_game,
};
use ludus_search::tables::{EndgameError, Value, retrograde::Work};
use serde_json::{Map, json};
use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

/// Build tables of endings, look into them, check them
///
/// They are kept under `endgame` in the data directory, a file for each slice: its name says how many
/// men and kings the side to move has, and how many the other side. Every position is won, lost
/// or drawn; of endings with up to four pieces the tables also know how long the end takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Solve all endings with up to so many pieces, and keep them; goes on where it was stopped
    Build(Pieces),
    /// Find every value again from the values of the positions after it
    Verify(Pieces),
    /// What tables there are
    Info(Which),
    /// What the tables say of a position and its moves
    Probe(ProbeArgs),
}

#[derive(clap::Args)]
struct Which {
    /// The game
    game: String,
    /// Where the tables are (default: under endgame in the data directory)
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

#[derive(clap::Args)]
struct Pieces {
    #[command(flatten)]
    which: Which,
    /// Pieces of both sides together
    #[arg(long, default_value_t = 5, value_name = "N")]
    pieces: usize,
    /// Threads to work with (default: one for each core)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
}

#[derive(clap::Args)]
struct ProbeArgs {
    #[command(flatten)]
    which: Which,
    /// The position
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: String,
}

/// The tables of a game and where they are.
pub(super) struct Place {
    options: Options,
    pub endgames: &'static dyn Endgames,
    pub folder: PathBuf,
}

impl Place {
    /// The tables of the game, in `folder` or under the data directory.
    pub fn of(game: &str, folder: Option<&Path>, common: &Common) -> anyhow::Result<Place> {
        let (game, options) = find_game(game)?;
        let Some(endgames) = game.endgames() else {
            return Err(bad_input(format!("{} has no tables of endings; draughts has", game.id())));
        };
        let folder = match folder {
            Some(folder) => folder.to_owned(),
            None => data_dir::folder(common.data_dir.as_deref())?.join("endgame").join(game.id()),
        };
        Ok(Place { options, endgames, folder })
    }
}

impl Which {
    fn find(&self, common: &Common) -> anyhow::Result<Place> {
        Place::of(&self.game, self.folder.as_deref(), common)
    }
}

impl Pieces {
    fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.concurrency.map_or_else(cores, usize::from)
    }

    fn check(&self, place: &Place) -> anyhow::Result<()> {
        let most = place.endgames.most_pieces();
        if !(2..=most).contains(&self.pieces) {
            let pieces = self.pieces;
            return Err(bad_input(format!("--pieces {pieces}: expected 2 to {most}")));
        }
        Ok(())
    }
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    match &args.command {
        Command::Build(pieces) => build(pieces, common, out),
        Command::Verify(pieces) => verify(pieces, common, out),
        Command::Info(which) => info(which, common, out),
        Command::Probe(args) => probe(args, common, out),
    }
}

/// A file that is no use is the user's to remove; a full disk is a failure.
pub(super) fn in_words(error: EndgameError) -> anyhow::Error {
    match error {
        EndgameError::Damaged { .. }
        | EndgameError::Missing { .. }
        | EndgameError::Pieces { .. } => bad_input(error.to_string()),
        EndgameError::File { .. } | EndgameError::Stopped => error.into(),
    }
}

fn show(progress: &Progress, step: &EndgameStep) {
    progress.show(step.done, step.all, &step.slices.join(" "));
}

/// Shows how far a player is that builds its tables on first use.
pub(super) fn progress() -> OnStep {
    let progress = Mutex::new(None);
    Arc::new(move |step| {
        let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
        show(progress.get_or_insert_with(|| Progress::new("tables of endings", "positions")), step);
        if step.done == step.all {
            *progress = None;
        }
    })
}

fn build(args: &Pieces, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let place = args.which.find(common)?;
    args.check(&place)?;
    let stop = stop_on_interrupt()?;
    let work = Work { threads: args.threads(), stop: &stop };
    let progress = Progress::new("tables of endings", "positions");
    let started = Instant::now();
    let (mut made, mut found) = (0, 0);
    let built = place.endgames.build(&place.folder, args.pieces, &work, &mut |step| {
        *(if step.found { &mut found } else { &mut made }) += step.slices.len();
        show(&progress, step);
    });
    drop(progress);
    built.map_err(in_words)?;
    let seconds = started.elapsed().as_secs_f64();
    let info = place.endgames.info(&place.folder).map_err(in_words)?;
    let bytes: u64 = info.slices.iter().map(|slice| slice.bytes).sum();
    if common.json {
        let document = json!({
            "pieces": args.pieces, "slices_made": made, "slices_found": found,
            "seconds": seconds, "bytes": bytes, "folder": place.folder,
        });
        return write_json(out, &document);
    }
    writeln!(
        out,
        "{made} slices made, {found} found, in {seconds:.1} s; {:.1} MB in {}",
        bytes as f64 / 1e6,
        place.folder.display()
    )?;
    Ok(())
}

fn verify(args: &Pieces, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let place = args.which.find(common)?;
    args.check(&place)?;
    let stop = stop_on_interrupt()?;
    let work = Work { threads: args.threads(), stop: &stop };
    let progress = Progress::new("values found again", "positions");
    let (started, mut positions) = (Instant::now(), 0);
    let checked = place.endgames.verify(&place.folder, args.pieces, &work, &mut |step| {
        positions = step.done;
        show(&progress, step);
    });
    drop(progress);
    let wrong = checked.map_err(in_words)?;
    let seconds = started.elapsed().as_secs_f64();
    if common.json {
        let document = json!({ "positions": positions, "wrong": wrong, "seconds": seconds });
        write_json(out, &document)?;
    } else {
        writeln!(out, "{positions} positions found again in {seconds:.1} s, {wrong} wrong")?;
    }
    if wrong == 0 { Ok(()) } else { Err(anyhow::anyhow!("{wrong} values are wrong")) }
}

fn info(args: &Which, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let place = args.find(common)?;
    let info = place.endgames.info(&place.folder).map_err(in_words)?;
    if common.json {
        return write_json(out, &info_document(&info, &place));
    }
    if info.pieces == 0 {
        let folder = place.folder.display();
        writeln!(out, "no tables in {folder}; make them with: ludus endgame build {}", args.game)?;
    }
    let of = |wanted: usize| info.slices.iter().filter(move |slice| slice.pieces == wanted);
    for &(pieces, boards) in info.boards.iter().filter(|(pieces, _)| *pieces <= info.pieces) {
        let sum = |what: fn(&ludus_players::endgames::EndgameSlice) -> u64| -> u64 {
            of(pieces).map(what).sum()
        };
        writeln!(
            out,
            "{pieces} pieces: {boards:>14} boards, {:>3} slices, {:>13} won, {:>13} lost, {:>13} drawn, \
             {:>12} bytes",
            of(pieces).count(),
            sum(|slice| slice.wins),
            sum(|slice| slice.losses),
            sum(|slice| slice.draws),
            sum(|slice| slice.bytes),
        )?;
    }
    Ok(())
}

fn info_document(info: &EndgameInfo, place: &Place) -> serde_json::Value {
    let slices: Vec<serde_json::Value> = info
        .slices
        .iter()
        .map(|slice| {
            json!({
                "name": slice.name, "pieces": slice.pieces, "positions": slice.positions,
                "wins": slice.wins, "losses": slice.losses, "draws": slice.draws,
                "bytes": slice.bytes,
            })
        })
        .collect();
    let boards: Map<String, serde_json::Value> =
        info.boards.iter().map(|(pieces, boards)| (pieces.to_string(), json!(boards))).collect();
    json!({
        "game": place.options.to_string(), "folder": place.folder, "pieces": info.pieces,
        "bytes": info.slices.iter().map(|slice| slice.bytes).sum::<u64>(),
        "slices": slices, "positions_by_pieces": boards,
    })
}

/// A distance with its unit.
fn in_plies(plies: u8) -> String {
    format!(" in {plies} {}", if plies == 1 { "ply" } else { "plies" })
}

fn word(value: Value) -> &'static str {
    match value {
        Value::Win => "win",
        Value::Loss => "loss",
        Value::Draw => "draw",
        Value::Unknown => "unknown",
    }
}

fn probe(args: &ProbeArgs, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let place = args.which.find(common)?;
    let answer = place.endgames.probe(&place.folder, &place.options, &args.position);
    let answer = answer.map_err(|error| match error {
        ProbeError::Position(error) => error.into(),
        ProbeError::Tables(error) => in_words(error),
        ProbeError::Unknown { .. } => bad_input(error.to_string()),
    })?;
    if common.json {
        let moves: Vec<serde_json::Value> = answer
            .moves
            .iter()
            .map(|(mv, value, plies)| json!({ "move": mv, "value": word(*value), "plies": plies.map(|plies| plies + 1) }))
            .collect();
        let (value, plies) = (word(answer.value), answer.distance);
        return write_json(out, &json!({ "value": value, "plies": plies, "moves": moves }));
    }
    let length = |plies: Option<u8>| plies.map_or(String::new(), in_plies);
    writeln!(out, "{}{}", word(answer.value), length(answer.distance))?;
    for (mv, value, plies) in &answer.moves {
        writeln!(out, "  {mv:<12} {}{}", word(*value), length(plies.map(|plies| plies + 1)))?;
    }
    Ok(())
}
