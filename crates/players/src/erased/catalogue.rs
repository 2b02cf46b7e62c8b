//! The list of games.

use super::{ErasedGame, Game};
use ludus_core::{Options, TextError, options::split_name};
use ludus_games::{
    chess::Chess, connect4::Connect4, draughts::Draughts, go::Go, reversi::Reversi,
    split_nim::SplitNim, tictactoe::TicTacToe,
};

/// Every game in the system. Adding a game adds one line here.
pub const GAMES: &[&dyn Game] = &[
    &ErasedGame::<TicTacToe>::NEW,
    &ErasedGame::<SplitNim>::NEW,
    &ErasedGame::<Connect4>::NEW,
    &ErasedGame::<Reversi>::NEW,
    &ErasedGame::<Draughts>::NEW,
    &ErasedGame::<Chess>::NEW,
    &ErasedGame::<Go>::NEW,
];

/// The game that `game:options` names, and its options.
pub fn find_game(text: &str) -> Result<(&'static dyn Game, Options), TextError> {
    let (name, _) = split_name(text);
    let Some(&game) = GAMES.iter().find(|game| game.id() == name) else {
        let names: Vec<&str> = GAMES.iter().map(|game| game.id()).collect();
        return Err(TextError::whole("game", name, format!("one of {}", names.join(", "))));
    };
    Ok((game, Options::parse(text, game.options())?))
}
