//! The evaluation: who will make the last move, judged by matching piles.
//!
//! Two piles of one size cancel out: whatever one side does to the one, the other does to its twin.
//! A pile of four is always worth exactly two moves, so it cancels out by itself. If nothing else
//! is left, the side to move has lost; if something is, it can usually put that to use, best when
//! the number of unmatched piles is odd.

use super::position::SplitNim;
use ludus_core::{Composition, HasEval, Position, Scoring, SearchHints, Weight, eval::PHASES};

/// The one size that takes an even number of moves however it is split.
const SELF_MATCHED: u8 = 4;

/// The smallest pile that can be split up in an even or an odd number of moves.
const SMALLEST_FREE: u8 = 5;

static EVALUATION: Scoring<SplitNim> = Scoring::Sum(
    "split-nim",
    &[
        (Weight::sliding(40, 100), Scoring::Count("anything unmatched", anything_unmatched)),
        (
            Weight::flat(20),
            Scoring::Product(
                "few unmatched piles",
                &Scoring::Count("odd number of unmatched piles", odd_unmatched),
                fewness,
            ),
        ),
    ],
);

/// The sizes of which one pile is left when equal piles are taken away in twos.
fn unmatched(position: &SplitNim) -> i32 {
    let lone = position.splittable().filter(|piles| piles.count % 2 == 1);
    lone.filter(|piles| piles.size != SELF_MATCHED).count() as i32
}

/// Good or bad for the side to move, as first side minus second side.
fn for_mover(position: &SplitNim, good: bool) -> i32 {
    if good { position.turn().sign() } else { -position.turn().sign() }
}

fn anything_unmatched(position: &SplitNim) -> i32 {
    for_mover(position, unmatched(position) > 0)
}

fn odd_unmatched(position: &SplitNim) -> i32 {
    for_mover(position, unmatched(position) % 2 == 1)
}

/// The fewer piles are unmatched, the less the opponent can change their number's parity.
fn fewness(position: &SplitNim) -> i32 {
    100 / unmatched(position).max(1)
}

/// The share of coins in piles that leave no choice.
fn phase(position: &SplitNim) -> i32 {
    let settled: usize =
        position.each_pile().filter(|&size| size < SMALLEST_FREE).map(usize::from).sum();
    settled as i32 * PHASES / position.coins() as i32
}

impl SearchHints for SplitNim {}

impl HasEval for SplitNim {
    type Hand = Composition<SplitNim>;

    fn hand() -> Composition<SplitNim> {
        Composition::new(&EVALUATION, phase)
    }
}
