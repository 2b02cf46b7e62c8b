//! Game records: tags, a tree of moves with annotations, a result.

use crate::{GameResult, MoveText};
use serde::{Deserialize, Serialize};
use std::ops::{Index, IndexMut};

/// A game record. Everything is text as in the file; no rules of a game are applied.
///
/// The moves are a tree kept in one vector, so that neither reading nor dropping a deep one needs
/// recursion. The root stands for the start of the game: it has no move, and its comments come before
/// the first move. The first child of a node continues the main line, the others are variations.
#[derive(Clone, Debug)]
pub struct Record {
    /// Tag pairs in order; a name may occur twice. A start position is the tag `FEN`.
    pub tags: Vec<(String, String)>,
    /// Result of the game.
    pub result: GameResult,
    nodes: Vec<RecordNode>,
    links: Vec<Links>,
}

/// Index of a node in its record.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

/// One move with its annotations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordNode {
    /// The move as written, without number and suffixes. Empty at the root and at nodes that make
    /// no move (set-up and comment nodes of SGF).
    #[serde(rename = "move", default, skip_serializing_if = "MoveText::is_empty")]
    pub mv: MoveText,
    /// The colour that moves, where the file says so (SGF).
    #[serde(rename = "color", default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<PieceColour>,
    /// Numeric annotation glyphs: 1 is `!`, 2 is `?` and so on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u16>,
    /// Comments in front of the move: at the start of a variation, or after one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// Comments after the move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// SGF properties that have no place above, values verbatim (still escaped).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<Property>,
}

/// An SGF property.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Property {
    /// Its identifier, in capitals.
    pub name: String,
    /// The text between each pair of brackets, verbatim.
    pub values: Vec<String>,
}

/// Colour of a player in a record. The rules of the game say which of them moves first.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PieceColour {
    /// White.
    White,
    /// Black.
    Black,
}

impl std::ops::Not for PieceColour {
    type Output = PieceColour;
    fn not(self) -> PieceColour {
        match self {
            PieceColour::White => PieceColour::Black,
            PieceColour::Black => PieceColour::White,
        }
    }
}

const NONE: u32 = u32::MAX;

/// Links of a node in the tree.
#[derive(Clone, Copy, Debug)]
struct Links {
    parent: u32,
    first_child: u32,
    last_child: u32,
    next_sibling: u32,
}

impl Links {
    const fn below(parent: u32) -> Links {
        Links { parent, first_child: NONE, last_child: NONE, next_sibling: NONE }
    }
}

impl RecordNode {
    /// A node that makes the move `mv`.
    pub fn of_move(mv: impl Into<MoveText>) -> RecordNode {
        RecordNode { mv: mv.into(), ..RecordNode::default() }
    }

    /// The values of the SGF property `name`, verbatim; empty if there is none.
    pub fn property(&self, name: &str) -> &[String] {
        let found = self.properties.iter().find(|property| property.name == name);
        found.map_or(&[], |property| &property.values)
    }
}

impl Default for Record {
    fn default() -> Record {
        Record::new()
    }
}

impl Record {
    /// A record without tags, moves or result.
    pub fn new() -> Record {
        Record {
            tags: Vec::new(),
            result: GameResult::default(),
            nodes: vec![RecordNode::default()],
            links: vec![Links::below(NONE)],
        }
    }

    /// Makes room for `nodes` more nodes.
    pub fn reserve(&mut self, nodes: usize) {
        self.nodes.reserve(nodes);
        self.links.reserve(nodes);
    }

    /// The root of the tree.
    pub const ROOT: NodeId = NodeId(0);

    /// The start of the game.
    pub fn root(&self) -> &RecordNode {
        &self.nodes[0]
    }

    /// Number of nodes, including the root.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Appends `node` to the children of `parent`: the first child continues the line, later ones are
    /// variations.
    ///
    /// # Panics
    /// If `parent` is of another record and does not exist in this one.
    pub fn add(&mut self, parent: NodeId, node: RecordNode) -> NodeId {
        let id = u32::try_from(self.nodes.len()).expect("fewer than 2^32 moves");
        let last = std::mem::replace(&mut self.links[parent.index()].last_child, id);
        if last == NONE {
            self.links[parent.index()].first_child = id;
        } else {
            self.links[last as usize].next_sibling = id;
        }
        self.links.push(Links::below(parent.0));
        self.nodes.push(node);
        NodeId(id)
    }

    /// Appends a move to the end of the main line.
    pub fn push(&mut self, mv: impl Into<MoveText>) -> NodeId {
        let end = self.main_line().last().unwrap_or(Record::ROOT);
        self.add(end, RecordNode::of_move(mv))
    }

