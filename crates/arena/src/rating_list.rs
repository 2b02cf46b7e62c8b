//! Rating list of a game: all its players, rated by all stored games.

use crate::{
    elo::Wdl,
    rating::{Pairing, RatingOptions, rate},
    store::{PairResults, PlayerId, Store, StoreError, StoredRating},
};
use std::time::{SystemTime, UNIX_EPOCH};

/// Recomputes the ratings of all players of `game` (with its options).
pub fn update(store: &Store, game: &str) -> Result<(), StoreError> {
    let results = store.pair_results(game)?;
    let mut players: Vec<PlayerId> = Vec::new();
    let mut number = |player: &PlayerId| {
        players.iter().position(|known| known == player).unwrap_or_else(|| {
            players.push(player.clone());
            players.len() - 1
        })
    };
    let mut pairings = Vec::new();
    for PairResults { first, second, wins, draws, losses } in &results {
        let (first, second) = (number(first), number(second));
        if first != second {
            pairings.push(Pairing { first, second, wdl: Wdl::new(*wins, *draws, *losses) });
        }
    }
    let Ok(rated) = rate(players.len(), &pairings, &RatingOptions::default()) else {
        return Ok(()); // cannot fail: the indices above are in range
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64);
    let ratings: Vec<StoredRating> = players
        .into_iter()
        .zip(&rated.players)
        .filter_map(|(player, rating)| {
            Some(StoredRating {
                game: game.to_owned(),
                player,
                rating: rating.elo.value?,
                error: rating.elo.error().unwrap_or(0.0),
                games: rating.wdl.games(),
                score: rating.wdl.score()?,
                computed_at: now,
            })
        })
        .collect();
    store.save_ratings(game, &ratings)
}
