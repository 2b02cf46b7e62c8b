//! The evaluation: who will make the last move, judged by counting.
//!
//! A pile of three is worth exactly one move and a pile of four exactly two, whoever makes them, so
//! threes decide a game of such piles by being odd or even. Larger piles leave a choice of one move
//! more or less; the side to move at an odd number of them tends to have the last choice.

use super::position::SplitNim;
use ludus_core::{Composition, Judged, Position, Scoring, Weight};

/// The smallest pile that can be split up in an even or an odd number of moves.
const SMALLEST_FREE: u8 = 5;

static EVALUATION: Scoring<SplitNim> = Scoring::Sum(
    "split-nim",
    &[
        (Weight::sliding(40, 20), Scoring::Count("odd number of free piles", odd_free)),
        (
            Weight::sliding(60, 100),
            Scoring::Product("settled", &Scoring::Count("odd number of threes", odd_threes), trust),
        ),
    ],
);

/// +1 if the first side profits, −1 if the second does: odd numbers favour the side to move.
fn parity(position: &SplitNim, count: u32) -> i32 {
    let for_mover = if count % 2 == 1 { 1 } else { -1 };
    for_mover * position.turn().sign()
}

fn free_piles(position: &SplitNim) -> u32 {
    let free = position.splittable().filter(|piles| piles.size >= SMALLEST_FREE);
    free.map(|piles| u32::from(piles.count)).sum()
}

fn odd_free(position: &SplitNim) -> i32 {
    match free_piles(position) {
        0 => 0, // nobody has a choice: the threes tell all
        free => parity(position, free),
    }
}

fn odd_threes(position: &SplitNim) -> i32 {
    let threes = position.splittable().filter(|piles| piles.size == 3);
    parity(position, threes.map(|piles| u32::from(piles.count)).sum())
}

/// How far the threes decide: fully when no free pile is left, less with every one.
fn trust(position: &SplitNim) -> i32 {
    100 / (1 + 3 * free_piles(position) as i32)
}

/// The share of coins in piles that leave no choice.
fn phase(position: &SplitNim) -> i32 {
    let settled: usize =
        position.each_pile().filter(|&size| size < SMALLEST_FREE).map(usize::from).sum();
    settled as i32 * Composition::<SplitNim>::PHASES / position.coins() as i32
}

impl Judged for SplitNim {
    fn hand() -> Composition<SplitNim> {
        Composition::new(&EVALUATION, phase)
    }
}
