//! `ludus bench --only engine` and `--only stopping`: how fast the strong player is, what a second
//! thread adds, and how punctually it stops.

use super::{Common, write_json};
use crate::error::bad_input;
use anyhow::Context;
use ludus_core::{Limits, Side};
use ludus_players::{Analysis, Progress, Resources, Session, Turn, find_game};
use serde::Serialize;
use std::{
    io::Write,
    process::{Command, Stdio},
    sync::atomic::AtomicBool,
    time::{Duration, Instant},
};

const GAMES: &[&str] =
    &["chess", "draughts", "draughts:rules=international", "reversi", "connect4"];

const PLAYER: &str = "engine";

/// Who plays up to the positions that are searched; they are the same everywhere.
const GUIDE: &str = "engine:nodes=20000,table=1MB";

/// Plies after which the next position with a choice is searched.
const STAGES: [usize; 3] = [0, 12, 24];

/// Searches of each kind and stage. The fastest counts: whatever else the machine does can only slow
/// a search down.
const TIMES: usize = 5;

/// The strong player's speed in one game.
#[derive(Serialize)]
struct Speed {
    game: &'static str,
    /// Of one thread, over all stages.
    nodes_per_second: f64,
    /// Of one thread, stage by stage.
    stages: Vec<f64>,
    /// Reached by one thread, stage by stage.
    depths: Vec<u32>,
    /// Of two threads of one search.
    two_threads: f64,
    /// Of two processes, each with a search of its own.
    two_processes: f64,
}

/// Measures every game, or one; each search takes `duration`.
pub fn speed(
    game: Option<&str>,
    duration: Duration,
    common: &Common,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let wanted: Vec<&str> =
        GAMES.iter().copied().filter(|name| game.is_none_or(|game| game == *name)).collect();
    if wanted.is_empty() {
        return Err(bad_input(format!("the engine is measured on {}", GAMES.join(", "))));
    }
    let mut speeds = Vec::new();
    for game in wanted {
        let speed = measure(game, duration)?;
        if !common.json {
            write_speed(out, &speed)?;
        }
        speeds.push(speed);
    }
    if common.json { write_json(out, &speeds) } else { Ok(()) }
}

fn measure(game: &'static str, duration: Duration) -> anyhow::Result<Speed> {
    let mut stages = Vec::new();
    for position in positions(game)? {
        stages.push(Stage::measure(PLAYER, game, &position, duration)?);
    }
    Ok(Speed {
        game,
        nodes_per_second: mean(&stages, |stage| stage.alone),
        stages: stages.iter().map(|stage| stage.alone).collect(),
        depths: stages.iter().map(|stage| stage.depth).collect(),
        two_threads: mean(&stages, |stage| stage.together),
        two_processes: mean(&stages, |stage| stage.apart),
    })
}

/// Speeds in nodes a second of the fastest searches of one position.
#[derive(Default)]
pub struct Stage {
    pub depth: u32,
    /// Of one thread.
    pub alone: f64,
    /// Of two threads of one search.
    pub together: f64,
    /// Of two processes.
    pub apart: f64,
}

impl Stage {
    pub fn measure(
        player: &str,
        game: &str,
        position: &str,
        duration: Duration,
    ) -> anyhow::Result<Stage> {
        let rate = |nodes: u64, seconds: f64| nodes as f64 / seconds.max(1e-9);
        let mut best = Stage::default();
        for _ in 0..TIMES {
            let found = search(player, game, position, 1, duration)?;
            best.depth = best.depth.max(found.depth);
            best.alone = best.alone.max(rate(found.nodes, found.seconds));
            let found = search(player, game, position, 2, duration)?;
            best.together = best.together.max(rate(found.nodes, found.seconds));
            let found = two_processes(player, game, position, duration)?;
            let apart = found.into_iter().map(|(nodes, seconds)| rate(nodes, seconds)).sum();
            best.apart = best.apart.max(apart);
        }
        Ok(best)
    }
}

fn mean(stages: &[Stage], of: impl Fn(&Stage) -> f64) -> f64 {
    stages.iter().map(of).sum::<f64>() / stages.len() as f64
}

/// The positions of a game the guide plays against itself.
fn positions(game: &str) -> anyhow::Result<Vec<String>> {
    let mut session = open(game, GUIDE)?;
    let mut positions = Vec::new();
    while positions.len() < STAGES.len() && session.ending().is_none() {
        let due = session.moves_played() >= STAGES[positions.len()];
        if due && session.legal_moves().len() > 1 {
            positions.push(session.position());
        }
        let_play(session.as_mut(), Limits::default())?;
    }
    Ok(positions)
}

