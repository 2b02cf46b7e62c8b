//! RAVE, or "all moves as first": a move's value also from the simulations in which the same side
//! made it later.

use super::{
    settings::Schedule,
    tree::{Node, Tree},
};
use ludus_core::Side;

/// The mean of a move from its `(visits, points)` and those of RAVE, which must have visits.
#[inline]
pub(super) fn blend(schedule: Schedule, own: (f32, f32), rave: (f32, f32)) -> f32 {
    let ((visits, points), (rave_visits, rave_points)) = (own, rave);
    match schedule {
        Schedule::Fuego { initial, last } => {
            // The weight w = rave_visits * share, and w * mean = rave_points * share.
            let share = 1.0 / (1.0 / initial + rave_visits / last);
            (points + rave_points * share) / (visits + rave_visits * share)
        }
        Schedule::GellySilver { bias } => {
            let rave_mean = rave_points / rave_visits;
            if visits == 0.0 {
                return rave_mean;
            }
            let equivalence = 4.0 * visits * rave_visits * bias * bias;
            let share = rave_visits / (rave_visits + visits + equivalence);
            (1.0 - share) * (points / visits) + share * rave_mean
        }
    }
}

/// Which moves each side made in the rest of a simulation.
pub(super) struct Marks {
    /// The last simulation in which a side made a move, by side and number of the move.
    made: [Vec<u32>; 2],
    simulation: u32,
}

impl Marks {
    /// For moves with numbers below `count`.
    pub fn new(count: usize) -> Marks {
        Marks { made: [vec![0; count], vec![0; count]], simulation: 0 }
    }

    /// Forgets all marks.
    #[inline]
    pub fn clear(&mut self) {
        self.simulation = self.simulation.wrapping_add(1);
        if self.simulation == 0 {
            self.made.iter_mut().for_each(|made| made.fill(0));
            self.simulation = 1;
        }
    }

    #[inline]
    pub fn set(&mut self, side: Side, index: usize) {
        self.made[side.index()][index] = self.simulation;
    }

    #[inline]
    fn is_set(&self, side: Side, index: usize) -> bool {
        self.made[side.index()][index] == self.simulation
    }

    /// Tells the children of `node` that are among the marked moves of `side`, which is to move
    /// there and won so many points.
    #[inline]
    pub fn tell<M: Copy>(&self, tree: &Tree<M>, node: &Node<M>, side: Side, points: f32) {
        let Some(children) = tree.children(node) else { return };
        for extra in tree.extras(children) {
            if self.is_set(side, extra.index()) {
                extra.add_rave(points);
            }
        }
    }
}
