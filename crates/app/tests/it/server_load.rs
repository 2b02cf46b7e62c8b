//! Load test: many concurrent games against a player that takes 50 ms per move.

use crate::served::Served;
use serde_json::{Value, json};
use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

const GAMES: usize = 200;
const TIME: Duration = Duration::from_secs(60);

/// Plays games one after another; counts the player's moves and records the longest wait.
fn play_games(server: &Served, end: &AtomicBool, moves: &AtomicUsize, longest: &Mutex<Duration>) {
    let limits = json!({ "time_ms": 50 });
    let input = json!({ "game": "draughts", "second": "engine", "limits": limits });
    while !end.load(Relaxed) {
        let mut table = server.posted("/api/tables", &input);
        let path = format!("/api/tables/{}", table["id"].as_str().unwrap());
        while table["ending"].is_null() && !end.load(Relaxed) {
            let legal = table["legal"].as_array().unwrap();
            let mv = legal[legal.len() / 2]["move"].clone();
            let asked = Instant::now();
            server.posted(&format!("{path}/move"), &json!({ "move": mv }));
            table = server.got(&format!("{path}?wait=60000"));
            assert_eq!(table["error"], Value::Null);
            moves.fetch_add(1, Relaxed);
            let mut longest = longest.lock().unwrap();
            *longest = asked.elapsed().max(*longest);
        }
    }
}

/// Response times of pages meanwhile, slowest first.
fn latencies(server: &Served, end: &AtomicBool) -> Vec<Duration> {
    let mut all = Vec::new();
    while !end.load(Relaxed) {
        let asked = Instant::now();
        server.got("/");
        server.got("/api/games");
        all.push(asked.elapsed() / 2);
        thread::sleep(Duration::from_millis(200));
    }
    all.sort_unstable_by(|one, other| other.cmp(one));
    all
}

#[test]
#[ignore = "takes a minute and all cores: cargo test --test it server_load -- --ignored --nocapture"]
fn two_hundred_games_at_once() {
    let server = Served::start();
    let end = AtomicBool::new(false);
    let (moves, longest) = (AtomicUsize::new(0), Mutex::new(Duration::ZERO));
    let latencies = thread::scope(|scope| {
        for _ in 0..GAMES {
            scope.spawn(|| play_games(&server, &end, &moves, &longest));
        }
        let pages = scope.spawn(|| latencies(&server, &end));
        thread::sleep(TIME);
        end.store(true, Relaxed);
        pages.join().unwrap()
    });
    let rate = moves.load(Relaxed) as f64 / TIME.as_secs_f64();
    let longest = *longest.lock().unwrap();
    let (slowest, late) = (latencies[0], latencies[latencies.len() / 20]);
    println!("{GAMES} games: {rate:.1} moves/s, longest wait {longest:?}");
    println!("pages: 19 of 20 within {late:?}, the slowest {slowest:?}");
    assert!(rate >= 36.0, "{rate} moves/s");
    assert!(longest < Duration::from_secs(8), "{longest:?}");
    assert!(slowest < Duration::from_millis(100), "{slowest:?}");
}
