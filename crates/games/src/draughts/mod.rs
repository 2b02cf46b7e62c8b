//! Draughts, as a family of rule sets, from English to pool; `rule_set` is the table of their
//! differences.
//!
//! Common to all: pieces stand on the dark squares; men move one square diagonally forward and
//! are crowned on the farthest row; a capture jumps over an enemy to an empty square and goes on
//! while it can, all in one move; capturing is mandatory; a side without moves has lost. Two
//! paths with the same start, end and captured pieces are one move.
//!
//! | | board | moves first | men capture | kings | legal captures |
//! |---|---|---|---|---|---|
//! | English | 8x8 | Black | forward | short | any |
//! | Brazilian | 8x8 | White | forward and backward | flying | of the most pieces |
//! | Russian | 8x8 | White | forward and backward | flying | any |
//! | international | 10x10 | White | forward and backward | flying | of the most pieces |
//! | Italian | 8x8, mirrored | White | forward, no kings | short | of the most pieces, then by a king, then of the most kings, then of kings as early as possible |
//! | Spanish | 8x8, mirrored | White | forward | flying | of the most pieces, then of the most kings |
//! | Czech | 8x8 | White | forward | flying | by a king before a man |
//! | pool | 8x8 | Black | forward and backward | flying | any |
//!
//! A man that captures forward only stops in the king row, crowned; a man that captures on from
//! there stays a man, but in Russian draughts it goes on as a king.
//!
//! With flying kings, captured pieces leave the board after the move: none is jumped twice, all
//! block until then. A king that could land on several squares behind a captured piece chooses one
//! from which it can capture on, if there is one. With short kings it makes no difference when
//! captured pieces leave, for none can be jumped twice. For draws see `draw_rules`.
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

pub mod board;
mod draw_rules;
mod fen;
mod flying_kings;
mod generator;
mod move_text;
mod moves;
mod notation;
mod pdn;
mod position;
mod rollout;
mod rule_set;
mod rules;
mod short_kings;
pub mod squares;
pub mod static_rules;

pub use moves::{DraughtsMove, MoveSquares};
pub use pdn::GameType;
pub use position::Draughts;
pub use rule_set::{Balances, BothKingsPlies, CapturePreference, DrawRules, RuleSet, SquareNames};
pub use rules::{Colour, Rules};
