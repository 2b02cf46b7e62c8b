//! The leaf evaluator of Go with learned knowledge: move probabilities and the value of a network.

use crate::go::{move_strengths::MoveStrengths, net::CachedNet};
use ludus_core::{LeafEvaluator, Playout, Prior, Random};
use ludus_games::go::{Go, GoMove};
use ludus_knowledge::go::leaf_evaluator::GoLeafEvaluator;
use ludus_models::board_net::BoardNet;
use std::sync::Arc;

/// A learned move predictor, and its weight in the priors.
#[derive(Clone)]
pub struct LearnedPolicy {
    /// The predictor.
    pub predictor: MovePredictor,
    /// Won visits of a move of probability 1; with 0 the probabilities only order the moves.
    pub visits: f32,
}

/// A model that predicts the probabilities of moves.
#[derive(Clone)]
pub enum MovePredictor {
    /// The strengths of their features.
    Strengths(Arc<MoveStrengths>),
    /// A policy and value network.
    Net {
        /// The network.
        net: Arc<BoardNet>,
        /// The weight of its value.
        value_mix: ValueMix,
    },
}

/// The weight of a network's value beside the result of a playout.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ValueMix {
    /// The share before it fades.
    pub share: ValueShare,
    /// Whether it fades as the board fills. The network understands fights that playouts get wrong, but
    /// cannot count: late in the game playouts decide the last points better.
    pub fades: bool,
}

/// The share of the network in a value.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum ValueShare {
    /// From 0 to 1, on all boards.
    Fixed(f32),
    /// The best shares against GNU Go: larger for large boards, where playouts know less.
    BySize,
}

impl ValueShare {
    /// The share on a board of this size.
    fn on(self, size: usize) -> f32 {
        match self {
            ValueShare::Fixed(weight) => weight,
            ValueShare::BySize if size <= 11 => 0.5,
            ValueShare::BySize => 0.8,
        }
    }
}

impl ValueMix {
    /// Share of empty points at which a fading value has no weight left.
    const FADED_OUT_EMPTY_SHARE: f32 = 0.2;
    /// Share of empty points down to which it has its full weight.
    const FULL_WEIGHT_EMPTY_SHARE: f32 = 0.6;

    /// A value without weight.
    const NONE: ValueMix = ValueMix { share: ValueShare::Fixed(0.0), fades: false };

    /// The factor left of the share in `position`, from 0 to 1.
    fn fade(self, position: &Go) -> f32 {
        if !self.fades {
            return 1.0;
        }
        let board = position.board();
        let empty = board.empties().len() as f32 / (board.size() * board.size()) as f32;
        let (faded_out, full) = (Self::FADED_OUT_EMPTY_SHARE, Self::FULL_WEIGHT_EMPTY_SHARE);
        ((empty - faded_out) / (full - faded_out)).clamp(0.0, 1.0)
    }
}

impl LearnedPolicy {
    /// The prior of a move with this probability: won visits in proportion to its square root, which
    /// leaves unlikely moves more of them than the probability would (after Pachi).
    fn prior(&self, probability: f32) -> Prior {
        let worth = probability.sqrt();
        match self.visits {
            0.0 => Prior { value: 2.0 * worth - 1.0, visits: 0.0 },
            visits => Prior { value: 1.0, visits: visits * worth },
        }
    }
}

/// The value of the network for a position.
struct NetValue {
    /// From -1 to 1 for the side to move.
    value: f32,
    /// Its share of the value of a simulation.
    weight: f32,
    /// The factor left as the board fills.
    fade: f32,
}

/// Playouts and priors with learned move probabilities and the value of a network.
pub struct LearnedLeafEvaluator {
    base: GoLeafEvaluator,
    learned: Option<LearnedPolicy>,
    /// The network, if that is the predictor.
    net: Option<CachedNet>,
    value_mix: ValueMix,
    /// The probabilities of the moves of the current position.
    probabilities: Vec<f32>,
}

impl LearnedLeafEvaluator {
    /// The playouts and priors of `base` with the `learned` policy, if there is one.
    pub fn new(base: GoLeafEvaluator, learned: Option<LearnedPolicy>) -> LearnedLeafEvaluator {
        let (net, value_mix) = match learned.as_ref().map(|learned| &learned.predictor) {
            Some(MovePredictor::Net { net, value_mix }) => {
                (Some(CachedNet::new(Arc::clone(net))), *value_mix)
            }
            _ => (None, ValueMix::NONE),
        };
        LearnedLeafEvaluator { base, learned, net, value_mix, probabilities: Vec::new() }
    }

