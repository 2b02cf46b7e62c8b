//! The stored form of a live game.

use super::GameState;
use crate::server::{
    error::ApiError,
    live_games::{
        clock::{GameClock, SavedClock},
        view::LimitsInput,
    },
    view::SideName,
};
use ludus_core::{EndReason, Outcome, TextError};
use ludus_players::{Finish, find_game};
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// Stored form of a game.
#[derive(Serialize, Deserialize)]
pub struct SavedGame {
    version: u64,
    game: String,
    start: String,
    moves: Vec<String>,
    players: [Option<String>; 2],
    limits: LimitsInput,
    seed: u32,
    clocks: Option<SavedClock>,
    decided: Option<SavedFinish>,
    #[serde(default)]
    draw_offer: Option<SideName>,
}

#[derive(Serialize, Deserialize)]
struct SavedFinish {
    winner: Option<SideName>,
    /// The [id](EndReason::id) of the reason.
    reason: String,
}

impl GameState {
    pub fn restore(id: String, saved: SavedGame) -> Result<GameState, ApiError> {
        let (game, options) = find_game(&saved.game)?;
        let mut board = game.open(&options, Some(&saved.start))?;
        board.set_moves(&saved.moves)?;
        let finish = |SavedFinish { winner, reason }: SavedFinish| -> Result<Finish, TextError> {
            Ok(Finish {
                outcome: winner.map_or(Outcome::Draw, |side| Outcome::Win(side.into())),
                reason: EndReason::from_id(&reason)?,
                margin: None,
            })
        };
        Ok(GameState {
            id,
            version: saved.version,
            board: board.into(),
            players: saved.players,
            limits: saved.limits,
            seed: saved.seed,
            clock: saved.clocks.map(GameClock::from),
            decided: saved.decided.map(finish).transpose()?,
            draw_offer: saved.draw_offer.map(Into::into),
            last_analysis: None,
            thinking: false,
            player_error: None,
            not_saved: None,
        })
    }

    pub fn save(&self) -> SavedGame {
        let now = Instant::now();
        let decided = self.decided.map(|finish| SavedFinish {
            winner: match finish.outcome {
                Outcome::Draw => None,
                Outcome::Win(side) => Some(side.into()),
            },
            reason: finish.reason.id().to_owned(),
        });
        SavedGame {
            version: self.version,
            game: self.board.name(),
            start: self.board.start_position(),
            moves: self.board.moves(),
            players: self.players.clone(),
            limits: self.limits,
            seed: self.seed,
            clocks: self.clock.as_ref().map(|clock| clock.save(self.turn(), now)),
            decided,
            draw_offer: self.draw_offer.map(Into::into),
        }
    }
}
