//! Knowledge of the Go players.

/// Opening book of 9x9.
pub const BOOK_9X9: &str = include_str!("../go/book-9x9.txt");

/// Weights of the playout policy, in the format of the recipes of kind `habits`.
pub const PLAYOUT_WEIGHTS: &str = include_str!("../go/habits.txt");

/// Strengths of moves, learned from games.
pub const MOVE_STRENGTHS: &str = include_str!("../go/moves.txt");

/// Network for priors and values.
pub const NET: &[u8] = include_bytes!("../go/go.net");
