//! The solver against known results, and against a plain search that knows nothing but the rules.

use super::{table::Table, *};
use ludus_core::{Notation, Options, Random};

fn options(size: usize) -> Options {
    Options::parse(&format!("go:size={size},komi=0"), Go::OPTIONS).unwrap()
}

fn solve_empty(size: usize, bytes: u64, folding: Folding) -> (i32, u64) {
    let stop = AtomicBool::new(false);
    let mut effort = Effort::unlimited(&stop);
    let game = History::new(Go::start(&options(size)).unwrap());
    let time = Instant::now();
    let solution = Solver::new(bytes, folding).solve(&game, DEEPEST, &mut effort).unwrap();
    eprintln!("{size} {bytes} {folding:?} {solution:?} {} nodes {:?}", effort.nodes, time.elapsed());
    (solution.lead().unwrap(), effort.nodes)
}

const MEGABYTE: u64 = 1 << 20;

#[test]
fn empty_boards_have_the_known_values() {
    for (size, lead) in [(2, 1), (3, 9)] {
        for (bytes, folding) in
            [(0, Folding::None), (MEGABYTE, Folding::None), (MEGABYTE, Folding::Symmetries)]
        {
            assert_eq!(solve_empty(size, bytes, folding).0, lead, "{size} {bytes} {folding:?}");
        }
    }
}

#[test]
#[ignore]
fn four() {
    solve_empty(4, 256 * MEGABYTE, Folding::Symmetries);
    solve_empty(4, 256 * MEGABYTE, Folding::None);
}
