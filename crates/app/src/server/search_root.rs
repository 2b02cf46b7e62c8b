//! Root of a search: a game so far, as given in a request.

use super::{allowed_players::check_player, error::ApiError};
use ludus_players::{Board, Game, find_game};
use std::sync::Arc;

/// Maximum number of moves in a request.
const MAX_MOVES: usize = 5_000;

/// The game at the position to search, shared by all searches of a request.
#[derive(Clone)]
pub struct SearchRoot {
    board: Arc<dyn Board>,
}

impl SearchRoot {
    /// Parses and validates the position and the moves.
    pub fn new(
        game: &str,
        position: Option<&str>,
        moves: &[String],
    ) -> Result<SearchRoot, ApiError> {
        if moves.len() > MAX_MOVES {
            return Err(ApiError::bad(format!(
                "{} moves: expected up to {MAX_MOVES}",
                moves.len()
            )));
        }
        let (game, options) = find_game(game)?;
        let position = position.filter(|text| !text.trim().is_empty());
        let mut board = game.open(&options, position)?;
        board.set_moves(moves)?;
        Ok(SearchRoot { board: board.into() })
    }

    pub fn game(&self) -> &'static dyn Game {
        self.board.game()
    }

    pub fn board(&self) -> &dyn Board {
        &*self.board
    }

    /// Refuses players that are not allowed; see [`check_player`].
    pub fn check_player(&self, player: &str) -> Result<(), ApiError> {
        check_player(self.game(), player)
    }
}
