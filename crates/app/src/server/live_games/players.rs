//! Players of a live game.

use super::game_state::MoveRequest;
use crate::server::{App, error::ApiError, memory::player_bytes};
use ludus_core::{Limits, Options, options::split_name};
use ludus_players::{Analysis, AnalysisControl, BoardPlayer, Game, SearchReport};
use std::{sync::atomic::AtomicBool, time::Duration};

/// Limits below which a search is too short to profit from a large transposition table.
const SHORT_SEARCH_TIME: Duration = Duration::from_millis(250);
const SHORT_SEARCH_NODES: u64 = 100_000;
const FULL_STRENGTH_LEVEL: i64 = 10;
/// Table size of such a search.
const SMALL_TABLE: &str = "4MB";

/// The players of a game, which keep their tables and trees between moves. They are lent the board of
/// the game for every move.
#[derive(Default)]
pub struct LivePlayers {
    seats: [Option<Box<dyn BoardPlayer>>; 2],
    /// Approximate memory of the players.
    bytes: u64,
}

impl LivePlayers {
    /// Searches for a move; the player is built before its first one.
    pub fn choose(
        &mut self,
        request: &MoveRequest,
        app: &App,
        stop: &AtomicBool,
        on_report: &mut dyn FnMut(&SearchReport<'_>),
    ) -> Result<Analysis, ApiError> {
        let player = self.player(request, app)?;
        let mut control = AnalysisControl { limits: request.limits, stop, on_report };
        Ok(player.choose(&*request.board, &mut control)?.analysis())
    }

    fn player(
        &mut self,
        request: &MoveRequest,
        app: &App,
    ) -> Result<&mut dyn BoardPlayer, ApiError> {
        let seat = &mut self.seats[request.side.index()];
        let player = match seat.take() {
            Some(player) => player,
            None => {
                let game = request.board.game();
                // The seed depends on the ply: a player created again in mid-game must not repeat itself.
                let seed = request.seed ^ (request.board.moves_played() as u64) << 40;
                let player = with_small_table(game, &request.player, &request.limits);
                self.bytes += player_bytes(game, &player);
                game.player(&player, &app.resources(seed))?
            }
        };
        Ok(&mut **seat.insert(player))
    }

    /// Approximate memory of the players.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Options of `player`, or `None` if the game has no such player.
fn options(game: &dyn Game, player: &str) -> Option<Options> {
    let (name, _) = split_name(player);
    let (_, _, specs) = game.players().into_iter().find(|(id, ..)| *id == name)?;
    Options::parse(player, specs).ok()
}

/// Adds a small table size to `player` if its search is short: clearing a large table would take longer
/// than the search, and many games are played at once.
pub fn with_small_table(game: &dyn Game, player: &str, limits: &Limits) -> String {
    let Some(options) = options(game, player) else { return player.to_owned() };
    let has = |name: &str| options.specs().iter().any(|spec| spec.name == name);
    let is_short = limits.time.is_some_and(|time| time <= SHORT_SEARCH_TIME)
        || limits.nodes.is_some_and(|nodes| nodes <= SHORT_SEARCH_NODES)
        || (has("level") && options.integer("level") < FULL_STRENGTH_LEVEL);
    if !is_short || !has("table") || player.contains("table=") {
        return player.to_owned();
    }
    let separator = if player.contains(':') { ',' } else { ':' };
    format!("{player}{separator}table={SMALL_TABLE}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_players::find_game;

    #[test]
    fn short_searches_have_small_tables() {
        let (chess, _) = find_game("chess").unwrap();
        let of_time = |ms| Limits { time: Some(Duration::from_millis(ms)), ..Limits::default() };
        assert_eq!(with_small_table(chess, "engine", &of_time(50)), "engine:table=4MB");
        assert_eq!(with_small_table(chess, "engine", &of_time(5_000)), "engine");
        let weak = "engine:level=3";
        assert_eq!(with_small_table(chess, weak, &Limits::default()), "engine:level=3,table=4MB");
        assert_eq!(with_small_table(chess, "engine:table=1MB", &of_time(50)), "engine:table=1MB");
        assert_eq!(with_small_table(chess, "random", &of_time(50)), "random");
        assert_eq!(player_bytes(chess, "engine:table=2MB"), 2 << 20);
    }
}
