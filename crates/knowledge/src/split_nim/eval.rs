//! The evaluation: parity of the remaining moves, estimated by matching piles.
//!
//! Two piles of one size cancel out: the reply to a split of one is the same split of the other.
//! A pile of four is always worth exactly two moves, so it cancels out by itself. If all piles
//! cancel out, the side to move has lost; otherwise it usually wins, most often when the number of
//! unmatched piles is odd.

use super::SplitNimKnowledge;
use ludus_core::{EvalNode, EvalTree, HasEval, Position, SearchHints, Weight, eval::MAX_PHASE};
use ludus_games::split_nim::SplitNim;

/// The one size that takes an even number of moves however it is split.
const SELF_MATCHED: u8 = 4;

/// The smallest pile that can be split up in an even or an odd number of moves.
const SMALLEST_FREE: u8 = 5;

static EVALUATION: EvalNode<SplitNim> = EvalNode::Sum(
    "split-nim",
    &[
        (Weight::tapered(40, 100), EvalNode::Count("anything unmatched", anything_unmatched)),
        (
            Weight::flat(20),
            EvalNode::Product(
                "few unmatched piles",
                &EvalNode::Count("odd number of unmatched piles", odd_unmatched),
                inverse_unmatched,
            ),
        ),
    ],
);

/// The sizes of which one pile is left when equal piles are taken away in twos.
fn unmatched(position: &SplitNim) -> i32 {
    let lone = position.splittable().filter(|piles| piles.count % 2 == 1);
    lone.filter(|piles| piles.size != SELF_MATCHED).count() as i32
}

/// 1 or -1 for the side to move, as first side minus second side.
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
fn inverse_unmatched(position: &SplitNim) -> i32 {
    100 / unmatched(position).max(1)
}

/// The share of coins in piles that leave no choice.
fn phase(position: &SplitNim) -> i32 {
    let settled: usize =
        position.each_pile().filter(|&size| size < SMALLEST_FREE).map(usize::from).sum();
    settled as i32 * MAX_PHASE / position.coins() as i32
}

impl SearchHints<SplitNim> for SplitNimKnowledge {}

impl HasEval<SplitNim> for SplitNimKnowledge {
    type Handcrafted = EvalTree<SplitNim>;

    fn handcrafted() -> EvalTree<SplitNim> {
        EvalTree::new(&EVALUATION, phase)
    }
}
