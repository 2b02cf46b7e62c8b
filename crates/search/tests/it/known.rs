//! The games of these tests, each with its knowledge.

use ludus_core::{Ending, SearchHints};
use ludus_games::{
    chess::{Chess, ChessKnowledge},
    connect4::{Connect4, Connect4Knowledge},
    draughts::{Draughts, DraughtsKnowledge},
    go::{Go, GoKnowledge},
    reversi::{Reversi, ReversiKnowledge},
    split_nim::{SplitNim, SplitNimKnowledge},
    tictactoe::{TicTacToe, TicTacToeKnowledge},
};

/// A game that searches have hints for.
pub trait Known: Ending {
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
