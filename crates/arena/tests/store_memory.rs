//! Memory of the store with many games. `examples/store_speed.rs` measures its speed.
//!
//! A separate test program, because it measures the memory of its process.

#[path = "it/store_samples.rs"]
mod store_samples;

use ludus_arena::store::{GameFilter, PendingWrite, Store};
use std::{collections::VecDeque, thread};
use store_samples::{contest, game};

const WARM_UP: u64 = 4_000;
const GAMES: u64 = 24_000;
const UNDER_WAY: usize = 64;

/// Memory of this process in kilobytes; 0 if the system does not report it.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok()).unwrap_or(0)
}

#[test]
fn two_threads_store_thousands_of_games_in_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("ludus.sqlite")).unwrap();
    let id = store.begin(&contest("cup")).unwrap().id;
    let add = |indices: std::ops::Range<u64>| {
        let mut under_way = VecDeque::new();
        for index in indices {
            under_way.push_back(store.submit(id, game(index)).unwrap());
            if under_way.len() >= UNDER_WAY {
                under_way.pop_front().map_or(Ok(()), PendingWrite::wait).unwrap();
            }
        }
        under_way.into_iter().for_each(|pending| pending.wait().unwrap());
    };
    let count = || store.games(&GameFilter::default()).map(Result::unwrap).count() as u64;
    add(0..WARM_UP); // fills the caches
    assert_eq!(count(), WARM_UP);
    let before = memory();
    thread::scope(|scope| {
        scope.spawn(|| add(WARM_UP..GAMES / 2));
        scope.spawn(|| add(GAMES / 2..GAMES));
    });
    assert_eq!(count(), GAMES);
    let grown = memory().saturating_sub(before);
    // The games alone are 10 MB.
    assert!(grown < 4000, "{grown} kB more after {GAMES} games");
}
