//! What a search did, node by node, for people to look at.

use super::{
    table::Bound,
    worker::{Place, Window},
};

/// Why the moves of a node were not, or not all, searched.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The depth was used up.
    Horizon,
    /// The game ended on the board.
    GameOver,
    /// A repetition or a counter makes it a draw on this path.
    Path,
    /// An oracle knows the ending.
    Known,
    /// The table knew the answer.
    Table(Bound),
    /// The evaluation is far outside the window.
    Futility,
    /// Even passing the turn is good enough.
    NullMove,
    /// A move was good enough; so many moves were left out.
    Cut(usize),
    /// The search was stopped here or below, so there is no value.
    Stopped,
}

/// One visit of a node.
#[derive(Clone, Debug)]
pub struct Visit<M> {
    /// The visit of the node above, by number.
    pub parent: Option<usize>,
    /// The move that led here; `None` for the root, for a passed turn (one ply down) and for the
    /// question whether a move is the only good one (the same position without that move).
    pub mv: Option<M>,
    /// Depth left.
    pub depth: i32,
    /// Distance from the root.
    pub ply: usize,
    /// The window, as the side to move here sees it.
    pub window: Window,
    /// The value found, as the side to move here sees it.
    pub value: i32,
    /// What the value tells of the node within its window; `None` if the search was stopped.
    pub bound: Bound,
    /// Why it has no children, or not all.
    pub cause: Option<Cause>,
    /// Moves given up unsearched.
    pub skipped: Vec<M>,
    /// Nodes visited below it, itself included, recorded or not.
    pub nodes: u64,
    /// Children visited but not recorded, for want of room.
    pub omitted: u64,
    /// Which search of the tree it belongs to: iterations, windows and MTD passes count on.
    pub pass: usize,
}

/// One search of the tree from its root.
#[derive(Copy, Clone, Debug)]
pub struct Pass {
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
    pub passes: Vec<Pass>,
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

    /// A node is entered.
    pub(super) fn enter(&mut self, mv: Option<M>, window: Window, place: Place) {
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
            // It looked hopeless, but captures alone did not show it to be.
            self.visits[parent].cause = None;
        }
        self.line.push(Some(self.visits.len()));
        self.visits.push(Visit {
            parent: parent.flatten(),
            mv,
            depth: place.depth,
            ply: place.ply,
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

    /// The node entered last is left, with its value or because the search was stopped.
    pub(super) fn leave(&mut self, value: Option<i32>, window: Window) {
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

    /// A search of the whole tree is over.
    pub(super) fn end_pass(&mut self, depth: i32, window: Window, value: Option<i32>) {
        self.passes.push(Pass { depth, window, value });
    }

    fn current(&mut self) -> Option<&mut Visit<M>> {
        let visit = (*self.line.last()?)?;
        self.visits.get_mut(visit)
    }

    pub(super) fn cause(&mut self, cause: Cause) {
        if let Some(visit) = self.current() {
            visit.cause = Some(cause);
        }
    }

    pub(super) fn skip(&mut self, mv: M) {
        if let Some(visit) = self.current() {
            visit.skipped.push(mv);
        }
    }

    pub(super) fn cut(&mut self, moves: usize) {
        if moves > 0 {
            self.cause(Cause::Cut(moves));
        }
    }
}
