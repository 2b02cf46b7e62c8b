//! The positions on the way from the start of the game to the current node.
//!
//! A draw by repetition is true only for the way the position was reached. So every value carries
//! how far up the path it reaches: a value that depends on a position above its node is not stored,
//! because it might be found again on another way (the graph-history interaction problem, Campbell
//! 1985).

use ludus_core::{EndReason, History, Position, Score};

/// The value depends on nothing above its node.
pub const PATH_INDEPENDENT: i32 = i32::MAX;
/// The value depends on the game before the root.
const BEFORE_ROOT: i32 = -1;
/// Smallest number of plies from a position back to itself.
const MIN_CYCLE_PLIES: usize = 4;

/// The keys on the path, and what the value found last depends on.
#[derive(Clone, Debug)]
pub struct SearchPath {
    keys: Vec<u64>,
    /// Index of the root's key.
    root: usize,
    /// The smallest ply the value found last depends on.
    pub reach: i32,
}

impl Default for SearchPath {
    #[inline]
    fn default() -> SearchPath {
        SearchPath { keys: vec![0], root: 0, reach: PATH_INDEPENDENT }
    }
}

/// Whether no position before `position` can come back within `depth` plies, so that its value does
/// not depend on the way there. A value stored on another way is right here only then; a strong
/// search takes the risk, one that promises an exact value does not.
#[inline]
pub fn is_path_independent<P: Position>(position: &P, depth: i32) -> bool {
    P::REPETITION_LIMIT.is_none()
        || position.reversible_plies().saturating_add(depth as usize) < MIN_CYCLE_PLIES
}

/// Whether `position` may have been on the way to itself.
#[inline]
pub fn may_be_repeated<P: Position>(position: &P) -> bool {
    P::REPETITION_LIMIT.is_some() && position.reversible_plies() >= MIN_CYCLE_PLIES
}

impl SearchPath {
    /// The path that leads to the last position of `game`.
    pub fn new<P: Position>(game: &History<P>) -> SearchPath {
        let keys = game.keys();
        let wanted = game.last().reversible_plies().min(keys.len() - 1);
        let keys = keys[keys.len() - 1 - wanted..].to_vec();
        SearchPath { root: keys.len() - 1, keys, reach: PATH_INDEPENDENT }
    }

    /// A node at `ply` has this key.
    #[inline]
    pub fn enter(&mut self, ply: usize, key: u64) {
        self.keys.truncate(self.root + ply);
        self.keys.push(key);
    }

    /// The score of the node entered last, if the way there makes it a draw. One repetition inside
    /// the search is enough: whoever could do better would do so the first time.
    #[inline]
    pub fn draw<P: Position>(&mut self, position: &P, ply: usize) -> Option<i32> {
        if let Some(reason) = position.rule_draw() {
            if reason != EndReason::Material {
                self.reach = BEFORE_ROOT;
            }
            return Some(Score::DRAW.0);
        }
        let limit = P::REPETITION_LIMIT?;
        let back = position.reversible_plies();
        if back < MIN_CYCLE_PLIES {
            return None;
        }
        let last = self.root + ply;
        let key = self.keys[last];
        let mut before_root = 1;
        let mut index = last;
        while index >= 2 && last - (index - 2) <= back {
            index -= 2;
            if self.keys[index] != key {
                continue;
            }
            if index >= self.root {
                self.reach = self.reach.min((index - self.root) as i32);
                return Some(Score::DRAW.0);
            }
            before_root += 1;
            if before_root >= limit {
                self.reach = BEFORE_ROOT;
                return Some(Score::DRAW.0);
            }
        }
        None
    }
}
