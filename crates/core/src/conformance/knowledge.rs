//! Conformance tests of what is known of a game: every claim is checked on positions of random games.

use super::random_games;
use crate::{
    Eval, Evaluator, HandcraftedEval, HasEval, Knowledge, LinearEval, LinearEvaluator, MoveHint,
    Notation, Position, Random, Score, SearchHints, TermSink, WithWeights, eval::MAX_PHASE,
};

/// Largest [`HISTORY_SIZE`](SearchHints::HISTORY_SIZE).
const MAX_HISTORY_SIZE: usize = 8_192;

/// Checks the evaluation and the search hints of `K` at the positions of random games of `spec`.
///
/// # Panics
/// At the first violation, naming the position.
pub fn check_knowledge<P, K>(spec: &str, games: usize)
where
    P: Notation,
    K: Knowledge<P>,
{
    assert!((1..=MAX_HISTORY_SIZE).contains(&K::HISTORY_SIZE), "the size of a history table");
    let mut eval = K::handcrafted();
    random_games::<P>(spec, games, |position, moves, random| {
        let place = position.text();
        if !moves.is_empty() {
            check_eval::<P, K>(&mut eval, position, &place);
        }
        check_position_hints(K::default(), position, moves, &place);
        check_move_hints(K::default(), position, moves, &place);
        check_hint_lists(K::default(), position, moves, random, &place);
    });
}

fn check_eval<P: Notation, K: HasEval<P>>(eval: &mut K::Handcrafted, position: &P, place: &str) {
    let score = eval.evaluate(position);
    assert!(
        (-Score::EVAL_MAX..=Score::EVAL_MAX).contains(&score),
        "an evaluation out of range: {place}"
    );
    let infinite = Score::INFINITE.0;
    assert_eq!(
        eval.evaluate_within(position, -infinite, infinite),
        Eval::Exact(score),
        "an open window asks for the exact score: {place}"
    );
    let phase = eval.phase(position);
    assert!((0..=MAX_PHASE).contains(&phase), "phase {phase}: {place}");
    let parts = eval.explain(position);
    let whole = parts.first().map_or(0, |part| part.value);
    assert_eq!(
        Score::evaluation(whole * position.turn().sign()),
        score,
        "the first part must be the whole: {place}"
    );
    if let Some(flipped) = position.colour_flipped() {
        assert_eq!(eval.evaluate(&flipped), score, "the evaluation is not symmetric: {place}");
        assert_eq!(
            K::material(&flipped),
            K::material(position).map(|balance| -balance),
            "material is not symmetric: {place}"
        );
    }
}

/// Hints about a position and those of its moves that are noisy.
fn check_position_hints<P, K>(hints: K, position: &P, moves: &[P::Move], place: &str)
where
    P: Notation,
    K: SearchHints<P>,
{
    if let Some(outcome) = hints.horizon_outcome(position) {
        assert_eq!(position.outcome(), Some(outcome), "a wrong outcome at the horizon: {place}");
    }
    let must_respond = hints.must_respond(position);
    let mut noisy: Vec<P::Move> = moves.first().copied().into_iter().collect();
    let kept = noisy.len();
    hints.noisy_moves(position, &mut noisy);
    assert!(noisy[..kept] == moves[..kept], "noisy_moves must append: {place}");
    let noisy = &noisy[kept..];
    for (index, mv) in noisy.iter().enumerate() {
        assert!(moves.contains(mv), "a noisy move is illegal: {place}");
        assert!(!noisy[..index].contains(mv), "a noisy move twice: {place}");
        assert!(
            must_respond || hints.material_gain(position, *mv) != 0,
            "a noisy move wins nothing: {place}"
        );
    }
    assert!(
        !must_respond || noisy.is_empty() || noisy.len() == moves.len(),
        "a side that must respond may make any move: {place}"
    );
    if let Some(passed) = hints.null_move(position) {
        assert!(!must_respond, "a side that must respond cannot pass: {place}");
        assert!(passed.turn() != position.turn(), "a null move passes the turn: {place}");
    }
}

