//! Simulation balancing (Silver and Tesauro 2009; Huang, Coulom and Lin 2010): changes the weights
//! of the playout policy so that the mean result of playouts approaches the result of the game.
//!
//! With `V` the mean result of a position's playouts and `z` that of the game, the error
//! `(z - V)^2` falls fastest along `(z - V) * dV`, and `dV` is the mean of `result * psi`, where
//! `psi` is the gradient of the log-probability of the playout's choices. Half of the playouts
//! estimate `V`, the other half `dV`, and the other way round, so that the two estimates are
//! independent.

use super::dataset::LabelledPosition;
use ludus_core::{Random, Side};
use ludus_games::go::Go;
use ludus_knowledge::go::policy::{
    PlayoutBoard, PlayoutPolicy, PlayoutRule,
    playout_weights::{
        ANSWER_PLACES, AnswerCandidate, ChoiceRecorder, ELSEWHERE_WEIGHT, MAX_ANSWER_WEIGHT,
        ShapeWeights, shapes,
    },
};
use ludus_players::go::playout_weights::{PolicyWeights, RULES};

const MIN_WEIGHT: f64 = 0.002;
const MAX_ODDS: f64 = 99.0;

/// The rules of [`RULES`], in order.
const LEARNED_RULES: [PlayoutRule; RULES.len()] = [
    PlayoutRule::KoRefight,
    PlayoutRule::Nakade,
    PlayoutRule::Capture,
    PlayoutRule::Defence,
    PlayoutRule::LowLiberty,
    PlayoutRule::GlobalCapture,
];

/// Parameters in one row: weights of shapes as answers, place by place; odds of shapes as random
/// moves; odds of rules. All are positive, and steps multiply them: that needs no logarithm, which
/// is not the same on every machine.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PolicyParameters(pub Vec<f64>);

fn odds(chance: f64) -> f64 {
    chance / (1.0 - chance)
}

fn chance(odds: f64) -> f64 {
    odds / (1.0 + odds)
}

/// Number of parameters.
pub(super) fn parameter_count() -> usize {
    (ANSWER_PLACES + 1) * shapes() + RULES.len()
}

impl PolicyParameters {
    /// Initial parameters.
    pub fn initial() -> PolicyParameters {
        let PolicyWeights { rules, shapes } = PolicyWeights::untrained();
        let answers = (0..ANSWER_PLACES).flat_map(|place| {
            shapes.iter().map(move |shape_weights| f64::from(shape_weights.answers[place]))
        });
        let anywhere = shapes.iter().map(|shape_weights| odds(shape_weights.anywhere.into()));
        let rules = rules.iter().map(|&percent| odds(f64::from(percent) / 100.0));
        PolicyParameters(answers.chain(anywhere).chain(rules).collect())
    }

    /// Weights for the playout policy, rounded to four digits.
    pub fn weights(&self) -> PolicyWeights {
        let count = shapes();
        let rounded = |value: f64| format!("{value:.3e}").parse::<f32>().expect("a number");
        let shape_weights = |shape| ShapeWeights {
            answers: std::array::from_fn(|place| rounded(self.0[place * count + shape])),
            anywhere: rounded(chance(self.0[ANSWER_PLACES * count + shape])),
        };
        let rule = |number| {
            let percent = 100.0 * chance(self.0[(ANSWER_PLACES + 1) * count + number]);
            percent.round().clamp(1.0, 99.0) as u8
        };
        PolicyWeights {
            rules: std::array::from_fn(rule),
            shapes: (0..count).map(shape_weights).collect(),
        }
    }

    /// Multiplies a parameter by `1 + step`, or divides it by `1 - step` if `step` is negative.
    pub fn scale(&mut self, number: usize, step: f64) {
        let step = step.clamp(-0.5, 0.5);
        let grown = self.0[number] * if step >= 0.0 { 1.0 + step } else { 1.0 / (1.0 - step) };
        let (least, most) = match number < ANSWER_PLACES * shapes() {
            true => (MIN_WEIGHT, MAX_ANSWER_WEIGHT.into()),
            false => (1.0 / MAX_ODDS, MAX_ODDS),
        };
        self.0[number] = grown.clamp(least, most);
    }
}

/// Gradient of the log-probability of one playout's choices, as pairs of parameter and value.
struct ChoiceLog<'a> {
    gradient: Vec<(usize, f64)>,
    policy: &'a PlayoutPolicy,
    weights: &'a PolicyWeights,
}

