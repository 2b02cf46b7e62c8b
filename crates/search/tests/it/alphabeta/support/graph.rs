//! A toy game that goes round in circles, where draws by repetition decide.

use crate::known::Known;
use ludus_core::{Outcome, Position, Random, Side, position::mix};
use std::sync::Arc;

const CORNERS: usize = 4;

/// A position in a random graph: rooms with corridors between them and doors that lead one way to
/// the next floor. Corridors go round the four corners of a floor, so that no position comes back
/// before four plies, as in the games the searches are made for.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The rooms that the moves of every room lead to.
    rooms: Arc<Vec<Vec<usize>>>,
    floor_size: usize,
    at: usize,
    turn: Side,
    /// Plies since the last door, beside the board: no part of equality and key.
    on_floor: usize,
}

impl Graph {
    /// A random graph of `floors` floors.
    pub fn random(random: &mut Random, floors: usize, floor_size: usize) -> Graph {
        let mut rooms = Vec::new();
        for floor in 0..floors {
            for room in 0..floor_size {
                let round_the_corner: Vec<usize> =
                    (0..floor_size).filter(|next| next % CORNERS == (room + 1) % CORNERS).collect();
                let mut exits: Vec<usize> = (0..2 + random.below(2))
                    .filter_map(|_| random.pick(&round_the_corner))
                    .map(|next| floor * floor_size + next)
                    .collect();
                if floor + 1 < floors && random.below(3) == 0 {
                    exits.push((floor + 1) * floor_size + random.below(floor_size));
                }
                if random.below(10) == 0 {
                    exits.clear();
                }
                rooms.push(exits);
            }
        }
        if rooms[0].is_empty() {
            rooms[0].push(1);
        }
        Graph { rooms: Arc::new(rooms), floor_size, at: 0, turn: Side::First, on_floor: 0 }
    }
}

impl PartialEq for Graph {
    fn eq(&self, other: &Graph) -> bool {
        (self.at, self.turn) == (other.at, other.turn)
    }
}

impl Eq for Graph {}

impl Position for Graph {
    type Move = u16;

    const REPETITION_LIMIT: Option<usize> = Some(3);

    fn turn(&self) -> Side {
        self.turn
    }

    fn legal_moves(&self, out: &mut Vec<u16>) {
        out.extend(0..self.rooms[self.at].len() as u16);
    }

    fn play(&mut self, mv: u16) {
        let next = self.rooms[self.at][usize::from(mv)];
        let through_door = next / self.floor_size != self.at / self.floor_size;
        self.on_floor = if through_door { 0 } else { self.on_floor + 1 };
        (self.at, self.turn) = (next, !self.turn);
    }

    /// A side without a way out has lost.
    fn outcome(&self) -> Option<Outcome> {
        self.rooms[self.at].is_empty().then_some(Outcome::Win(!self.turn))
    }

    fn key(&self) -> u64 {
        mix(2 * self.at as u64 + self.turn as u64 + 1)
    }

    fn reversible_plies(&self) -> usize {
        self.on_floor
    }
}

impl Known for Graph {
    type Knowledge = ();
}
