//! Parser of one game tree.

use super::{
    GLYPHS, OTHER_GLYPH, OTHER_TAG, PASS, TAG_PROPERTIES, UTF8, ValueKind, compose, simple_text,
    text,
};
use crate::{GameResult, MAX_NODES, NodeId, PieceColour, Property, Record, RecordNode};

/// Parser state.
pub(super) struct Parser<'a> {
    text: &'a str,
    at: usize,
    record: Record,
}

/// A syntax error at byte `at`.
pub(super) struct SyntaxError {
    pub(super) at: usize,
    pub(super) expected: String,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str) -> Parser<'a> {
        Parser { text, at: 0, record: Record::new() }
    }

    pub(super) fn record(mut self) -> Result<Record, SyntaxError> {
        // The node to continue from after each open parenthesis; none before the root.
        let mut open: Vec<Option<NodeId>> = Vec::new();
        let mut current = None;
        let mut after_variation = false;
        loop {
            match self.peek() {
                Some(b'(') => {
                    open.push(current);
                    after_variation = false;
                    self.at += 1;
                }
                Some(b')') => {
                    current = open.pop().flatten();
                    after_variation = true;
                    self.at += 1;
                    if open.is_empty() {
                        break;
                    }
                }
                Some(b';') if !after_variation => {
                    self.at += 1;
                    current = Some(self.node(current)?);
                }
                Some(b';') => return self.expected("( or ) after a variation"),
                Some(_) => return self.expected("; ( or )"),
                None => return self.expected(") to close the game tree"),
            }
        }
        self.record.result = GameResult::from(self.record.tag("Result").unwrap_or_default());
        Ok(self.record)
    }

    /// Skips white space and returns the next byte.
    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        self.at += rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.text.as_bytes().get(self.at).copied()
    }

    fn expected<T>(&self, expected: &str) -> Result<T, SyntaxError> {
        Err(SyntaxError { at: self.at, expected: expected.to_owned() })
    }

    /// Parses the properties of a child of `parent`, and adds it to the record.
    fn node(&mut self, parent: Option<NodeId>) -> Result<NodeId, SyntaxError> {
        if self.record.node_count() == MAX_NODES {
            return self.expected(&format!("at most {MAX_NODES} nodes in one game"));
        }
        let mut node = RecordNode::default();
        while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric()) {
            let property = self.property()?;
            let is_tag = parent.is_none() && take_tags(&property, &mut self.record.tags);
            if !is_tag {
                add_property(property, &mut node);
            }
        }
        match parent {
            Some(parent) => Ok(self.record.add(parent, node)),
            None => Ok(self.add_root(node)),
        }
    }

    /// Adds the root; a move in it becomes a separate node.
    fn add_root(&mut self, mut root: RecordNode) -> NodeId {
        if root.mv.is_empty() {
            self.record[Record::ROOT] = root;
            return Record::ROOT;
        }
        let (moves, rest) =
            root.properties.into_iter().partition(|property| is_move(&property.name));
        root.properties = moves;
        self.record[Record::ROOT] = RecordNode { properties: rest, ..RecordNode::default() };
        self.record.add(Record::ROOT, root)
    }

    /// Parses a name and one or more values. Lower-case letters in a name are ignored, as FF[3] allows.
    fn property(&mut self) -> Result<Property, SyntaxError> {
        let rest = &self.text[self.at..];
        let length = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let name: String = rest[..length].chars().filter(|c| !c.is_ascii_lowercase()).collect();
        if name.is_empty() {
            return self.expected("the name of a property in capital letters");
        }
        self.at += length;
        let mut values = Vec::new();
        while self.peek() == Some(b'[') {
            values.push(self.value()?);
        }
        if values.is_empty() {
            return self.expected("[ and the value of the property");
        }
        Ok(Property { name, values })
    }

    /// Parses a value in brackets, verbatim.
    fn value(&mut self) -> Result<String, SyntaxError> {
        let mut escaped = false;
        let start = self.at + 1;
        let length = self.text.as_bytes()[start..].iter().position(|&byte| {
            let closes = byte == b']' && !escaped;
            escaped = byte == b'\\' && !escaped;
            closes
        });
        let Some(length) = length else { return self.expected("] to close this value") };
        self.at = start + length + 1;
        Ok(self.text[start..start + length].to_owned())
    }
}

fn is_move(name: &str) -> bool {
    matches!(name, "B" | "W")
}

/// Adds the tags of a root property; `false` if it is not a tag.
fn take_tags(property: &Property, tags: &mut Vec<(String, String)>) -> bool {
    if property.name == OTHER_TAG {
        let pairs: Option<Vec<(&str, &str)>> =
            property.values.iter().map(|value| compose(value)).collect();
        let Some(pairs) = pairs else { return false };
        tags.extend(pairs.iter().map(|(name, value)| (simple_text(name), simple_text(value))));
        return true;
    }
    let Some(known) = TAG_PROPERTIES.iter().find(|known| known.property == property.name) else {
        return false;
    };
    for value in &property.values {
        let value = match known.kind {
            _ if known.property == "CA" => UTF8.to_owned(),
            ValueKind::Simple => simple_text(value),
            ValueKind::Text => text(value),
            ValueKind::Verbatim => value.clone(),
        };
        tags.push((known.tag.to_owned(), value));
    }
    true
}

/// Stores a property in the matching field of its node.
fn add_property(mut property: Property, node: &mut RecordNode) {
    match property.name.as_str() {
        name @ ("B" | "W") if node.mv.is_empty() => {
            node.colour = Some(if name == "B" { PieceColour::Black } else { PieceColour::White });
            let mv = simple_text(&property.values.remove(0));
            let mv = mv.trim_ascii();
            node.mv = if mv.is_empty() { PASS } else { mv }.into();
            if property.values.is_empty() {
                return;
            }
        }
        "C" => {
            for value in property.values.iter().map(|value| text(value)) {
                add_comment(value, node);
            }
            return;
        }
        _ => {
            if let Some(mut glyphs) = glyphs_of(&property) {
                node.nags.append(&mut glyphs);
                return;
            }
        }
    }
    node.properties.push(property);
}

/// Adds a comment; repeated comments of a node, which are bad style, are joined.
fn add_comment(text: String, node: &mut RecordNode) {
    match node.comments.first_mut() {
        _ if text.is_empty() => {}
        None => node.comments.push(text),
        Some(comment) => {
            comment.push_str("\n\n");
            comment.push_str(&text);
        }
    }
}

/// The glyphs of a property, if it is a glyph.
fn glyphs_of(property: &Property) -> Option<Vec<u16>> {
    if property.name == OTHER_GLYPH {
        return property.values.iter().map(|value| value.parse().ok()).collect();
    }
    let [value] = property.values.as_slice() else { return None };
    let fits = |&&(_, name, known): &&(u16, &str, &str)| {
        name == property.name && (value == known || value.is_empty())
    };
    GLYPHS.iter().find(fits).map(|&(glyph, ..)| vec![glyph])
}
