//! A position on a small board, without its history.

use super::grid::{Grid, Points};

/// No point.
pub(super) const NOWHERE: u8 = 31;

/// The stones of Black and of White.
pub(super) type Stones = [Points; 2];

/// A position without its history.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Node {
    pub(super) stones: Stones,
    /// The side to move: 0 is Black.
    pub(super) turn: usize,
    /// Whether the move before was a pass.
    pub(super) passed: bool,
    /// The ko point, where one stone has just been taken by one stone. Retaking it would repeat the
    /// board before, which is therefore in the history.
    pub(super) ko: u8,
}

impl Node {
    /// The node after a pass.
    pub(super) fn after_pass(&self) -> Node {
        Node { turn: 1 - self.turn, passed: true, ko: NOWHERE, ..*self }
    }

    /// The node after a stone on the empty `point`, or `None` if it would have no liberty.
    pub(super) fn after_stone(&self, grid: &Grid, point: u8) -> Option<Node> {
        let stone = 1 << point;
        let own = self.stones[self.turn] | stone;
        let mut other = self.stones[1 - self.turn];
        let free = grid.all & !(own | other);
        let mut taken = 0;
        let mut near = grid.beside(stone) & other;
        while near != 0 {
            let chain = grid.connected(super::grid::lowest(near), other);
            near &= !chain;
            if grid.beside(chain) & free == 0 {
                taken |= chain;
            }
        }
        other &= !taken;
        let chain = grid.connected(stone, own);
        let liberties = grid.beside(chain) & grid.all & !(own | other);
        if liberties == 0 {
            return None;
        }
        let is_ko = taken.count_ones() == 1 && chain == stone && liberties == taken;
        let ko = if is_ko { taken.trailing_zeros() as u8 } else { NOWHERE };
        let mut stones = [own; 2];
        stones[1 - self.turn] = other;
        Some(Node { stones, turn: 1 - self.turn, passed: false, ko })
    }

    /// The points without a stone.
    pub(super) fn empty(&self, grid: &Grid) -> Points {
        grid.all & !(self.stones[0] | self.stones[1])
    }
}

/// The lead of `side` in points if every stone on the board lives.
pub(super) fn area(grid: &Grid, stones: Stones, side: usize) -> i32 {
    let [own, other] = [stones[side], stones[1 - side]];
    let mut lead = own.count_ones() as i32 - other.count_ones() as i32;
    for part in grid.parts(grid.all & !(own | other)) {
        let border = grid.beside(part);
        match (border & own != 0, border & other != 0) {
            (true, false) => lead += part.count_ones() as i32,
            (false, true) => lead -= part.count_ones() as i32,
            _ => {}
        }
    }
    lead
}
