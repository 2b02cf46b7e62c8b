//! `ludus bench`: how fast the games are, and the number that changes only with what players do.

use super::{
    Common, endgame, engine_bench, limits::parse_time, mcts_bench, search_table, write_json,
};
use crate::error::bad_input;
use ludus_core::{Limits, options::split_name};
use ludus_players::{GAMES, PerftJob, find_game};
use serde::Serialize;
use std::{
    io::Write,
    path::PathBuf,
    time::{Duration, Instant},
};

/// Measure perft and random playouts, and the bench signatures
///
/// A signature is the number of nodes a search player visits over fixed positions of every game,
/// with one thread and a fixed seed: a change that is not meant to change what a player does must
/// leave it alone. Speeds mean something only when nothing else runs. `--only search` compares all
/// textbook searches on fixed depths; it takes minutes. `--only engine` measures the strong player
/// on one thread, two threads and two processes, `--only mcts` the simulations of `mcts` in the same
/// way; `--only stopping` how punctual 500 moves of 50 ms
/// are; `--only endgame` how many random positions a second the tables of endings tell, on one
/// thread.
#[derive(clap::Args)]
pub struct Args {
    /// Only this game
    game: Option<String>,
    /// Only one kind of measurement
    #[arg(long, value_enum)]
    only: Option<Kind>,
    /// How long to measure each speed
    #[arg(long, default_value = "1s", value_parser = parse_time, value_name = "TIME")]
    duration: Duration,
    /// With `--only search`: put the table into this file, between its two marks
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

#[derive(Copy, Clone, PartialEq, Eq, clap::ValueEnum)]
enum Kind {
    Perft,
    Playouts,
    Signature,
    Search,
    Engine,
    Mcts,
    Stopping,
    Endgame,
}

/// What is measured when no game is named: the games with a depth of perft that takes about a
/// second.
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

/// How deep perft of a game named by the user goes, if the suite does not know it.
const USUAL_DEPTH: u32 = 4;

/// What the first signature asks of every game: the player and the number of positions.
const SIGNATURE: (&str, usize) = ("minimax:depth=2", 6);

/// The players of the other signatures, each with its usual options.
const SIGNERS: &[&str] = &[
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

/// The games of the other signatures, with the depth searched to and the number of positions.
const SIGNED: &[(&str, u32, usize)] = &[
    ("tictactoe", 6, 3),
    ("split-nim:coins=15", 6, 3),
    ("connect4", 5, 4),
    ("reversi", 4, 4),
    ("draughts", 5, 4),
    ("draughts:rules=russian", 4, 4),
    ("chess", 3, 3),
    ("go:size=5", 2, 4),
];

/// What `--only stopping` asks: so many moves of so long.
const STOPPED_MOVES: usize = 500;
const STOPPED_AFTER: Duration = Duration::from_millis(50);

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

/// What one player's searches come to.
#[derive(Serialize)]
struct Signature {
    player: &'static str,
    nodes: u64,
}

pub fn run(args: &Args, common: &Common, out: &mut impl Write) -> anyhow::Result<()> {
    let wanted = |kind| args.only.is_none_or(|only| only == kind);
    if args.only == Some(Kind::Search) {
        return search_table::run(args.game.as_deref(), args.write.as_deref(), common, out);
    }
    if args.write.is_some() {
        return Err(bad_input("only the table of --only search can be written to a file"));
    }
    let engine_game = args.game.as_deref();
    match args.only {
        Some(Kind::Engine) => {
            return engine_bench::speed(engine_game, args.duration, common, out);
        }
        Some(Kind::Mcts) => return mcts_bench::run(engine_game, args.duration, common, out),
        Some(Kind::Stopping) => {
            let game = engine_game.unwrap_or("chess");
            return engine_bench::stopping(game, STOPPED_MOVES, STOPPED_AFTER, common, out);
        }
        Some(Kind::Endgame) => {
            let bench = probes(engine_game.unwrap_or("draughts"), args.duration, common)?;
            return if common.json { write_json(out, &bench) } else { write_bench(out, &bench) };
        }
        _ => {}
    }
    let mut document = Document { benches: Vec::new(), signature: None, signatures: Vec::new() };
    for (game, depth) in suite(args)? {
        let mut benches = Vec::new();
        if wanted(Kind::Perft) {
            benches.push(perft(&game, depth, args.duration, common)?);
        }
        if wanted(Kind::Playouts) {
            benches.push(playouts(&game, args.duration, common.seed)?);
        }
        for bench in benches {
            if !common.json {
                write_bench(out, &bench)?;
            }
            document.benches.push(bench);
        }
    }
    if wanted(Kind::Signature) && args.game.is_none() {
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
    if args.only == Some(Kind::Signature) {
        return Err(bad_input("the signature covers all games, expected no game name"));
    }
    let named = |(name, _): &&(&str, u32)| name == game || (game == "go" && *name == "go:size=19");
    let depth = SUITE.iter().find(named).map_or(USUAL_DEPTH, |&(_, depth)| depth);
    Ok(vec![(game.clone(), depth)])
}

/// Runs perft again and again for at least `duration` and keeps the fastest.
fn perft(name: &str, depth: u32, duration: Duration, common: &Common) -> anyhow::Result<Bench> {
    let (game, options) = find_game(name)?;
    let job = PerftJob { position: None, depth, threads: common.threads(), keep_duplicates: false };
    let started = Instant::now();
    let mut best: Option<(f64, u64)> = None;
    while best.is_none() || started.elapsed() < duration {
        let run = Instant::now();
        let count = game.perft(&options, &job)?.iter().map(|(_, count)| count).sum();
        let seconds = run.elapsed().as_secs_f64().max(1e-9);
        best = best.filter(|&(fastest, _)| fastest <= seconds).or(Some((seconds, count)));
    }
    let (seconds, count) = best.expect("perft ran at least once");
    let per_second = count as f64 / seconds;
    Ok(Bench { name: "perft", game: name.into(), depth: Some(depth), count, seconds, per_second })
}

fn playouts(name: &str, duration: Duration, seed: u64) -> anyhow::Result<Bench> {
    let (game, options) = find_game(name)?;
    let (count, took) = game.rollouts(&options, seed, duration)?;
    let seconds = took.as_secs_f64();
    let per_second = count as f64 / seconds;
    Ok(Bench { name: "playouts", game: name.into(), depth: None, count, seconds, per_second })
}

fn probes(name: &str, duration: Duration, common: &Common) -> anyhow::Result<Bench> {
    let place = endgame::Place::of(name, None, common)?;
    let probed = place.endgames.probes(&place.folder, common.seed, duration);
    let (count, took) = probed.map_err(endgame::in_words)?;
    let seconds = took.as_secs_f64();
    let per_second = count as f64 / seconds;
    Ok(Bench { name: "probes", game: name.into(), depth: None, count, seconds, per_second })
}

fn signatures() -> anyhow::Result<Vec<Signature>> {
    let (player, positions) = SIGNATURE;
    let mut nodes = 0;
    for game in GAMES {
        let (game, options) = find_game(game.id())?;
        nodes += game.signature(&options, player, Limits::default(), positions)?;
    }
    let mut signatures = vec![Signature { player, nodes }];
    for &player in SIGNERS {
        let mut nodes = 0;
        for &(name, depth, positions) in SIGNED {
            let (game, options) = find_game(name)?;
            let (id, _) = split_name(player);
            if game.players().iter().any(|&(known, ..)| known == id) {
                let limits = Limits { depth: Some(depth), ..Limits::default() };
                nodes += game.signature(&options, player, limits, positions)?;
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
