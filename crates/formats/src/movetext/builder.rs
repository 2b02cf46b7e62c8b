//! Grows the tree of one game while its text is read.

use crate::{Node, NodeId, Record};

/// Room made for the moves of a game at once.
const USUAL_NODES: usize = 100;

/// A game being read.
pub(super) struct Builder {
    pub(super) record: Record,
    /// The lines left at an open parenthesis, innermost last.
    left: Vec<Left>,
    /// The last move of the current line, or the root.
    current: NodeId,
    /// The current variation has no move yet.
    fresh: bool,
    /// A variation has ended since the last move, so a comment belongs to the next one.
    after_variation: bool,
    /// Comments waiting for their move.
    waiting: Vec<String>,
}

struct Left {
    current: NodeId,
    after_variation: bool,
}

impl Builder {
    pub(super) fn new() -> Builder {
        Builder {
            record: Record::new(),
            left: Vec::new(),
            current: Record::ROOT,
            fresh: false,
            after_variation: false,
            waiting: Vec::new(),
        }
    }

    pub(super) fn in_variation(&self) -> bool {
        !self.left.is_empty()
    }

    pub(super) fn has_moves(&self) -> bool {
        self.record.node_count() > 1
    }

    /// Whether a glyph here has something to belong to.
    pub(super) fn can_annotate(&self) -> bool {
        !self.fresh
    }

    /// Whether a variation may start here: there must be a move it replaces.
    pub(super) fn can_vary(&self) -> bool {
        !self.fresh && self.current != Record::ROOT
    }

    pub(super) fn add_move(&mut self, mv: &str) {
        if self.current == Record::ROOT {
            self.record.reserve(USUAL_NODES);
        }
        self.current = self.record.add(self.current, Node::of_move(mv));
        if !self.waiting.is_empty() {
            self.record[self.current].before = std::mem::take(&mut self.waiting);
        }
        self.fresh = false;
        self.after_variation = false;
    }

    pub(super) fn add_glyph(&mut self, glyph: u16) {
        self.record[self.current].nags.push(glyph);
    }

    pub(super) fn add_comment(&mut self, text: &str) {
        let text = text.trim_matches(|c: char| c.is_ascii_whitespace());
        if text.is_empty() {
            return;
        }
        if self.fresh || self.after_variation {
            self.waiting.push(text.to_owned());
        } else {
            self.record[self.current].comments.push(text.to_owned());
        }
    }

    pub(super) fn open_variation(&mut self) {
        debug_assert!(self.can_vary());
        self.settle_comments();
        self.left.push(Left { current: self.current, after_variation: self.after_variation });
        self.current = self.record.parent(self.current).unwrap_or(Record::ROOT);
        self.fresh = true;
        self.after_variation = false;
    }

    /// Ends the innermost variation; `false` if there is none. Comments in a variation without
    /// moves go to the move before it.
    pub(super) fn close_variation(&mut self) -> bool {
        let Some(Left { current, after_variation }) = self.left.pop() else { return false };
        if self.fresh {
            self.current = current;
        }
        self.settle_comments();
        self.current = current;
        self.after_variation = after_variation || (!self.fresh && self.is_main());
        self.fresh = false;
        true
    }

    /// Whether the current move is its parent's main continuation. Variations of a move that itself
    /// begins a variation are its siblings in the tree, so nothing comes between it and the next.
    fn is_main(&self) -> bool {
        let parent = self.record.parent(self.current);
        parent.is_some_and(|parent| self.record.next(parent) == Some(self.current))
    }

    /// Comments that wait for a move which does not come belong to the last one.
    fn settle_comments(&mut self) {
        self.record[self.current].comments.append(&mut self.waiting);
    }

    /// Whether the first tag of the game is called `name`.
    pub(super) fn begins_with_tag(&self, name: &str) -> bool {
        self.record.tags.first().is_some_and(|(first, _)| first == name)
    }

    /// Ends the game with the text `result`, or with what the tag `Result` says.
    pub(super) fn finish(&mut self, result: Option<&str>) {
        self.settle_comments();
        let text = result.or_else(|| self.record.tag("Result")).unwrap_or("*").to_owned();
        self.record.result.text = text;
    }
}
