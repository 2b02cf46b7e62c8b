//! The evaluation: groups of four cells still open to one side only, and the centre column.

use super::Connect4Knowledge;
use ludus_core::{EvalNode, EvalTree, HasEval, Side, Weight, eval::MAX_PHASE};
use ludus_games::connect4::{COLUMNS, Connect4, DIRECTIONS, FULL, STRIDE};

static EVALUATION: EvalNode<Connect4> = EvalNode::Sum(
    "connect four",
    &[
        (Weight::tapered(30, 60), EvalNode::Count("three of an open four", |p| open_fours(p, 3))),
        (Weight::flat(8), EvalNode::Count("two of an open four", |p| open_fours(p, 2))),
        (Weight::tapered(2, 0), EvalNode::Count("one of an open four", |p| open_fours(p, 1))),
        (Weight::tapered(12, 0), EvalNode::Count("middle column", centre_column)),
    ],
);

/// Groups of four cells in a line in which one side has `count` discs and the other none.
fn open_fours(position: &Connect4, count: u32) -> i32 {
    let groups = |side: Side| {
        let own = position.discs(side);
        let open = FULL & !position.discs(!side);
        DIRECTIONS.iter().map(|&distance| groups_with(own, open, distance, count)).sum::<u32>()
    };
    groups(Side::First) as i32 - groups(Side::Second) as i32
}

/// The number of groups of four cells `distance` apart that lie in `open` with exactly `count` in
/// `own`.
fn groups_with(own: u64, open: u64, distance: usize, count: u32) -> u32 {
    let shifted = |cells: u64| [0, 1, 2, 3].map(|step| cells >> (step * distance));
    let groups = shifted(open).into_iter().fold(u64::MAX, |all, cells| all & cells);
    // A bit-sliced counter: `ones`, `twos` hold the low and high bit of every group's count. A full
    // four never occurs while the game goes on.
    let (mut ones, mut twos) = (0, 0);
    for cells in shifted(own) {
        twos ^= ones & cells;
        ones ^= cells;
    }
    let low = if count & 1 == 1 { ones } else { !ones };
    let high = if count & 2 == 2 { twos } else { !twos };
    (groups & low & high).count_ones()
}

fn centre_column(position: &Connect4) -> i32 {
    let column = ((1 << (STRIDE - 1)) - 1) << (COLUMNS / 2 * STRIDE);
    let discs = |side| (position.discs(side) & column).count_ones() as i32;
    discs(Side::First) - discs(Side::Second)
}

fn phase(position: &Connect4) -> i32 {
    position.all().count_ones() as i32 * MAX_PHASE / 42
}

impl HasEval<Connect4> for Connect4Knowledge {
    type Handcrafted = EvalTree<Connect4>;

    fn handcrafted() -> EvalTree<Connect4> {
        EvalTree::new(&EVALUATION, phase)
    }
}
