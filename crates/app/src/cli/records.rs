//! `ludus records`: the games played so far.

use super::{
    Common,
    convert::{Converter, parse_kind, write_all},
    write_json,
};
use crate::{
    data_dir::in_words,
    error::bad_input,
    records::{self, FileKind},
    terminal::{Style, draw},
};
use anyhow::Context;
use ludus_arena::{
    provenance,
    store::{ContestFilter, GameFilter, GameRow, Games, Order, Store},
};
use ludus_players::{Session, find_game};
use serde_json::json;
use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
    path::PathBuf,
};

/// Find, show and export games played so far
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    List(ListArgs),
    Show(ShowArgs),
    Export(ExportArgs),
}

/// List games, newest first
#[derive(clap::Args)]
struct ListArgs {
    #[command(flatten)]
    filter: FilterArgs,
    /// At most so many games
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: u64,
}

/// Show a game: how it ended, its last position and its record
#[derive(clap::Args)]
struct ShowArgs {
    /// The number of the game, as the list has it
    id: i64,
}

/// Write the records of games, in the order they were played
#[derive(clap::Args)]
struct ExportArgs {
    #[command(flatten)]
    filter: FilterArgs,
    /// At most so many games
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// What to write: pgn, pdn, sgf or json (default: by the name of the output file, else as the
    /// game of --game is recorded, else json)
    #[arg(long, value_name = "FORMAT", value_parser = parse_kind)]
    to: Option<FileKind>,
    /// Where to write (default: stdout); the file must not exist
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(clap::Args)]
struct FilterArgs {
    /// Only this game: go is Go of all sizes, go:size=9 is not
    #[arg(long)]
    game: Option<String>,
    /// Only games of this player: minimax is minimax with any options, minimax:depth=3 is not
    #[arg(long)]
    player: Option<String>,
    /// Only games of the contest with this number or name
    #[arg(long)]
    contest: Option<String>,
    /// Only games with this result
    #[arg(long, value_parser = ["first", "second", "draw"])]
    result: Option<String>,
    /// Only games with this text in names, moves, endings or records
    #[arg(long, value_name = "TEXT")]
    search: Option<String>,
    /// Leave out the first so many
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: u64,
}

impl FilterArgs {
    fn filter(&self, order: Order, limit: Option<u64>) -> anyhow::Result<GameFilter> {
        let contest = self.contest.as_ref().map(|text| match text.parse() {
            Ok(id) => ContestFilter::Id(id),
            Err(_) => ContestFilter::Name(text.clone()),
        });
        Ok(GameFilter {
            game: self.game.as_deref().map(game_filter).transpose()?,
            player: self.player.clone(),
            contest,
            result: self.result.clone(),
            text: self.search.clone(),
            limit,
            offset: self.offset,
            order,
        })
    }
}

/// A game as the store looks for it: options given are made canonical, none given means any.
pub fn game_filter(text: &str) -> anyhow::Result<String> {
    let (game, options) = find_game(text)?;
    if !text.contains(':') {
        return Ok(game.id().to_owned());
    }
    let canonical = options.to_string();
    Ok(if canonical.contains(':') { canonical } else { canonical + ":" })
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    match &args.command {
        Command::List(args) => list(args, common, out),
        Command::Show(args) => show(args, common, out),
        Command::Export(args) => export(args, common, out),
    }
}

/// The games that pass `filter`; none if there is no file of games yet.
fn find(
    store: Option<&Store>,
    filter: &GameFilter,
) -> impl Iterator<Item = anyhow::Result<GameRow>> + use<> {
    let games: Option<Games> = store.map(|store| store.games(filter));
    games.into_iter().flatten().map(|row| row.map_err(in_words))
}

fn list(args: &ListArgs, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let filter = args.filter.filter(Order::Newest, Some(args.limit))?;
    let store = common.existing_store()?;
    let total = store.as_ref().map_or(Ok(0), |store| store.count_games(&filter));
    let total = total.map_err(in_words)?;
    let mut games = find(store.as_ref(), &filter);
    if common.json {
        let texts = games.map(|row| {
            let mut document = serde_json::to_value(&row?)?;
            document["total"] = json!(total);
            Ok(document.to_string())
        });
        return write_all(texts, FileKind::Json, out);
    }
    let head = ["id", "game", "first", "second", "result", "plies", "contest"];
    let head = head.map(str::to_owned);
    let mut widths = [0; 7];
    let mut found = 0;
    // Columns are fitted to some hundred games at a time, so that memory does not grow with the list.
    loop {
        let rows: Vec<GameRow> = games.by_ref().take(500).collect::<anyhow::Result<_>>()?;
        if rows.is_empty() {
            break;
        }
        let several = specs_of_several_builds(&rows);
        let mut lines: Vec<[String; 7]> = rows.iter().map(|row| cells(row, &several)).collect();
        if found == 0 {
            lines.insert(0, head.clone());
        }
        found += rows.len() as u64;
        for line in &lines {
            for (width, cell) in widths.iter_mut().zip(line) {
                *width = cell.chars().count().max(*width);
            }
        }
        for line in &lines {
            write_line(out, line, &widths)?;
        }
    }
    let more = total.saturating_sub(args.filter.offset.saturating_add(found));
    if more > 0 {
        writeln!(out, "… {more} more; --limit N shows more, --offset N leaves out the first")?;
    } else if found == 0 {
        writeln!(
            out,
            "no games found: ludus match and ludus tournament store the games they play"
        )?;
    }
    Ok(())
}

