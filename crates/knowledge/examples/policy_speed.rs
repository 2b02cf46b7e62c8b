//! Playouts per second from the empty board under each policy, and how often each rule moves.
//!
//!     cargo run --release -p ludus-knowledge --example policy_speed [SECONDS [POLICY]]
//!
//! Every figure is the best of a hundred short runs of together so many seconds, since a machine
//! that does other work leaves few of them alone.

use ludus_core::{Notation, Options, Random};
use ludus_games::go::Go;
use ludus_knowledge::go::policy::{PlayoutBoard, PlayoutPolicy, PlayoutRule};
use std::time::{Duration, Instant};

const RUNS: u32 = 100;

fn main() {
    let seconds = std::env::args().nth(1).map_or(2.5, |text| text.parse().expect("seconds"));
    let run = Duration::from_secs_f64(seconds / f64::from(RUNS));
    let wanted = std::env::args().nth(2);
    let policies = [
        ("light", PlayoutPolicy::light()),
        ("fuego", PlayoutPolicy::fuego()),
        ("strong", PlayoutPolicy::strong()),
    ];
    for size in [9, 13, 19] {
        let options = Options::parse(&format!("go:size={size}"), Go::OPTIONS).expect("an option");
        let start = Go::start(&options).expect("a start");
        for (name, policy) in &policies {
            if wanted.as_deref().is_some_and(|wanted| wanted != *name) {
                continue;
            }
            let best = (0..RUNS).map(|_| playouts_per_second(&start, policy, run)).max();
            println!("{size:2}x{size:<2} {name:6} {:7} playouts/s", best.unwrap_or_default());
            println!("    {}", shares(&start, policy));
        }
    }
}

fn playouts_per_second(start: &Go, policy: &PlayoutPolicy, run: Duration) -> u64 {
    let mut random = Random::new(1);
    let mut board = PlayoutBoard::new(start);
    let mut moves = Vec::new();
    let begin = Instant::now();
    let mut playouts = 0;
    while begin.elapsed() < run {
        for _ in 0..10 {
            moves.clear();
            board.set(start);
            board.play_out(policy, &mut random, &mut moves);
        }
        playouts += 10;
    }
    (playouts as f64 / begin.elapsed().as_secs_f64()) as u64
}

/// The share of each rule's moves, in percent.
fn shares(start: &Go, policy: &PlayoutPolicy) -> String {
    let mut random = Random::new(2);
    let mut counts = [0u32; PlayoutRule::ALL.len()];
    let playouts = 300;
    for _ in 0..playouts {
        let mut board = PlayoutBoard::new(start);
        while !board.is_over(policy) {
            let (mv, rule) = board.choose(policy, &mut random);
            board.play(mv);
            counts[rule as usize] += 1;
        }
    }
    let all: u32 = counts.iter().sum();
    let share = |rule: &PlayoutRule| f64::from(100 * counts[*rule as usize]) / f64::from(all);
    let shares: Vec<String> =
        PlayoutRule::ALL.iter().map(|rule| format!("{rule:?} {:.1}", share(rule))).collect();
    format!(
        "{:.0} moves a game; in percent: {}",
        f64::from(all) / f64::from(playouts),
        shares.join(", ")
    )
}
