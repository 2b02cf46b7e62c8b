//! The evaluation: lines still open to one side only, a line to be completed at once, and the
//! centre.

use super::TicTacToeKnowledge;
use ludus_core::{
    EvalNode, EvalTree, HasEval, Position, SearchHints, Side, Weight, eval::MAX_PHASE,
};
use ludus_games::tictactoe::{LINES, TicTacToe};

static EVALUATION: EvalNode<TicTacToe> = EvalNode::Sum(
    "tic-tac-toe",
    &[
        (Weight::flat(500), EvalNode::Count("a line to complete", completes)),
        (Weight::flat(50), EvalNode::Count("two in an open line", |p| open_lines(p, 2))),
        (Weight::flat(10), EvalNode::Count("one in an open line", |p| open_lines(p, 1))),
        (Weight::tapered(10, 0), EvalNode::Count("centre", centre)),
    ],
);

/// Lines in which `side` has `count` cells and the other none.
fn lines(position: &TicTacToe, side: Side, count: u32) -> i32 {
    let own = position.cells(side);
    let other = position.cells(!side);
    let fits = |line: u16| (own & line).count_ones() == count && other & line == 0;
    LINES.iter().filter(|&&line| fits(line)).count() as i32
}

fn open_lines(position: &TicTacToe, count: u32) -> i32 {
    lines(position, Side::First, count) - lines(position, Side::Second, count)
}

/// Whether the side to move can win at once.
fn completes(position: &TicTacToe) -> i32 {
    i32::from(lines(position, position.turn(), 2) > 0) * position.turn().sign()
}

fn centre(position: &TicTacToe) -> i32 {
    let holds = |side: Side| i32::from(position.cells(side) >> 4 & 1);
    holds(Side::First) - holds(Side::Second)
}

fn phase(position: &TicTacToe) -> i32 {
    position.occupied().count_ones() as i32 * MAX_PHASE / 9
}

impl SearchHints<TicTacToe> for TicTacToeKnowledge {}

impl HasEval<TicTacToe> for TicTacToeKnowledge {
    type Handcrafted = EvalTree<TicTacToe>;

    fn handcrafted() -> EvalTree<TicTacToe> {
        EvalTree::new(&EVALUATION, phase)
    }
}
