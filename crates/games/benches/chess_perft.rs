//! Overhead of our traits over the board: the generic perft over `Chess` against the same count
//! written for `cozy-chess` alone, as in its own example. `cargo bench -p ludus-games`.

use cozy_chess::Board;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ludus_core::{Notation, Options, perft::perft};
use ludus_games::chess::Chess;
use std::{hint::black_box, time::Duration};

/// Position, depth and the known number of leaves.
const CASES: [(&str, &str, u32, u64); 2] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        4,
        4_085_603,
    ),
];

/// The moves of the last ply are counted, the others played inside the generator's callback.
fn cozy_perft(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
        return nodes;
    }
    board.generate_moves(|moves| {
        for mv in moves {
            let mut next = board.clone();
            next.play_unchecked(mv);
            nodes += cozy_perft(&next, depth - 1);
        }
        false
    });
    nodes
}

fn compare(criterion: &mut Criterion) {
    for (name, fen, depth, leaves) in CASES {
        let ours = Chess::parse(&Options::defaults("chess", &[]), fen).expect("a valid FEN");
        let cozy = Board::from_fen(fen, false).expect("a valid FEN");
        assert_eq!((perft(&ours, depth), cozy_perft(&cozy, depth)), (leaves, leaves));
        let mut group = criterion.benchmark_group(format!("chess perft, {name} {depth}"));
        group.throughput(Throughput::Elements(leaves));
        group.sample_size(20).measurement_time(Duration::from_secs(4));
        group.bench_function("cozy", |b| b.iter(|| cozy_perft(black_box(&cozy), depth)));
        group.bench_function("ours", |b| b.iter(|| perft(black_box(&ours), depth)));
        group.finish();
    }
}

criterion_group!(benches, compare);
criterion_main!(benches);
