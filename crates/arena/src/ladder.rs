//! Ratings over time: every player of a game by all games ever stored.

use crate::{
    elo::Tally,
    rating::{Pairing, RatingOptions, rate},
    store::{PairResults, PlayerId, Rating, Store, StoreError},
};
use std::time::{SystemTime, UNIX_EPOCH};

/// Computes the ratings of everybody who ever played `game` (with its options) anew.
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
            pairings.push(Pairing { first, second, tally: Tally::new(*wins, *draws, *losses) });
        }
    }
    let Ok(rated) = rate(players.len(), &pairings, &RatingOptions::default()) else {
        return Ok(()); // numbers of our own making are in range
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() as i64);
    let ratings: Vec<Rating> = players
        .into_iter()
        .zip(&rated.players)
        .filter_map(|(player, rating)| {
            Some(Rating {
                game: game.to_owned(),
                player,
                rating: rating.elo.value?,
                error: rating.elo.error().unwrap_or(0.0),
                games: rating.tally.games(),
                score: rating.tally.score()?,
                computed_at: now,
            })
        })
        .collect();
    store.save_ratings(game, &ratings)
}
