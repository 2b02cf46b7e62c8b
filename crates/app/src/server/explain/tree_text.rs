//! Parser of typed trees: `((3 5) (6 9) (1 2))`, or one indented line per node. In parentheses an inner node may have a
//! value of its own, for searches that evaluate it: `(20:(0 5) 10:(3 8))`.

use ludus_core::{Score, Side, TextError};
use std::fmt::Write as _;

const SUBJECT: &str = "tree";
const EXPECTED_NUMBER: &str = "a whole number from -20000 to 20000";
/// Maximum number of nodes.
pub const MAX_NODES: usize = 2_000;
/// Maximum distance of a leaf from the root.
pub const MAX_LEVELS: usize = 20;
/// Maximum length of a name.
const MAX_NAME_CHARS: usize = 24;

/// A tree of named moves with values at its leaves, from the first side's point of view. The root comes
/// first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParsedTree {
    nodes: Vec<TypedNode>,
}

/// A node of a [`ParsedTree`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypedNode {
    /// The move that leads here, unique among its siblings; empty at the root.
    pub name: String,
    /// Index of the parent.
    pub parent: Option<usize>,
    /// Distance from the root.
    pub level: usize,
    /// Value or children.
    pub content: NodeContent,
    /// Static value of an inner node for the first side; 0 unless it was typed.
    pub own_value: i32,
}

/// Content of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeContent {
    /// Value of a leaf for the first side.
    Leaf(i32),
    /// Children, in the order they are searched.
    Inner(Vec<usize>),
}

/// Move ordering at every node.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum MoveOrder {
    /// As typed.
    Written,
    /// Best for the side to move first.
    BestFirst,
    /// Worst for the side to move first.
    WorstFirst,
}

impl ParsedTree {
    /// Parses a tree in parentheses or brackets, or as indented lines.
    pub fn parse(text: &str) -> Result<ParsedTree, TextError> {
        let opens = text.trim_start().starts_with(['(', '[']);
        let tree = if opens { Bracketed::new(text).tree()? } else { Indented::new(text).tree()? };
        match tree.nodes[0].content {
            NodeContent::Inner(_) => Ok(tree),
            NodeContent::Leaf(_) => Err(TextError::whole(
                SUBJECT,
                text,
                "a root with moves, such as ((3 5) (6 9) (1 2))",
            )),
        }
    }

    /// All nodes, the root first.
    pub fn nodes(&self) -> &[TypedNode] {
        &self.nodes
    }

    /// The node at `index`.
    pub fn node(&self, index: usize) -> &TypedNode {
        &self.nodes[index]
    }

    /// Children of a node; none at a leaf.
    pub fn children(&self, index: usize) -> &[usize] {
        match &self.nodes[index].content {
            NodeContent::Inner(children) => children,
            NodeContent::Leaf(_) => &[],
        }
    }

    /// Value of a leaf.
    pub fn leaf(&self, index: usize) -> Option<i32> {
        match self.nodes[index].content {
            NodeContent::Leaf(value) => Some(value),
            NodeContent::Inner(_) => None,
        }
    }

    /// Static value of a node for the first side: that of a leaf, or an inner node's own.
    pub fn static_value(&self, index: usize) -> i32 {
        self.leaf(index).unwrap_or(self.nodes[index].own_value)
    }

    /// Distance of the deepest leaf from the root.
    pub fn height(&self) -> usize {
        self.nodes.iter().map(|node| node.level).max().unwrap_or(0)
    }

    /// Path to a node, such as `b.a`; empty at the root.
    pub fn label(&self, index: usize) -> String {
        let mut names = Vec::new();
        let mut at = index;
        while let Some(parent) = self.nodes[at].parent {
            names.push(self.nodes[at].name.as_str());
            at = parent;
        }
        names.reverse();
        names.join(".")
    }

