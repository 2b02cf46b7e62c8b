//! Unconditional life and territory: stones that cannot be captured, and points they enclose.
//!
//! Benson's algorithm (David Benson, *Life in the game of Go*, 1976) finds chains that live however
//! often their owner passes: repeatedly, chains with fewer than two vital regions are dropped, then
//! regions that touch a dropped chain. A region is vital to a chain if all its empty points are
//! liberties of the chain.
//!
//! The points of a region belong to the owner, too, if every one of them, empty or not, touches
//! every chain around the region, and all those chains live. Then no enemy stone in it has an eye:
//! its owner can play on any liberty there, which joins the living chains and leaves smaller
//! regions of the same kind, until the enemy stones are gone. Each of these stones stays for good,
//! so this ends. It may take moves while the enemy plays elsewhere, but nothing elsewhere is
//! counted.

use super::grid::{Grid, Points, lowest};

/// The area a side owns whatever the other does.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct UnconditionalArea {
    /// Stones that cannot be captured.
    pub(super) stones: Points,
    /// Points inside that no enemy stone can hold.
    pub(super) territory: Points,
}

impl UnconditionalArea {
    /// A lower bound of the final lead of a side that owns this.
    pub(super) fn min_lead(&self, grid: &Grid) -> i32 {
        2 * (self.stones | self.territory).count_ones() as i32 - grid.count()
    }
}

/// The most unconnected parts of 25 points.
const MAX_PARTS: usize = 13;

/// The connected parts of a set.
struct Parts {
    sets: [Points; MAX_PARTS],
    count: usize,
}

impl Parts {
    fn new(grid: &Grid, set: Points) -> Parts {
        let mut parts = Parts { sets: [0; MAX_PARTS], count: 0 };
        for part in grid.parts(set) {
            parts.sets[parts.count] = part;
            parts.count += 1;
        }
        parts
    }

    fn retain(&mut self, mut keep: impl FnMut(Points) -> bool) -> bool {
        let before = self.count;
        let mut kept = 0;
        for index in 0..before {
            if keep(self.sets[index]) {
                self.sets[kept] = self.sets[index];
                kept += 1;
            }
        }
        self.count = kept;
        kept < before
    }

    fn iter(&self) -> impl Iterator<Item = Points> {
        self.sets[..self.count].iter().copied()
    }

    fn union(&self) -> Points {
        self.iter().fold(0, |union, set| union | set)
    }
}

/// The unconditional area of the side with the stones `own`, among the stones `other`.
pub(super) fn unconditional_area(grid: &Grid, own: Points, other: Points) -> UnconditionalArea {
    let empty = grid.all & !(own | other);
    let mut chains = Parts::new(grid, own);
    // Regions in which some empty point is no liberty at all are vital to no chain.
    let mut regions = Parts::new(grid, grid.all & !own);
    regions.retain(|region| region & empty & !grid.beside(own) == 0);
    loop {
        let dropped = chains.retain(|chain| {
            let liberties = grid.beside(chain);
            let vital = regions
                .iter()
                .filter(|&region| region & empty & !liberties == 0 && region & liberties != 0);
            vital.take(2).count() == 2
        });
        if !dropped {
            break;
        }
        let alive = chains.union();
        regions.retain(|region| grid.beside(region) & own & !alive == 0);
    }
    let stones = chains.union();
    if stones == 0 {
        return UnconditionalArea::default();
    }
    let held = regions.iter().filter(|&region| is_held(grid, region, stones));
    UnconditionalArea { stones, territory: held.fold(0, |union, region| union | region) }
}

/// Whether every point of a region enclosed by living chains touches all of them.
fn is_held(grid: &Grid, region: Points, alive: Points) -> bool {
    let mut near = grid.beside(region) & alive;
    while near != 0 {
        let chain = grid.connected(lowest(near), alive);
        near &= !chain;
        if region & !grid.beside(chain) != 0 {
            return false;
        }
    }
    true
}
