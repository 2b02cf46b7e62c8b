//! The games Ludus plays. One folder a game; none of them knows an algorithm.
//!
//! A game is a type that implements [`Position`](ludus_core::Position) and the small traits around
//! it. Its folder holds the rules (`position`), the text and picture of the board (`notation`) and
//! the evaluation written by hand (`eval`).

pub mod chess;
pub mod connect4;
pub mod draughts;
pub mod go;
pub mod reversi;
pub mod split_nim;
pub mod tictactoe;