/// All hints about a move at once against those asked for one by one.
fn check_move_hints<P, K>(hints: K, position: &P, moves: &[P::Move], place: &str)
where
    P: Notation,
    K: SearchHints<P>,
{
    for &mv in moves {
        let text = position.move_text(mv);
        let index = hints.history_index(position, mv);
        assert!(index < K::HISTORY_SIZE, "history index {index} of {text}: {place}");
        let gain = hints.material_gain(position, mv);
        let is_quiet = gain == 0;
        let order_score = if is_quiet {
            hints.quiet_bonus(position, mv)
        } else {
            hints.capture_score(position, mv)
        };
        let forces_response = hints.forces_response(position, mv);
        let single =
            MoveHint { history_index: index as u16, is_quiet, forces_response, order_score };
        assert_eq!(hints.hint(position, mv), single, "the hint of {text}: {place}");
        let next = position.after(mv);
        assert!(
            !forces_response || hints.must_respond(&next) || next.outcome().is_some(),
            "{text} forces no response: {place}"
        );
        assert!(
            hints.see_at_least(position, mv, i32::MIN / 2)
                && !hints.see_at_least(position, mv, gain.max(0) + 1),
            "the exchange of {text} wins more than its first capture: {place}"
        );
    }
}

/// The lists of hints, which may share work, against the hint of each move.
fn check_hint_lists<P, K>(
    hints: K,
    position: &P,
    moves: &[P::Move],
    random: &mut Random,
    place: &str,
) where
    P: Notation,
    K: SearchHints<P>,
{
    let single: Vec<MoveHint> = moves.iter().map(|&mv| hints.hint(position, mv)).collect();
    let mut listed = Vec::new();
    hints.hints(position, moves, |hint| listed.push(hint));
    assert_eq!(listed, single, "the hints of all moves: {place}");
    // The history index of some move or of none.
    let wanted = [0; 3].map(|_| match single.get(random.below(single.len() + 1)) {
        Some(hint) => hint.history_index,
        None => u16::MAX,
    });
    let mut listed = Vec::new();
    hints.priority_hints(position, moves, wanted, |index, hint| listed.push((index, hint)));
    let is_wanted = |hint: &MoveHint| !hint.is_quiet || wanted.contains(&hint.history_index);
    let expected: Vec<(usize, MoveHint)> =
        single.into_iter().enumerate().filter(|(_, hint)| is_wanted(hint)).collect();
    assert_eq!(listed, expected, "the hints of captures and refutations: {place}");
}

/// The terms of a position by their number.
struct DenseCounts(Vec<i32>);

impl TermSink for DenseCounts {
    fn add(&mut self, term: usize, count: i32) {
        self.0[term] += count;
    }
}

/// Checks that the evaluation of `K` is the linear one with its weights, with terms in range that
/// change sign with the colours.
///
/// # Panics
/// At the first violation, naming the position.
pub fn check_linear_eval<K>(spec: &str, games: usize)
where
    K: LinearEval<Position: Notation>,
    K: HasEval<K::Position, Handcrafted: WithWeights>,
{
    let mut eval = K::handcrafted();
    let mut linear = LinearEvaluator::<K>::new(&eval.weights());
    let terms = K::GROUPS.iter().map(|group| group.terms).sum();
    let counts = |position: &K::Position| {
        let mut counts = DenseCounts(vec![0; terms]);
        K::count_terms(position, &mut counts);
        counts.0
    };
    random_games::<K::Position>(spec, games, |position, moves, _| {
        let place = position.text();
        if !moves.is_empty() {
            assert_eq!(linear.evaluate(position), eval.evaluate(position), "not linear: {place}");
        }
        assert_eq!(K::scale_drawish(position, 0), 0, "nothing cannot be scaled: {place}");
        if let Some(flipped) = position.colour_flipped() {
            let negated: Vec<i32> = counts(&flipped).iter().map(|count| -count).collect();
            assert_eq!(counts(position), negated, "terms are not symmetric: {place}");
        }
    });
}
