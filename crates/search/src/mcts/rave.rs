//! RAVE, or "all moves as first" (AMAF): the value of a move also counts the simulations in which the
//! same side made it later.

use super::{
    settings::{RaveSchedule, RaveSettings},
    tree::{Node, Tree},
};
use ludus_core::Side;

/// The mean of a move from its `(visits, points)` and those of RAVE, which must have visits.
#[inline]
pub(super) fn blend(schedule: RaveSchedule, own: (f32, f32), rave: (f32, f32)) -> f32 {
    let ((visits, points), (rave_visits, rave_points)) = (own, rave);
    match schedule {
        RaveSchedule::Fuego { initial, last } => {
            // The weight w = rave_visits * share, and w * mean = rave_points * share.
            let share = 1.0 / (1.0 / initial + rave_visits / last);
            (points + rave_points * share) / (visits + rave_visits * share)
        }
        RaveSchedule::GellySilver { bias } => {
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

/// The moves each side made in the rest of a simulation.
pub(super) struct AmafMoves {
    /// The last simulation in which a side made a move, by side and number of the move.
    made: [Vec<AmafMove>; 2],
    simulation: u32,
    rave: RaveSettings,
    /// Moves in the simulation, from the root on.
    length: usize,
}

/// The last time a move was made.
#[derive(Copy, Clone, Default)]
struct AmafMove {
    simulation: u32,
    ply: u32,
}

impl AmafMoves {
    /// For moves with numbers below `count`.
    pub fn new(count: usize, rave: RaveSettings) -> AmafMoves {
        let made = [vec![AmafMove::default(); count], vec![AmafMove::default(); count]];
        AmafMoves { made, simulation: 0, rave, length: 0 }
    }

    /// Forgets all moves, for a simulation of `length` moves.
    #[inline]
    pub fn clear(&mut self, length: usize) {
        self.length = length;
        self.simulation = self.simulation.wrapping_add(1);
        if self.simulation == 0 {
            self.made.iter_mut().for_each(|made| made.fill(AmafMove::default()));
            self.simulation = 1;
        }
    }

    /// Adds a move. The moves of a simulation are added from its end.
    #[inline]
    pub fn set(&mut self, side: Side, index: usize, ply: usize) {
        self.made[side.index()][index] = AmafMove { simulation: self.simulation, ply: ply as u32 };
        if self.rave.first_only {
            self.made[(!side).index()][index].simulation = 0;
        }
    }

    /// Adds `points` to the RAVE value of each child of `node` whose move `side`, which is to move there,
    /// made later. `ply` is the distance of `node` from the root.
    #[inline]
    pub fn update_children<M: Copy>(
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
            let later = made[extra.index()];
            if later.simulation == self.simulation {
                let weight = 1.0 + share * (self.length as u32 - later.ply) as f32;
                extra.add_rave(points, weight);
            }
        }
    }
}
