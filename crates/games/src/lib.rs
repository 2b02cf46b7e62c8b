//! The games of Ludus, one folder each.
//!
//! A game is a type that implements [`Position`](ludus_core::Position) and
//! [`Notation`](ludus_core::Notation). Its folder holds the rules (`position`), text and board view
//! (`notation`) and, for some games, rollouts, draw rules or the boards of records. Evaluations, search
//! hints, playout policies and solvers are in the crate `ludus-knowledge`.

pub mod chess;
pub mod connect4;
pub mod draughts;
pub mod go;
pub mod reversi;
pub mod split_nim;
pub mod tictactoe;
