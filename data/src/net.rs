//! Networks that correct the handcrafted evaluations (NNUE).

/// Chess.
pub const CHESS: &[u8] = include_bytes!("../net/chess.net");

/// English draughts.
pub const DRAUGHTS: &[u8] = include_bytes!("../net/draughts.net");
