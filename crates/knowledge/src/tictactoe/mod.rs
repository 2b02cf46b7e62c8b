//! Knowledge of tic-tac-toe: its evaluation.

mod eval;

/// Knowledge of tic-tac-toe for players: its evaluation.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct TicTacToeKnowledge;
