//! Connect Four, 7 columns by 6 rows.
//!
//! A disc falls to the lowest empty cell of its column; four in a line (horizontally, vertically or
//! diagonally) win, a full board without four in a line is a draw. A column takes seven bits, the
//! topmost always empty, so that shifts by 1, 6, 7 and 8 never run from one column into the next:
//!
//! ```text
//!  6 13 20 27 34 41 48   always empty
//!  5 12 19 26 33 40 47
//!  4 11 18 25 32 39 46
//!  3 10 17 24 31 38 45
//!  2  9 16 23 30 37 44
//!  1  8 15 22 29 36 43
//!  0  7 14 21 28 35 42
//!  a  b  c  d  e  f  g
//! ```

mod notation;
mod position;

pub use position::{BOTTOM, COLUMNS, Connect4, DIRECTIONS, FULL, ROWS, STRIDE, has_four};
