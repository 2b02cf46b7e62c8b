//! Knowledge of the games beyond their rules, one folder a game.
//!
//! Each game has a type without data, such as [`ChessKnowledge`](chess::ChessKnowledge), that
//! implements what is known of it: the handcrafted evaluation ([`HasEval`](ludus_core::HasEval)),
//! search hints ([`SearchHints`](ludus_core::SearchHints)) and, for some games, network inputs, an
//! endgame index, playout policies or a solver. A search is handed such a value beside the position.

pub mod chess;
pub mod connect4;
pub mod draughts;
pub mod go;
pub mod reversi;
pub mod split_nim;
pub mod tictactoe;
