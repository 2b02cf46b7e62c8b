//! `ludus bench --only engine` and `--only stopping`: speed of the strong player, gain of a second
//! thread, and time overrun.

use super::{Common, write_json};
use crate::error::bad_input;
use anyhow::Context;
use ludus_core::Limits;
use ludus_players::{Analysis, AnalysisControl, Board, BoardPlayer, Resources, find_game};
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

/// Player that plays up to the measured positions; reproducible on all machines.
const POSITION_PLAYER: &str = "engine:nodes=20000,table=1MB";

/// Plies after which the next position with more than one legal move is measured.
const POSITION_PLIES: [usize; 3] = [0, 12, 24];

/// Repetitions of each search; the fastest counts, as other load can only slow a search down.
const REPETITIONS: usize = 5;

/// The strong player's speed in one game.
#[derive(Serialize)]
struct Speed {
    game: &'static str,
    /// Of one thread, mean of all positions.
    nodes_per_second: f64,
    /// Of one thread, by position.
    stages: Vec<f64>,
    /// Reached by one thread, by position.
    depths: Vec<u32>,
    /// Of two threads of one search.
    two_threads: f64,
    /// Of two processes, each with its own search.
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
        stages.push(PositionSpeed::measure(PLAYER, game, &position, duration)?);
    }
    Ok(Speed {
        game,
        nodes_per_second: mean(&stages, |position| position.one_thread),
        stages: stages.iter().map(|position| position.one_thread).collect(),
        depths: stages.iter().map(|position| position.depth).collect(),
        two_threads: mean(&stages, |position| position.two_threads_speed),
        two_processes: mean(&stages, |position| position.two_processes_speed),
    })
}

/// Speeds in nodes per second of the fastest searches of one position.
#[derive(Default)]
pub struct PositionSpeed {
    pub depth: u32,
    /// Of one thread.
    pub one_thread: f64,
    /// Of two threads of one search.
    pub two_threads_speed: f64,
    /// Of two processes.
    pub two_processes_speed: f64,
}

impl PositionSpeed {
    pub fn measure(
        player: &str,
        game: &str,
        position: &str,
        duration: Duration,
    ) -> anyhow::Result<PositionSpeed> {
        let rate = |nodes: u64, seconds: f64| nodes as f64 / seconds.max(1e-9);
        let mut best = PositionSpeed::default();
        for _ in 0..REPETITIONS {
            let found = search(player, game, position, 1, duration)?;
            best.depth = best.depth.max(found.depth);
            best.one_thread = best.one_thread.max(rate(found.nodes, found.seconds));
            let found = search(player, game, position, 2, duration)?;
            best.two_threads_speed = best.two_threads_speed.max(rate(found.nodes, found.seconds));
            let found = two_processes(player, game, position, duration)?;
            let two_processes_speed =
                found.into_iter().map(|(nodes, seconds)| rate(nodes, seconds)).sum();
            best.two_processes_speed = best.two_processes_speed.max(two_processes_speed);
        }
        Ok(best)
    }
}

fn mean(positions: &[PositionSpeed], of: impl Fn(&PositionSpeed) -> f64) -> f64 {
    positions.iter().map(of).sum::<f64>() / positions.len() as f64
}

/// The measured positions of a game, by self-play of [`POSITION_PLAYER`].
fn positions(game: &str) -> anyhow::Result<Vec<String>> {
    let mut selfplay = SelfPlay::new(game, POSITION_PLAYER)?;
    let mut positions = Vec::new();
    while positions.len() < POSITION_PLIES.len() && selfplay.board.ending().is_none() {
        let due = selfplay.board.moves_played() >= POSITION_PLIES[positions.len()];
        if due && selfplay.board.legal_moves().len() > 1 {
            positions.push(selfplay.board.position());
        }
        selfplay.play_move(Limits::default())?;
    }
    Ok(positions)
}

/// A game of one kind of player with itself.
struct SelfPlay {
    board: Box<dyn Board>,
    players: [Box<dyn BoardPlayer>; 2],
}

impl SelfPlay {
    /// A game from its start with a `player` on each side.
    fn new(game: &str, player: &str) -> anyhow::Result<SelfPlay> {
        let (game, options) = find_game(game)?;
        let player = || game.player(player, &Resources::default());
        Ok(SelfPlay { board: game.open(&options, None)?, players: [player()?, player()?] })
    }

    fn start_again(&mut self, seed: u64) -> anyhow::Result<()> {
        self.players.iter_mut().for_each(|player| player.new_game(seed));
        Ok(self.board.restart(None)?)
    }

    /// Plays a move, unless the player resigns.
    fn play_move(&mut self, limits: Limits) -> anyhow::Result<()> {
        let stop = AtomicBool::new(false);
        let mut progress = AnalysisControl { limits, stop: &stop, on_report: &mut |_| {} };
        let player = &mut self.players[self.board.turn().index()];
        let mv = player.choose(&*self.board, &mut progress)?.into_move().0;
        mv.map_or(Ok(()), |mv| Ok(self.board.play(&mv).map(drop)?))
    }
}

fn search(
    player: &str,
    game: &str,
    position: &str,
    threads: usize,
    duration: Duration,
) -> anyhow::Result<Analysis> {
    let (entry, options) = find_game(game)?;
    let board = entry.open(&options, Some(position))?;
    let stop = AtomicBool::new(false);
    let limits = Limits { time: Some(duration), ..Limits::default() };
    let mut progress = AnalysisControl { limits, stop: &stop, on_report: &mut |_| {} };
    let resources = Resources { threads, ..Resources::default() };
    Ok(board.analyze(player, &resources, &mut progress)?)
}

/// Nodes and seconds of two copies of this program that search in parallel.
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

/// Real durations of moves with a time limit.
#[derive(Serialize)]
struct Punctuality {
    game: String,
    moves: usize,
    limit_milliseconds: f64,
    /// Percentiles in milliseconds: 50 %, 99 % and 100 % of the moves.
    half: f64,
    ninety_nine: f64,
    longest: f64,
}

/// Lets the engine make `moves` moves of `limit` each, and measures their real durations.
pub fn stopping(
    game: &str,
    moves: usize,
    limit: Duration,
    common: &Common,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut selfplay = SelfPlay::new(game, PLAYER)?;
    let limits = Limits { time: Some(limit), ..Limits::default() };
    let mut taken = Vec::new();
    while taken.len() < moves {
        if selfplay.board.ending().is_some() {
            selfplay.start_again(taken.len() as u64)?;
        }
        let started = Instant::now();
        selfplay.play_move(limits)?;
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
