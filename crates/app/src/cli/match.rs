//! `ludus match`: two players, many games.

use super::{
    Common,
    contest::{self, ContestArgs},
    limits::LimitArgs,
};
use ludus_arena::{
    adjudicate::{Adjudication, DrawRule, ResignRule},
    contest::Setup,
    report,
    schedule::Form,
    sprt::Sprt,
};
use ludus_players::find_game;
use std::io::Write;

/// Let two players play a match, fairly: every opening twice, with the sides exchanged
///
/// Every finished game is stored before it counts. A match that was interrupted goes on with
/// --resume where it was cut off.
#[derive(clap::Args)]
pub struct Args {
    /// The game, such as draughts
    game: String,
    /// The player whose results are counted
    first: String,
    /// Its opponent
    second: String,
    /// How many games
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=contest::MOST_GAMES))]
    games: u64,
    /// A file of openings (.pgn .pdn .sgf .epd .fen .txt), suite, or none: the usual position for
    /// every game (default: suite if there is one). The seed shuffles them; new ones follow
    #[arg(long, value_name = "FILE")]
    openings: Option<String>,
    /// Take only so many plies of each game of an opening file
    #[arg(long, value_name = "N")]
    opening_plies: Option<usize>,
    /// Stop as soon as a sequential test decides, such as elo0=0,elo1=10,alpha=0.05,beta=0.05
    #[arg(long, value_name = "TEST")]
    sprt: Option<String>,
    /// Call a game of so many plies a draw, counted apart
    #[arg(long, value_name = "N")]
    max_plies: Option<u32>,
    /// A side whose score stays below -SCORE for MOVES moves has lost
    #[arg(long, value_name = "SCORE:MOVES", value_parser = parse_resign)]
    resign: Option<ResignRule>,
    /// A game whose scores stay within SCORE for MOVES moves from ply AFTER on is drawn
    #[arg(long, value_name = "SCORE:MOVES:AFTER", value_parser = parse_draw)]
    draw: Option<DrawRule>,
    #[command(flatten)]
    contest: ContestArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

fn numbers<const N: usize>(text: &str, form: &str) -> Result<[u32; N], String> {
    let parts: Option<Vec<u32>> = text.split(':').map(|part| part.parse().ok()).collect();
    parts.and_then(|parts| parts.try_into().ok()).ok_or_else(|| format!("expected {form}"))
}

fn parse_resign(text: &str) -> Result<ResignRule, String> {
    let [score, moves] = numbers(text, "SCORE:MOVES such as 600:3")?;
    let rule = ResignRule { score: hundredths(score)?, moves };
    Adjudication { resign: Some(rule), ..Default::default() }.check()?;
    Ok(rule)
}

fn parse_draw(text: &str) -> Result<DrawRule, String> {
    let [score, moves, after] = numbers(text, "SCORE:MOVES:AFTER such as 10:8:60")?;
    let rule = DrawRule { score: hundredths(score)?, moves, after };
    Adjudication { draw: Some(rule), ..Default::default() }.check()?;
    Ok(rule)
}

fn hundredths(score: u32) -> Result<i32, String> {
    i32::try_from(score).map_err(|_| format!("expected a score up to {}", i32::MAX))
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let (game, options) = find_game(&args.game)?;
    for player in [&args.first, &args.second] {
        game.check_player(player, &common.contest_resources())?;
    }
    let sprt: Option<Sprt> = args.sprt.as_deref().map(str::parse).transpose()?;
    let setup = Setup {
        kind: "match",
        name: format!("{} v {}", args.first, args.second),
        players: vec![args.first.clone(), args.second.clone()],
        resources: common.contest_resources(),
        form: Form::RoundRobin,
        games: args.games,
        openings: contest::openings(args.openings.as_deref(), args.opening_plies, game, &options)?,
        limits: args.limits.limits(),
        adjudication: Adjudication {
            max_plies: args.max_plies,
            resign: args.resign,
            draw: args.draw,
        },
        sprt,
        seed: common.seed,
        concurrency: args.contest.concurrency(),
        game,
        options,
    };
    contest::run(&setup, &args.contest, common, report::match_json, out)
}
