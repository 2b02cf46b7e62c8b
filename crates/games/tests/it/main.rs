//! The rules: the conformance kit, perft counts, golden playthroughs, and plain versions of the
//! rules.

mod chess;
mod chess_oracle;
mod common;
mod connect4;
mod draughts;
mod draughts_plain;
mod draughts_rules;
mod draughts_text;
mod go;
mod go_plain;
mod reversi;
mod split_nim;
mod tictactoe;
