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
    if depth == 0 {
        let mut random = ludus_core::Random::new(1);
        let mut moves = Vec::new();
        for _ in 0..runs {
            let t = Instant::now();
            let mut draws = 0;
            for _ in 0..20_000 {
                draws += (ludus_core::Rollout::rollout(&p, &mut random, &mut moves)
                    == ludus_core::Outcome::Draw) as u32;
            }
            println!("{:.0} rollouts/s, {draws} draws", 20_000.0 / t.elapsed().as_secs_f64());
        }
        return;
    }
    for _ in 0..runs {
        let t = Instant::now();
        let n = perft(&p, depth);
        let s = t.elapsed().as_secs_f64();
        println!("{depth} {n} {:.3}s {:.1} M/s", s, n as f64 / s / 1e6);
    }
}
