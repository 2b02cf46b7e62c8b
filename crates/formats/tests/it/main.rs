//! The readers and writers of game records and of protocols.

mod common;
mod hostile;
mod pdn;
mod pgn;
mod round_trip;
mod sgf;
mod uci;
