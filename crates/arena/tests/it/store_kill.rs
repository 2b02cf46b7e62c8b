//! Crash test: repeatedly kills a program that stores games, and checks the stored games.
//!
//! The test starts itself as the program to be killed.

use crate::store_samples::{contest, game};
use ludus_arena::store::Store;
use ludus_core::Random;
use std::{
    collections::{BTreeSet, VecDeque},
    env,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

const VICTIM_FILE: &str = "LUDUS_TEST_VICTIM_FILE";
const ROUNDS: u64 = 12;
/// Numbers of stored games after which the program is killed.
const MAX_LINES_READ: usize = 1_000;
const GAMES: u64 = 1_000_000; // never reached

/// The program to be killed: stores the missing games with two threads.
#[test]
fn victim() {
    let Some(path) = env::var_os(VICTIM_FILE) else { return };
    let store = Store::open(Path::new(&path)).unwrap();
    let begun = store.begin(&contest("cup")).unwrap();
    let stored: BTreeSet<u64> = begun.games.iter().map(|game| game.index).collect();
    let missing: Vec<u64> = (0..GAMES).filter(|index| !stored.contains(index)).collect();
    let next = AtomicUsize::new(0);
    let work = |most_under_way: usize| {
        let mut under_way = VecDeque::new();
        while let Some(&index) = missing.get(next.fetch_add(1, Ordering::Relaxed)) {
            under_way.push_back((index, store.submit(begun.id, game(index)).unwrap()));
            if under_way.len() < most_under_way {
                continue;
            }
            let (index, pending) = under_way.pop_front().unwrap();
            pending.wait().unwrap();
            // One write per line, so that lines are complete or missing.
            let line = format!("\nstored {index}\n");
            std::io::stdout().lock().write_all(line.as_bytes()).unwrap();
        }
    };
    thread::scope(|scope| {
        scope.spawn(|| work(1)); // as `add` does
        scope.spawn(|| work(16));
    });
}

fn until_it_exists(file: &Path, victim: &mut Child) {
    while !file.exists() && victim.try_wait().unwrap().is_none() {
        thread::yield_now();
    }
}

#[test]
fn a_killed_program_loses_and_doubles_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ludus.sqlite");
    let mut random = Random::new(3);
    let mut reported = BTreeSet::new();
    for round in 0..ROUNDS {
        let mut victim = Command::new(env::current_exe().unwrap())
            .args(["--exact", "store_kill::victim", "--nocapture"])
            .env(VICTIM_FILE, &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(victim.stdout.take().unwrap()).lines();
        let index = |line: String| line.strip_prefix("stored ")?.parse::<u64>().ok();
        let mut numbers = lines.map_while(Result::ok).filter_map(index);
        // The first rounds hit the start and the creation of the file.
        let mut before_kill = Vec::new();
        match round {
            0 => {}
            1 => until_it_exists(&path, &mut victim),
            2 => until_it_exists(&path.with_extension("sqlite-wal"), &mut victim),
            _ => before_kill.extend(numbers.by_ref().take(1 + random.below(MAX_LINES_READ))),
        }
        victim.kill().unwrap(); // SIGKILL
        victim.wait().unwrap();
        for index in before_kill.into_iter().chain(numbers) {
            assert!(reported.insert(index), "round {round}: game {index} was stored twice");
        }

        let store = Store::open(&path).unwrap();
        store.check_integrity().unwrap();
        let games = store.begin(&contest("cup")).unwrap().games;
        let found: BTreeSet<u64> = games.iter().map(|game| game.index).collect();
        assert_eq!(found.len(), games.len(), "round {round}: a game is there twice");
        let lost: Vec<_> = reported.difference(&found).collect();
        assert!(lost.is_empty(), "round {round}: lost {lost:?}");
        assert!(games.iter().all(|stored| *stored == game(stored.index)), "round {round}");
        // Stored, but killed before the report: must not be stored again.
        reported = found;
    }
    println!("{ROUNDS} kills, {} games", reported.len());
    assert!(reported.len() > 20, "only {} games in {ROUNDS} rounds", reported.len());
}
