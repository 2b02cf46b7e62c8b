//! The games of these tests, each with its knowledge.

use ludus_core::{Position, SearchHints};
use ludus_games::{
    chess::Chess, connect4::Connect4, draughts::Draughts, go::Go, reversi::Reversi,
    split_nim::SplitNim, tictactoe::TicTacToe,
};
use ludus_knowledge::{
    chess::ChessKnowledge, connect4::Connect4Knowledge, draughts::DraughtsKnowledge,
    go::GoKnowledge, reversi::ReversiKnowledge, split_nim::SplitNimKnowledge,
    tictactoe::TicTacToeKnowledge,
};

/// A game that searches have hints for.
pub trait Known: Position {
    type Knowledge: SearchHints<Self> + Default;
}

macro_rules! known {
    ($($game:ty: $knowledge:ty,)*) => {
        $(impl Known for $game {
            type Knowledge = $knowledge;
        })*
    };
}

known! {
    Chess: ChessKnowledge,
    Connect4: Connect4Knowledge,
    Draughts: DraughtsKnowledge,
    Go: GoKnowledge,
    Reversi: ReversiKnowledge,
    SplitNim: SplitNimKnowledge,
    TicTacToe: TicTacToeKnowledge,
}
