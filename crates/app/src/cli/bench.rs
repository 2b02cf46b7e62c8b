//! `ludus bench`: speed of the games, and bench signatures, which change only with the behaviour of
//! players.

use super::{
    Common, endgame, engine_bench, limits::parse_time, mcts_bench, models_bench, search_table,
    write_json,
};
use crate::error::bad_input;
use ludus_core::{Limits, options::split_name};
use ludus_players::{
    GAMES, find_game,
    measure::{PerftJob, signature},
};
use serde::Serialize;
use std::{
    io::Write,
    path::PathBuf,
    time::{Duration, Instant},
};

/// Measure perft and random playouts, and the bench signatures
///
/// A signature is the number of nodes a search player visits over fixed positions of every game, with
/// one thread and a fixed seed; it must not change unless the player's behaviour does. For reliable
/// speeds, nothing else should be running. `--only search` compares all textbook searches at fixed
/// depths, which takes minutes. `--only engine` measures the strong player with one thread, two
/// threads and two processes, `--only mcts` the simulations of `mcts` in the same way. `--only
/// stopping` measures the time overrun of 500 moves of 50 ms, `--only endgame` the probes of random
/// positions in the endgame tables per second, with one thread. `--only models` measures networks:
/// positions one by one, in batches of 256 and in training steps of 2,048 (these with `--threads`), and
/// steps on single samples.
#[derive(clap::Args)]
pub struct Args {
    /// Only this game
    game: Option<String>,
    /// Only one kind of measurement
    #[arg(long, value_enum)]
    only: Option<BenchKind>,
    /// Duration of each measurement
    #[arg(long, default_value = "1s", value_parser = parse_time, value_name = "TIME")]
    duration: Duration,
    /// With `--only search`: write the table to this file, between its two markers
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

#[derive(Copy, Clone, PartialEq, Eq, clap::ValueEnum)]
enum BenchKind {
    Perft,
    Playouts,
    Signature,
    Search,
    Engine,
    Mcts,
    Stopping,
    Endgame,
    Models,
}

/// Games measured by default, with a perft depth that takes about a second.
const SUITE: &[(&str, u32)] = &[
    ("tictactoe", 9),
    ("split-nim:coins=20", 12),
    ("connect4", 11),
    ("reversi", 10),
    ("draughts", 11),
    ("draughts:rules=brazilian", 10),
    ("draughts:rules=russian", 10),
    ("draughts:rules=international", 9),
    ("chess", 6),
    ("go:size=9", 4),
    ("go:size=13", 3),
    ("go:size=19", 3),
];

/// Perft depth of games that are not in the suite.
const DEFAULT_PERFT_DEPTH: u32 = 4;

/// The first signature, over all games: player, and number of positions.
const BASE_SIGNATURE: (&str, usize) = ("minimax:depth=2", 6);

/// Players of the other signatures.
const SIGNATURE_PLAYERS: &[&str] = &[
    "negamax",
    "alphabeta",
    "alphabeta:fail=hard",
    "aspiration",
    "negascout",
    "pvs",
    "mtdf",
    "sss",
    "dual",
    "engine",
    "mcts:playouts=500",
    "mcts:playouts=300,rave=fuego,c=0,leaf=mixed",
];

/// Games of the other signatures, with search depth and number of positions.
const SIGNATURE_GAMES: &[(&str, u32, usize)] = &[
    ("tictactoe", 6, 3),
    ("split-nim:coins=15", 6, 3),
    ("connect4", 5, 4),
    ("reversi", 4, 4),
    ("draughts", 5, 4),
    ("draughts:rules=russian", 4, 4),
    ("chess", 3, 3),
    ("go:size=5", 2, 4),
];

/// Number of moves of `--only stopping`, and the time of each.
const STOPPING_MOVES: usize = 500;
const STOPPING_TIME_PER_MOVE: Duration = Duration::from_millis(50);

/// One line of the report.
#[derive(Serialize)]
struct Bench {
    name: &'static str,
    game: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    count: u64,
    seconds: f64,
    per_second: f64,
}

#[derive(Serialize)]
struct Document {
    benches: Vec<Bench>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<u64>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    signatures: Vec<Signature>,
}

/// Bench signature of a player.
#[derive(Serialize)]
struct Signature {
    player: &'static str,
    nodes: u64,
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let wanted = |kind| args.only.is_none_or(|only| only == kind);
    if args.only == Some(BenchKind::Search) {
        return search_table::run(args.game.as_deref(), args.write.as_deref(), common, out);
    }
    if args.write.is_some() {
        return Err(bad_input("only the table of --only search can be written to a file"));
    }
    let engine_game = args.game.as_deref();
    match args.only {
        Some(BenchKind::Engine) => {
            return engine_bench::speed(engine_game, args.duration, common, out);
        }
        Some(BenchKind::Mcts) => return mcts_bench::run(engine_game, args.duration, common, out),
        Some(BenchKind::Models) => {
            if let Some(game) = engine_game {
                let message =
                    format!("--only models measures no game: expected none, not {game:?}");
                return Err(bad_input(message));
            }
            return models_bench::run(args.duration, common, out);
        }
        Some(BenchKind::Stopping) => {
            let game = engine_game.unwrap_or("chess");
            return engine_bench::stopping(
                game,
                STOPPING_MOVES,
                STOPPING_TIME_PER_MOVE,
                common,
                out,
            );
        }
        Some(BenchKind::Endgame) => {
            let bench = probes(engine_game.unwrap_or("draughts"), args.duration, common)?;
            return if common.json { write_json(out, &bench) } else { write_bench(out, &bench) };
        }
        _ => {}
    }
    let mut document = Document { benches: Vec::new(), signature: None, signatures: Vec::new() };
    for (game, depth) in suite(args)? {
        let mut benches = Vec::new();
        if wanted(BenchKind::Perft) {
            benches.push(perft(&game, depth, args.duration, common)?);
        }
        if wanted(BenchKind::Playouts) {
            benches.push(playouts(&game, args.duration, common.seed)?);
        }
        for bench in benches {
            if !common.json {
                write_bench(out, &bench)?;
            }
            document.benches.push(bench);
        }
    }
    if wanted(BenchKind::Signature) && args.game.is_none() {
        document.signatures = signatures()?;
        document.signature = document.signatures.first().map(|first| first.nodes);
    }
    if common.json {
        return write_json(out, &document);
    }
    for Signature { player, nodes } in &document.signatures {
        writeln!(out, "signature {player} {nodes}")?;
    }
    Ok(())
}

fn suite(args: &Args) -> anyhow::Result<Vec<(String, u32)>> {
    let Some(game) = &args.game else {
        return Ok(SUITE.iter().map(|&(name, depth)| (name.to_owned(), depth)).collect());
    };
    find_game(game)?;
    if args.only == Some(BenchKind::Signature) {
        return Err(bad_input("the signature covers all games: expected no game name"));
    }
    let named = |(name, _): &&(&str, u32)| name == game || (game == "go" && *name == "go:size=19");
    let depth = SUITE.iter().find(named).map_or(DEFAULT_PERFT_DEPTH, |&(_, depth)| depth);
    Ok(vec![(game.clone(), depth)])
}

/// Repeats perft for at least `duration` and keeps the fastest run.
fn perft(name: &str, depth: u32, duration: Duration, common: &Common) -> anyhow::Result<Bench> {
    let (game, options) = find_game(name)?;
    let job = PerftJob { position: None, depth, threads: common.threads(), keep_duplicates: false };
    let started = Instant::now();
    let mut best: Option<(f64, u64)> = None;
    while best.is_none() || started.elapsed() < duration {
        let run = Instant::now();
        let count = game.measure().perft(&options, &job)?.iter().map(|(_, count)| count).sum();
        let seconds = run.elapsed().as_secs_f64().max(1e-9);
        best = best.filter(|&(fastest, _)| fastest <= seconds).or(Some((seconds, count)));
    }
    let (seconds, count) = best.expect("perft ran at least once");
    let per_second = count as f64 / seconds;
    Ok(Bench { name: "perft", game: name.into(), depth: Some(depth), count, seconds, per_second })
}

fn playouts(name: &str, duration: Duration, seed: u64) -> anyhow::Result<Bench> {
    let (game, options) = find_game(name)?;
    let (count, took) = game.measure().rollouts(&options, seed, duration)?;
    let seconds = took.as_secs_f64();
    let per_second = count as f64 / seconds;
    Ok(Bench { name: "playouts", game: name.into(), depth: None, count, seconds, per_second })
}

fn probes(name: &str, duration: Duration, common: &Common) -> anyhow::Result<Bench> {
    let location = endgame::TableLocation::of(name, None, common)?;
    let probed = location.endgames.probes(&location.folder, common.seed, duration);
    let (count, took) = probed.map_err(endgame::endgame_error)?;
    let seconds = took.as_secs_f64();
    let per_second = count as f64 / seconds;
    Ok(Bench { name: "probes", game: name.into(), depth: None, count, seconds, per_second })
}

fn signatures() -> anyhow::Result<Vec<Signature>> {
    let (player, positions) = BASE_SIGNATURE;
    let mut nodes = 0;
    for game in GAMES {
        let (game, options) = find_game(game.id())?;
        nodes += signature(game, &options, player, Limits::default(), positions)?;
    }
    let mut signatures = vec![Signature { player, nodes }];
    for &player in SIGNATURE_PLAYERS {
        let mut nodes = 0;
        for &(name, depth, positions) in SIGNATURE_GAMES {
            let (game, options) = find_game(name)?;
            let (id, _) = split_name(player);
            if game.players().iter().any(|&(known, ..)| known == id) {
                let limits = Limits { depth: Some(depth), ..Limits::default() };
                nodes += signature(game, &options, player, limits, positions)?;
            }
        }
        signatures.push(Signature { player, nodes });
    }
    Ok(signatures)
}

fn write_bench(out: &mut impl Write, bench: &Bench) -> anyhow::Result<()> {
    let name = match bench.depth {
        Some(depth) => format!("perft {depth}"),
        None => bench.name.to_owned(),
    };
    let Bench { game, count, seconds, per_second, .. } = bench;
    writeln!(out, "{game:<30} {name:<9} {per_second:>15.0}/s   ({count} in {seconds:.3} s)")?;
    Ok(out.flush()?)
}
