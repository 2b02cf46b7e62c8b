//! `ludus records`: stored games.

use super::{
    Common,
    convert::{Converter, parse_kind, write_all},
    write_json,
};
use crate::{
    data_dir::store_error,
    error::bad_input,
    records::{self, FileKind},
    terminal::{TerminalStyle, draw},
};
use anyhow::Context;
use ludus_arena::{
    game::Category,
    provenance,
    store::{ContestFilter, GameFilter, GameOrder, GameRow, Store, StoredGames},
};
use ludus_core::{Outcome, Side};
use ludus_players::{Board, find_game};
use serde_json::json;
use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
    path::PathBuf,
};

/// Find, show and export stored games
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
    /// Maximum number of games
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: u64,
}

/// Show a game: how it ended, its last position and its record
#[derive(clap::Args)]
struct ShowArgs {
    /// Id of the game, from ludus records list
    id: i64,
}

/// Write the records of games, in the order they were played
#[derive(clap::Args)]
struct ExportArgs {
    #[command(flatten)]
    filter: FilterArgs,
    /// Maximum number of games
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Output format: pgn, pdn, sgf or json (default: by the extension of the output file, else the usual
    /// format of --game, else json)
    #[arg(long, value_name = "FORMAT", value_parser = parse_kind)]
    to: Option<FileKind>,
    /// Output file, which must not exist (default: stdout)
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(clap::Args)]
struct FilterArgs {
    /// Only this game: go matches all options, go:size=9 only this size
    #[arg(long)]
    game: Option<String>,
    /// Only games of this player: minimax matches all options, minimax:depth=3 only these
    #[arg(long)]
    player: Option<String>,
    /// Only games of the contest with this id or name
    #[arg(long)]
    contest: Option<String>,
    /// Only games with this result
    #[arg(long, value_parser = ["first", "second", "draw"])]
    result: Option<String>,
    /// Only games with this text in names, moves, endings or records
    #[arg(long, value_name = "TEXT")]
    search: Option<String>,
    /// Skip the first N games
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: u64,
}

impl FilterArgs {
    fn filter(&self, order: GameOrder, limit: Option<u64>) -> anyhow::Result<GameFilter> {
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

/// Converts a game to a store filter: options are made canonical, none means any options.
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

/// The games that match `filter`; none if there is no store.
fn find(
    store: Option<&Store>,
    filter: &GameFilter,
) -> impl Iterator<Item = anyhow::Result<GameRow>> + use<> {
    let games: Option<StoredGames> = store.map(|store| store.games(filter));
    games.into_iter().flatten().map(|row| row.map_err(store_error))
}

fn list(args: &ListArgs, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let filter = args.filter.filter(GameOrder::Newest, Some(args.limit))?;
    let store = common.existing_store()?;
    let total = store.as_ref().map_or(Ok(0), |store| store.count_games(&filter));
    let total = total.map_err(store_error)?;
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
    // Column widths are computed for some hundred games at a time, to keep memory constant.
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
        writeln!(out, "… {more} more; use --limit N or --offset N to see them")?;
    } else if found == 0 {
        writeln!(
            out,
            "no games found: ludus match and ludus tournament store the games they play"
        )?;
    }
    Ok(())
}

/// Players that occur with several builds, which are shown to distinguish them.
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
    let points = points(played.result);
    let result = match &played.category {
        Some(category) => format!("{points} {}", category.id()),
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

/// Aligns numbers to the right, text to the left.
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

/// Points of the first and the second player.
fn points(result: Outcome) -> &'static str {
    match result {
        Outcome::Win(Side::First) => "1-0",
        Outcome::Win(Side::Second) => "0-1",
        Outcome::Draw => "1/2-1/2",
    }
}

/// `text` with control characters replaced by spaces.
fn one_line(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

fn show(args: &ShowArgs, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let store = common.existing_store()?;
    let row = store.map(|store| store.game(args.id).map_err(store_error)).transpose()?.flatten();
    let Some(row) = row else {
        let id = args.id;
        return Err(bad_input(format!(
            "there is no game {id}: expected an id from ludus records list"
        )));
    };
    let board = replay(&row).with_context(|| format!("game {}", row.id))?;
    let played = &row.played;
    if common.json {
        let mut document = serde_json::to_value(&row)?;
        document["position"] = json!(board.position());
        return write_json(out, &document);
    }
    let (id, index, contest) = (row.id, played.index, one_line(&row.contest_name));
    writeln!(
        out,
        "game {id} of {}, number {index} of contest {} {contest}",
        row.game, row.contest
    )?;
    let [first, second] = [&played.first, &played.second].map(|spec| one_line(spec));
    writeln!(out, "{first} - {second}: {}, {}", points(played.result), played.reason)?;
    let category = played.category.map(Category::id);
    for (name, text) in [("counted as", category), ("said", played.detail.as_deref())] {
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
    write!(out, "{}", draw(&board.view(), &board.last_move_cells(), &TerminalStyle::detect()))?;
    writeln!(out)?;
    for line in played.record.lines() {
        writeln!(out, "{}", one_line(line))?;
    }
    Ok(())
}

/// The game at its end, from its record, or else from its moves.
fn replay(row: &GameRow) -> anyhow::Result<Box<dyn Board>> {
    let (game, options) = find_game(&row.game)?;
    let played = &row.played;
    if let Some(record) = game.record_format().read(played.record.as_bytes()).next() {
        return Ok(game.open_record(&options, &record?)?);
    }
    let mut board = game.open(&options, played.opening.as_deref())?;
    for mv in played.moves.split_whitespace() {
        board.play(mv)?;
    }
    Ok(board)
}

fn export(args: &ExportArgs, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let filter = args.filter.filter(GameOrder::Oldest, args.limit)?;
    let to = match (args.to, &args.output, &args.filter.game) {
        (Some(kind), ..) => kind,
        (None, Some(path), _) => FileKind::of(path)?,
        (None, None, _) if common.json => FileKind::Json,
        (None, None, Some(game)) => FileKind::Records(find_game(game)?.0.record_format()),
        (None, None, None) => FileKind::Json,
    };
    if common.json && (to != FileKind::Json || args.output.is_some()) {
        return Err(bad_input("--json writes JSON to stdout: expected no other --to or --output"));
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

/// The record of a game, converted if it was stored in another format.
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
