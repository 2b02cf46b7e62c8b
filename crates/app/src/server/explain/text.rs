//! Trees that people type: `((3 5) (6 9) (1 2))`, or one line a node, indented.

use ludus_core::{Score, Side, TextError};
use std::fmt::Write as _;

const WHAT: &str = "tree";
const LEAF: &str = "a whole number from -20000 to 20000";
/// Nodes a tree may have.
pub const MOST_NODES: usize = 2_000;
/// Moves from the root to the deepest leaf.
pub const MOST_LEVELS: usize = 20;
/// Characters of a name.
const LONGEST_NAME: usize = 24;

/// A tree of named moves with numbers at its leaves, the root first. Numbers are the first side's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    nodes: Vec<Node>,
}

/// A node of a [`Tree`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The move that leads here, unique among its siblings; empty at the root.
    pub name: String,
    /// The node above.
    pub parent: Option<usize>,
    /// Distance from the root.
    pub level: usize,
    /// A number, or the nodes below.
    pub content: Content,
}

/// What a node holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// What the leaf is worth to the first side.
    Leaf(i32),
    /// The nodes below, in the order they are tried.
    Inner(Vec<usize>),
}

/// In which order the moves of every node stand.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// As they were typed.
    Written,
    /// The best for the side to move first.
    BestFirst,
    /// The worst for the side to move first.
    WorstFirst,
}

impl Tree {
    /// Reads a tree in parentheses or brackets, or as indented lines.
    pub fn parse(text: &str) -> Result<Tree, TextError> {
        let opens = text.trim_start().starts_with(['(', '[']);
        let tree = if opens { Bracketed::new(text).tree()? } else { Indented::new(text).tree()? };
        match tree.nodes[0].content {
            Content::Inner(_) => Ok(tree),
            Content::Leaf(_) => {
                Err(TextError::whole(WHAT, text, "a root with moves, such as ((3 5) (6 9) (1 2))"))
            }
        }
    }

    /// Every node, the root first.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node at `index`.
    pub fn node(&self, index: usize) -> &Node {
        &self.nodes[index]
    }

    /// The moves of a node; none at a leaf.
    pub fn children(&self, index: usize) -> &[usize] {
        match &self.nodes[index].content {
            Content::Inner(children) => children,
            Content::Leaf(_) => &[],
        }
    }

    /// The number at a leaf.
    pub fn leaf(&self, index: usize) -> Option<i32> {
        match self.nodes[index].content {
            Content::Leaf(value) => Some(value),
            Content::Inner(_) => None,
        }
    }

    /// Moves from the root to the deepest leaf.
    pub fn height(&self) -> usize {
        self.nodes.iter().map(|node| node.level).max().unwrap_or(0)
    }

    /// The moves that lead to a node, such as `b.a`; empty at the root.
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

