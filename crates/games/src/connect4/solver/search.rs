//! The search: is the score of a position above a given one?

use super::{
    Effort,
    cells::{CENTRE_FIRST, column_mask, completing, completing_after_each, lowest},
    table::{Bounds, Identity, Tables},
    zugzwang,
};
use crate::connect4::position::{BOTTOM, COLUMNS, Connect4, FULL};
use std::{sync::atomic::Ordering, time::Instant};

/// Cells of the board.
pub(super) const CELLS: i32 = FULL.count_ones() as i32;
/// How many nodes pass between two looks at the clock.
const CLOCK_INTERVAL: u64 = 4096;
/// Up to this many discs the table is asked about all children before any is searched. Later that
/// costs more time than the nodes it saves.
const PROBE_CHILDREN_BELOW: i32 = 20;
/// From this many discs on a position is solved sooner than the table answers.
const PLAIN_FROM: i32 = 34;

/// A position in which the side to move cannot win at once.
#[derive(Copy, Clone)]
pub(super) struct Node {
    /// The discs of the side to move.
    own: u64,
    all: u64,
    /// The empty cells that would give the opponent four in a line.
    threats: u64,
    /// The number of discs.
    discs: i32,
}

impl Node {
    /// `None` if the game is over or the side to move wins with its next disc.
    pub(super) fn new(position: &Connect4) -> Option<Node> {
        let landings = position.landings();
        if landings == 0 || completing(position.own) & landings != 0 {
            return None;
        }
        Some(Node {
            own: position.own,
            all: position.all,
            threats: completing(position.other()) & FULL & !position.all,
            discs: position.all.count_ones() as i32,
        })
    }

    /// Whether the opponent wins with its next disc, whatever the side to move does.
    pub(super) fn loses_at_once(&self) -> bool {
        self.safe_moves() == 0
    }

    /// What the tables know.
    pub(super) fn stored(&self, tables: &Tables) -> Bounds {
        tables.of(self.discs).read(Identity::new(self.own, self.all)).bounds()
    }

    /// The scores this position can still have if neither side wins with its next disc.
    #[inline(always)]
    pub(super) fn bounds(&self) -> Bounds {
        let empty = CELLS - self.discs;
        Bounds { lower: -(empty - 2) / 2, upper: (empty - 1) / 2 }
    }

    #[inline(always)]
    fn landings(&self) -> u64 {
        (self.all + BOTTOM) & FULL
    }

    /// The moves after which the opponent cannot win at once.
    #[inline(always)]
    fn safe_moves(&self) -> u64 {
        let landings = self.landings();
        let safe = landings & !(self.threats >> 1);
        let forced = landings & self.threats;
        match forced {
            0 => safe,
            _ if forced == lowest(forced) => safe & forced,
            _ => 0,
        }
    }

    /// After a disc on `cell`, where `completing` are the cells in a line with three discs then.
    #[inline(always)]
    fn child(&self, cell: u64, completing: u64) -> Node {
        let all = self.all | cell;
        let threats = completing & FULL & !all;
        Node { own: self.own ^ self.all, all, threats, discs: self.discs + 1 }
    }
}

/// A search under way. Scores count from the end of the game: a win with the last disc of the
/// winner is 1, with the one before it 2; a loss is negative; 0 is a draw.
pub(super) struct Search<'a, 'b> {
    tables: &'a Tables,
    effort: &'a mut Effort<'b>,
    /// The number of nodes at which to look at the limits again.
    next_check: u64,
}

impl<'a, 'b> Search<'a, 'b> {
    pub(super) fn new(tables: &'a Tables, effort: &'a mut Effort<'b>) -> Search<'a, 'b> {
        let next_check = effort.nodes;
        Search { tables, effort, next_check }
    }

    /// A bound of the node's score: a lower one if it is above `alpha`, an upper one if not. `None`
    /// if the effort is spent.
    pub(super) fn bound(&mut self, node: &Node, alpha: i32) -> Option<i32> {
        if self.effort.nodes == self.next_check {
            self.check()?;
        }
        self.effort.nodes += 1;

        let safe = node.safe_moves();
        if safe == 0 {
            return Some(-(CELLS - node.discs) / 2);
        }
        let bounds = node.bounds();
        if bounds.lower >= bounds.upper || bounds.lower > alpha {
            return Some(bounds.lower);
        }
        if bounds.upper <= alpha {
            return Some(bounds.upper);
        }
        if safe == lowest(safe) || node.discs >= PLAIN_FROM {
            self.bound_plainly(node, alpha, safe)
        } else {
            self.bound_by_table(node, alpha, safe, bounds)
        }
    }