    /// The side to move at a node.
    pub fn turn(&self, index: usize) -> Side {
        if self.nodes[index].level.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    /// Minimax value of every node for the first side.
    pub fn values(&self) -> Vec<i32> {
        let mut values = vec![0; self.nodes.len()];
        // Children come after their parents.
        for index in (0..self.nodes.len()).rev() {
            values[index] = match &self.nodes[index].content {
                NodeContent::Leaf(value) => *value,
                NodeContent::Inner(children) => {
                    let below = children.iter().map(|&child| values[child]);
                    let best = match self.turn(index) {
                        Side::First => below.max(),
                        Side::Second => below.min(),
                    };
                    best.unwrap_or(0)
                }
            };
        }
        values
    }

    /// Sorts the moves of every node.
    pub fn ordered(mut self, order: MoveOrder) -> ParsedTree {
        let direction = match order {
            MoveOrder::Written => return self,
            MoveOrder::BestFirst => -1,
            MoveOrder::WorstFirst => 1,
        };
        let values = self.values();
        for index in 0..self.nodes.len() {
            let sign = direction * self.turn(index).sign();
            if let NodeContent::Inner(children) = &mut self.nodes[index].content {
                children.sort_by_key(|&child| sign * values[child]);
            }
        }
        self
    }

    /// The tree in parentheses, with move names.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.write(0, &mut text);
        text
    }

    fn write(&self, index: usize, text: &mut String) {
        match &self.nodes[index].content {
            NodeContent::Leaf(value) => {
                let _ = write!(text, "{value}");
            }
            NodeContent::Inner(children) => {
                match self.nodes[index].own_value {
                    0 => {}
                    value => {
                        let _ = write!(text, "{value}:");
                    }
                }
                text.push('(');
                for (place, &child) in children.iter().enumerate() {
                    if place > 0 {
                        text.push(' ');
                    }
                    let _ = write!(text, "{}:", self.nodes[child].name);
                    self.write(child, text);
                }
                text.push(')');
            }
        }
    }
}

/// A tree under construction, with the source text for error messages.
struct Builder<'a> {
    text: &'a str,
    nodes: Vec<TypedNode>,
}

impl<'a> Builder<'a> {
    fn new(text: &'a str) -> Builder<'a> {
        Builder { text, nodes: Vec::new() }
    }

    fn error(&self, at: usize, expected: impl Into<String>) -> TextError {
        TextError::at(SUBJECT, self.text, at, expected)
    }

    /// Adds a child of `parent`; the default names are a, b, c …
    fn add(
        &mut self,
        parent: Option<usize>,
        name: Option<&str>,
        content: NodeContent,
        at: usize,
    ) -> Result<usize, TextError> {
        if self.nodes.len() == MAX_NODES {
            return Err(self.error(at, format!("at most {MAX_NODES} nodes")));
        }
        let index = self.nodes.len();
        let mut node = TypedNode { name: String::new(), parent, level: 0, content, own_value: 0 };
        if let Some(parent) = parent {
            node.level = self.nodes[parent].level + 1;
            if node.level > MAX_LEVELS {
                return Err(self.error(at, format!("at most {MAX_LEVELS} levels")));
            }
            let NodeContent::Inner(siblings) = &self.nodes[parent].content else {
                return Err(self.error(at, "nothing below a number"));
            };
            node.name = name.map_or_else(|| letters(siblings.len()), str::to_owned);
            if siblings.iter().any(|&sibling| self.nodes[sibling].name == node.name) {
                let expected = format!("{} only once among the moves of a node", node.name);
                return Err(self.error(at, expected));
            }
            if let NodeContent::Inner(siblings) = &mut self.nodes[parent].content {
                siblings.push(index);
            }
        }
        self.nodes.push(node);
        Ok(index)
    }

    fn tree(self) -> ParsedTree {
        ParsedTree { nodes: self.nodes }
    }
}

/// Default name of the child at index `place`: a to z, then aa, ab …
fn letters(place: usize) -> String {
    let letter = char::from(b'a' + (place % 26) as u8);
    match place / 26 {
        0 => letter.to_string(),
        above => letters(above - 1) + &letter.to_string(),
    }
}

fn number(word: &str) -> Option<i32> {
    let limit = Score::EVAL_MAX.0;
    word.parse().ok().filter(|value: &i32| (-limit..=limit).contains(value))
}

fn is_name(word: &str) -> bool {
    let fits = |character: char| character.is_alphanumeric() || "_-'".contains(character);
    word.starts_with(|first: char| first.is_alphabetic())
        && word.chars().all(fits)
        && word.chars().count() <= MAX_NAME_CHARS
}

/// Parser of `(3 (5 9) left:(1 2))`.
struct Bracketed<'a> {
    builder: Builder<'a>,
    at: usize,
}