    /// The value of the network, if it has any weight.
    fn net_value(&mut self, position: &Go) -> Option<NetValue> {
        let fade = self.value_mix.fade(position);
        let weight = self.value_mix.share.on(position.board().size()) * fade;
        let value = self.net.as_mut().filter(|_| weight > 0.0)?.value(position)?;
        Some(NetValue { value, weight, fade })
    }

    /// Computes the probabilities of `moves`; false without a predictor.
    fn predict_moves(&mut self, position: &Go, moves: &[GoMove]) -> bool {
        let Some(learned) = &self.learned else { return false };
        match (&learned.predictor, &mut self.net) {
            (MovePredictor::Strengths(strengths), _) => {
                strengths.of_moves(position, moves, &mut self.probabilities);
            }
            (MovePredictor::Net { .. }, Some(net)) => {
                net.policy(position, moves, &mut self.probabilities);
            }
            (MovePredictor::Net { .. }, None) => return false,
        }
        let sum: f32 = self.probabilities.iter().sum();
        self.probabilities.iter_mut().for_each(|probability| *probability /= sum);
        true
    }
}

/// The visit-weighted mean of two priors. A prior without visits counts only beside another such.
fn merged(one: Prior, other: Prior) -> Prior {
    let visits = one.visits + other.visits;
    let value = match visits {
        0.0 => other.value,
        _ => (one.value * one.visits + other.value * other.visits) / visits,
    };
    Prior { value, visits }
}

impl LeafEvaluator<Go> for LearnedLeafEvaluator {
    fn simulate(
        &mut self,
        position: &Go,
        random: &mut Random,
        playout: &mut Playout<GoMove>,
    ) -> f32 {
        let played = self.base.simulate(position, random, playout);
        match self.net_value(position) {
            Some(net) => played + net.weight * (net.value - played),
            None => played,
        }
    }

    fn moves(&mut self, position: &Go, out: &mut Vec<GoMove>) {
        self.base.moves(position, out);
    }

    fn priors(&mut self, position: &Go, moves: &[GoMove], out: &mut Vec<Prior>) {
        let first = out.len();
        self.base.priors(position, moves, out);
        if !self.predict_moves(position, moves) {
            return;
        }
        out.resize(first + moves.len(), Prior { value: 0.0, visits: 0.0 });
        let priors = &mut out[first..];
        if let Some(net) = self.net_value(position) {
            // A move without any other prior has the value of the position.
            priors.iter_mut().for_each(|prior| prior.value = net.value * net.fade);
        }
        let Some(learned) = &self.learned else { return };
        for (prior, probability) in priors.iter_mut().zip(&self.probabilities) {
            *prior = merged(*prior, learned.prior(*probability));
        }
    }

