//! The games of Ludus, one folder each.
//!
//! A game is a type that implements [`Position`](ludus_core::Position) and the small traits around
//! it. Its folder holds the rules (`position`), text and board view (`notation`) and the
//! handcrafted evaluation (`eval`), for some games also playout policies, solvers and network
//! inputs.

pub mod chess;
pub mod connect4;
pub mod draughts;
pub mod go;
pub mod reversi;
pub mod split_nim;
pub mod tictactoe;
