//! A player's own board: it thinks there, away from the one everybody sees.

use super::play::Order;
use crate::server::{App, error::ApiError};
use ludus_players::{Analysis, Progress, Session, Turn};
use std::sync::atomic::AtomicBool;

/// A board with the players of a game seated at it.
pub struct Mind {
    session: Box<dyn Session>,
    seated: [bool; 2],
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
            self.session.seat(side, &order.player, &app.resources(seed))?;
            self.seated[side.index()] = true;
        }
        Ok(())
    }
}