    fn biases(&mut self, position: &Go, moves: &[GoMove], out: &mut Vec<f32>) {
        if self.predict_moves(position, moves) {
            out.extend(&self.probabilities);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{Notation, Options, Position, conformance::check_leaf_evaluator};
    use ludus_knowledge::go::{
        move_features::MoveFeatures, policy::PlayoutPolicy, priors::GoPriors,
    };

    fn start() -> Go {
        let options = Options::parse("go:size=9,komi=6.5", Go::OPTIONS).unwrap();
        Go::start(&options).unwrap()
    }

    fn base() -> GoLeafEvaluator {
        GoLeafEvaluator::new(PlayoutPolicy::strong(), GoPriors::none())
    }

    #[test]
    fn strong_moves_get_good_priors() {
        let strengths = Arc::new(MoveStrengths::parse("edge: first line = 0.125\n").unwrap());
        let (position, mut moves) = (start(), Vec::new());
        position.legal_moves(&mut moves);
        let features = MoveFeatures::new(&position);
        let all: Vec<f32> = moves.iter().map(|&mv| strengths.of(&features.of(mv))).collect();
        let sum: f32 = all.iter().sum();
        for visits in [0.0, 8.0] {
            let mut priors = Vec::new();
            let predictor = MovePredictor::Strengths(Arc::clone(&strengths));
            let mut evaluator =
                LearnedLeafEvaluator::new(base(), Some(LearnedPolicy { predictor, visits }));
            evaluator.priors(&position, &moves, &mut priors);
            assert_eq!(priors.len(), moves.len());
            for (prior, strength) in priors.iter().zip(&all) {
                let worth = (strength / sum).sqrt();
                let expected = match visits {
                    0.0 => Prior { value: 2.0 * worth - 1.0, visits },
                    _ => Prior { value: 1.0, visits: 8.0 * worth },
                };
                assert_eq!(*prior, expected);
            }
        }
        let mut priors = Vec::new();
        LearnedLeafEvaluator::new(base(), None).priors(&position, &moves, &mut priors);
        assert!(priors.is_empty(), "there is no prior");
    }

    #[test]
    fn priors_are_merged_by_their_visits() {
        let [one, other] = [(1.0, 9.0), (-0.5, 3.0)].map(|(value, visits)| Prior { value, visits });
        assert_eq!(merged(one, other), Prior { value: 0.625, visits: 12.0 });
        let none = |value| Prior { value, visits: 0.0 };
        assert_eq!((merged(one, none(-1.0)), merged(none(0.0), none(0.5))), (one, none(0.5)));
    }

    #[test]
    fn learned_evaluators_conform() {
        let strengths = Arc::new(MoveStrengths::parse("edge: first line = 0.125\n").unwrap());
        let net = Arc::new(BoardNet::new(1, &mut Random::new(1)));
        let value_mix = ValueMix { share: ValueShare::Fixed(0.5), fades: true };
        for predictor in
            [MovePredictor::Strengths(strengths), MovePredictor::Net { net, value_mix }]
        {
            let learned = Some(LearnedPolicy { predictor, visits: 8.0 });
            check_leaf_evaluator("go:size=5", 2, LearnedLeafEvaluator::new(base(), learned));
        }
    }

    #[test]
    fn a_network_gives_values_and_probabilities() {
        let net = Arc::new(BoardNet::new(1, &mut Random::new(1)));
        let evaluator = |weight| {
            let value_mix = ValueMix { share: ValueShare::Fixed(weight), fades: true };
            let predictor = MovePredictor::Net { net: Arc::clone(&net), value_mix };
            LearnedLeafEvaluator::new(base(), Some(LearnedPolicy { predictor, visits: 100.0 }))
        };
        let (position, mut moves) = (start(), Vec::new());
        position.legal_moves(&mut moves);
        let value = |weight| {
            evaluator(weight).simulate(&position, &mut Random::new(2), &mut Playout::default())
        };
        let (played, net_value) =
            (value(0.0), CachedNet::new(Arc::clone(&net)).value(&position).unwrap());
        assert_ne!(played, net_value);
        assert_eq!(value(1.0), net_value);
        assert!((value(0.25) - (0.75 * played + 0.25 * net_value)).abs() < 1e-6);
        let options = Options::parse("go:size=9,komi=0.5", Go::OPTIONS).unwrap();
        let other = Go::start(&options).unwrap();
        assert_eq!(
            CachedNet::new(Arc::clone(&net)).value(&other),
            None,
            "it is trained for one komi"
        );
        let (mut biases, mut priors) = (Vec::new(), Vec::new());
        evaluator(0.5).biases(&position, &moves, &mut biases);
        assert!((biases.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        evaluator(0.5).priors(&position, &moves, &mut priors);
        for (prior, probability) in priors.iter().zip(&biases) {
            assert!((prior.visits - 100.0 * probability.sqrt()).abs() < 1e-3);
        }
    }

    #[test]
    fn the_value_fades_as_the_board_fills() {
        let [fades, stays] =
            [true, false].map(|fades| ValueMix { share: ValueShare::BySize, fades });
        assert_eq!([9, 11, 12, 13, 19].map(|size| stays.share.on(size)), [0.5, 0.5, 0.8, 0.8, 0.8]);
        let mut position = start();
        let mut factors = Vec::new();
        for row in 1..=9 {
            factors.push([fades.fade(&position), stays.fade(&position)]);
            for column in ["A", "C", "D", "E", "F", "G", "H"] {
                position.play(position.parse_move(&format!("{column}{row}")).unwrap());
                position.play(GoMove::Pass);
            }
        }
        assert!(factors.iter().all(|factor| factor[1] == 1.0));
        assert!(factors.is_sorted_by(|one, other| one[0] >= other[0]));
        assert_eq!((factors[0][0], factors[4][0]), (1.0, 1.0), "28 of 81 points are taken");
        assert!((factors[6][0] - (39.0 / 81.0 - 0.2) / 0.4).abs() < 1e-5, "{factors:?}");
    }
}
