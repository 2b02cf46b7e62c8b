//! `ludus tournament`: a tournament described by a TOML file.

use super::{
    Common,
    contest::{self, ContestArgs},
    limits::{parse_clock, parse_time},
};
use crate::error::{BadInput, bad_input};
use anyhow::Context;
use ludus_arena::{
    adjudicate::Adjudication, contest::ContestSpec, report, schedule::TournamentFormat,
};
use ludus_core::{Limits, TextError};
use ludus_players::find_game;
use serde::Deserialize;
use std::{fs, io::Write, path::PathBuf};

/// Run a tournament: round robin, gauntlet or knockout
///
/// The file is TOML with game and players; optional are name, format ("round-robin", "gauntlet",
/// "knockout"), games (of each pairing, default 2), openings (a file, "suite" or "none"),
/// opening_plies, depth, nodes, time, clock, seed, concurrency, and a table "adjudication" with
/// max_plies, resign = { score, moves } and draw = { score, moves, after }.
#[derive(clap::Args)]
pub struct Args {
    /// Tournament file, such as round-robin.toml
    file: PathBuf,
    #[command(flatten)]
    contest: ContestArgs,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tournament {
    game: String,
    players: Vec<String>,
    name: Option<String>,
    #[serde(default)]
    format: TournamentFormat,
    games: Option<u64>,
    openings: Option<String>,
    opening_plies: Option<usize>,
    depth: Option<u32>,
    nodes: Option<u64>,
    time: Option<String>,
    clock: Option<String>,
    seed: Option<u64>,
    concurrency: Option<u16>,
    #[serde(default)]
    adjudication: Adjudication,
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let name = args.file.display().to_string();
    let text = fs::read_to_string(&args.file)
        .map_err(|error| BadInput(format!("cannot read {name}: {error}")))?;
    let spec = set_up(&text, args, common).with_context(|| name)?;
    contest::run(&spec, &args.contest, common, report::tournament_json, out)
}

fn set_up(text: &str, args: &Args, common: &Common) -> anyhow::Result<ContestSpec> {
    let file: Tournament = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        TextError::from_parser("tournament", text, at, error.message())
    })?;
    let (game, options) = find_game(&file.game)?;
    if file.players.len() < 2 {
        return Err(bad_input("expected at least two players"));
    }
    for (index, player) in file.players.iter().enumerate() {
        game.check_player(player, &common.contest_resources())?;
        if file.players[..index].contains(player) {
            return Err(bad_input(format!("player {player:?} is listed twice")));
        }
    }
    let field_error = |what: &str, error: String| bad_input(format!("{what}: {error}"));
    let time = file.time.as_deref().map(parse_time).transpose();
    let clock = file.clock.as_deref().map(parse_clock).transpose();
    let games = file.games.unwrap_or(2);
    let most = contest::MAX_GAMES_PER_PAIRING;
    for (what, value, most) in [
        ("games", Some(games), most),
        ("depth", file.depth.map(u64::from), 1000),
        ("nodes", file.nodes, u64::MAX),
    ] {
        if value.is_some_and(|value| !(1..=most).contains(&value)) {
            return Err(bad_input(format!("{what}: expected a number from 1 to {most}")));
        }
    }
    file.adjudication.check().map_err(|error| field_error("adjudication", error))?;
    let folder = args.file.parent();
    let beside = |file: &str| match (folder, file) {
        (_, "suite" | "none") | (None, _) => file.to_owned(),
        (Some(folder), file) => folder.join(file).display().to_string(),
    };
    let chosen = file.openings.as_deref().map(beside);
    let openings = contest::openings(chosen.as_deref(), file.opening_plies, game, &options)?;
    let stem = args.file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    Ok(ContestSpec {
        kind: "tournament",
        name: file.name.or(stem).unwrap_or_default(),
        players: file.players,
        resources: common.contest_resources(),
        form: file.format,
        games,
        openings,
        limits: Limits {
            depth: file.depth,
            nodes: file.nodes,
            time: time.map_err(|error| field_error("time", error))?,
            clock: clock.map_err(|error| field_error("clock", error))?,
        },
        adjudication: file.adjudication,
        sprt: None,
        seed: file.seed.unwrap_or(common.seed),
        concurrency: match (args.contest.concurrency, file.concurrency) {
            (None, Some(concurrency)) => concurrency.max(1).into(),
            _ => args.contest.concurrency(),
        },
        game,
        options,
    })
}
