//! The handcrafted evaluation of draughts.

use ludus_core::{Evaluator, HasEval, Notation, Options, Score};
use ludus_games::draughts::Draughts;
use ludus_knowledge::draughts::DraughtsKnowledge;

fn parse(rules: &str, text: &str) -> Draughts {
    let options = Options::parse(&format!("draughts:rules={rules}"), Draughts::OPTIONS).unwrap();
    Draughts::parse(&options, text).unwrap()
}

#[test]
fn evaluation_prefers_more_pieces_and_sees_kings() {
    let score = |text: &str| DraughtsKnowledge::handcrafted().evaluate(&parse("english", text));
    assert!(score("B:W31,32:B1,2,3") > Score(80));
    assert!(score("W:W31,32:B1,2,3") < Score(-80));
    assert!(score("B:W30:BK1") > score("B:W30:B1"));
    let flying = DraughtsKnowledge::handcrafted().evaluate(&parse("russian", "W:Wc1:BKb8"));
    assert!(flying < Score(-150));
}