impl ChoiceRecorder for ChoiceLog<'_> {
    fn rule_choice(&mut self, rule: PlayoutRule, followed: bool) {
        let Some(number) = LEARNED_RULES.iter().position(|learned| *learned == rule) else {
            return;
        };
        let chance = f64::from(rule.chance(self.policy)) / 100.0;
        let term = if followed { 1.0 - chance } else { -chance };
        self.gradient.push(((ANSWER_PLACES + 1) * shapes() + number, term));
    }

    fn answer_choice(&mut self, offers: &[AnswerCandidate], chosen: Option<usize>) {
        let total = ELSEWHERE_WEIGHT + offers.iter().map(|offer| offer.weight).sum::<u32>();
        for (index, offer) in offers.iter().enumerate() {
            let happened = if chosen == Some(index) { 1.0 } else { 0.0 };
            let number = usize::from(offer.place) * shapes() + usize::from(offer.shape);
            self.gradient.push((number, happened - f64::from(offer.weight) / f64::from(total)));
        }
    }

    fn random_choice(&mut self, shape: u16, taken: bool) {
        // A shape that occurs on no board has no parameter.
        let Some(shape_weights) = self.weights.shapes.get(usize::from(shape)) else { return };
        let chance = f64::from(shape_weights.anywhere);
        let term = if taken { 1.0 - chance } else { -chance };
        self.gradient.push((ANSWER_PLACES * shapes() + usize::from(shape), term));
    }
}

/// Weights with the policy that uses them.
pub(super) struct CurrentPolicy {
    pub weights: PolicyWeights,
    pub policy: PlayoutPolicy,
}

impl CurrentPolicy {
    pub fn new(odds: &PolicyParameters) -> CurrentPolicy {
        let weights = odds.weights();
        CurrentPolicy { policy: weights.policy(), weights }
    }
}

/// Half of the playouts of a position.
#[derive(Default)]
struct Half {
    playouts: f64,
    won: f64,
    gradient: Vec<(usize, f64)>,
    /// Gradients of the playouts that were won.
    won_gradient: Vec<(usize, f64)>,
}

impl Half {
    fn mean(&self) -> f64 {
        self.won / self.playouts.max(1.0)
    }
}

/// Gradient for one sample, and the squared error of its playouts.
pub(super) struct Gradient {
    pub direction: Vec<(usize, f64)>,
    pub error: f64,
}

/// Plays playouts of a sample and computes the gradient.
pub(super) fn gradient_of(
    current: &CurrentPolicy,
    position: &Go,
    sample: &LabelledPosition,
    playouts: usize,
    mut random: Random,
) -> Gradient {
    let mut board = PlayoutBoard::new(position);
    let mut moves = Vec::new();
    let mut halves = [Half::default(), Half::default()];
    for number in 0..playouts {
        board.set(position);
        moves.clear();
        let mut choices =
            ChoiceLog { gradient: Vec::new(), policy: &current.policy, weights: &current.weights };
        let margin =
            board.play_out_recorded(&current.policy, &mut random, &mut moves, &mut choices);
        let half = &mut halves[number % 2];
        half.playouts += 1.0;
        if margin > 0.0 {
            half.won += 1.0;
            half.won_gradient.extend(&choices.gradient);
        }
        half.gradient.append(&mut choices.gradient);
    }
    let result = if sample.winner == Side::First { 1.0 } else { 0.0 };
    let mut direction = Vec::new();
    for (own, other) in [(0, 1), (1, 0)] {
        let half = &halves[own];
        let factor = (result - halves[other].mean()) / half.playouts.max(1.0);
        let mean = half.mean();
        direction.extend(half.won_gradient.iter().map(|&(number, term)| (number, factor * term)));
        direction
            .extend(half.gradient.iter().map(|&(number, term)| (number, -factor * mean * term)));
    }
    let mean = (halves[0].won + halves[1].won) / playouts as f64;
    Gradient { direction, error: (result - mean).powi(2) }
}

/// Squared error of the playouts of a sample.
pub(super) fn squared_error(
    policy: &PlayoutPolicy,
    position: &Go,
    sample: &LabelledPosition,
    playouts: usize,
    mut random: Random,
) -> f64 {
    let mut board = PlayoutBoard::new(position);
    let mut moves = Vec::new();
    let mut won = 0.0;
    for _ in 0..playouts {
        board.set(position);
        moves.clear();
        if board.play_out(policy, &mut random, &mut moves) > 0.0 {
            won += 1.0;
        }
    }
    let result = if sample.winner == Side::First { 1.0 } else { 0.0 };
    (result - won / playouts as f64).powi(2)
}
