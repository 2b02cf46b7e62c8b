//! Writer of game trees.

use super::{
    GLYPHS, OTHER_GLYPH, OTHER_TAG, PASS, TAG_PROPERTIES, ValueKind, completed,
    text::{escape, escape_half, guarded},
};
use crate::{NodeId, PieceColour, Record, RecordNode, WriteOptions};
use ludus_core::Side;
use std::fmt::Write as _;

/// A line is broken before the next node once it has this many bytes.
const LINE_BREAK_BYTES: usize = 72;

/// Output still to be written, in reverse order.
enum Task {
    /// A node and its descendants; the colour applies to a move without one.
    Node(NodeId, PieceColour),
    Open,
    Close,
}

/// Writes one game tree and a line end. The first side is Black, as in Go, unless the nodes say
/// otherwise.
pub fn write(record: &Record, options: &WriteOptions) -> String {
    let record = &completed(record);
    let first = match options.starts {
        None | Some(Side::First) => PieceColour::Black,
        Some(Side::Second) => PieceColour::White,
    };
    let mut out = String::from("(;");
    write_tags(record, &mut out);
    write_annotations(record.root(), &mut out);
    let mut tasks = Vec::new();
    push_children(record, Record::ROOT, first, &mut tasks);
    let mut line_start = out.len();
    out.push('\n');
    while let Some(task) = tasks.pop() {
        match task {
            Task::Open => {
                out.push_str("\n(");
                line_start = out.len();
            }
            Task::Close => out.push(')'),
            Task::Node(id, to_move) => {
                if out.len() - line_start > LINE_BREAK_BYTES {
                    out.push('\n');
                    line_start = out.len();
                }
                let moved = write_node(&record[id], to_move, &mut out);
                push_children(record, id, moved.map_or(to_move, |colour| !colour), &mut tasks);
            }
        }
    }
    out.push_str(")\n");
    out
}

fn push_children(record: &Record, id: NodeId, to_move: PieceColour, tasks: &mut Vec<Task>) {
    let first = tasks.len();
    for child in record.children(id) {
        tasks.extend([Task::Open, Task::Node(child, to_move), Task::Close]);
    }
    if tasks.len() - first == 3 {
        tasks.truncate(first + 2);
        tasks.remove(first);
    } else {
        tasks[first..].reverse();
    }
}

/// Writes one node; returns the colour that moved, if there is a move.
fn write_node(node: &RecordNode, to_move: PieceColour, out: &mut String) -> Option<PieceColour> {
    out.push(';');
    let colour = (!node.mv.is_empty()).then(|| node.colour.unwrap_or(to_move));
    if let Some(colour) = colour {
        let mv = if node.mv == PASS { "" } else { node.mv.as_str() };
        let letter = if colour == PieceColour::Black { 'B' } else { 'W' };
        let _ = write!(out, "{letter}[{}]", escape(mv));
    }
    write_annotations(node, out);
    colour
}

fn write_tags(record: &Record, out: &mut String) {
    let mut last = None;
    for (name, value) in &record.tags {
        let known = TAG_PROPERTIES.iter().find(|known| known.tag == name);
        let property = known.map_or(OTHER_TAG, |known| known.property);
        // A property may occur only once in a node, so tags of one name share it.
        if last != Some(property) {
            out.push_str(property);
        }
        last = Some(property);
        let value = match known.map(|known| known.kind) {
            Some(ValueKind::Verbatim) => guarded(value).into_owned(),
            Some(ValueKind::Simple | ValueKind::Text) => escape(value).into_owned(),
            None => format!("{}:{}", escape_half(name), escape_half(value)),
        };
        let _ = write!(out, "[{value}]");
    }
}

fn write_annotations(node: &RecordNode, out: &mut String) {
    match GLYPHS.iter().find(|(glyph, ..)| node.nags == [*glyph]) {
        Some((_, name, value)) => {
            let _ = write!(out, "{name}[{value}]");
        }
        None if node.nags.is_empty() => {}
        None => {
            out.push_str(OTHER_GLYPH);
            for glyph in &node.nags {
                let _ = write!(out, "[{glyph}]");
            }
        }
    }
    let comments: Vec<&str> =
        node.before.iter().chain(&node.comments).map(String::as_str).collect();
    if !comments.is_empty() {
        let _ = write!(out, "C[{}]", escape(&comments.join("\n\n")));
    }
    for property in &node.properties {
        write_property(&property.name, &property.values, out);
    }
}

fn write_property(name: &str, values: &[String], out: &mut String) {
    let name: String =
        name.chars().filter(|c| c.is_ascii_uppercase() || c.is_ascii_digit()).collect();
    if name.is_empty() {
        return;
    }
    out.push_str(&name);
    for value in values {
        let _ = write!(out, "[{}]", guarded(value));
    }
    if values.is_empty() {
        out.push_str("[]");
    }
}