/// A game from its start with `player` on both sides.
fn open(game: &str, player: &str) -> anyhow::Result<Box<dyn Session>> {
    let (entry, options) = find_game(game)?;
    let mut session = entry.open(&options, None)?;
    for side in [Side::First, Side::Second] {
        session.seat(side, player, &Resources::default())?;
    }
    Ok(session)
}

fn let_play(session: &mut dyn Session, limits: Limits) -> anyhow::Result<Turn> {
    let stop = AtomicBool::new(false);
    let mut progress = Progress { limits, stop: &stop, on_report: &mut |_| {} };
    Ok(session.let_play(&mut progress)?)
}

fn search(
    player: &str,
    game: &str,
    position: &str,
    threads: usize,
    duration: Duration,
) -> anyhow::Result<Analysis> {
    let (entry, options) = find_game(game)?;
    let session = entry.open(&options, Some(position))?;
    let stop = AtomicBool::new(false);
    let limits = Limits { time: Some(duration), ..Limits::default() };
    let mut progress = Progress { limits, stop: &stop, on_report: &mut |_| {} };
    let resources = Resources { threads, ..Resources::default() };
    Ok(session.analyze(player, &resources, &mut progress)?)
}

/// Nodes and seconds of two copies of this program that search side by side.
fn two_processes(
    player: &str,
    game: &str,
    position: &str,
    duration: Duration,
) -> anyhow::Result<Vec<(u64, f64)>> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let time = format!("{}ms", duration.as_millis());
    let start = || {
        Command::new(&program)
            .args(["analyze", game, &format!("--position={position}"), "--player", player])
            .args(["--threads", "1", "--time", &time, "--json"])
            .stdout(Stdio::piped())
            .spawn()
    };
    let processes = [start()?, start()?];
    let read = |process: std::process::Child| {
        let said = process.wait_with_output()?.stdout;
        let found: serde_json::Value = serde_json::from_slice(&said)?;
        let nodes = found["nodes"].as_u64().context("a search without nodes")?;
        Ok((nodes, found["seconds"].as_f64().context("a search without seconds")?))
    };
    processes.into_iter().map(read).collect()
}

fn write_speed(out: &mut impl Write, speed: &Speed) -> anyhow::Result<()> {
    let Speed { game, nodes_per_second, stages, depths, two_threads, two_processes } = speed;
    let depths: Vec<String> = depths.iter().map(u32::to_string).collect();
    let millions = |speed: &f64| format!("{:.2}", speed / 1e6);
    let stages: Vec<String> = stages.iter().map(millions).collect();
    writeln!(
        out,
        "{game:<30} {nodes_per_second:>10.0} nodes/s (start, 12, 24 plies: {} M)   depths {:<9}  two \
         threads {two_threads:.0}/s, {:.2} of two processes ({two_processes:.0}/s)",
        stages.join(", "),
        depths.join(" "),
        two_threads / two_processes
    )?;
    Ok(out.flush()?)
}

/// How long moves with a time limit took.
#[derive(Serialize)]
struct Punctuality {
    game: String,
    moves: usize,
    limit_milliseconds: f64,
    /// Milliseconds that half of the moves, 99 in 100 and all stayed within.
    half: f64,
    ninety_nine: f64,
    longest: f64,
}

/// Lets the engine make `moves` moves of `limit` each, and tells how long they really took.
pub fn stopping(
    game: &str,
    moves: usize,
    limit: Duration,
    common: &Common,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut session = open(game, PLAYER)?;
    let limits = Limits { time: Some(limit), ..Limits::default() };
    let mut taken = Vec::new();
    while taken.len() < moves {
        if session.ending().is_some() {
            session.new_game(None, [taken.len() as u64; 2])?;
        }
        let started = Instant::now();
        let_play(session.as_mut(), limits)?;
        taken.push(started.elapsed().as_secs_f64() * 1000.0);
    }
    taken.sort_by(f64::total_cmp);
    let within = |share: f64| taken[((share * moves as f64).ceil() as usize).clamp(1, moves) - 1];
    let found = Punctuality {
        game: game.to_owned(),
        moves,
        limit_milliseconds: limit.as_secs_f64() * 1000.0,
        half: within(0.5),
        ninety_nine: within(0.99),
        longest: within(1.0),
    };
    if common.json {
        return write_json(out, &found);
    }
    let Punctuality { limit_milliseconds, half, ninety_nine, longest, .. } = found;
    writeln!(
        out,
        "{game}: {moves} moves with {limit_milliseconds} ms each: half within {half:.1} ms, 99 % within \
         {ninety_nine:.1} ms, all within {longest:.1} ms"
    )?;
    Ok(())
}
