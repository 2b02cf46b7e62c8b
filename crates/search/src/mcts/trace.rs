//! The record of a growing tree, for display.

use super::{
    select::SelectionValue,
    settings::MctsSettings,
    tree::{Node, NodeId, ProvenValue, Tree, WIN_POINTS},
};

/// One simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulation<M> {
    /// The moves it made in the tree.
    pub path: Vec<M>,
    /// Its result from -1 to 1, for the side to move at the root; in a tree of raw values the value for the
    /// first side.
    pub value: f32,
    /// Moves of the playout after them.
    pub played_on: usize,
}

/// A node of the tree at the end.
#[derive(Clone, Debug, PartialEq)]
pub struct TracedNode<M> {
    /// Index of the parent in the list.
    pub parent: Option<usize>,
    /// The move that leads here; `None` at the root.
    pub mv: Option<M>,
    /// N: visits.
    pub visits: u32,
    /// W: points of the side that made the move, 1 for each simulation won.
    pub points: f32,
    /// Q: points a visit.
    pub mean: f32,
    /// The value the next descent would compare; `None` at the root and for moves that come first
    /// because they have no visits.
    pub selection_value: Option<f32>,
    /// RAVE visits and points a visit.
    pub rave: Option<(u32, f32)>,
    /// The proven value for the side that made the move.
    pub proof: ProvenValue,
    /// Whether children follow in the list or were left out; false for a leaf.
    pub expanded: bool,
}

/// The simulations of a search and the tree they left, both of bounded size.
#[derive(Clone, Debug)]
pub struct MctsTrace<M> {
    /// The first simulations, in their order.
    pub simulations: Vec<Simulation<M>>,
    /// Simulations in all, recorded or not.
    pub total: u64,
    /// The tree at the end, level by level.
    pub nodes: Vec<TracedNode<M>>,
    /// The scale of a tree of raw values; `None` where values are results.
    pub raw: Option<RawScale>,
    limit: usize,
}

/// The scale of a tree whose nodes keep raw values of the first side instead of results of the side that made the
/// move.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct RawScale {
    /// The exploration constant.
    pub exploration: f32,
    /// The parity of the plies whose moves are selected by the negated mean, if there are such plies.
    pub negated_parity: Option<usize>,
}

impl<M: Copy> MctsTrace<M> {
    /// Keeps at most `limit` simulations and as many nodes.
    pub fn new(limit: usize) -> MctsTrace<M> {
        let (simulations, nodes) = (Vec::new(), Vec::new());
        MctsTrace { simulations, total: 0, nodes, raw: None, limit: limit.max(1) }
    }

    /// The most simulations it keeps, and the most nodes.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }

    /// Records a simulation with `points` for the side to move at its end.
    pub(super) fn record(&mut self, path: &[&Node<M>], points: u64, played_on: usize) {
        self.total += 1;
        if self.simulations.len() < self.limit {
            let sign = if path.len() % 2 == 1 { 1.0 } else { -1.0 };
            self.simulations.push(Simulation {
                path: path[1..].iter().map(|node| node.mv()).collect(),
                value: sign * (points as f32 / (WIN_POINTS / 2) as f32 - 1.0),
                played_on,
            });
        }
    }

    /// Records the complete tree, level by level, as far as there is room.
    pub(super) fn record_tree(&mut self, tree: &Tree<M>, settings: &MctsSettings) {
        let mut ids = vec![NodeId::ROOT];
        self.nodes.push(grown(tree, NodeId::ROOT));
        let mut next = 0;
        while next < ids.len() {
            let parent = tree.node(ids[next]);
            if let Some(children) = tree.children(parent)
                && self.nodes.len() + children.count() <= self.limit
            {
                let selection = SelectionValue::new(settings, settings.rave, parent.visits());
                for (index, node) in tree.block(children).iter().enumerate() {
                    let extra = tree.extras(children).get(index);
                    let (visits, points) = (node.visits(), node.points());
                    let value = match extra {
                        Some(extra) => {
                            selection.blended(visits, points, extra.rave(), extra.bias())
                        }
                        None => selection.plain(visits, points),
                    };
                    let rave = extra
                        .map(super::tree::NodeExtras::rave)
                        .filter(|&(visits, _)| visits > 0.0);
                    self.nodes.push(TracedNode {
                        parent: Some(next),
                        mv: Some(node.mv()),
                        selection_value: value.is_finite().then_some(value),
                        rave: rave.map(|(visits, points)| (visits as u32, points / visits)),
                        ..grown(tree, children.id(index))
                    });
                    ids.push(children.id(index));
                }
            }
            next += 1;
        }
    }
}

fn grown<M: Copy>(tree: &Tree<M>, id: NodeId) -> TracedNode<M> {
    let node = tree.node(id);
    TracedNode {
        parent: None,
        mv: None,
        visits: node.visits(),
        points: node.points(),
        mean: node.mean(),
        selection_value: None,
        rave: None,
        proof: node.proof(),
        expanded: tree.children(node).is_some(),
    }
}
