use ludus_core::{Random, Side};
use ludus_games::go::{board::Board, playout::play_out};
use std::time::Instant;
fn main() {
    let args: Vec<usize> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let (size, number, runs) = (args[0], args[1], args[2]);
    let board = Board::new(size);
    let mut random = Random::new(1);
    let mut best = f64::MAX;
    let mut sum = 0;
    for _ in 0..runs {
        let clock = Instant::now();
        for _ in 0..number {
            sum += play_out(&mut board.clone(), Side::First, 0, &mut random);
        }
        best = best.min(clock.elapsed().as_secs_f64());
    }
    println!("{size}: {:.0}/s, mean {:.3}", number as f64 / best, sum as f64 / (number * runs) as f64);
}