/// The players that occur in more than one build: the build tells them apart.
fn specs_of_several_builds(rows: &[GameRow]) -> BTreeSet<String> {
    let mut builds: BTreeMap<&str, &str> = BTreeMap::new();
    let mut several = BTreeSet::new();
    for row in rows {
        for (spec, build) in
            [(&row.played.first, &row.first_build), (&row.played.second, &row.second_build)]
        {
            if *builds.entry(spec).or_insert(build) != build {
                several.insert(spec.clone());
            }
        }
    }
    several
}

fn cells(row: &GameRow, several: &BTreeSet<String>) -> [String; 7] {
    let name = |spec: &String, build: &String| {
        if several.contains(spec) { format!("{spec} ({build})") } else { spec.clone() }
    };
    let GameRow { id, game, contest, contest_name, played, .. } = row;
    let points = points(&played.result);
    let result = match &played.category {
        Some(category) => format!("{points} {category}"),
        None => points.to_owned(),
    };
    [
        id.to_string(),
        game.clone(),
        name(&played.first, &row.first_build),
        name(&played.second, &row.second_build),
        result,
        played.plies.to_string(),
        format!("{contest} {contest_name}"),
    ]
    .map(|cell| one_line(&cell))
}

/// Numbers to the right, words to the left.
fn write_line(out: &mut impl Write, line: &[String; 7], widths: &[usize; 7]) -> anyhow::Result<()> {
    let mut text = String::new();
    for (column, (cell, &width)) in line.iter().zip(widths).enumerate() {
        if column == 0 || column == 5 {
            text += &format!("{cell:>width$}  ");
        } else {
            text += &format!("{cell:<width$}  ");
        }
    }
    Ok(writeln!(out, "{}", text.trim_end())?)
}

/// The points of the first player and the second.
fn points(result: &str) -> &str {
    match result {
        "first" => "1-0",
        "second" => "0-1",
        _ => "1/2-1/2",
    }
}

/// `text` without line breaks and other characters that would move the cursor.
fn one_line(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

fn show(args: &ShowArgs, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let store = common.existing_store()?;
    let row = store.map(|store| store.game(args.id).map_err(in_words)).transpose()?.flatten();
    let Some(row) = row else {
        let id = args.id;
        return Err(bad_input(format!(
            "there is no game {id}, expected one of ludus records list"
        )));
    };
    let session = replay(&row).with_context(|| format!("game {}", row.id))?;
    let played = &row.played;
    if common.json {
        let mut document = serde_json::to_value(&row)?;
        document["position"] = json!(session.position());
        return write_json(out, &document);
    }
    let (id, index, contest) = (row.id, played.index, one_line(&row.contest_name));
    writeln!(
        out,
        "game {id} of {}, number {index} of contest {} {contest}",
        row.game, row.contest
    )?;
    let [first, second] = [&played.first, &played.second].map(|spec| one_line(spec));
    writeln!(out, "{first} - {second}: {}, {}", points(&played.result), played.reason)?;
    for (name, text) in [("counted as", &played.category), ("said", &played.detail)] {
        if let Some(text) = text {
            writeln!(out, "{name} {}", one_line(text))?;
        }
    }
    let date = provenance::date(played.finished_at.max(0).unsigned_abs(), '-');
    writeln!(out, "{} plies, played on {date} by ludus {}", played.plies, one_line(&row.build))?;
    for (player, build) in [(first, &row.first_build), (second, &row.second_build)] {
        if *build != row.build {
            writeln!(out, "{player} is {}", one_line(build))?;
        }
    }
    writeln!(out)?;
    write!(out, "{}", draw(&session.view(), &session.last_move_cells(), &Style::detect()))?;
    writeln!(out)?;
    for line in played.record.lines() {
        writeln!(out, "{}", one_line(line))?;
    }
    Ok(())
}

/// The board at the end of the game: from its record, or else from its moves.
fn replay(row: &GameRow) -> anyhow::Result<Box<dyn Session>> {
    let (game, options) = find_game(&row.game)?;
    let played = &row.played;
    if let Some(record) = game.record_format().read(played.record.as_bytes()).next() {
        return Ok(game.open_record(&options, &record?)?);
    }
    let mut session = game.open(&options, played.opening.as_deref())?;
    for mv in played.moves.split_whitespace() {
        session.play(mv)?;
    }
    Ok(session)
}

fn export(args: &ExportArgs, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let filter = args.filter.filter(Order::Oldest, args.limit)?;
    let to = match (args.to, &args.output, &args.filter.game) {
        (Some(kind), ..) => kind,
        (None, Some(path), _) => FileKind::of(path)?,
        (None, None, _) if common.json => FileKind::Json,
        (None, None, Some(game)) => FileKind::Records(find_game(game)?.0.record_format()),
        (None, None, None) => FileKind::Json,
    };
    if common.json && (to != FileKind::Json || args.output.is_some()) {
        return Err(bad_input("--json writes JSON to stdout, expected no other --to or --output"));
    }
    let store = common.existing_store()?;
    let texts = find(store.as_ref(), &filter).map(|row| {
        let row = row?;
        record_text(&row, to).with_context(|| format!("game {}", row.id))
    });
    match &args.output {
        None => write_all(texts, to, out),
        Some(path) => {
            records::check_new(path)?;
            records::write_whole(path, |file| write_all(texts, to, file))
        }
    }
}

/// The record of a game: as it was stored if it was stored in this format.
fn record_text(row: &GameRow, to: FileKind) -> anyhow::Result<String> {
    let fixed = find_game(&row.game)?;
    let format = fixed.0.record_format();
    let from = FileKind::Records(format);
    if from == to {
        return Ok(format!("{}\n\n", row.played.record.trim_end()));
    }
    let record = format.read(row.played.record.as_bytes()).next();
    let record = record.ok_or_else(|| bad_input("expected a record, found none"))??;
    Ok(Converter { from, to, fixed: Some(&fixed) }.convert(&record)?)
}
