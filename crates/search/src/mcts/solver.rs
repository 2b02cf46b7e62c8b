//! Proven results, carried up the tree.
//!
//! A guide that leaves out moves vouches for them: what is proven, is proven for the moves it lists.

use super::tree::{Node, NodeId, Proof, Tree};
use ludus_core::Outcome;

/// What `outcome` means to the side that moved, if it is not `turn`'s turn by its own move.
pub(super) fn of_outcome(outcome: Outcome, turn: ludus_core::Side) -> Proof {
    match outcome {
        Outcome::Draw => Proof::Draw,
        Outcome::Win(side) if side == turn => Proof::Loss,
        Outcome::Win(_) => Proof::Win,
    }
}

/// What the children of `node` prove of it.
pub(super) fn by_children<M: Copy>(tree: &Tree<M>, node: &Node<M>) -> Proof {
    let Some(children) = tree.children(node) else { return Proof::Unknown };
    let mut found = Proof::Win;
    for child in tree.block(children) {
        match child.proof() {
            Proof::Win => return Proof::Loss,
            Proof::Unknown => found = Proof::Unknown,
            Proof::Draw if found == Proof::Win => found = Proof::Draw,
            Proof::Draw | Proof::Loss => {}
        }
    }
    found
}

/// Proves the nodes of a path, its last node just proven, from the end as far as it goes.
pub(super) fn carry_up<M: Copy>(tree: &Tree<M>, path: &[&Node<M>]) {
    let Some((_, above)) = path.split_last() else { return };
    for node in above.iter().rev() {
        match by_children(tree, node) {
            Proof::Unknown => return,
            proof => node.prove(proof),
        }
    }
}

/// Plies from the proven node `id` to the end of the game if one side wins as fast and the other
/// loses as slowly as what has been proven allows. 0 for a draw.
pub(super) fn distance<M: Copy>(tree: &Tree<M>, id: NodeId) -> u32 {
    let node = tree.node(id);
    let Some(children) = tree.children(node) else { return 0 };
    let ends = (0..children.count()).map(|index| children.id(index));
    let proven = |wanted: Proof| {
        let ids = ends.clone().filter(move |&id| tree.node(id).proof() == wanted);
        ids.map(|id| 1 + distance(tree, id))
    };
    match node.proof() {
        Proof::Loss => proven(Proof::Win).min().unwrap_or(0),
        Proof::Win => proven(Proof::Loss).max().unwrap_or(0),
        Proof::Draw | Proof::Unknown => 0,
    }
}
