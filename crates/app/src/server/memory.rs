//! Memory that the players of all requests may take together, so that no request takes the server from
//! the others.

use super::error::ApiError;
use ludus_core::{Options, options::split_name};
use ludus_players::{Game, memory};
use std::sync::{Arc, Mutex, PoisonError};

/// Budget where the system does not tell the machine's memory.
const FALLBACK_BYTES: u64 = 2 << 30;
/// Part of the budget for the players of live games, which keep what they know between moves.
const LIVE_GAMES_SHARE: u64 = 4;

/// Half of the machine's memory.
pub fn default_bytes() -> u64 {
    memory::total_bytes().map_or(FALLBACK_BYTES, |total| total / 2)
}

/// Memory for tables and trees of players.
#[derive(Clone, Debug)]
pub struct MemoryBudget {
    bytes: u64,
    taken: Arc<Mutex<u64>>,
}

/// Memory taken from a budget, given back when dropped.
#[derive(Debug)]
pub struct MemoryShare {
    bytes: u64,
    taken: Arc<Mutex<u64>>,
}

impl MemoryBudget {
    /// A budget of so many bytes.
    pub fn new(bytes: u64) -> MemoryBudget {
        MemoryBudget { bytes, taken: Arc::default() }
    }

    /// Bytes for the players of all live games; they are dropped beyond it, the least recently used first.
    pub fn live_games_bytes(&self) -> u64 {
        self.bytes / LIVE_GAMES_SHARE
    }

    /// Bytes for contests and analyses together.
    fn shared_bytes(&self) -> u64 {
        self.bytes - self.live_games_bytes()
    }

    /// Takes memory for `purpose`.
    ///
    /// # Errors
    /// If it is more than all there is, or more than others have left.
    pub fn take(&self, bytes: u64, purpose: &str) -> Result<MemoryShare, ApiError> {
        let all = self.shared_bytes();
        let megabytes = |bytes: u64| bytes.div_ceil(1 << 20);
        let wanted = format!("{purpose} needs {} MB for tables and trees", megabytes(bytes));
        if bytes > all {
            let expected = format!("expected at most {} MB (ludus serve --memory)", all >> 20);
            return Err(ApiError::bad(format!("{wanted}: {expected}")));
        }
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if bytes > all - *taken {
            let free = (all - *taken) >> 20;
            let message = format!("{wanted}, and {free} MB are free now: try again later");
            return Err(ApiError::too_many(message));
        }
        *taken += bytes;
        Ok(MemoryShare { bytes, taken: Arc::clone(&self.taken) })
    }
}

impl Drop for MemoryShare {
    fn drop(&mut self) {
        *self.taken.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
    }
}

/// Memory that a player may take; 0 if there is no such player.
pub fn player_bytes(game: &dyn Game, player: &str) -> u64 {
    let players = game.players();
    let (name, _) = split_name(player);
    let specs = players.iter().find(|(id, ..)| *id == name).map(|(_, _, specs)| *specs);
    let options = specs.and_then(|specs| Options::parse(player, specs).ok());
    options.map_or(0, |options| memory::player_bytes(&options))
}

/// Memory of a contest: in each of its concurrent games two players, at most those that take most.
pub fn contest_bytes(game: &dyn Game, players: &[String], concurrency: usize) -> u64 {
    let mut bytes: Vec<u64> = players.iter().map(|player| player_bytes(game, player)).collect();
    bytes.sort_unstable_by(|a, b| b.cmp(a));
    let pair = bytes.iter().take(2).fold(0, |sum: u64, &bytes| sum.saturating_add(bytes));
    pair.saturating_mul(concurrency as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_players::find_game;

    #[test]
    fn a_share_is_given_back() {
        let budget = MemoryBudget::new(400 << 20);
        assert_eq!(budget.live_games_bytes(), 100 << 20);
        let first = budget.take(200 << 20, "the first").unwrap();
        let error = budget.take(101 << 20, "the second").unwrap_err();
        assert_eq!(error.status.as_u16(), 429);
        assert!(error.message.contains("the second needs 101 MB"), "{}", error.message);
        assert!(error.message.contains("100 MB are free now"), "{}", error.message);
        drop(first);
        let _all = budget.take(300 << 20, "the second").unwrap();
        assert!(budget.take(0, "nothing").is_ok());
        let error = budget.take(301 << 20, "too much").unwrap_err();
        assert_eq!(error.status.as_u16(), 400);
        assert!(error.message.contains("at most 300 MB"), "{}", error.message);
    }

    #[test]
    fn contests_count_two_players_a_game() {
        let (chess, _) = find_game("chess").unwrap();
        let players = ["engine:table=1GB", "alphabeta:table=2GB", "random", "engine:table=3GB"];
        let players = players.map(str::to_owned);
        assert_eq!(contest_bytes(chess, &players, 64), 64 * (5 << 30));
        assert_eq!(contest_bytes(chess, &players[2..3], 64), 0);
        assert_eq!(player_bytes(chess, "no-such-player"), 0);
    }
}
