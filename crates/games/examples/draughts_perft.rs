use ludus_core::perft::perft;
use ludus_games::draughts::{Draughts, Rules};
use std::time::Instant;
fn main() {
    let arg: Vec<String> = std::env::args().collect();
    let rules = match arg[1].as_str() {
        "e" => Rules::English,
        "b" => Rules::Brazilian,
        "r" => Rules::Russian,
        _ => Rules::International,
    };
    let depth: u32 = arg[2].parse().unwrap();
    let runs: u32 = arg[3].parse().unwrap();
    let p = Draughts::new(rules);
    for _ in 0..runs {
        let t = Instant::now();
        let n = perft(&p, depth);
        let s = t.elapsed().as_secs_f64();
        println!("{depth} {n} {:.3}s {:.1} M/s", s, n as f64 / s / 1e6);
    }
}
