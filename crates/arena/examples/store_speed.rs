//! Benchmark of the store: small games per second, and memory.
//!
//! `cargo run --release -p ludus-arena --example store_speed [GAMES] [THREADS]`

use ludus_arena::{
    game::PlayerStats,
    store::{GameFilter, NewContest, PendingWrite, Store, StoreError, StoredGame},
};
use ludus_core::Outcome;
use std::{
    collections::VecDeque,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Instant,
};

/// Pending games of a thread before it waits for the oldest.
const MAX_PENDING_GAMES: usize = 64;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let games: u64 = arguments.next().map_or(Ok(100_000), |text| text.parse())?;
    let threads: u64 = arguments.next().map_or(Ok(2), |text| text.parse())?;
    let folder = std::env::temp_dir().join(format!("ludus-store-speed-{}", std::process::id()));
    let result = measure(&folder, games, threads);
    std::fs::remove_dir_all(&folder)?;
    Ok(result?)
}

fn measure(folder: &std::path::Path, games: u64, threads: u64) -> Result<(), StoreError> {
    let store = Store::open(&folder.join("ludus.sqlite"))?;
    run(&store, "wait", games / 10, threads, |store, contest, numbers| {
        for index in numbers {
            store.add(contest, game(index))?;
        }
        Ok(())
    })?;
    run(&store, "go on", games, threads, |store, contest, numbers| {
        let mut pending: VecDeque<PendingWrite> = VecDeque::new();
        for index in numbers {
            pending.push_back(store.submit(contest, game(index))?);
            if pending.len() >= MAX_PENDING_GAMES {
                pending.pop_front().expect("just filled").wait()?;
            }
        }
        pending.into_iter().try_for_each(PendingWrite::wait)
    })?;
    let started = Instant::now();
    let mut count = 0;
    for row in store.games(&GameFilter::default()) {
        row?;
        count += 1;
    }
    println!("read {count} games in {:.2} s, {}", started.elapsed().as_secs_f64(), memory());
    Ok(())
}

type Job = fn(&Store, i64, &mut dyn Iterator<Item = u64>) -> Result<(), StoreError>;

/// Distributes the numbers from 0 to `games` over the threads.
fn run(store: &Store, name: &str, games: u64, threads: u64, job: Job) -> Result<(), StoreError> {
    let contest = store.begin(&NewContest {
        name: name.to_owned(),
        kind: "match".to_owned(),
        game: "tictactoe".to_owned(),
        config: serde_json::json!({}),
        fingerprint: name.to_owned(),
        seed: 1,
        build: "example".to_owned(),
        players: Vec::new(),
    })?;
    let next = AtomicU64::new(0);
    let started = Instant::now();
    println!("{threads} threads that {name}: {games} games; at the start {}", memory());
    thread::scope(|scope| {
        let work = || {
            let mut numbers = std::iter::from_fn(|| {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index > 0 && index.is_multiple_of(games.div_ceil(4)) && index < games {
                    println!("  {index:>8} games, {}", memory());
                }
                (index < games).then_some(index)
            });
            job(store, contest.id, &mut numbers)
        };
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("no worker panics"))
    })?;
    let seconds = started.elapsed().as_secs_f64();
    println!("  {games:>8} games, {}: {:.0} games a second", memory(), games as f64 / seconds);
    Ok(())
}

fn game(index: u64) -> StoredGame {
    StoredGame {
        index,
        first: "random".to_owned(),
        second: "greedy".to_owned(),
        opening: None,
        moves: "b2 a1 a2 c2 a3 c1 b1 b3".to_owned(),
        result: Outcome::Draw,
        reason: ludus_core::EndReason::FullBoard,
        category: None,
        detail: None,
        plies: 8,
        stats: [4, 30].map(|nodes| PlayerStats { nodes, ..PlayerStats::default() }),
        record: "[Event \"speed\"]\n[White \"random\"]\n[Black \"greedy\"]\n[Result \"1/2-1/2\"]\n\
                 [Game \"tictactoe\"]\n\n1. b2 a1 2. a2 c2 3. a3 c1 4. b1 b3 1/2-1/2\n"
            .to_owned(),
        finished_at: 1_800_000_000,
    }
}

/// Memory of this process, if the system reports it.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.map_or("memory unknown".to_owned(), |line| line.trim().to_owned())
}
