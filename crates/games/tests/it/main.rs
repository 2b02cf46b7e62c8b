//! The rules: the conformance kit, perft counts, golden playthroughs, and plain versions of the
//! rules.

mod chess;
mod chess_oracle;
mod common;
mod connect4;
mod connect4_solver;
mod draughts;
mod draughts_plain;
mod draughts_rules;
mod draughts_text;
mod go;
mod go_plain;
mod knowledge;
mod reversi;
mod split_nim;
mod tictactoe;
