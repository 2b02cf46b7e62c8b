//! Makes the suite of Reversi endgames, or measures the solver or the evaluation on it.
//!
//! ```text
//! cargo run --release -p ludus-players --example reversi_endgames -- make > data/suites/reversi-20-empties.txt
//! cargo run --release -p ludus-players --example reversi_endgames -- time data/suites/reversi-20-empties.txt
//! ```

use ludus_core::{
    Action, Evaluator, HasEval, History, Limits, Notation, Options, Player, Position, Random,
    SearchControl, position::mix,
};
use ludus_knowledge::reversi::ReversiKnowledge;

use ludus_games::reversi::Reversi;
use ludus_knowledge::reversi::endgame::{ExactSolver, MarginWindow};
use ludus_players::{Resources, build_player};
use std::{env, fs, process::ExitCode, sync::atomic::AtomicBool, time::Instant};

const SEED: u64 = 20;
const POSITIONS: usize = 50;
const EMPTIES: usize = 20;
const MAX_MARGIN: i32 = 10;
const OPENING_PLIES: usize = 8;
const PLAYER: &str = "engine:nodes=10000,table=1MB";
const TABLE_BYTES: usize = 64 << 20;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        ["make"] => make(),
        ["time", path] => time(path),
        ["judge", path] => time_eval(path),
        _ => Err("usage: reversi_endgames make | time FILE | judge FILE".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn empties(position: &Reversi) -> usize {
    position.text().matches('-').count()
}

/// A game from a random opening to the wanted number of empty squares, if it lasts that long.
fn play(random: &mut Random, player: &mut dyn Player<Reversi>) -> Result<Option<Reversi>, String> {
    player.new_game(random.bits());
    let mut game = History::new(Reversi::default());
    while empties(game.last()) > EMPTIES {
        if game.last().outcome().is_some() {
            return Ok(None);
        }
        let mut moves = Vec::new();
        game.last().legal_moves(&mut moves);
        let random_move = random.pick(&moves).filter(|_| game.moves().len() < OPENING_PLIES);
        let mv = match random_move {
            Some(mv) => mv,
            None => choose(player, &game)?,
        };
        game.push(mv);
    }
    Ok(game.last().outcome().is_none().then(|| *game.last()))
}

fn choose(player: &mut dyn Player<Reversi>, game: &History<Reversi>) -> Result<u8, String> {
    let stop = AtomicBool::new(false);
    let mut control = SearchControl { stop: &stop, on_report: &mut |_| {} };
    let choice = player.choose(game, &Limits::default(), &mut control);
    match choice.map_err(|error| error.to_string())?.action {
        Action::Play(mv) => Ok(mv),
        _ => Err("the engine resigned".to_owned()),
    }
}

fn make() -> Result<(), String> {
    println!(
        "# {POSITIONS} positions with {EMPTIES} empty squares and their exact margins for the side to move."
    );
    println!(
        "# From games of {PLAYER} against itself after {OPENING_PLIES} random plies (seed {SEED});"
    );
    println!(
        "# positions with a margin beyond {MAX_MARGIN} left out. Made by `reversi_endgames make` (crates/players/examples)."
    );
    let mut player = build_player::<Reversi>(PLAYER, &Resources::default())
        .map_err(|error| error.to_string())?;
    let mut solver = ExactSolver::new(TABLE_BYTES);
    let (mut kept, mut game) = (0, 0);
    while kept < POSITIONS {
        game += 1;
        let mut random = Random::new(mix(SEED) ^ game);
        let Some(position) = play(&mut random, player.as_mut())? else { continue };
        // Most positions are far from even: a window shows that sooner than the exact margin.
        let window = MarginWindow { alpha: -MAX_MARGIN - 1, beta: MAX_MARGIN + 1 };
        let found = solver.solve(&position, window, &mut |_| false).ok_or("stopped")?;
        if found.margin.abs() <= MAX_MARGIN {
            kept += 1;
            println!("{} {:+}", position.text(), found.margin);
        }
    }
    Ok(())
}

/// Processor time of this thread in seconds; wall-clock time where the system does not report it.
fn cpu_seconds(start: Instant) -> f64 {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = stat.split(' ').next().and_then(|first| first.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// The positions of a suite, each with its line and its margin.
fn read(path: &str) -> Result<Vec<(String, Reversi, i32)>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let options = Options::defaults("reversi", &[]);
    let parse = |line: &str| {
        let (board, margin) = line.rsplit_once(' ')?;
        let position = Reversi::parse(&options, board).ok()?;
        Some((line.to_owned(), position, margin.parse().ok()?))
    };
    text.lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| parse(line).ok_or_else(|| format!("not a position and its margin: {line}")))
        .collect()
}

fn time(path: &str) -> Result<(), String> {
    let start = Instant::now();
    let mut solver = ExactSolver::new(TABLE_BYTES);
    let mut runs = Vec::new();
    for (line, position, margin) in read(path)? {
        solver.clear();
        let before = cpu_seconds(start);
        let found =
            solver.solve(&position, MarginWindow::EXACT, &mut |_| false).ok_or("stopped")?;
        let seconds = cpu_seconds(start) - before;
        if margin != found.margin {
            return Err(format!("{line}: found {:+}", found.margin));
        }
        println!("{line} {seconds:.3} s {} nodes", found.nodes);
        runs.push((seconds, found.nodes));
    }
    report(runs)
}

/// Measures the evaluation on the positions of a suite and those one move later.
fn time_eval(path: &str) -> Result<(), String> {
    const ROUNDS: u32 = 3_000;
    let mut positions = Vec::new();
    for (_, position, _) in read(path)? {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        positions.extend(moves.iter().map(|&mv| position.after(mv)));
        positions.push(position);
    }
    let mut hand = ReversiKnowledge::handcrafted();
    let start = Instant::now();
    let before = cpu_seconds(start);
    let mut sum = 0;
    for _ in 0..ROUNDS {
        sum += positions.iter().map(|position| i64::from(hand.evaluate(position).0)).sum::<i64>();
    }
    let calls = f64::from(ROUNDS) * positions.len() as f64;
    let nanoseconds = (cpu_seconds(start) - before) * 1e9 / calls;
    println!("{nanoseconds:.0} ns a call, {} positions, sum {sum}", positions.len());
    Ok(())
}

fn report(mut runs: Vec<(f64, u64)>) -> Result<(), String> {
    runs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (Some(median), Some(most)) = (runs.get(runs.len() / 2), runs.last()) else {
        return Err("no positions".to_owned());
    };
    let (median, most) = (median.0, most.0);
    let seconds: f64 = runs.iter().map(|run| run.0).sum();
    let nodes: u64 = runs.iter().map(|run| run.1).sum();
    let mut counts: Vec<u64> = runs.iter().map(|run| run.1).collect();
    counts.sort_unstable();
    println!(
        "{} solved: median {median:.3} s, mean {:.3} s, max {most:.3} s of processor time",
        runs.len(),
        seconds / runs.len() as f64,
    );
    println!(
        "nodes: median {}, mean {}, {:.1} million a second",
        counts[counts.len() / 2],
        nodes / runs.len() as u64,
        nodes as f64 / seconds / 1e6,
    );
    Ok(())
}
