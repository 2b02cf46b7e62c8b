//! Conformance tests of leaf evaluators of Monte-Carlo tree search.

use super::{playing::replay, random_games};
use crate::{LeafEvaluator, Notation, Options, Playout, Random};

/// Checks `evaluator` at the positions of random games of `spec`.
///
/// # Panics
/// At the first violation, naming the position.
pub fn check_leaf_evaluator<P: Notation>(
    spec: &str,
    games: usize,
    mut evaluator: impl LeafEvaluator<P>,
) {
    let options = Options::parse(spec, P::OPTIONS).expect("the kit is given valid options");
    random_games::<P>(spec, games, |position, legal, random| {
        // An evaluator sees no game that is over.
        if legal.is_empty() || position.rule_draw().is_some() {
            return;
        }
        let place = position.text();
        let moves = check_listed_moves(&mut evaluator, position, legal, &place);
        check_move_values(&mut evaluator, position, &moves, &place);
        check_simulation(&mut evaluator, position, &options, random, &place);
    });
}

/// The moves of the tree, which must be some of the legal ones.
fn check_listed_moves<P: Notation>(
    evaluator: &mut impl LeafEvaluator<P>,
    position: &P,
    legal: &[P::Move],
    place: &str,
) -> Vec<P::Move> {
    let mut moves = vec![legal[0]];
    evaluator.moves(position, &mut moves);
    assert!(moves.first() == legal.first(), "moves must append: {place}");
    moves.remove(0);
    assert!(!moves.is_empty(), "no move of the tree: {place}");
    for (index, mv) in moves.iter().enumerate() {
        assert!(legal.contains(mv), "{mv:?} is in the tree, but illegal: {place}");
        assert!(!moves[..index].contains(mv), "{mv:?} is in the tree twice: {place}");
    }
    moves
}

/// Priors and biases: one for each move, or none at all.
fn check_move_values<P: Notation>(
    evaluator: &mut impl LeafEvaluator<P>,
    position: &P,
    moves: &[P::Move],
    place: &str,
) {
    let mut priors = Vec::new();
    evaluator.priors(position, moves, &mut priors);
    let is_length = |length: usize| length == 0 || length == moves.len();
    assert!(is_length(priors.len()), "{} priors, {} moves: {place}", priors.len(), moves.len());
    for prior in priors {
        let is_sound = is_value(prior.value) && prior.visits >= 0.0 && prior.visits.is_finite();
        assert!(is_sound, "{prior:?}: {place}");
    }
    let mut biases = Vec::new();
    evaluator.biases(position, moves, &mut biases);
    assert!(is_length(biases.len()), "{} biases, {} moves: {place}", biases.len(), moves.len());
    assert!(biases.iter().all(|&bias| is_value(bias)), "biases {biases:?}: {place}");
}

fn check_simulation<P: Notation>(
    evaluator: &mut impl LeafEvaluator<P>,
    position: &P,
    options: &Options,
    random: &mut Random,
    place: &str,
) {
    let mut playout = Playout::default();
    let value = evaluator.simulate(position, random, &mut playout);
    assert!(is_value(value), "the expected result is {value}: {place}");
    replay(options, position, &playout.moves, place);
}

fn is_value(value: f32) -> bool {
    (-1.0..=1.0).contains(&value)
}
