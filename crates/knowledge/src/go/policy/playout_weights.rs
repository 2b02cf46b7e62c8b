//! Playout weights: learned weights of 3x3 shapes as answers to the last moves and as random moves.
//!
//! The moves around the last two are drawn with chances in proportion to the weights of their
//! shapes, and "elsewhere" has a weight too. A random move is taken with the chance of its shape,
//! else another is drawn. All of it can be learned from results, since the probability of every
//! choice is known: a [`ChoiceRecorder`] receives each.

use super::{
    super::shapes::{SHAPES, colours_swapped, picture, read_picture},
    PlayoutRule, PlayoutState, PolicyView,
};
use ludus_core::Random;
use ludus_games::go::{Point, stones::Stones};
use std::sync::LazyLock;

/// The weight of moves that are not around the last two.
pub const ELSEWHERE_WEIGHT: u32 = 256;

/// The largest weight of a shape beside all moves elsewhere.
pub const MAX_ANSWER_WEIGHT: f32 = 250.0;

/// Random moves that may be rejected for their shape before any is accepted.
pub(super) const MAX_REFUSALS: usize = 4;

/// Number of places of an answer: orthogonally and diagonally beside the last move and the move
/// before.
pub const ANSWER_PLACES: usize = 4;

/// Weights of shapes as the side to move sees them: `X` is its own stone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayoutWeights {
    /// By place, where all moves elsewhere are worth [`ELSEWHERE_WEIGHT`].
    answers: [Vec<u16>; ANSWER_PLACES],
    /// The probability of a random move, in 255ths.
    anywhere: Vec<u8>,
}

/// The weights of one shape.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct ShapeWeights {
    /// Weights as an answer, by place; 1 is that of all moves elsewhere.
    pub answers: [f32; ANSWER_PLACES],
    /// The probability that it is accepted as a random move.
    pub anywhere: f32,
}

/// The number of shapes.
pub fn shapes() -> usize {
    SHAPES.pictures.len()
}

/// The picture of a shape, such as `.X./O*./###`.
pub fn shape_name(shape: usize) -> String {
    picture(SHAPES.pictures[shape])
}

/// The shape of a picture, however it is turned.
pub fn shape_named(name: &str) -> Option<usize> {
    let class = usize::from(SHAPES.classes[usize::from(read_picture(name)?)]);
    (class < shapes()).then_some(class)
}

/// The shape of each neighbourhood; impossible ones share one extra class.
static CLASSES: LazyLock<Box<[u16; 1 << 16]>> = LazyLock::new(|| {
    let impossible = shapes() as u16;
    let classes: Box<[u16]> = SHAPES.classes.iter().map(|&class| class.min(impossible)).collect();
    classes.try_into().expect("one class for each neighbourhood")
});

impl PlayoutWeights {
    /// The weights of all shapes.
    ///
    /// # Panics
    /// If the number of weights is not that of shapes.
    pub fn new(weights: &[ShapeWeights]) -> PlayoutWeights {
        assert_eq!(weights.len(), shapes(), "other shapes");
        let weight = |place: usize| {
            let scaled = |shape: &ShapeWeights| {
                (shape.answers[place] * ELSEWHERE_WEIGHT as f32).round() as u16
            };
            weights.iter().map(scaled).chain([0]).collect()
        };
        let chance = |shape: &ShapeWeights| (shape.anywhere * 255.0).round() as u8;
        let anywhere = weights.iter().map(chance).chain([255]).collect();
        PlayoutWeights { answers: std::array::from_fn(weight), anywhere }
    }

    /// Weights of the hand-drawn patterns: matching shapes are likely, others are not.
    pub fn hand_drawn() -> Vec<ShapeWeights> {
        let shape = |&around: &u16| ShapeWeights {
            answers: [if super::patterns::is_drawn(around) { 12.0 } else { 0.03 }; ANSWER_PLACES],
            anywhere: 0.9,
        };
        SHAPES.pictures.iter().map(shape).collect()
    }
}

/// A candidate move around one of the last two.
#[derive(Copy, Clone, Debug)]
pub struct AnswerCandidate {
    /// Its place, below [`ANSWER_PLACES`].
    pub place: u8,
    /// Its shape.
    pub shape: u16,
    /// Its weight beside [`ELSEWHERE_WEIGHT`].
    pub weight: u32,
}

/// Receives every random choice of a playout.
pub trait ChoiceRecorder {
    /// A rule that had moves to propose was followed, or not.
    fn rule_choice(&mut self, rule: PlayoutRule, followed: bool);
    /// One of these was chosen, or a move elsewhere.
    fn answer_choice(&mut self, candidates: &[AnswerCandidate], chosen: Option<usize>);
    /// A random move of this shape was accepted, or rejected.
    fn random_choice(&mut self, shape: u16, taken: bool);
}

impl ChoiceRecorder for () {
    #[inline(always)]
    fn rule_choice(&mut self, _: PlayoutRule, _: bool) {}
    #[inline(always)]
    fn answer_choice(&mut self, _: &[AnswerCandidate], _: Option<usize>) {}
    #[inline(always)]
    fn random_choice(&mut self, _: u16, _: bool) {}
}

