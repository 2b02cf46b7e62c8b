//! Games that repeat an earlier one of their contest, which is no new evidence.
//!
//! A game repeats another if it has the same start, the same moves, the same player on each side and
//! the same result. A game that was lost by a fault or on time is an incident of its own: it
//! never counts as a repeat, nor another as a repeat of it.

use crate::{game::Category, schedule::Planned, store::StoredGame};
use ludus_core::position::mix;
use std::collections::HashMap;

/// Start, moves and result of a game, in few bits.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct GameKey([u64; 2]);

impl GameKey {
    /// The key of a game that was played to its end; `None` if a player failed.
    pub fn of(game: &StoredGame) -> Option<GameKey> {
        let failures = [Category::Forfeit, Category::Time].map(Category::id);
        if game.category.as_deref().is_some_and(|category| failures.contains(&category)) {
            return None;
        }
        // An opening that is made of moves is part of the moves already.
        let opening = game.opening.as_deref().filter(|start| !game.moves.starts_with(start));
        let texts = [opening.unwrap_or_default(), &game.moves, &game.result];
        Some(GameKey([1, 2].map(|seed| {
            let hash = |hash, byte: u8| mix(hash ^ u64::from(byte));
            texts.iter().fold(seed, |start, text| text.bytes().fold(hash(start, 0), hash))
        })))
    }
}

/// The games of a contest so far, to recognise those that come again.
#[derive(Debug, Default)]
pub struct Repeats {
    games: HashMap<(usize, usize, GameKey), u64>,
}

impl Repeats {
    /// The number of the earlier game that this one repeats. Games must come in the order of the
    /// plan.
    pub fn find(&mut self, planned: &Planned, key: Option<GameKey>) -> Option<u64> {
        let index = planned.index;
        let first = *self.games.entry((planned.first, planned.second, key?)).or_insert(index);
        (first != index).then_some(first)
    }
}
