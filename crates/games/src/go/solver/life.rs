//! What a side owns for certain: stones that cannot be captured, and points around them.
//!
//! Chains that live however often their owner passes are found as David Benson does (*Life in the
//! game of Go*, 1976): again and again, chains with fewer than two vital regions are dropped, then
//! regions that touch a dropped chain. A region is vital to a chain if all its empty points are
//! liberties of the chain.
//!
//! The points of a region belong to the owner, too, if every one of them, empty or not, touches
//! every chain around the region, and all those chains live. Then no enemy stone in it has an eye:
//! its owner can play on any liberty there, which joins the living chains and leaves smaller regions
//! of the same kind, until the enemy stones are gone. Each of these stones stays for good, so this
//! comes to an end. It may take moves while the enemy plays elsewhere, but nothing elsewhere
//! is counted.

use super::grid::{Grid, Points, lowest};

/// What a side owns whatever the other does.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Safe {
    /// Stones that cannot be captured.
    pub(super) stones: Points,
    /// Points inside that no enemy stone can hold.
    pub(super) territory: Points,
}

impl Safe {
    /// The least a side that owns this is ahead by in the end.
    pub(super) fn least_lead(&self, grid: &Grid) -> i32 {
        2 * (self.stones | self.territory).count_ones() as i32 - grid.count()
    }
}

/// More parts cannot lie apart on 25 points.
const MOST_PARTS: usize = 13;

/// The parts of a set.
struct Parts {
    sets: [Points; MOST_PARTS],
    count: usize,
}

impl Parts {
    fn new(grid: &Grid, set: Points) -> Parts {
        let mut parts = Parts { sets: [0; MOST_PARTS], count: 0 };
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

/// What the side with the stones `own` owns, among the stones `other`.
pub(super) fn safe(grid: &Grid, own: Points, other: Points) -> Safe {
    let empty = grid.all & !(own | other);
    let mut chains = Parts::new(grid, own);
    // Regions in which some empty point is no liberty at all are vital to nobody.
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
        return Safe::default();
    }
    let held = regions.iter().filter(|&region| is_held(grid, region, stones));
    Safe { stones, territory: held.fold(0, |union, region| union | region) }
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
