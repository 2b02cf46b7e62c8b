//! Draughts, as a family of rule sets: English, Brazilian, Russian and international.
//!
//! Common to all: pieces stand on the dark squares; men move one square diagonally forward and
//! are crowned on the farthest row; a capture jumps over an enemy to an empty square and goes on
//! while it can, all in one move; capturing is mandatory; a side without moves has lost. Two
//! paths with the same start, end and captured pieces are one move.
//!
//! | | English | Brazilian | Russian | international |
//! |---|---|---|---|---|
//! | board | 8x8 | 8x8 | 8x8 | 10x10 |
//! | moves first | Black | White | White | White |
//! | men capture | forward | forward and backward | forward and backward | forward and backward |
//! | kings | short | flying | flying | flying |
//! | which capture | any | the most pieces | any | the most pieces |
//! | a man that reaches the king row during a capture | stops, crowned | stays a man | goes on as a king | stays a man |
//!
//! With flying kings, captured pieces leave the board after the move: none is jumped twice, all
//! block until then. In Russian draughts a king that could land on several squares behind a
//! captured piece chooses one from which it can capture on, if there is one. With short kings it
//! makes no difference when captured pieces leave, for none can be jumped twice. For draws see
//! `draw_rules`.
//!
//! # Board layout
//! Dark squares are numbered from the top left, and after every second row one bit stays empty. So
//! every neighbour down left is 4 bits away and every one down right 5 (on the large board 5 and
//! 6), and a shift over the edge lands on a bit that is no square:
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
mod draw_rules;
mod endgame_index;
mod english;
mod eval;
pub mod features;
mod fen;
mod flying;
mod move_text;
mod moves;
mod nnue_inputs;
mod notation;
mod pdn;
mod position;
mod rollout;
mod rules;
mod search_hints;
mod squares;

pub use moves::{DraughtsMove, MoveSquares};
pub use pdn::GameType;
pub use position::Draughts;
pub use rules::{Colour, Rules};

/// Knowledge of draughts beyond its rules, for players.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct DraughtsKnowledge;
