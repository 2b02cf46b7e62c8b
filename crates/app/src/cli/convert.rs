//! `ludus convert`: converts game records.

use super::Common;
use crate::{
    error::{bad_input, print_message},
    records::{self, FileKind},
};
use anyhow::Context;
use ludus_core::Options;
use ludus_formats::{Record, WriteOptions};
use ludus_players::{Game, find_game, game_of_record};
use std::{
    io::{self, BufReader, Write},
    path::PathBuf,
};

/// Convert game records between PGN, PDN, SGF and JSON
///
/// Moves of all variations are checked by the rules and written in standard notation; comments,
/// variations and annotation glyphs are kept. The game is taken from the record (tag Game, PDN's
/// GameType, SGF's GM; chess for PGN) unless --game is given.
#[derive(clap::Args)]
pub struct Args {
    /// Input file; - for stdin
    input: PathBuf,
    /// Output format: pgn, pdn, sgf or json (default: by the extension of the output file, else json)
    #[arg(long, value_name = "FORMAT", value_parser = parse_kind)]
    to: Option<FileKind>,
    /// Input format (default: by the extension of the input file)
    #[arg(long, value_name = "FORMAT", value_parser = parse_kind)]
    from: Option<FileKind>,
    /// Output file, which must not exist (default: stdout)
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Game of all records, overriding their tags
    #[arg(long)]
    game: Option<String>,
    /// Skip broken games with a message on stderr, instead of stopping at the first one (the games before
    /// it are written)
    #[arg(long)]
    skip_broken: bool,
}

pub(super) fn parse_kind(name: &str) -> Result<FileKind, String> {
    FileKind::from_name(name).ok_or_else(|| "expected pgn, pdn, sgf or json".to_owned())
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let is_stdin = args.input.as_os_str() == "-";
    let from = match args.from {
        Some(kind) => kind,
        None if is_stdin => {
            return Err(bad_input("the format of stdin is unknown: expected --from FORMAT"));
        }
        None => FileKind::of(&args.input)?,
    };
    let to = match (args.to, &args.output) {
        (Some(kind), _) => kind,
        (None, Some(path)) => FileKind::of(path)?,
        (None, None) => FileKind::Json,
    };
    if common.json && (to != FileKind::Json || args.output.is_some()) {
        return Err(bad_input("--json writes JSON to stdout: expected no other --to or --output"));
    }
    let fixed = args.game.as_deref().map(find_game).transpose()?;
    let name = if is_stdin { "stdin".to_owned() } else { args.input.display().to_string() };
    let games = if is_stdin {
        records::read(from, BufReader::new(io::stdin()))
    } else {
        records::read(from, records::open(&args.input)?)
    };
    let games = games.with_context(|| name.clone())?;
    let converted = games.enumerate().filter_map(|(index, record)| {
        let result = record
            .and_then(|record| Converter { from, to, fixed: fixed.as_ref() }.convert(&record))
            .with_context(|| format!("{name}, game {}", index + 1));
        match result {
            Err(error) if args.skip_broken => {
                print_message(&format!("skipped: {error:#}"));
                None
            }
            result => Some(result),
        }
    });
    match &args.output {
        None => write_all(converted, to, out),
        Some(path) => {
            records::check_new(path)?;
            let mut broken = None;
            records::write_whole(path, |file| {
                let written = write_good(converted, to, file)?;
                match written.broken {
                    Some(error) if written.games == 0 => Err(error),
                    error => {
                        broken = error;
                        Ok(())
                    }
                }
            })?;
            broken.map_or(Ok(()), Err)
        }
    }
}

/// Writes the games one by one; in JSON, as an array.
pub(super) fn write_all(
    games: impl Iterator<Item = anyhow::Result<String>>,
    to: FileKind,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    write_good(games, to, out)?.broken.map_or(Ok(()), Err)
}

/// Number of games written, and the error of the game after them.
struct Written {
    games: usize,
    broken: Option<anyhow::Error>,
}

/// Writes the games before the first broken one, and closes the JSON array.
fn write_good(
    games: impl Iterator<Item = anyhow::Result<String>>,
    to: FileKind,
    out: &mut impl Write,
) -> io::Result<Written> {
    let is_json = to == FileKind::Json;
    let mut separator = if is_json { "[\n" } else { "" };
    let mut written = Written { games: 0, broken: None };
    for game in games {
        match game {
            Ok(game) => write!(out, "{separator}{game}")?,
            Err(error) => {
                written.broken = Some(error);
                break;
            }
        }
        written.games += 1;
        separator = if is_json { ",\n" } else { "" };
    }
    if is_json && (written.games > 0 || written.broken.is_none()) {
        writeln!(out, "{}", if separator == "[\n" { "[]" } else { "\n]" })?;
    }
    Ok(written)
}

pub(super) struct Converter<'a> {
    pub from: FileKind,
    pub to: FileKind,
    pub fixed: Option<&'a (&'static dyn Game, Options)>,
}

impl Converter<'_> {
    pub fn convert(&self, record: &Record) -> Result<String, ludus_core::TextError> {
        let (game, options) = match self.fixed {
            Some((game, options)) => (*game, options.clone()),
            None => game_of_record(self.from.format(), record)?,
        };
        let format = self.to.format();
        let (translated, starts) = game.translate(&options, record, format)?;
        let Some(format) = format else {
            return Ok(serde_json::to_string(&translated).expect("records are plain data"));
        };
        Ok(format.write(&translated, &WriteOptions { starts: Some(starts), first_number: None }))
    }
}