    /// The parent of `id`; `None` for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        some(self.links[id.index()].parent)
    }

    /// The main continuation after `id`.
    pub fn next(&self, id: NodeId) -> Option<NodeId> {
        some(self.links[id.index()].first_child)
    }

    /// The next variation beside `id`.
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        some(self.links[id.index()].next_sibling)
    }

    /// The children of `id`: the main continuation, then the variations.
    pub fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.next(id), |&child| self.next_sibling(child))
    }

    /// The main line, without the root.
    pub fn main_line(&self) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.next(Record::ROOT), |&node| self.next(node))
    }

    /// The moves of the main line.
    pub fn moves(&self) -> impl Iterator<Item = &str> {
        self.main_line().map(|id| self[id].mv.as_str()).filter(|mv| !mv.is_empty())
    }

    /// Every node, the root first, each before its children, the main line before variations.
    pub fn preorder(&self) -> impl Iterator<Item = NodeId> {
        let mut next = Some(Record::ROOT);
        std::iter::from_fn(move || {
            let current = next?;
            next = self.next(current).or_else(|| {
                let mut above = Some(current);
                while let Some(node) = above {
                    if let Some(sibling) = self.next_sibling(node) {
                        return Some(sibling);
                    }
                    above = self.parent(node);
                }
                None
            });
            Some(current)
        })
    }

    /// The value of the first tag called `name`.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// Sets the tag `name`, in place or at the end.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.tags.iter_mut().find(|(tag, _)| tag == name) {
            Some((_, old)) => *old = value,
            None => self.tags.push((name.to_owned(), value)),
        }
    }
}

fn some(link: u32) -> Option<NodeId> {
    (link != NONE).then_some(NodeId(link))
}

impl NodeId {
    /// The index in order of [`Record::add`]; the root is 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The node with this index, if there is one.
    pub(crate) fn at(index: usize, record: &Record) -> Option<NodeId> {
        (index < record.nodes.len()).then_some(NodeId(index as u32))
    }
}

impl Index<NodeId> for Record {
    type Output = RecordNode;
    fn index(&self, id: NodeId) -> &RecordNode {
        &self.nodes[id.index()]
    }
}

impl IndexMut<NodeId> for Record {
    fn index_mut(&mut self, id: NodeId) -> &mut RecordNode {
        &mut self.nodes[id.index()]
    }
}

/// Equal tags, result and tree; the order in which the tree was built does not matter.
impl PartialEq for Record {
    fn eq(&self, other: &Record) -> bool {
        let heads_agree = self.tags == other.tags
            && self.result == other.result
            && self.nodes.len() == other.nodes.len();
        // Two trees are equal if their preorder walks agree and descend or move aside at the same nodes.
        heads_agree
            && self.preorder().zip(other.preorder()).all(|(ours, theirs)| {
                self[ours] == other[theirs]
                    && self.next(ours).is_some() == other.next(theirs).is_some()
                    && self.next_sibling(ours).is_some() == other.next_sibling(theirs).is_some()
            })
    }
}

impl Eq for Record {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_building_does_not_matter_but_the_tree_does() {
        let mut first = Record::new();
        let e4 = first.push("e4");
        first.add(Record::ROOT, RecordNode::of_move("d4"));
        first.add(e4, RecordNode::of_move("e5"));
        let mut second = Record::new();
        second.push("e4");
        second.push("e5");
        let d4 = second.add(Record::ROOT, RecordNode::of_move("d4"));
        assert_eq!(first, second);
        assert_eq!(first.moves().collect::<Vec<_>>(), ["e4", "e5"]);
        second.add(d4, RecordNode::of_move("d5"));
        assert_ne!(first, second);
        let mut third = Record::new();
        let e4 = third.push("e4");
        third.add(e4, RecordNode::of_move("e5"));
        third.add(e4, RecordNode::of_move("d4"));
        assert_ne!(first, third);
    }

    #[test]
    fn preorder_visits_main_lines_first() {
        let mut record = Record::new();
        let a = record.push("a");
        let x = record.add(Record::ROOT, RecordNode::of_move("x"));
        let b = record.add(a, RecordNode::of_move("b"));
        record.add(a, RecordNode::of_move("c"));
        record.add(x, RecordNode::of_move("y"));
        record.add(b, RecordNode::of_move("d"));
        let walk: String = record.preorder().map(|id| record[id].mv.as_str()).collect();
        assert_eq!(walk, "abdcxy");
    }

    #[test]
    fn tags_keep_their_order() {
        let mut record = Record::new();
        record.set_tag("White", "A");
        record.set_tag("Black", "B");
        record.set_tag("White", "C");
        assert_eq!(record.tag("White"), Some("C"));
        assert_eq!(record.tags[1].0, "Black");
        assert_eq!(record.tag("Event"), None);
    }
}
