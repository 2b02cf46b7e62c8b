//! The conformance kit on the leaf evaluators that know no game.

use ludus_core::{HasEval, Notation, conformance::check_leaf_evaluator};
use ludus_games::{
    chess::Chess, connect4::Connect4, draughts::Draughts, go::Go, reversi::Reversi,
    split_nim::SplitNim, tictactoe::TicTacToe,
};
use ludus_knowledge::{
    chess::ChessKnowledge, connect4::Connect4Knowledge, draughts::DraughtsKnowledge,
    go::GoKnowledge, reversi::ReversiKnowledge, split_nim::SplitNimKnowledge,
    tictactoe::TicTacToeKnowledge,
};
use ludus_search::mcts::{EitherLeaf, ProgressiveBias, Rollouts, TruncatedRollouts};

/// Score at which [`squash`](ludus_search::mcts::squash) gives about 0.7.
const SCALE: f32 = 300.0;

fn check<P: Notation, K: HasEval<P>>(spec: &str, games: usize) {
    let eval = K::handcrafted;
    check_leaf_evaluator::<P>(spec, games, Rollouts::recorded());
    for plies in [0, 3] {
        let truncated = TruncatedRollouts::new(eval(), SCALE, plies);
        let biased = ProgressiveBias::new(truncated.clone(), eval(), SCALE);
        check_leaf_evaluator::<P>(spec, games, truncated);
        check_leaf_evaluator::<P>(spec, games, biased);
    }
    let rollouts = ProgressiveBias::new(Rollouts::new(), eval(), SCALE);
    let truncated = TruncatedRollouts::new(eval(), SCALE, 2);
    check_leaf_evaluator::<P>(spec, games, EitherLeaf::<_, Rollouts<P::Move>>::One(truncated));
    check_leaf_evaluator::<P>(spec, games, EitherLeaf::<Rollouts<P::Move>, _>::Other(rollouts));
}

#[test]
fn leaf_evaluators_conform_in_every_game() {
    check::<Chess, ChessKnowledge>("chess", 1);
    check::<Connect4, Connect4Knowledge>("connect4", 5);
    check::<Draughts, DraughtsKnowledge>("draughts:rules=russian", 2);
    check::<Go, GoKnowledge>("go:size=5", 2);
    check::<Reversi, ReversiKnowledge>("reversi", 2);
    check::<SplitNim, SplitNimKnowledge>("split-nim:coins=12", 5);
    check::<TicTacToe, TicTacToeKnowledge>("tictactoe", 10);
}
