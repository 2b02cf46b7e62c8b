//! The handcrafted evaluation of Reversi.

use ludus_core::{Evaluator, HandcraftedEval, HasEval, Notation, Options};
use ludus_games::reversi::Reversi;
use ludus_knowledge::reversi::ReversiKnowledge;

/// `rows` joined to a position.
fn board(rows: [&str; 8], turn: char) -> Reversi {
    let text = format!("{} {turn}", rows.concat());
    Reversi::parse(&Options::defaults("reversi", &[]), &text).unwrap()
}

#[test]
fn the_evaluation_knows_the_basics() {
    let judge = |rows| ReversiKnowledge::handcrafted().evaluate(&board(rows, 'X')).0;
    let empty = "--------";
    let middle = ["---OX---", "---XO---"];
    let rows =
        |first, second| [first, second, empty, middle[0], middle[1], empty, empty, "X-------"];
    let quiet = judge(rows("-----X--", empty));
    assert!(judge(rows("-------X", empty)) > quiet, "a corner is worth having");
    assert!(judge(rows("------X-", empty)) < quiet, "beside an open corner is a bad place");
    assert!(judge(rows(empty, "------X-")) < quiet, "and so is this");
    let start = Reversi::default();
    assert_eq!(ReversiKnowledge::handcrafted().phase(&start), 0);
    let value = ReversiKnowledge::handcrafted().evaluate(&start).0;
    assert!(value.abs() < 300, "neither side is far ahead: {value}");
}