    /// What every node is worth to the first side, by the plainest of recursions.
    pub fn values(&self) -> Vec<i32> {
        let mut values = vec![0; self.nodes.len()];
        // Children stand behind their parents.
        for index in (0..self.nodes.len()).rev() {
            values[index] = match &self.nodes[index].content {
                Content::Leaf(value) => *value,
                Content::Inner(children) => {
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

    /// The same tree with its moves in this order.
    pub fn ordered(mut self, order: Order) -> Tree {
        let direction = match order {
            Order::Written => return self,
            Order::BestFirst => -1,
            Order::WorstFirst => 1,
        };
        let values = self.values();
        for index in 0..self.nodes.len() {
            let sign = direction * self.turn(index).sign();
            if let Content::Inner(children) = &mut self.nodes[index].content {
                children.sort_by_key(|&child| sign * values[child]);
            }
        }
        self
    }

    /// The tree in parentheses, every move with its name.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.write(0, &mut text);
        text
    }

    fn write(&self, index: usize, text: &mut String) {
        match &self.nodes[index].content {
            Content::Leaf(value) => {
                let _ = write!(text, "{value}");
            }
            Content::Inner(children) => {
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

/// A tree under construction, and the text its errors point into.
struct Builder<'a> {
    text: &'a str,
    nodes: Vec<Node>,
}

impl<'a> Builder<'a> {
    fn new(text: &'a str) -> Builder<'a> {
        Builder { text, nodes: Vec::new() }
    }

    fn error(&self, at: usize, expected: impl Into<String>) -> TextError {
        TextError::at(WHAT, self.text, at, expected)
    }

    /// Adds a node below `parent`; one without a name is called by its place: a, b, c …
    fn add(
        &mut self,
        parent: Option<usize>,
        name: Option<&str>,
        content: Content,
        at: usize,
    ) -> Result<usize, TextError> {
        if self.nodes.len() == MOST_NODES {
            return Err(self.error(at, format!("at most {MOST_NODES} nodes")));
        }
        let index = self.nodes.len();
        let mut node = Node { name: String::new(), parent, level: 0, content };
        if let Some(parent) = parent {
            node.level = self.nodes[parent].level + 1;
            if node.level > MOST_LEVELS {
                return Err(self.error(at, format!("at most {MOST_LEVELS} levels")));
            }
            let Content::Inner(siblings) = &self.nodes[parent].content else {
                return Err(self.error(at, "nothing below a number"));
            };
            node.name = name.map_or_else(|| letters(siblings.len()), str::to_owned);
            if siblings.iter().any(|&sibling| self.nodes[sibling].name == node.name) {
                let expected = format!("{} only once among the moves of a node", node.name);
                return Err(self.error(at, expected));
            }
            if let Content::Inner(siblings) = &mut self.nodes[parent].content {
                siblings.push(index);
            }
        }
        self.nodes.push(node);
        Ok(index)
    }

    fn tree(self) -> Tree {
        Tree { nodes: self.nodes }
    }
}

/// A name for the move at `place`: a to z, then aa, ab …
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
        && word.chars().count() <= LONGEST_NAME
}

/// Reads `(3 (5 9) left:(1 2))`.
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

    /// The word that begins here, which stays.
    fn word(&self) -> &'a str {
        let ends = |character: char| character.is_whitespace() || "()[],:".contains(character);
        let rest = self.rest();
        &rest[..rest.find(ends).unwrap_or(rest.len())]
    }

    /// Every level is one turn of the loop, so that no text can make the stack overflow.
    fn tree(mut self) -> Result<Tree, TextError> {
        // The open nodes and the parentheses that close them.
        let mut open: Vec<(usize, char)> = Vec::new();
        loop {
            self.skip_space();
            let start = self.at;
            let name = self.name()?;
            let parent = open.last().map(|&(node, _)| node);
            match self.rest().chars().next() {
                Some(bracket @ ('(' | '[')) => {
                    let node = self.builder.add(parent, name, Content::Inner(Vec::new()), start)?;
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
                    let expected = || format!("{LEAF}, a name with a colon, ( or )");
                    let value =
                        number(word).ok_or_else(|| self.builder.error(self.at, expected()))?;
                    self.builder.add(parent, name, Content::Leaf(value), start)?;
                    self.at += word.len();
                }
                None => {
                    let wanted = open.last().map_or('(', |&(_, wanted)| wanted);
                    return Err(self.builder.error(self.at, format!("{LEAF} or {wanted:?}")));
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

    /// The name in front of a node, if there is one.
    fn name(&mut self) -> Result<Option<&'a str>, TextError> {
        let word = self.word();
        if !self.rest()[word.len()..].starts_with(':') {
            return Ok(None);
        }
        if !is_name(word) {
            let expected = format!("a name of up to {LONGEST_NAME} letters, digits, - and _");
            return Err(self.builder.error(self.at, expected));
        }
        self.at += word.len() + 1;
        self.skip_space();
        Ok(Some(word))
    }

    fn close(&mut self, node: usize) -> Result<(), TextError> {
        if self.builder.nodes[node].content == Content::Inner(Vec::new()) {
            return Err(self.builder.error(self.at, format!("{LEAF} or another (")));
        }
        self.at += 1;
        Ok(())
    }
}

/// Reads one node a line; what stands deeper lies below.
struct Indented<'a> {
    builder: Builder<'a>,
    /// The lines from the root to the last one.
    open: Vec<Line>,
}

/// A line that lines below may belong to.
#[derive(Copy, Clone)]
struct Line {
    indent: usize,
    /// The byte at which its words begin.
    at: usize,
    /// Its node; `None` if it holds numbers.
    node: Option<usize>,
}

impl<'a> Indented<'a> {
    fn new(text: &'a str) -> Indented<'a> {
        Indented { builder: Builder::new(text), open: Vec::new() }
    }

    fn tree(mut self) -> Result<Tree, TextError> {
        let mut offset = 0;
        for line in self.builder.text.split_inclusive('\n') {
            let words = line.trim();
            let before = line.len() - line.trim_start().len();
            if !words.is_empty() {
                let indent = line[..before].chars().count();
                let parent = self.parent(indent, offset + before)?;
                let node = self.line(parent, words, offset + before)?;
                self.open.push(Line { indent, at: offset + before, node });
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

    /// The node that a line so far indented belongs to; closes those it does not.
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
            Some(Line { node: Some(node), .. }) => Ok(Some(*node)),
            Some(Line { node: None, .. }) => Err(self.builder.error(at, "nothing below a number")),
            None if self.builder.nodes.is_empty() => Ok(None),
            None => Err(self.builder.error(at, "one root: all lines deeper than the first")),
        }
    }

    /// Adds what a line says: a name, a name with a number, or numbers. The node, if it is a name.
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
                return self.builder.add(parent, named, Content::Inner(Vec::new()), at).map(Some);
            }
            let value = number(rest.trim()).ok_or_else(|| {
                let rest_at = at + words.len() - rest.trim_start().len();
                self.builder.error(rest_at, format!("{LEAF} and nothing else"))
            })?;
            return self.builder.add(parent, named, Content::Leaf(value), at).map(|_| None);
        }
        let mut from = 0;
        for word in words.split_whitespace() {
            let here = from + words[from..].find(word).unwrap_or(0);
            from = here + word.len();
            let Some(value) = number(word) else {
                return Err(self.builder.error(at + here, format!("a name or {LEAF}")));
            };
            if parent.is_none() && !self.builder.nodes.is_empty() {
                return Err(self.builder.error(at + here, "one root"));
            }
            self.builder.add(parent, None, Content::Leaf(value), at + here)?;
        }
        Ok(None)
    }

    fn close(&self, line: Line) -> Result<(), TextError> {
        let is_empty = |node: usize| self.builder.nodes[node].content == Content::Inner(Vec::new());
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
        Tree::parse(text).unwrap().text()
    }

    fn error(text: &str) -> String {
        Tree::parse(text).unwrap_err().to_string()
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
        let tree = Tree::parse("((3 12 8) left:(2 4 6) (14 5 2))").unwrap();
        assert_eq!(tree.height(), 2);
        let labels: Vec<String> = (0..tree.nodes().len()).map(|node| tree.label(node)).collect();
        assert_eq!(labels[..3], ["", "a", "a.a"]);
        assert_eq!(labels[5..8], ["left", "left.a", "left.b"]);
        assert_eq!(tree.values()[0], 3);
        let best_first = tree.clone().ordered(Order::BestFirst);
        assert_eq!(best_first.text(), "(a:(a:3 c:8 b:12) left:(a:2 b:4 c:6) c:(c:2 b:5 a:14))");
        assert_eq!(best_first.values()[0], 3);
        let worst_first = tree.ordered(Order::WorstFirst).text();
        assert!(worst_first.starts_with("(left:(c:6"), "{worst_first}");
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
