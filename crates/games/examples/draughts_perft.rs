use ludus_core::perft::perft;
use ludus_games::draughts::{Draughts, Rules};
use std::time::Instant;
fn main() {
    let depth: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
    let p = Draughts::new(Rules::English);
    for d in [depth - 2, depth, depth] {
        let t = Instant::now();
        let n = perft(&p, d);
        let s = t.elapsed().as_secs_f64();
        println!("{d} {n} {:.3}s {:.1} M/s", s, n as f64 / s / 1e6);
    }
}
