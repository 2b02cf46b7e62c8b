//! The handcrafted evaluation of split-nim against complete searches.

use ludus_core::{Evaluator, HasEval, Notation, Options, Position, Score};
use ludus_games::split_nim::SplitNim;
use ludus_knowledge::split_nim::SplitNimKnowledge;
use std::collections::HashMap;

/// Whether the side to move wins, by looking at every continuation.
fn mover_wins(position: &SplitNim, known: &mut HashMap<String, bool>) -> bool {
    let text = position.text();
    if let Some(&wins) = known.get(&text) {
        return wins;
    }
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let wins = moves.into_iter().any(|split| !mover_wins(&position.after(split), known));
    known.insert(text, wins);
    wins
}

#[test]
fn the_evaluation_knows_matched_piles_and_guesses_well_elsewhere() {
    let mut known = HashMap::new();
    mover_wins(&SplitNim::new(24), &mut known);
    let options = Options::defaults("split-nim", SplitNim::OPTIONS);
    let (mut right, mut judged) = (0, 0);
    for (text, &wins) in &known {
        let position = SplitNim::parse(&options, text).unwrap();
        if position.outcome().is_some() {
            continue;
        }
        let score = SplitNimKnowledge::handcrafted().evaluate(&position);
        let agrees = (score > Score(0)) == wins;
        let settled = position.each_pile().all(|size| size < 5);
        assert!(agrees || !settled, "{text} leaves no choice and is misjudged");
        assert!(score > Score(0) || !wins, "{text} is won, so something is unmatched");
        right += usize::from(agrees);
        judged += 1;
    }
    assert!(right * 100 > judged * 75, "{right} of {judged}");
}
