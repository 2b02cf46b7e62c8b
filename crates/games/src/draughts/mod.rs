//! Draughts, as a family of rule sets: English, Brazilian, Russian and international.
//!
//! Common to all: pieces stand on the dark squares; men move one square diagonally forward and
//! are crowned in the farthest row; a capture jumps over an enemy to an empty square and goes on
//! while it can, all in one move; whoever can capture must; whoever cannot move has lost. Two
//! paths with the same start, end and captured pieces are one move.
//!
//! | | English | Brazilian | Russian | international |
//! |---|---|---|---|---|
//! | board | 8x8 | 8x8 | 8x8 | 10x10 |
//! | moves first | Black | White | White | White |
//! | men capture | forward | any way | any way | any way |
//! | kings | one step | fly | fly | fly |
//! | which capture | any | the most pieces | any | the most pieces |
//! | a man in the king row amid a capture | stops, crowned | stays a man | goes on as a king | stays a man |
//!
//! Where kings fly, captured pieces leave the board after the move: none is jumped twice, all
//! block until then. In Russian draughts a king that could land on several squares behind a
//! captured piece chooses one from which it can capture on, if there is one. With short kings it
//! makes no difference when captured pieces leave, for none can be jumped twice. `endings` has the
//! draws.
//!
//! # Bits
//! Dark squares follow each other from the top left as their numbers do, and after every second
//! row one bit stays empty. So all neighbours down left are 4 bits away and all down right 5 (on
//! the large board 5 and 6), and a shift over the edge lands on a bit that is no square:
//!
//! ```text
//!      0     1     2     3             0     1     2     3     4
//!   4     5     6     7             5     6     7     8     9
//!      9    10    11    12            11    12    13    14    15
//!  13    14    15    16            16    17    18    19    20
//!     18    19    20    21            22    23    24    25    26
//!  22    23    24    25            27    28    29    30    31
//!     27    28    29    30            33    34    35    36    37
//!  31    32    33    34            38    39    40    41    42
//!                                     44    45    46    47    48
//!                                  49    50    51    52    53
//! ```

mod board;
mod endgame;
mod endings;
mod english;
mod eval;
pub mod features;
mod fen;
mod flying;
mod move_text;
mod moves;
mod notation;
mod pdn;
mod placement;
mod position;
mod rollout;
mod rules;
mod squares;
mod tactics;

pub use moves::{Move, MoveSquares};
pub use pdn::GameType;
pub use position::Draughts;
pub use rules::{Colour, Rules};
