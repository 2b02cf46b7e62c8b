//! `ludus endgame`: endgame tables.

use super::{Common, contest::stop_on_interrupt, progress::ProgressReporter, write_json};
use crate::{data_dir, error::bad_input};
use clap::Subcommand;
use ludus_core::Options;
use ludus_players::{
    Endgames, OnStep,
    endgames::{EndgameInfo, EndgameStep, ProbeError},
    find_game,
};
use ludus_search::tables::{EndgameError, EndgameValue, retrograde::Workers};
use serde_json::{Map, json};
use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Instant,
};

/// Build, inspect and verify endgame tables
///
/// Tables are stored under `endgame` in the data directory, one file per slice, named after the men and
/// kings of the side to move and of the other side. They hold win, loss or draw of every position, and
/// with up to four pieces also the distance to the end.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build the tables with up to N pieces; continues after an interruption
    Build(BuildArgs),
    /// Verify every value against the values of the following positions
    Verify(BuildArgs),
    /// List the tables
    Info(GameArgs),
    /// Look up a position and its moves
    Probe(ProbeArgs),
}

#[derive(clap::Args)]
struct GameArgs {
    /// The game
    game: String,
    /// Folder of the tables (default: under endgame in the data directory)
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

#[derive(clap::Args)]
struct BuildArgs {
    #[command(flatten)]
    which: GameArgs,
    /// Total number of pieces of both sides
    #[arg(long, default_value_t = 5, value_name = "N")]
    pieces: usize,
    /// Number of threads (default: number of CPU cores)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,
}

#[derive(clap::Args)]
struct ProbeArgs {
    #[command(flatten)]
    which: GameArgs,
    /// The position
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    position: String,
}

/// The endgame tables of a game, and their folder.
pub(super) struct TableLocation {
    options: Options,
    pub endgames: &'static dyn Endgames,
    pub folder: PathBuf,
}

impl TableLocation {
    /// The tables of the game, in `folder` or under the data directory.
    pub fn of(game: &str, folder: Option<&Path>, common: &Common) -> anyhow::Result<TableLocation> {
        let (game, options) = find_game(game)?;
        let Some(endgames) = game.endgames() else {
            return Err(bad_input(format!(
                "{} has no endgame tables, only draughts has",
                game.id()
            )));
        };
        let folder = match folder {
            Some(folder) => folder.to_owned(),
            None => data_dir::folder(common.data_dir.as_deref())?.join("endgame").join(game.id()),
        };
        Ok(TableLocation { options, endgames, folder })
    }
}

impl GameArgs {
    fn find(&self, common: &Common) -> anyhow::Result<TableLocation> {
        TableLocation::of(&self.game, self.folder.as_deref(), common)
    }
}

impl BuildArgs {
    fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        self.concurrency.map_or_else(cores, usize::from)
    }

