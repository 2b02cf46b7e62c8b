//! Suites of problems with known solutions.

/// Chess problems in which one move wins, as EPD.
pub const CHESS_TACTICS: &str = include_str!("../suites/chess-tactics.epd");

/// Mates in two, as EPD.
pub const CHESS_MATE_IN_TWO: &str = include_str!("../suites/chess-mate-in-two.epd");

/// Reversi endings with 20 empty squares and their exact margins.
pub const REVERSI_20_EMPTIES: &str = include_str!("../suites/reversi-20-empties.txt");
