//! `ludus bench --only mcts`: simulations per second from the start of each game, including the tree,
//! with one thread, two threads and two processes.

use super::{Common, engine_bench::PositionSpeed, write_json};
use ludus_players::find_game;
use serde::Serialize;
use std::{io::Write, time::Duration};

const GAMES: &[&str] = &[
    "tictactoe",
    "split-nim:coins=20",
    "connect4",
    "reversi",
    "draughts",
    "chess",
    "go:size=9",
    "go:size=19",
];

/// Without features that end a search early.
const PLAYER: &str = "mcts:solver=off,early=off,reuse=off";

/// Simulations per second in one game.
#[derive(Serialize)]
struct Speed {
    game: String,
    /// Of one thread.
    simulations_per_second: f64,
    /// Of two threads of one search.
    two_threads: f64,
    /// Of two processes, each with its own search.
    two_processes: f64,
}

/// Measures every game, or one; each search takes `duration`.
pub fn run(
    game: Option<&str>,
    duration: Duration,
    common: &Common,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let games = game.map_or_else(|| GAMES.to_vec(), |game| vec![game]);
    let mut speeds = Vec::new();
    for game in games {
        let speed = measure(game, duration)?;
        if !common.json {
            write_speed(out, &speed)?;
        }
        speeds.push(speed);
    }
    if common.json { write_json(out, &speeds) } else { Ok(()) }
}

fn measure(game: &str, duration: Duration) -> anyhow::Result<Speed> {
    let (entry, options) = find_game(game)?;
    let start = entry.open(&options, None)?.position();
    let speed = PositionSpeed::measure(PLAYER, game, &start, duration)?;
    Ok(Speed {
        game: game.to_owned(),
        simulations_per_second: speed.one_thread,
        two_threads: speed.two_threads_speed,
        two_processes: speed.two_processes_speed,
    })
}

fn write_speed(out: &mut impl Write, speed: &Speed) -> anyhow::Result<()> {
    let Speed { game, simulations_per_second, two_threads, two_processes } = speed;
    writeln!(
        out,
        "{game:<30} {simulations_per_second:>10.0} simulations/s   two threads {two_threads:.0}/s, {:.2} \
         of two processes ({two_processes:.0}/s)",
        two_threads / two_processes
    )?;
    Ok(out.flush()?)
}
