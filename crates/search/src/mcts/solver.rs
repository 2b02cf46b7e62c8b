//! MCTS-Solver: proven results, carried up the tree.
//!
//! A leaf evaluator that leaves out moves answers for them: a proof holds for the moves it lists.

use super::tree::{Node, NodeId, ProvenValue, Tree};
use ludus_core::Outcome;

/// The value of `outcome` for the side that has moved, when it is `turn`'s turn.
pub(super) fn of_outcome(outcome: Outcome, turn: ludus_core::Side) -> ProvenValue {
    match outcome {
        Outcome::Draw => ProvenValue::Draw,
        Outcome::Win(side) if side == turn => ProvenValue::Loss,
        Outcome::Win(_) => ProvenValue::Win,
    }
}

/// The value of `node` that its children prove.
pub(super) fn by_children<M: Copy>(tree: &Tree<M>, node: &Node<M>) -> ProvenValue {
    let Some(children) = tree.children(node) else { return ProvenValue::Unknown };
    let mut found = ProvenValue::Win;
    for child in tree.block(children) {
        match child.proof() {
            ProvenValue::Win => return ProvenValue::Loss,
            ProvenValue::Unknown => found = ProvenValue::Unknown,
            ProvenValue::Draw if found == ProvenValue::Win => found = ProvenValue::Draw,
            ProvenValue::Draw | ProvenValue::Loss => {}
        }
    }
    found
}

/// Proves the nodes above the last one of a path, which has just been proven, as far as possible.
pub(super) fn carry_up<M: Copy>(tree: &Tree<M>, path: &[&Node<M>]) {
    let Some((_, above)) = path.split_last() else { return };
    for node in above.iter().rev() {
        match by_children(tree, node) {
            ProvenValue::Unknown => return,
            proof => node.prove(proof),
        }
    }
}

/// Plies from the proven node `id` to the end of the game if one side wins as fast and the other loses
/// as slowly as the proof allows. 0 for a draw.
pub(super) fn distance<M: Copy>(tree: &Tree<M>, id: NodeId) -> u32 {
    let node = tree.node(id);
    let Some(children) = tree.children(node) else { return 0 };
    let ends = (0..children.count()).map(|index| children.id(index));
    let proven = |wanted: ProvenValue| {
        let ids = ends.clone().filter(move |&id| tree.node(id).proof() == wanted);
        ids.map(|id| 1 + distance(tree, id))
    };
    match node.proof() {
        ProvenValue::Loss => proven(ProvenValue::Win).min().unwrap_or(0),
        ProvenValue::Win => proven(ProvenValue::Loss).max().unwrap_or(0),
        ProvenValue::Draw | ProvenValue::Unknown => 0,
    }
}
