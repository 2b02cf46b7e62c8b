//! Reversi (Othello), 8 by 8.
//!
//! Dark moves first. A disc is placed on an empty square so that at least one straight run of the
//! opponent's discs lies between it and another own disc; every such run is turned over. A side
//! that cannot do so passes, and passing is a move; when neither side can, the game is over. The
//! side with more discs wins, and the empty squares count for the winner.
//!
//! Squares are numbered from the top left, as Othello players write them:
//!
//! ```text
//!      a  b  c  d  e  f  g  h
//!  1   0  1  2  3  4  5  6  7
//!  2   8  9 10 11 12 13 14 15
//!  3  16 17 18 19 20 21 22 23
//!  4  24 25 26 27 28 29 30 31
//!  5  32 33 34 35 36 37 38 39
//!  6  40 41 42 43 44 45 46 47
//!  7  48 49 50 51 52 53 54 55
//!  8  56 57 58 59 60 61 62 63
//! ```

pub mod bits;
mod notation;
mod position;

pub use position::{PASS, Reversi};
