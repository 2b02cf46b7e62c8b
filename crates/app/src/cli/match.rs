//! `ludus match`: a match between two players.

use super::{
    Common,
    contest::{self, ContestArgs},
    limits::LimitArgs,
};
use ludus_arena::{
    adjudicate::{Adjudication, DrawRule, ResignRule},
    contest::ContestSpec,
    report,
    schedule::TournamentFormat,
    sprt::Sprt,
};
use ludus_players::find_game;
use std::io::Write;

/// Play a match between two players: every opening twice, with sides exchanged
///
/// Games are stored as they finish; an interrupted match continues with --resume.
#[derive(clap::Args)]
pub struct Args {
    /// The game, such as draughts
    game: String,
    /// Player whose results are reported
    first: String,
    /// Opponent
    second: String,
    /// Number of games
    #[arg(long, default_value_t = 100, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=contest::MAX_GAMES_PER_PAIRING))]
    games: u64,
    /// File of openings (.pgn .pdn .sgf .epd .fen .txt), suite (built-in openings), or none (always the
    /// start position); default: suite if the game has one. Shuffled by the seed, then extended by
    /// new openings
    #[arg(long, value_name = "FILE")]
    openings: Option<String>,
    /// Use only the first N plies of each game in the openings file
    #[arg(long, value_name = "N")]
    opening_plies: Option<usize>,
    /// Stop as soon as a sequential test (SPRT) is decided, such as elo0=0,elo1=10,alpha=0.05,beta=0.05
    #[arg(long, value_name = "TEST")]
    sprt: Option<String>,
    /// Adjudicate a draw after N plies (counted as forced draws)
    #[arg(long, value_name = "N")]
    max_plies: Option<u32>,
    /// Adjudicate a loss when a side's own score is at most -SCORE for MOVES moves
    #[arg(long, value_name = "SCORE:MOVES", value_parser = parse_resign)]
    resign: Option<ResignRule>,
    /// Adjudicate a draw when both scores are within SCORE for MOVES moves, from ply AFTER on
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
    let spec = ContestSpec {
        kind: "match",
        name: format!("{} v {}", args.first, args.second),
        players: vec![args.first.clone(), args.second.clone()],
        resources: common.contest_resources(),
        form: TournamentFormat::RoundRobin,
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
    contest::run(&spec, &args.contest, common, report::match_json, out)
}
