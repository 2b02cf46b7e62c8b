//! RAVE, or "all moves as first": a move's value also from the simulations in which the same side
//! made it later.

use super::{
    settings::{Rave, Schedule},
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
    made: [Vec<Mark>; 2],
    simulation: u32,
    rave: Rave,
    /// Moves in the simulation, from the root on.
    length: usize,
}

/// When a move was made.
#[derive(Copy, Clone, Default)]
struct Mark {
    simulation: u32,
    ply: u32,
}

impl Marks {
    /// For moves with numbers below `count`.
    pub fn new(count: usize, rave: Rave) -> Marks {
        let made = [vec![Mark::default(); count], vec![Mark::default(); count]];
        Marks { made, simulation: 0, rave, length: 0 }
    }

    /// Forgets all marks, for a simulation of so many moves.
    #[inline]
    pub fn clear(&mut self, length: usize) {
        self.length = length;
        self.simulation = self.simulation.wrapping_add(1);
        if self.simulation == 0 {
            self.made.iter_mut().for_each(|made| made.fill(Mark::default()));
            self.simulation = 1;
        }
    }

    /// Marks a move. The last moves of a simulation are to be marked first.
    #[inline]
    pub fn set(&mut self, side: Side, index: usize, ply: usize) {
        self.made[side.index()][index] = Mark { simulation: self.simulation, ply: ply as u32 };
        if self.rave.first_only {
            self.made[(!side).index()][index].simulation = 0;
        }
    }

    /// Tells the children of `node`, which is so many plies below the root, that are among the
    /// marked moves of `side`, which is to move there and won so many points.
    #[inline]
    pub fn tell<M: Copy>(
        &self,
        tree: &Tree<M>,
        node: &Node<M>,
        ply: usize,
        side: Side,
        points: f32,
    ) {
        let Some(children) = tree.children(node) else { return };
        let made = &self.made[side.index()];
        let share = self.rave.nearness / (self.length - ply) as f32;
        for extra in tree.extras(children) {
            let mark = made[extra.index()];
            if mark.simulation == self.simulation {
                let weight = 1.0 + share * (self.length as u32 - mark.ply) as f32;
                extra.add_rave(points, weight);
            }
        }
    }
}