impl<'a> Bracketed<'a> {
    fn new(text: &'a str) -> Bracketed<'a> {
        Bracketed { builder: Builder::new(text), at: 0 }
    }

    fn rest(&self) -> &'a str {
        &self.builder.text[self.at..]
    }

    fn skip_space(&mut self) {
        let space = |character: char| character.is_whitespace() || character == ',';
        self.at += self.rest().len() - self.rest().trim_start_matches(space).len();
    }

    /// The next word, without consuming it.
    fn word(&self) -> &'a str {
        let ends = |character: char| character.is_whitespace() || "()[],:".contains(character);
        let rest = self.rest();
        &rest[..rest.find(ends).unwrap_or(rest.len())]
    }

    /// Iterative, so that no input can overflow the stack.
    fn tree(mut self) -> Result<ParsedTree, TextError> {
        // Open nodes with their closing brackets.
        let mut open: Vec<(usize, char)> = Vec::new();
        loop {
            self.skip_space();
            let start = self.at;
            let name = self.name()?;
            let own_value = self.own_value();
            let parent = open.last().map(|&(node, _)| node);
            match self.rest().chars().next() {
                Some(bracket @ ('(' | '[')) => {
                    let node =
                        self.builder.add(parent, name, NodeContent::Inner(Vec::new()), start)?;
                    self.builder.nodes[node].own_value = own_value.unwrap_or(0);
                    open.push((node, if bracket == '(' { ')' } else { ']' }));
                    self.at += 1;
                }
                Some(found @ (')' | ']')) if name.is_none() => match open.pop() {
                    Some((node, wanted)) if wanted == found => self.close(node)?,
                    Some((_, wanted)) => {
                        return Err(self.builder.error(start, format!("{wanted:?}")));
                    }
                    None => return Err(self.builder.error(start, "the end of the tree")),
                },
                Some(_) => {
                    let word = self.word();
                    let expected = || format!("{EXPECTED_NUMBER}, a name with a colon, ( or )");
                    let value =
                        number(word).ok_or_else(|| self.builder.error(self.at, expected()))?;
                    self.builder.add(parent, name, NodeContent::Leaf(value), start)?;
                    self.at += word.len();
                }
                None => {
                    let wanted = open.last().map_or('(', |&(_, wanted)| wanted);
                    return Err(self
                        .builder
                        .error(self.at, format!("{EXPECTED_NUMBER} or {wanted:?}")));
                }
            }
            if open.is_empty() {
                self.skip_space();
                return match self.rest() {
                    "" => Ok(self.builder.tree()),
                    _ => Err(self.builder.error(self.at, "the end of the tree")),
                };
            }
        }
    }

    /// The name before a node, if there is one.
    fn name(&mut self) -> Result<Option<&'a str>, TextError> {
        let word = self.word();
        let rest = &self.rest()[word.len()..];
        let is_value = number(word).is_some() && (rest.starts_with(":(") || rest.starts_with(":["));
        if !rest.starts_with(':') || is_value {
            return Ok(None);
        }
        if !is_name(word) {
            let expected = format!("a name of up to {MAX_NAME_CHARS} letters, digits, - and _");
            return Err(self.builder.error(self.at, expected));
        }
        self.at += word.len() + 1;
        self.skip_space();
        Ok(Some(word))
    }

    /// The value of an inner node: a number with a colon before its bracket.
    fn own_value(&mut self) -> Option<i32> {
        let word = self.word();
        let value = number(word)?;
        let rest = self.rest()[word.len()..].strip_prefix(':')?;
        if !rest.starts_with(['(', '[']) {
            return None;
        }
        self.at += word.len() + 1;
        Some(value)
    }

    fn close(&mut self, node: usize) -> Result<(), TextError> {
        if self.builder.nodes[node].content == NodeContent::Inner(Vec::new()) {
            return Err(self.builder.error(self.at, format!("{EXPECTED_NUMBER} or another (")));
        }
        self.at += 1;
        Ok(())
    }
}

