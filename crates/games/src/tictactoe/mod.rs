//! Tic-tac-toe (noughts and crosses).
//!
//! Two sides in turn fill one of nine cells; three in a row, column or diagonal win, a full board
//! without them is a draw. Bit `3 * row + column` of a board, top left first:
//!
//! ```text
//!     a b c
//!  3  0 1 2
//!  2  3 4 5
//!  1  6 7 8
//! ```

mod notation;
mod position;

pub use position::{LINES, TicTacToe};
