//! The record of a search, node by node, for display.

use super::{
    table::Bound,
    worker::{NodeContext, Window},
};

/// The reason why the moves of a node were not, or not all, searched.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// No depth was left.
    Horizon,
    /// The game ended on the board.
    GameOver,
    /// A repetition or a counter makes it a draw on this path.
    Path,
    /// The endgame oracle knows its value.
    Known,
    /// Transposition-table cutoff.
    Table(Bound),
    /// Reverse futility pruning: the static evaluation is far above the window.
    Futility,
    /// Null-move pruning: passing the turn is good enough.
    NullMove,
    /// Beta cutoff: the number of moves left out.
    Cut(usize),
    /// The search was stopped here or below, so there is no value.
    Stopped,
}

/// One visit of a node.
#[derive(Clone, Debug)]
pub struct Visit<M> {
    /// The visit of the node above, by number.
    pub parent: Option<usize>,
    /// The move that led here; `None` for the root, for a null move (one ply down) and for the test of
    /// a singular move (the same position without that move).
    pub mv: Option<M>,
    /// Depth left.
    pub depth: i32,
    /// Distance from the root.
    pub ply: usize,
    /// The window, as the side to move here sees it.
    pub window: Window,
    /// The value found, as the side to move here sees it.
    pub value: i32,
    /// The kind of bound the value is; `None` if the search was stopped.
    pub bound: Bound,
    /// The reason for its having no children, or not all.
    pub cause: Option<Cause>,
    /// Moves pruned without a search.
    pub skipped: Vec<M>,
    /// Nodes visited below it, itself included, recorded or not.
    pub nodes: u64,
    /// Children visited but not recorded, because the record was full.
    pub omitted: u64,
    /// The number of the search of the tree, through all iterations, windows and MTD passes.
    pub pass: usize,
}

/// One search of the tree from its root.
#[derive(Copy, Clone, Debug)]
pub struct RootPass {
    /// Depth of the iteration.
    pub depth: i32,
    /// The window at the root.
    pub window: Window,
    /// The value found; `None` if the search was stopped.
    pub value: Option<i32>,
}

/// A search recorded as a tree of bounded size, in the order of visits.
#[derive(Clone, Debug)]
pub struct Trace<M> {
    /// The visits; a node searched twice is there twice.
    pub visits: Vec<Visit<M>>,
    /// The searches of the tree.
    pub passes: Vec<RootPass>,
    limit: usize,
    /// The visits on the current line: recorded ones by number.
    line: Vec<Option<usize>>,
    /// Nodes entered so far.
    entered: u64,
    /// `entered` when each node of the current line was.
    entered_at: Vec<u64>,
}

impl<M: Copy> Trace<M> {
    /// A trace that keeps at most `limit` visits.
    pub fn new(limit: usize) -> Trace<M> {
        Trace {
            visits: Vec::new(),
            passes: Vec::new(),
            limit: limit.max(1),
            line: Vec::new(),
            entered: 0,
            entered_at: Vec::new(),
        }
    }

    /// Nodes visited in all, recorded or not.
    pub fn entered(&self) -> u64 {
        self.entered
    }

    /// Enters a node.
    pub(crate) fn enter(&mut self, mv: Option<M>, window: Window, context: NodeContext) {
        self.entered_at.push(self.entered);
        self.entered += 1;
        let parent = self.line.last().copied();
        let room = self.visits.len() < self.limit && parent != Some(None);
        if !room {
            if let Some(Some(parent)) = parent {
                self.visits[parent].omitted += 1;
            }
            self.line.push(None);
            return;
        }
        if let Some(Some(parent)) = parent
            && self.visits[parent].depth > 0
            && self.visits[parent].cause == Some(Cause::Horizon)
        {
            // Razoring failed: its moves are searched after all.
            self.visits[parent].cause = None;
        }
        self.line.push(Some(self.visits.len()));
        self.visits.push(Visit {
            parent: parent.flatten(),
            mv,
            depth: context.depth,
            ply: context.ply,
            window,
            value: 0,
            bound: Bound::None,
            cause: None,
            skipped: Vec::new(),
            nodes: 0,
            omitted: 0,
            pass: self.passes.len(),
        });
    }

    /// Leaves the node entered last, with its value or because the search was stopped.
    pub(crate) fn leave(&mut self, value: Option<i32>, window: Window) {
        let entered = self.entered_at.pop().unwrap_or(0);
        if let Some(Some(visit)) = self.line.pop() {
            let visit = &mut self.visits[visit];
            visit.nodes = self.entered - entered;
            match value {
                Some(value) => {
                    visit.value = value;
                    visit.bound = Bound::of(value, window.alpha, window.beta);
                }
                None => visit.cause = Some(Cause::Stopped),
            }
        }
    }

    /// Ends a search of the whole tree.
    pub(crate) fn end_pass(&mut self, depth: i32, window: Window, value: Option<i32>) {
        self.passes.push(RootPass { depth, window, value });
    }

    fn current(&mut self) -> Option<&mut Visit<M>> {
        let visit = (*self.line.last()?)?;
        self.visits.get_mut(visit)
    }

    pub(crate) fn cause(&mut self, cause: Cause) {
        if let Some(visit) = self.current() {
            visit.cause = Some(cause);
        }
    }

    pub(super) fn skip(&mut self, mv: M) {
        if let Some(visit) = self.current() {
            visit.skipped.push(mv);
        }
    }

    pub(crate) fn trace_cut(&mut self, moves: usize) {
        if moves > 0 {
            self.cause(Cause::Cut(moves));
        }
    }
}
