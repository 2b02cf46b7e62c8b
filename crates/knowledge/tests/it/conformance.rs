//! The conformance kit on everything that is known of a game.

use ludus_core::conformance::{
    check_endgame_index, check_knowledge, check_leaf_evaluator, check_linear_eval,
    check_nnue_inputs,
};
use ludus_games::{
    chess::Chess,
    connect4::Connect4,
    draughts::{Draughts, Rules},
    go::Go,
    reversi::Reversi,
    split_nim::SplitNim,
    tictactoe::TicTacToe,
};
use ludus_knowledge::{
    chess::ChessKnowledge,
    connect4::Connect4Knowledge,
    draughts::DraughtsKnowledge,
    go::{GoKnowledge, leaf_evaluator::GoLeafEvaluator},
    reversi::ReversiKnowledge,
    split_nim::SplitNimKnowledge,
    tictactoe::TicTacToeKnowledge,
};

#[test]
fn chess() {
    check_knowledge::<Chess, ChessKnowledge>("chess", 12);
    check_linear_eval::<ChessKnowledge>("chess", 12);
    assert!(check_nnue_inputs::<ChessKnowledge>("chess", 12) > 1_000);
}

#[test]
fn connect4() {
    check_knowledge::<Connect4, Connect4Knowledge>("connect4", 200);
}

#[test]
fn draughts() {
    for rules in Rules::ALL {
        let spec = format!("draughts:rules={}", rules.name());
        check_knowledge::<Draughts, DraughtsKnowledge>(&spec, 30);
        check_linear_eval::<DraughtsKnowledge>(&spec, 30);
        let described = check_nnue_inputs::<DraughtsKnowledge>(&spec, 30);
        assert_eq!(described > 0, rules == Rules::English, "{spec}: only English has a network");
    }
    check_endgame_index::<DraughtsKnowledge>(5);
}

#[test]
fn go() {
    for spec in ["go:size=5", "go:size=5,rules=japanese", "go:size=7,ko=situational"] {
        check_knowledge::<Go, GoKnowledge>(spec, 3);
        check_leaf_evaluator(spec, 2, GoLeafEvaluator::fuego());
        check_leaf_evaluator(spec, 2, GoLeafEvaluator::strong());
    }
}

#[test]
fn reversi() {
    check_knowledge::<Reversi, ReversiKnowledge>("reversi", 40);
    check_linear_eval::<ReversiKnowledge>("reversi", 40);
}

#[test]
fn split_nim() {
    for coins in [3, 7, 30] {
        check_knowledge::<SplitNim, SplitNimKnowledge>(&format!("split-nim:coins={coins}"), 40);
    }
}

#[test]
fn tictactoe() {
    check_knowledge::<TicTacToe, TicTacToeKnowledge>("tictactoe", 300);
    check_knowledge::<TicTacToe, ()>("tictactoe", 50);
}
