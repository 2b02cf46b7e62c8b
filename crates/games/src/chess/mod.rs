//! Chess.
//!
//! The rules of the board (moves, check, castling, en passant, promotion) are those of the crate
//! `cozy-chess`; this folder adapts its board to the traits of Ludus. White is the first side.
//! Squares are numbered from `a1`:
//!
//! ```text
//!  8  56 57 58 59 60 61 62 63
//!  7  48 49 50 51 52 53 54 55
//!  6  40 41 42 43 44 45 46 47
//!  5  32 33 34 35 36 37 38 39
//!  4  24 25 26 27 28 29 30 31
//!  3  16 17 18 19 20 21 22 23
//!  2   8  9 10 11 12 13 14 15
//!  1   0  1  2  3  4  5  6  7
//!      a  b  c  d  e  f  g  h
//! ```
//!
//! Two positions are equal if the pieces, the side to move, the castling rights and the legal
//! en-passant captures are: the equality of the threefold-repetition rule. The halfmove clock of
//! the fifty-move rule and the move number are not part of it.

mod fen;
mod moves;
mod notation;
mod packed;
mod position;
mod rollout;

pub use cozy_chess::Move;
pub use packed::PackedChess;
pub use position::{BACK_RANKS, Chess, LIGHT_SQUARES};