    fn check(&self, location: &TableLocation) -> anyhow::Result<()> {
        let most = location.endgames.max_pieces();
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

/// Maps unusable table files to bad input, and other errors to failures.
pub(super) fn endgame_error(error: EndgameError) -> anyhow::Error {
    match error {
        EndgameError::Damaged { .. }
        | EndgameError::Missing { .. }
        | EndgameError::Pieces { .. } => bad_input(error.to_string()),
        EndgameError::File { .. } | EndgameError::Lock(_) | EndgameError::Stopped => error.into(),
    }
}

fn show(progress: &ProgressReporter, step: &EndgameStep) {
    progress.show(step.done, step.all, &step.slices.join(" "));
}

/// Shows the progress of a player that builds its tables on first use.
pub(super) fn progress() -> OnStep {
    let progress = Mutex::new(None);
    Arc::new(move |step| {
        let mut progress = progress.lock().unwrap_or_else(PoisonError::into_inner);
        show(
            progress.get_or_insert_with(|| ProgressReporter::new("endgame tables", "positions")),
            step,
        );
        if step.done == step.all {
            *progress = None;
        }
    })
}

fn build(args: &BuildArgs, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let location = args.which.find(common)?;
    args.check(&location)?;
    let stop = stop_on_interrupt()?;
    let work = Workers { threads: args.threads(), stop: &stop };
    let progress = ProgressReporter::new("endgame tables", "positions");
    let started = Instant::now();
    let (mut made, mut found) = (0, 0);
    let built = location.endgames.build(&location.folder, args.pieces, &work, &mut |step| {
        *(if step.found { &mut found } else { &mut made }) += step.slices.len();
        show(&progress, step);
    });
    drop(progress);
    built.map_err(endgame_error)?;
    let seconds = started.elapsed().as_secs_f64();
    let info = location.endgames.info(&location.folder).map_err(endgame_error)?;
    let bytes: u64 = info.slices.iter().map(|slice| slice.bytes).sum();
    if common.json {
        let document = json!({
            "pieces": args.pieces, "slices_made": made, "slices_found": found,
            "seconds": seconds, "bytes": bytes, "folder": location.folder,
        });
        return write_json(out, &document);
    }
    writeln!(
        out,
        "{made} slices built, {found} found, in {seconds:.1} s; {:.1} MB in {}",
        bytes as f64 / 1e6,
        location.folder.display()
    )?;
    Ok(())
}

fn verify(args: &BuildArgs, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let location = args.which.find(common)?;
    args.check(&location)?;
    let stop = stop_on_interrupt()?;
    let work = Workers { threads: args.threads(), stop: &stop };
    let progress = ProgressReporter::new("verification", "positions");
    let (started, mut positions) = (Instant::now(), 0);
    let checked = location.endgames.verify(&location.folder, args.pieces, &work, &mut |step| {
        positions = step.done;
        show(&progress, step);
    });
    drop(progress);
    let wrong = checked.map_err(endgame_error)?;
    let seconds = started.elapsed().as_secs_f64();
    if common.json {
        let document = json!({ "positions": positions, "wrong": wrong, "seconds": seconds });
        write_json(out, &document)?;
    } else {
        writeln!(out, "{positions} positions verified in {seconds:.1} s, {wrong} wrong")?;
    }
    if wrong == 0 { Ok(()) } else { Err(anyhow::anyhow!("{wrong} values are wrong")) }
}

fn info(args: &GameArgs, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let location = args.find(common)?;
    let info = location.endgames.info(&location.folder).map_err(endgame_error)?;
    if common.json {
        return write_json(out, &info_document(&info, &location));
    }
    if info.pieces == 0 {
        let folder = location.folder.display();
        writeln!(out, "no tables in {folder}; build them with: ludus endgame build {}", args.game)?;
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

fn info_document(info: &EndgameInfo, location: &TableLocation) -> serde_json::Value {
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
        "game": location.options.to_string(), "folder": location.folder, "pieces": info.pieces,
        "bytes": info.slices.iter().map(|slice| slice.bytes).sum::<u64>(),
        "slices": slices, "positions_by_pieces": boards,
    })
}

/// Text of a distance.
fn in_plies(plies: u8) -> String {
    format!(" in {plies} {}", if plies == 1 { "ply" } else { "plies" })
}

fn word(value: EndgameValue) -> &'static str {
    match value {
        EndgameValue::Win => "win",
        EndgameValue::Loss => "loss",
        EndgameValue::Draw => "draw",
        EndgameValue::Unknown => "unknown",
    }
}

fn probe(args: &ProbeArgs, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let location = args.which.find(common)?;
    let answer = location.endgames.probe(&location.folder, &location.options, &args.position);
    let answer = answer.map_err(|error| match error {
        ProbeError::Position(error) => error.into(),
        ProbeError::Tables(error) => endgame_error(error),
        ProbeError::TooManyPieces { .. } => bad_input(error.to_string()),
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
