use ludus_core::{Evaluator, Judged, Notation, Options, Position, Random, Rollout};
use ludus_games::go::Go;
use std::time::Instant;
fn main() {
    let args: Vec<usize> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let (size, number, runs) = (args[0], args[1], args[2]);
    let go = Go::start(&Options::parse(&format!("go:size={size}"), Go::OPTIONS).unwrap()).unwrap();
    let mut random = Random::new(1);
    let mut moves = Vec::new();
    let mut best = f64::MAX;
    let mut wins = 0;
    for _ in 0..runs {
        let clock = Instant::now();
        for _ in 0..number {
            wins += usize::from(
                go.rollout(&mut random, &mut moves).winner() == Some(ludus_core::Side::First),
            );
        }
        best = best.min(clock.elapsed().as_secs_f64());
    }
    println!(
        "{size}: {:.0}/s, black wins {:.4}",
        number as f64 / best,
        wins as f64 / (number * runs) as f64
    );
    if args.len() > 3 {
        let mut go = go;
        for _ in 0..size * size {
            moves.clear();
            go.legal_moves(&mut moves);
            moves.pop();
            let Some(mv) = random.pick(&moves) else { break };
            go.play(mv);
        }
        let time = |name: &str, f: &mut dyn FnMut()| {
            let mut best = f64::MAX;
            for _ in 0..200 {
                let clock = Instant::now();
                for _ in 0..100 {
                    f();
                }
                best = best.min(clock.elapsed().as_secs_f64());
            }
            println!("{name}: {:.0} ns", best * 1e7);
        };
        println!("{go:?}");
        time("clone", &mut || {
            std::hint::black_box(go.clone());
        });
        time("legal_moves", &mut || {
            moves.clear();
            go.legal_moves(&mut moves);
        });
        time("count_moves", &mut || {
            std::hint::black_box(go.count_moves());
        });
        time("after", &mut || {
            std::hint::black_box(go.after(moves[0]));
        });
        time("eval", &mut || {
            std::hint::black_box(Go::hand().evaluate(&go));
        });
        time("key", &mut || {
            std::hint::black_box(std::hint::black_box(&go).key());
        });
    }
}
