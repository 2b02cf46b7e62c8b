//! The null-window search: is the score of a position above a given one?

use super::{
    Connect4SolverBudget,
    cells::{CENTRE_FIRST, column_mask, completing_cells, completing_cells_after_each, lowest},
    table::{Bounds, PositionKey, Tables},
    zugzwang,
};
use ludus_games::connect4::{BOTTOM, COLUMNS, Connect4, FULL};
use std::{sync::atomic::Ordering, time::Instant};

/// Cells of the board.
pub(super) const CELLS: i32 = FULL.count_ones() as i32;
/// Nodes between two checks of the limits.
const CHECK_INTERVAL_NODES: u64 = 4096;
/// Discs below which there are enhanced transposition cutoffs: all children are probed before the
/// search. Later that costs more time than it saves.
const MAX_ETC_DISCS: i32 = 20;
/// From this number of discs on, searching is faster than probing the table.
const MIN_PLAIN_SEARCH_DISCS: i32 = 34;

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
        if landings == 0 || completing_cells(position.own()) & landings != 0 {
            return None;
        }
        Some(Node {
            own: position.own(),
            all: position.all(),
            threats: completing_cells(position.other()) & FULL & !position.all(),
            discs: position.all().count_ones() as i32,
        })
    }

    /// Whether the opponent wins with its next disc, whatever the side to move does.
    pub(super) fn loses_at_once(&self) -> bool {
        self.safe_moves() == 0
    }

    /// The bounds stored in the tables.
    pub(super) fn stored(&self, tables: &Tables) -> Bounds {
        tables.of(self.discs).read(PositionKey::new(self.own, self.all)).bounds()
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

    /// The node after a disc on `cell`, where `completing_cells` then complete a line of four.
    #[inline(always)]
    fn child(&self, cell: u64, completing_cells: u64) -> Node {
        let all = self.all | cell;
        let threats = completing_cells & FULL & !all;
        Node { own: self.own ^ self.all, all, threats, discs: self.discs + 1 }
    }
}

/// A search under way. Scores count from the end of the game: a win with the last disc of the
/// winner is 1, with the one before it 2; a loss is negative; 0 is a draw.
pub(super) struct Search<'a, 'b> {
    tables: &'a Tables,
    budget: &'a mut Connect4SolverBudget<'b>,
    /// The number of nodes at which the limits are checked next.
    next_check: u64,
}

impl<'a, 'b> Search<'a, 'b> {
    pub(super) fn new(
        tables: &'a Tables,
        budget: &'a mut Connect4SolverBudget<'b>,
    ) -> Search<'a, 'b> {
        let next_check = budget.nodes;
        Search { tables, budget, next_check }
    }

    /// A fail-soft bound of the node's score: a lower one if it is above `alpha`, else an upper
    /// one. `None` if the budget is exhausted.
    pub(super) fn bound(&mut self, node: &Node, alpha: i32) -> Option<i32> {
        if self.budget.nodes == self.next_check {
            self.check()?;
        }
        self.budget.nodes += 1;

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
        if safe == lowest(safe) || node.discs >= MIN_PLAIN_SEARCH_DISCS {
            self.bound_without_table(node, alpha, safe)
        } else {
            self.bound_with_table(node, alpha, safe, bounds)
        }
    }

    /// Searches the `safe` moves unordered.
    fn bound_without_table(&mut self, node: &Node, alpha: i32, mut safe: u64) -> Option<i32> {
        let mut best = -CELLS;
        while safe != 0 && best <= alpha {
            let cell = lowest(safe);
            safe ^= cell;
            let child = node.child(cell, completing_cells(node.own | cell));
            best = best.max(-self.bound(&child, -alpha - 1)?);
        }
        Some(best)
    }

    /// Searches the `safe` moves, more than one, with table, zugzwang rules and move ordering.
    fn bound_with_table(
        &mut self,
        node: &Node,
        alpha: i32,
        safe: u64,
        mut bounds: Bounds,
    ) -> Option<i32> {
        // 1. The table is read here and used later, when the memory access has completed.
        let table = self.tables.of(node.discs);
        let slot = table.read(PositionKey::new(node.own, node.all));
        if let Some(upper) = zugzwang_upper_bound(node, alpha) {
            if upper <= alpha {
                return Some(upper);
            }
            bounds.upper = bounds.upper.min(upper);
        }
        let completing_cells = completing_cells_after_each(node.own, safe);
        bounds = bounds.and(slot.bounds());
        if bounds.lower > alpha {
            return Some(bounds.lower);
        }
        if bounds.upper <= alpha {
            return Some(bounds.upper);
        }

        // 2. Enhanced transposition cutoff, and move ordering: the children with the most threats first,
        // then from the centre outwards.
        let mut move_order = MoveOrder::default();
        for column in CENTRE_FIRST {
            let cell = safe & column_mask(column);
            if cell == 0 {
                continue;
            }
            let child = node.child(cell, completing_cells[column]);
            let mut score = child.threats.count_ones() as i32;
            if node.discs < MAX_ETC_DISCS {
                let known = child.stored(self.tables);
                if -known.upper > alpha {
                    return Some(-known.upper);
                }
                if -known.lower <= alpha {
                    score -= CELLS; // cannot raise alpha
                }
            }
            move_order.insert(score, column);
        }

        // 3. Search, until a move is good enough.
        let mut best = -CELLS;
        for column in move_order.columns() {
            let child = node.child(safe & column_mask(column), completing_cells[column]);
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
        table.write(slot, bounds.and(found));
        Some(best)
    }

    /// `None` if a limit is reached.
    #[cold]
    fn check(&mut self) -> Option<()> {
        let budget = &self.budget;
        let late = budget.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if late || budget.nodes >= budget.node_limit || budget.stop.load(Ordering::Relaxed) {
            return None;
        }
        self.next_check = (budget.nodes + CHECK_INTERVAL_NODES).min(budget.node_limit);
        Some(())
    }
}

/// Columns sorted by score; of equal ones the one inserted first.
#[derive(Default)]
struct MoveOrder {
    entries: [(i32, u8); COLUMNS],
    count: usize,
}

impl MoveOrder {
    #[inline(always)]
    fn insert(&mut self, score: i32, column: usize) {
        let mut slot = self.count;
        while slot > 0 && self.entries[slot - 1].0 < score {
            self.entries[slot] = self.entries[slot - 1];
            slot -= 1;
        }
        self.entries[slot] = (score, column as u8);
        self.count += 1;
    }

    #[inline(always)]
    fn columns(&self) -> impl Iterator<Item = usize> {
        self.entries[..self.count].iter().map(|&(_, column)| usize::from(column))
    }
}

/// An upper bound of the score by the zugzwang rules, where it can cause a cutoff.
#[inline(always)]
fn zugzwang_upper_bound(node: &Node, alpha: i32) -> Option<i32> {
    let landings = node.landings();
    if landings & node.threats != 0 {
        return None;
    }
    match node.discs % 2 {
        0 if alpha >= -1 => zugzwang::second_player_bound(node.own, node.all, landings),
        1 if (-2..0).contains(&alpha) => {
            zugzwang::first_player_bound(node.own, node.all, landings, node.threats)
        }
        _ => None,
    }
}
