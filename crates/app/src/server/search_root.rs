//! Root of a search: a position and moves from it, as given in a request.

use super::{allowed_players::check_player, error::ApiError};
use ludus_core::{Options, TextError};
use ludus_players::{Game, Session, find_game};

/// Maximum number of moves in a request.
const MAX_MOVES: usize = 5_000;

/// A game, a starting position, and moves from there.
#[derive(Clone)]
pub struct SearchRoot {
    pub game: &'static dyn Game,
    pub options: Options,
    position: Option<String>,
    moves: Vec<String>,
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
        let position = position.filter(|text| !text.trim().is_empty()).map(str::to_owned);
        let root = SearchRoot { game, options, position, moves: moves.to_vec() };
        root.open()?;
        Ok(root)
    }

    /// Board at the position after all moves.
    pub fn open(&self) -> Result<Box<dyn Session>, TextError> {
        self.open_at(self.moves.len())
    }

    /// Board after the first `plies` moves.
    pub fn open_at(&self, plies: usize) -> Result<Box<dyn Session>, TextError> {
        let mut session = self.game.open(&self.options, self.position.as_deref())?;
        for mv in &self.moves[..plies] {
            session.play(mv)?;
        }
        Ok(session)
    }

    /// Move number `ply`, counted from 0.
    pub fn move_at(&self, ply: usize) -> &str {
        &self.moves[ply]
    }

    /// Number of moves.
    pub fn ply_count(&self) -> usize {
        self.moves.len()
    }

    /// Refuses players that are not allowed; see [`check_player`].
    pub fn check_player(&self, player: &str) -> Result<(), ApiError> {
        check_player(self.game, player)
    }
}
