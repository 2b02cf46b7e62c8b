//! The common model: tags, a tree of moves with their annotations, a result.

use crate::{GameResult, MoveText};
use serde::{Deserialize, Serialize};
use std::ops::{Index, IndexMut};

/// A game record. Everything is text as the file had it; no rule of any game has been applied.
///
/// The moves are a tree kept in one vector, so that neither reading nor dropping a deep one needs
/// the call stack. The root stands for the start of the game: it has no move, its comments come
/// before the first move. The first child of a node goes on with the main line, the others are
/// variations.
#[derive(Clone, Debug)]
pub struct Record {
    /// Tag pairs in order; a name may occur twice. A start position is the tag `FEN`.
    pub tags: Vec<(String, String)>,
    /// How the game ended.
    pub result: GameResult,
    nodes: Vec<Node>,
    links: Vec<Links>,
}

/// The place of a node in its record.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

/// One move with its annotations.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// The move as written, without number and suffixes. Empty at the root and at nodes that make
    /// no move (set-up and comment nodes of SGF).
    #[serde(rename = "move", default, skip_serializing_if = "MoveText::is_empty")]
    pub mv: MoveText,
    /// Who moves, where the file says so (SGF).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub color: Option<Color>,
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

/// The colours files speak of. Which of them moves first is the game's affair.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Color {
    /// White.
    White,
    /// Black.
    Black,
}

impl std::ops::Not for Color {
    type Output = Color;
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

const NONE: u32 = u32::MAX;

/// Where a node hangs in the tree.
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

impl Node {
    /// A node that makes the move `mv`.
    pub fn of_move(mv: impl Into<MoveText>) -> Node {
        Node { mv: mv.into(), ..Node::default() }
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
            nodes: vec![Node::default()],
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
    pub fn root(&self) -> &Node {
        &self.nodes[0]
    }

    /// How many nodes there are, the root included.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Appends `node` to the children of `parent`: the first child goes on with the line, later
    /// ones are variations.
    ///
    /// # Panics
    /// If `parent` is of another record and does not exist in this one.
    pub fn add(&mut self, parent: NodeId, node: Node) -> NodeId {
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
        self.add(end, Node::of_move(mv))
    }

    /// The node `id` follows; `None` for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        some(self.links[id.index()].parent)
    }

    /// The node that goes on with the line after `id`.
    pub fn next(&self, id: NodeId) -> Option<NodeId> {
        some(self.links[id.index()].first_child)
    }

    /// The next variation beside `id`.
    pub fn next_sibling(&self, id: NodeId) -> Option<NodeId> {
        some(self.links[id.index()].next_sibling)
    }

    /// What follows `id`: the main continuation, then the variations.
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

    /// Gives the tag `name` this value, at its old place or at the end.
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
    /// The place in order of [`Record::add`]; the root is 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The node that came `index`-th, if the record has so many.
    pub(crate) fn at(index: usize, record: &Record) -> Option<NodeId> {
        (index < record.nodes.len()).then_some(NodeId(index as u32))
    }
}

impl Index<NodeId> for Record {
    type Output = Node;
    fn index(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }
}

impl IndexMut<NodeId> for Record {
    fn index_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.index()]
    }
}

/// Equal tags, result and tree; the order in which the tree was built does not matter.
impl PartialEq for Record {
    fn eq(&self, other: &Record) -> bool {
        let heads_agree = self.tags == other.tags
            && self.result == other.result
            && self.nodes.len() == other.nodes.len();
        // The same walk, step by step, with the same turns down, aside and up, is the same tree.
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
        first.add(Record::ROOT, Node::of_move("d4"));
        first.add(e4, Node::of_move("e5"));
        let mut second = Record::new();
        second.push("e4");
        second.push("e5");
        let d4 = second.add(Record::ROOT, Node::of_move("d4"));
        assert_eq!(first, second);
        assert_eq!(first.moves().collect::<Vec<_>>(), ["e4", "e5"]);
        second.add(d4, Node::of_move("d5"));
        assert_ne!(first, second);
        let mut third = Record::new();
        let e4 = third.push("e4");
        third.add(e4, Node::of_move("e5"));
        third.add(e4, Node::of_move("d4"));
        assert_ne!(first, third);
    }

    #[test]
    fn preorder_visits_main_lines_first() {
        let mut record = Record::new();
        let a = record.push("a");
        let x = record.add(Record::ROOT, Node::of_move("x"));
        let b = record.add(a, Node::of_move("b"));
        record.add(a, Node::of_move("c"));
        record.add(x, Node::of_move("y"));
        record.add(b, Node::of_move("d"));
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
