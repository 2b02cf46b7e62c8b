//! Plain alpha-beta for Connect Four: nothing but the rules, a window and, if wanted, a table.

use ludus_core::{Outcome, Position, Score};
use ludus_games::connect4::Connect4;

/// The columns from the centre outwards.
const ORDER: [u8; 7] = [3, 2, 4, 1, 5, 0, 6];

/// One disc more than there is room for.
const BEYOND: i32 = 43;

fn discs(position: &Connect4) -> i32 {
    42 - position.empty_cells() as i32
}

/// A search. A win is worth as much as there are discs missing to [`BEYOND`] in the end.
pub struct Plain {
    /// A key and bounds of its score; empty if there shall be no table.
    table: Vec<(u64, i8, i8)>,
    nodes: u64,
    node_limit: u64,
}

impl Plain {
    pub fn new(entries: usize, node_limit: u64) -> Plain {
        Plain { table: vec![(0, -BEYOND as i8, BEYOND as i8); entries], nodes: 0, node_limit }
    }

    /// Whether `score` is the exact one of `position`; `None` if that takes too many nodes.
    pub fn proves(&mut self, position: &Connect4, score: Score) -> Option<bool> {
        self.nodes = 0;
        let value = match score.win_in() {
            None => 0,
            Some(plies) => plies.signum() * (BEYOND - discs(position) - plies.abs()),
        };
        let at_least = self.search(position, value - 1, value)? >= value;
        let at_most = self.search(position, value, value + 1)? <= value;
        Some(at_least && at_most)
    }

    fn search(&mut self, position: &Connect4, mut alpha: i32, mut beta: i32) -> Option<i32> {
        self.nodes += 1;
        if self.nodes > self.node_limit {
            return None;
        }
        match position.outcome() {
            Some(Outcome::Draw) => return Some(0),
            Some(Outcome::Win(_)) => return Some(discs(position) - BEYOND), // by the last disc
            None => {}
        }
        let key = position.key();
        let slot = (key % self.table.len().max(1) as u64) as usize;
        if let Some(&(stored, lower, upper)) = self.table.get(slot)
            && stored == key
        {
            alpha = alpha.max(lower.into());
            beta = beta.min(upper.into());
            if alpha >= beta {
                return Some(alpha);
            }
        }
        let mut best = -BEYOND;
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        for column in ORDER.into_iter().filter(|column| legal.contains(column)) {
            best = best.max(-self.search(&position.after(column), -beta, -alpha.max(best))?);
            if best >= beta {
                break;
            }
        }
        if let Some(entry) = self.table.get_mut(slot) {
            let lower = if best > alpha { best } else { -BEYOND };
            let upper = if best < beta { best } else { BEYOND };
            *entry = (key, lower as i8, upper as i8);
        }
        Some(best)
    }
}