/// The moves around two others.
struct AnswerCandidates {
    points: [Point; 16],
    candidates: [AnswerCandidate; 16],
    count: usize,
    total: u32,
}

impl<const ROOM: usize, const STRIDE: usize, const LENGTH: usize>
    PolicyView<'_, ROOM, STRIDE, LENGTH>
{
    /// The shape around a point as `SIDE` sees it.
    #[inline(always)]
    fn shape<const SIDE: usize>(self, point: Point) -> u16 {
        let around = self.neighbourhood(point);
        CLASSES[usize::from(if SIDE == 0 { around } else { colours_swapped(around) })]
    }

    /// An answer of `SIDE` to the last two moves, if it answers.
    #[inline(always)]
    pub(super) fn draw_answer<const SIDE: usize>(
        self,
        state: &PlayoutState,
        weights: &PlayoutWeights,
        random: &mut Random,
        recorder: &mut impl ChoiceRecorder,
    ) -> Option<Point> {
        let mut candidates = AnswerCandidates {
            points: [Point::NOWHERE; 16],
            candidates: [AnswerCandidate { place: 0, shape: 0, weight: 0 }; 16],
            count: 0,
            total: 0,
        };
        for (age, middle) in state.last.into_iter().enumerate() {
            if middle != Point::NOWHERE {
                self.offer::<SIDE>(weights, age, middle, &mut candidates);
            }
        }
        while candidates.count > 0 {
            let mut drawn = random.below((ELSEWHERE_WEIGHT + candidates.total) as usize) as u32;
            let offered = &candidates.candidates[..candidates.count];
            let Some(left) = drawn.checked_sub(ELSEWHERE_WEIGHT) else {
                recorder.answer_choice(offered, None);
                return None;
            };
            drawn = left;
            let mut chosen = 0;
            while drawn >= offered[chosen].weight {
                drawn -= offered[chosen].weight;
                chosen += 1;
            }
            recorder.answer_choice(offered, Some(chosen));
            let point = candidates.points[chosen];
            if self.is_sensible::<SIDE>(point) && !self.is_self_atari::<SIDE>(point) {
                return Some(point);
            }
            candidates.total -= candidates.candidates[chosen].weight;
            candidates.count -= 1;
            candidates.points[chosen] = candidates.points[candidates.count];
            candidates.candidates[chosen] = candidates.candidates[candidates.count];
        }
        None
    }

    #[inline(always)]
    fn offer<const SIDE: usize>(
        self,
        weights: &PlayoutWeights,
        age: usize,
        middle: Point,
        candidates: &mut AnswerCandidates,
    ) {
        let around = self.neighbourhood(middle);
        let mut empty = !(around | around >> 1) & 0x5555;
        let known = candidates.count;
        while empty != 0 {
            let direction = (empty.trailing_zeros() as usize / 2) & 7;
            empty &= empty - 1;
            let point = Stones::<ROOM, STRIDE, LENGTH>::neighbour(
                middle,
                Stones::<ROOM, STRIDE, LENGTH>::ALL_STEPS[direction],
            );
            let shape = self.shape::<SIDE>(point);
            let place = 2 * age + usize::from(direction >= 4);
            let weight = u32::from(weights.answers[place][usize::from(shape)]);
            if weight > 0 && !candidates.points[..known].contains(&point) {
                candidates.points[candidates.count & 15] = point;
                candidates.candidates[candidates.count & 15] =
                    AnswerCandidate { place: place as u8, shape, weight };
                candidates.count += 1;
                candidates.total += weight;
            }
        }
    }

    /// Whether the random move `point` of `SIDE` is accepted.
    #[inline(always)]
    pub(super) fn accepts_random_move<const SIDE: usize>(
        self,
        weights: &PlayoutWeights,
        point: Point,
        random: &mut Random,
        recorder: &mut impl ChoiceRecorder,
    ) -> bool {
        let shape = self.shape::<SIDE>(point);
        let chance = usize::from(weights.anywhere[usize::from(shape)]);
        let taken = random.below(255) < chance;
        recorder.random_choice(shape, taken);
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{PlayoutBoard, PlayoutPolicy, tests::read},
        *,
    };
    use ludus_games::go::GoMove;
    use std::{collections::HashMap, sync::Arc};

    /// A policy with only these weights.
    fn policy(weights: &[ShapeWeights]) -> PlayoutPolicy {
        PlayoutPolicy {
            patterns: 100,
            weights: Some(Arc::new(PlayoutWeights::new(weights))),
            ..PlayoutPolicy::light()
        }
    }

    fn idle() -> Vec<ShapeWeights> {
        vec![ShapeWeights { answers: [0.0; ANSWER_PLACES], anywhere: 1.0 }; shapes()]
    }

    /// The number of times each move is chosen, of 1,000.
    fn chosen(diagram: &str, policy: &PlayoutPolicy) -> HashMap<Point, u32> {
        let (go, _) = read(diagram);
        let mut random = Random::new(3);
        let mut counts = HashMap::new();
        for _ in 0..1000 {
            if let (GoMove::Play(point), _) = PlayoutBoard::new(&go).choose(policy, &mut random) {
                *counts.entry(point).or_default() += 1;
            }
        }
        counts
    }

    /// Black has one neighbour of each kind to answer with; `*` is beside the last move.
    const LONELY: &str = "..... ..... .*o.. ..... .....";

    #[test]
    fn answers_come_in_proportion_to_their_weights() {
        let mut weights = idle();
        let beside = shape_named(".../.*O/...").unwrap();
        let diagonal = shape_named("O../.*./...").unwrap();
        weights[beside].answers[0] = 1.5;
        weights[diagonal].answers[1] = 0.25;
        // The wrong places: nothing of this happens here.
        weights[beside].answers[1..].fill(100.0);
        weights[diagonal].answers[0] = 100.0;
        let (go, marked) = read(LONELY);
        let counts = chosen(LONELY, &policy(&weights));
        let of = |points: &[(usize, usize)]| -> u32 {
            points
                .iter()
                .filter_map(|&(row, column)| counts.get(&go.board().point(row, column)))
                .sum()
        };
        let orthogonal = of(&[(1, 2), (2, 1), (2, 3), (3, 2)]);
        let diagonals = of(&[(1, 1), (1, 3), (3, 1), (3, 3)]);
        // Four times 1.5 and four times 0.25 beside 1, of which a sixth of 24 points each.
        assert!((720..850).contains(&orthogonal), "{orthogonal}");
        assert!((110..200).contains(&diagonals), "{diagonals}");
        assert!(counts[&marked[0]] > 150);
    }

    #[test]
    fn the_other_side_sees_its_own_stones() {
        let mut weights = idle();
        weights[shape_named(".X./.*./...").unwrap()].answers[0] = 250.0;
        let beside_own = |diagram: &str| chosen(diagram, &policy(&weights)).len();
        // Neither side has a stone of its own beside the last move here: all moves are random.
        assert!(beside_own("..... ..... ..o.. ..... .....") > 20);
        assert!(beside_own("..... ..... ..x.. ..... .....") > 20);
    }

    #[test]
    fn refused_shapes_are_drawn_only_when_nothing_else_is() {
        let mut weights = idle();
        let (go, _) = read("..... ..... ..X.. ..... ....o");
        let edge = shape_named("###/.*./...").unwrap();
        let at_edge = |policy: &PlayoutPolicy| -> u32 {
            let counts = chosen("..... ..... ..X.. ..... ....o", policy);
            let shape = |point: &Point| {
                SHAPES.class(go.board().neighbourhood(*point), ludus_core::Side::First)
            };
            counts.iter().filter(|(point, _)| shape(point) == edge as u16).map(|(_, n)| n).sum()
        };
        let before = at_edge(&policy(&weights));
        weights[edge].anywhere = 0.0;
        let after = at_edge(&policy(&weights));
        assert!(before > 200 && after < before / 4, "{before} -> {after}");
        // If all are rejected, a move is made nevertheless.
        weights.fill(ShapeWeights { answers: [0.0; ANSWER_PLACES], anywhere: 0.0 });
        let counts = chosen("..... ..... ..X.. ..... ....o", &policy(&weights));
        assert_eq!(counts.values().sum::<u32>(), 1000);
    }

    #[derive(Default)]
    struct Counts {
        rule_choice: u32,
        answer_choice: u32,
        random_choice: u32,
    }

    impl ChoiceRecorder for Counts {
        fn rule_choice(&mut self, rule: PlayoutRule, _: bool) {
            assert_ne!(rule, PlayoutRule::Pattern, "its choices are recorded one by one");
            self.rule_choice += 1;
        }
        fn answer_choice(&mut self, candidates: &[AnswerCandidate], chosen: Option<usize>) {
            assert!(chosen.is_none_or(|chosen| candidates[chosen].weight > 0));
            assert!(candidates.iter().all(|offer| usize::from(offer.place) < ANSWER_PLACES));
            self.answer_choice += 1;
        }
        fn random_choice(&mut self, shape: u16, _: bool) {
            assert!(usize::from(shape) < shapes());
            self.random_choice += 1;
        }
    }

    #[test]
    fn a_recorder_changes_nothing_and_receives_everything() {
        let (go, _) = read(LONELY);
        let policy = PlayoutPolicy {
            weights: policy(&PlayoutWeights::hand_drawn()).weights,
            ..PlayoutPolicy::strong()
        };
        let mut counts = Counts::default();
        for seed in 0..20 {
            let (mut seen, mut unseen) = (Vec::new(), Vec::new());
            let mut board = PlayoutBoard::new(&go);
            let one =
                board.play_out_recorded(&policy, &mut Random::new(seed), &mut seen, &mut counts);
            let mut board = PlayoutBoard::new(&go);
            let other = board.play_out(&policy, &mut Random::new(seed), &mut unseen);
            assert_eq!((one, &seen), (other, &unseen));
        }
        assert!(
            counts.answer_choice > 100 && counts.random_choice > 100 && counts.rule_choice > 20
        );
    }
}