/// Parser of one node per line; deeper indentation means a child.
struct Indented<'a> {
    builder: Builder<'a>,
    /// Open lines from the root to the current one.
    open: Vec<OpenLine>,
}

/// A line that may still get children.
#[derive(Copy, Clone)]
struct OpenLine {
    indent: usize,
    /// Byte offset of its text.
    at: usize,
    /// Node of the line; `None` if it holds values.
    node: Option<usize>,
}

impl<'a> Indented<'a> {
    fn new(text: &'a str) -> Indented<'a> {
        Indented { builder: Builder::new(text), open: Vec::new() }
    }

    fn tree(mut self) -> Result<ParsedTree, TextError> {
        let mut offset = 0;
        for line in self.builder.text.split_inclusive('\n') {
            let words = line.trim();
            let before = line.len() - line.trim_start().len();
            if !words.is_empty() {
                let indent = line[..before].chars().count();
                let parent = self.parent(indent, offset + before)?;
                let node = self.line(parent, words, offset + before)?;
                self.open.push(OpenLine { indent, at: offset + before, node });
            }
            offset += line.len();
        }
        while let Some(line) = self.open.pop() {
            self.close(line)?;
        }
        if self.builder.nodes.is_empty() {
            return Err(self.builder.error(0, "a tree such as ((3 5) (6 9) (1 2))"));
        }
        Ok(self.builder.tree())
    }

    /// Parent of a line with this indentation; closes deeper lines.
    fn parent(&mut self, indent: usize, at: usize) -> Result<Option<usize>, TextError> {
        let mut left = None;
        while let Some(line) = self.open.pop_if(|line| line.indent >= indent) {
            left = Some(line.indent);
            self.close(line)?;
        }
        if left.is_some_and(|left| left != indent) {
            return Err(self.builder.error(at, "as far indented as a line above"));
        }
        match self.open.last() {
            Some(OpenLine { node: Some(node), .. }) => Ok(Some(*node)),
            Some(OpenLine { node: None, .. }) => {
                Err(self.builder.error(at, "nothing below a number"))
            }
            None if self.builder.nodes.is_empty() => Ok(None),
            None => Err(self.builder.error(at, "one root: all lines deeper than the first")),
        }
    }

    /// Adds the nodes of a line: a name, a name with a value, or values. Returns the node of a bare name.
    fn line(
        &mut self,
        parent: Option<usize>,
        words: &str,
        at: usize,
    ) -> Result<Option<usize>, TextError> {
        let (first, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
        let name = first.trim_end_matches(':');
        if is_name(name) {
            let named = Some(name);
            if rest.is_empty() {
                return self
                    .builder
                    .add(parent, named, NodeContent::Inner(Vec::new()), at)
                    .map(Some);
            }
            let value = number(rest.trim()).ok_or_else(|| {
                let rest_at = at + words.len() - rest.trim_start().len();
                self.builder.error(rest_at, format!("{EXPECTED_NUMBER} and nothing else"))
            })?;
            return self.builder.add(parent, named, NodeContent::Leaf(value), at).map(|_| None);
        }
        let mut from = 0;
        for word in words.split_whitespace() {
            let here = from + words[from..].find(word).unwrap_or(0);
            from = here + word.len();
            let Some(value) = number(word) else {
                return Err(self.builder.error(at + here, format!("a name or {EXPECTED_NUMBER}")));
            };
            if parent.is_none() && !self.builder.nodes.is_empty() {
                return Err(self.builder.error(at + here, "one root"));
            }
            self.builder.add(parent, None, NodeContent::Leaf(value), at + here)?;
        }
        Ok(None)
    }

    fn close(&self, line: OpenLine) -> Result<(), TextError> {
        let is_empty =
            |node: usize| self.builder.nodes[node].content == NodeContent::Inner(Vec::new());
        match line.node {
            Some(node) if is_empty(node) => {
                Err(self.builder.error(line.at, "a number behind it, or deeper lines below it"))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(text: &str) -> String {
        ParsedTree::parse(text).unwrap().text()
    }

    fn error(text: &str) -> String {
        ParsedTree::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn all_ways_of_writing_a_tree_mean_the_same() {
        let wanted = "(a:(a:3 b:5) b:6 c:(a:1 b:-2))";
        assert_eq!(text_of("((3 5) 6 (1 -2))"), wanted);
        assert_eq!(text_of(" [[3, 5], 6,\n[1,-2]] "), wanted);
        assert_eq!(text_of(wanted), wanted);
        assert_eq!(text_of("root\n  a\n    3\n    5\n  6\n  c\n    1 -2\n"), wanted);
        assert_eq!(text_of("root\n\ta:\n\t\ta: 3\n\t\tb 5\n\tb 6\n\n\tc\n\t\t1 -2"), wanted);
    }

    #[test]
    fn nodes_know_their_way_and_their_value() {
        let tree = ParsedTree::parse("((3 12 8) left:(2 4 6) (14 5 2))").unwrap();
        assert_eq!(tree.height(), 2);
        let labels: Vec<String> = (0..tree.nodes().len()).map(|node| tree.label(node)).collect();
        assert_eq!(labels[..3], ["", "a", "a.a"]);
        assert_eq!(labels[5..8], ["left", "left.a", "left.b"]);
        assert_eq!(tree.values()[0], 3);
        let best_first = tree.clone().ordered(MoveOrder::BestFirst);
        assert_eq!(best_first.text(), "(a:(a:3 c:8 b:12) left:(a:2 b:4 c:6) c:(c:2 b:5 a:14))");
        assert_eq!(best_first.values()[0], 3);
        let worst_first = tree.ordered(MoveOrder::WorstFirst).text();
        assert!(worst_first.starts_with("(left:(c:6"), "{worst_first}");
    }

    #[test]
    fn inner_nodes_may_have_values_of_their_own() {
        let text = "(S1:20:(a:0 b:5) S2:-10:[a:3 b:(a:1 b:2)])";
        let tree = ParsedTree::parse(text).unwrap();
        let [s1, s2] = tree.children(0)[..] else { panic!("two moves") };
        assert_eq!([s1, s2, 0].map(|node| tree.static_value(node)), [20, -10, 0]);
        assert_eq!((tree.leaf(s1), tree.values()[s1]), (None, 0), "no leaf: minimax looks below");
        assert_eq!(ParsedTree::parse(&tree.text()), Ok(tree.clone()));
        assert_eq!(tree.static_value(tree.children(s1)[1]), 5);
        assert!(error("(20: (1 2))").contains("a name of up to"), "{}", error("(20: (1 2))"));
        assert!(error("(7:3 2)").contains("a name of up to"));
        assert!(error("(99999:(1 2) 3)").contains("a name of up to"));
    }

    #[test]
    fn errors_name_the_place() {
        assert!(error("((3 5) (6 x))").starts_with("bad tree at line 1, column 11: found \"x))\""));
        assert!(error("((3 5)").contains("it ends here, expected"), "{}", error("((3 5)"));
        assert!(error("((3 5))) 1").contains("column 8"), "{}", error("((3 5))) 1"));
        assert!(error("((3 5] 1)").contains("column 6"), "{}", error("((3 5] 1)"));
        assert!(error("(())").contains("column 3"), "{}", error("(())"));
        assert!(error("(a:1 a:2)").contains("a only once"));
        assert!(error("(99999)").contains("20000"));
        assert!(error("").contains("such as ((3 5)"));
        assert!(error("7").contains("a root with moves"));
        assert!(error("7 8").contains("one root"));
        assert!(error("r\n  3\n    4").contains("line 3, column 5"), "{}", error("r\n  3\n    4"));
        assert!(error("r\n    3\n  4").contains("as far indented"));
        assert!(error("r\n  3\nq").contains("one root"));
        assert!(error("r\n  a\n  4").contains("line 2, column 3"));
        assert!(error("r\n  a 4 5").contains("nothing else"));
        assert!(error(&"(".repeat(100_000)).contains("at most 20 levels"));
        assert!(error(&format!("({})", "1 ".repeat(5000))).contains("at most 2000 nodes"));
    }

    #[test]
    fn moves_past_z_have_names_too() {
        let names: Vec<String> = [0, 25, 26, 51, 52, 702].map(letters).into();
        assert_eq!(names, ["a", "z", "aa", "az", "ba", "aaa"]);
    }
}
