//! A player's own board: it thinks there, away from the one everybody sees.

use super::play::Order;
use crate::server::{App, error::ApiError};
use ludus_core::{Kind, Limits, Options, options::split_name};
use ludus_players::{Analysis, Game, Progress, Session, Turn};
use std::{sync::atomic::AtomicBool, time::Duration};

/// A search that ends so soon has no use for a large table.
const MOMENT: Duration = Duration::from_millis(250);
const FEW_NODES: u64 = 100_000;
const TOP_LEVEL: i64 = 10;
/// The table of such a search.
const SMALL_TABLE: &str = "4MB";

/// A board with the players of a game seated at it.
pub struct Mind {
    session: Box<dyn Session>,
    seated: [bool; 2],
    /// About how much memory its players take.
    bytes: u64,
}

impl Mind {
    /// Lets the player to move think: with what it remembers if it is `known`.
    pub fn think(
        known: Option<Mind>,
        order: &Order,
        app: &App,
        stop: &AtomicBool,
        on_report: &mut dyn FnMut(&Analysis),
    ) -> Result<(Mind, Turn), ApiError> {
        let mut mind = match known {
            Some(mind) => mind,
            None => Mind {
                session: order.game.open(&order.options, Some(&order.start))?,
                seated: [false; 2],
                bytes: 0,
            },
        };
        mind.follow(&order.moves)?;
        mind.seat(order, app)?;
        let mut progress = Progress { limits: order.limits, stop, on_report };
        let turn = mind.session.let_play(&mut progress)?;
        Ok((mind, turn))
    }

    /// Brings the board to where the game stands.
    fn follow(&mut self, moves: &[String]) -> Result<(), ApiError> {
        let own = self.session.moves();
        let shared = own.iter().zip(moves).take_while(|(own, mv)| own == mv).count();
        for _ in shared..own.len() {
            self.session.undo();
        }
        for mv in &moves[shared..] {
            self.session.play(mv)?;
        }
        Ok(())
    }

    fn seat(&mut self, order: &Order, app: &App) -> Result<(), ApiError> {
        let Order { side, seed, .. } = *order;
        if !self.seated[side.index()] {
            // A player that sits down in mid-game again must not throw the same dice again.
            let seed = seed ^ (order.moves.len() as u64) << 40;
            let player = frugal(order.game, &order.player, &order.limits);
            self.session.seat(side, &player, &app.resources(seed))?;
            self.seated[side.index()] = true;
            self.bytes += memory(order.game, &player);
        }
        Ok(())
    }

    /// About how much memory its players take.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// The options of `player`, if it is one of the game.
fn options(game: &dyn Game, player: &str) -> Option<Options> {
    let (name, _) = split_name(player);
    let (_, _, specs) = game.players().into_iter().find(|(id, ..)| *id == name)?;
    Options::parse(player, specs).ok()
}

/// `player` with a small table if it will not need a larger one: to clear a large table takes longer
/// than such a search, and many games go on at once.
pub fn frugal(game: &dyn Game, player: &str, limits: &Limits) -> String {
    let Some(options) = options(game, player) else { return player.to_owned() };
    let has = |name: &str| options.specs().iter().any(|spec| spec.name == name);
    let is_quick = limits.time.is_some_and(|time| time <= MOMENT)
        || limits.nodes.is_some_and(|nodes| nodes <= FEW_NODES)
        || (has("level") && options.integer("level") < TOP_LEVEL);
    if !is_quick || !has("table") || player.contains("table=") {
        return player.to_owned();
    }
    let separator = if player.contains(':') { ',' } else { ':' };
    format!("{player}{separator}table={SMALL_TABLE}")
}

/// The memory a player asks for.
fn memory(game: &dyn Game, player: &str) -> u64 {
    let Some(options) = options(game, player) else { return 0 };
    let bytes = options.specs().iter().filter(|spec| matches!(spec.kind, Kind::Bytes));
    bytes.map(|spec| options.bytes(spec.name)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_players::find_game;

    #[test]
    fn short_searches_have_small_tables() {
        let (chess, _) = find_game("chess").unwrap();
        let of_time = |ms| Limits { time: Some(Duration::from_millis(ms)), ..Limits::default() };
        assert_eq!(frugal(chess, "engine", &of_time(50)), "engine:table=4MB");
        assert_eq!(frugal(chess, "engine", &of_time(5_000)), "engine");
        let weak = "engine:level=3";
        assert_eq!(frugal(chess, weak, &Limits::default()), "engine:level=3,table=4MB");
        assert_eq!(frugal(chess, "engine:table=1MB", &of_time(50)), "engine:table=1MB");
        assert_eq!(frugal(chess, "random", &of_time(50)), "random");
        assert_eq!(memory(chess, "engine:table=2MB"), 2 << 20);
    }
}
