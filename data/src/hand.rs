//! Weights of the handcrafted evaluations.

/// Chess.
pub const CHESS: &str = include_str!("../hand/chess.txt");

/// Draughts, a block for each rule set with weights of its own.
pub const DRAUGHTS: &str = include_str!("../hand/draughts.txt");

/// Reversi.
pub const REVERSI: &str = include_str!("../hand/reversi.txt");
