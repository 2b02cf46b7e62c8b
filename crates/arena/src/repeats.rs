//! Detection of repeated games within a contest, which carry no new evidence.
//!
//! A game repeats another if start, moves, players of both sides and result are the same. A game lost
//! by a fault or on time neither is a repeat nor can be repeated.

use crate::{game::Category, schedule::PlannedGame, store::StoredGame};
use ludus_core::position::mix;
use std::collections::HashMap;

/// Hash of start, moves and result of a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct GameKey([u64; 2]);

impl GameKey {
    /// The key of a game; `None` if it was lost by a fault or on time.
    pub fn of(game: &StoredGame) -> Option<GameKey> {
        if matches!(game.category, Some(Category::Forfeit | Category::Time)) {
            return None;
        }
        // An opening given by moves is part of the moves already.
        let opening = game.opening.as_deref().filter(|start| !game.moves.starts_with(start));
        let texts = [opening.unwrap_or_default(), &game.moves, game.result.id()];
        Some(GameKey([1, 2].map(|seed| {
            let hash = |hash, byte: u8| mix(hash ^ u64::from(byte));
            texts.iter().fold(seed, |start, text| text.bytes().fold(hash(start, 0), hash))
        })))
    }
}

/// Recognises the repeats among the games of a contest.
#[derive(Debug, Default)]
pub struct RepeatDetector {
    games: HashMap<(usize, usize, GameKey), u64>,
}

impl RepeatDetector {
    /// The number of the earlier game that this one repeats. Games must come in planned order.
    pub fn original_of(&mut self, planned: &PlannedGame, key: Option<GameKey>) -> Option<u64> {
        let index = planned.index;
        let first = *self.games.entry((planned.first, planned.second, key?)).or_insert(index);
        (first != index).then_some(first)
    }
}
