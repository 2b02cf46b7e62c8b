//! Builds the record of one game while its text is read.

use crate::{NodeId, Record, RecordNode};

/// Initial capacity for the moves of a game.
const INITIAL_NODES: usize = 100;

/// A game being read.
pub(super) struct Builder {
    pub(super) record: Record,
    /// The interrupted lines, one for each open parenthesis, innermost last.
    interrupted: Vec<InterruptedLine>,
    /// The last move of the current line, or the root.
    current: NodeId,
    /// Whether the current variation has no move yet.
    is_empty_variation: bool,
    /// Whether a variation has ended since the last move, so that a comment belongs to the next one.
    after_variation: bool,
    /// Comments before the next move.
    pending_comments: Vec<String>,
}

struct InterruptedLine {
    current: NodeId,
    after_variation: bool,
}

impl Builder {
    pub(super) fn new() -> Builder {
        Builder {
            record: Record::new(),
            interrupted: Vec::new(),
            current: Record::ROOT,
            is_empty_variation: false,
            after_variation: false,
            pending_comments: Vec::new(),
        }
    }

    pub(super) fn in_variation(&self) -> bool {
        !self.interrupted.is_empty()
    }

    pub(super) fn has_moves(&self) -> bool {
        self.record.node_count() > 1
    }

    /// Whether there is a move that a glyph can annotate.
    pub(super) fn can_annotate(&self) -> bool {
        !self.is_empty_variation
    }

    /// Whether a variation may start here: there must be a move it replaces.
    pub(super) fn can_vary(&self) -> bool {
        !self.is_empty_variation && self.current != Record::ROOT
    }

    pub(super) fn add_move(&mut self, mv: &str) {
        if self.current == Record::ROOT {
            self.record.reserve(INITIAL_NODES);
        }
        self.current = self.record.add(self.current, RecordNode::of_move(mv));
        if !self.pending_comments.is_empty() {
            self.record[self.current].before = std::mem::take(&mut self.pending_comments);
        }
        self.is_empty_variation = false;
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
        if self.is_empty_variation || self.after_variation {
            self.pending_comments.push(text.to_owned());
        } else {
            self.record[self.current].comments.push(text.to_owned());
        }
    }

    pub(super) fn open_variation(&mut self) {
        debug_assert!(self.can_vary());
        self.attach_comments();
        self.interrupted
            .push(InterruptedLine { current: self.current, after_variation: self.after_variation });
        self.current = self.record.parent(self.current).unwrap_or(Record::ROOT);
        self.is_empty_variation = true;
        self.after_variation = false;
    }

    /// Closes the innermost variation; `false` if there is none. Comments in a variation without moves
    /// are attached to the move before it.
    pub(super) fn close_variation(&mut self) -> bool {
        let Some(InterruptedLine { current, after_variation }) = self.interrupted.pop() else {
            return false;
        };
        if self.is_empty_variation {
            self.current = current;
        }
        self.attach_comments();
        self.current = current;
        self.after_variation = after_variation || (!self.is_empty_variation && self.is_main());
        self.is_empty_variation = false;
        true
    }

    /// Whether the current move is its parent's main continuation. Variations of the first move of a
    /// variation are its siblings in the tree, so they do not separate it from its next move.
    fn is_main(&self) -> bool {
        let parent = self.record.parent(self.current);
        parent.is_some_and(|parent| self.record.next(parent) == Some(self.current))
    }

    /// Attaches pending comments to the current move, as no move follows them.
    fn attach_comments(&mut self) {
        self.record[self.current].comments.append(&mut self.pending_comments);
    }

    /// Whether the first tag of the game is called `name`.
    pub(super) fn begins_with_tag(&self, name: &str) -> bool {
        self.record.tags.first().is_some_and(|(first, _)| first == name)
    }

    /// Ends the game with the text `result`, or else with the tag `Result`.
    pub(super) fn finish(&mut self, result: Option<&str>) {
        self.attach_comments();
        let text = result.or_else(|| self.record.tag("Result")).unwrap_or("*").to_owned();
        self.record.result.text = text;
    }
}