    /// Searches the `safe` moves as they come.
    fn bound_plainly(&mut self, node: &Node, alpha: i32, mut safe: u64) -> Option<i32> {
        let mut best = -CELLS;
        while safe != 0 && best <= alpha {
            let cell = lowest(safe);
            safe ^= cell;
            let child = node.child(cell, completing(node.own | cell));
            best = best.max(-self.bound(&child, -alpha - 1)?);
        }
        Some(best)
    }

    /// Searches the `safe` moves, more than one, with the help of all that is known.
    fn bound_by_table(
        &mut self,
        node: &Node,
        alpha: i32,
        safe: u64,
        mut bounds: Bounds,
    ) -> Option<i32> {
        // 1. The table is read here and its answer used later, when the memory has had time.
        let table = self.tables.of(node.discs);
        let place = table.read(Identity::new(node.own, node.all));
        if let Some(upper) = static_upper(node, alpha) {
            if upper <= alpha {
                return Some(upper);
            }
            bounds.upper = bounds.upper.min(upper);
        }
        let completing = completing_after_each(node.own, safe);
        bounds = bounds.and(place.bounds());
        if bounds.lower > alpha {
            return Some(bounds.lower);
        }
        if bounds.upper <= alpha {
            return Some(bounds.upper);
        }

        // 2. The children, those with the most threats first, then from the centre outwards.
        let mut order = Order::default();
        for column in CENTRE_FIRST {
            let cell = safe & column_mask(column);
            if cell == 0 {
                continue;
            }
            let child = node.child(cell, completing[column]);
            let mut merit = child.threats.count_ones() as i32;
            if node.discs < PROBE_CHILDREN_BELOW {
                let known = child.stored(self.tables);
                if -known.upper > alpha {
                    return Some(-known.upper);
                }
                if -known.lower <= alpha {
                    merit -= CELLS; // not the move that is looked for
                }
            }
            order.insert(merit, column);
        }

        // 3. Search, until a move is good enough.
        let mut best = -CELLS;
        for column in order.columns() {
            let child = node.child(safe & column_mask(column), completing[column]);
            best = best.max(-self.bound(&child, -alpha - 1)?);
            if best > alpha {
                break;
            }
        }
        let found = if best > alpha {
            Bounds { lower: best, ..bounds }
        } else {
            Bounds { upper: best, ..bounds }
        };
        table.write(place, bounds.and(found));
        Some(best)
    }

    /// `None` if a limit is reached.
    #[cold]
    fn check(&mut self) -> Option<()> {
        let effort = &self.effort;
        let late = effort.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if late || effort.nodes >= effort.node_limit || effort.stop.load(Ordering::Relaxed) {
            return None;
        }
        self.next_check = (effort.nodes + CLOCK_INTERVAL).min(effort.node_limit);
        Some(())
    }
}

/// Columns sorted by merit, of equals the one inserted first.
#[derive(Default)]
struct Order {
    entries: [(i32, u8); COLUMNS],
    count: usize,
}

impl Order {
    #[inline(always)]
    fn insert(&mut self, merit: i32, column: usize) {
        let mut slot = self.count;
        while slot > 0 && self.entries[slot - 1].0 < merit {
            self.entries[slot] = self.entries[slot - 1];
            slot -= 1;
        }
        self.entries[slot] = (merit, column as u8);
        self.count += 1;
    }

    #[inline(always)]
    fn columns(&self) -> impl Iterator<Item = usize> {
        self.entries[..self.count].iter().map(|&(_, column)| usize::from(column))
    }
}

/// A score the side to move cannot exceed by the rules of zugzwang, where that may help.
#[inline(always)]
fn static_upper(node: &Node, alpha: i32) -> Option<i32> {
    let landings = node.landings();
    if landings & node.threats != 0 {
        return None;
    }
    match node.discs % 2 {
        0 if alpha >= -1 => zugzwang::second_answers(node.own, node.all, landings),
        1 if (-2..0).contains(&alpha) => {
            zugzwang::first_answers(node.own, node.all, landings, node.threats)
        }
        _ => None,
    }
}
