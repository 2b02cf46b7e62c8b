//! Playouts and priors of Go with what was learned: how likely moves are, and who wins.

use crate::{go_net::Oracle, move_strengths::MoveStrengths};
use ludus_core::{LeafEvaluator, Playout, Prior, Random};
use ludus_games::go::{Go, Move, guide::GoGuide};
use ludus_models::board_net::BoardNet;
use std::sync::Arc;

/// What a guide has learned, and how much it counts.
#[derive(Clone)]
pub struct Learned {
    /// How likely moves are.
    pub likely: Likely,
    /// Won visits of a move that is sure to be made; with 0 they only tell which moves come first.
    pub visits: f32,
}

/// Who says how likely moves are.
#[derive(Clone)]
pub enum Likely {
    /// The strengths of their features.
    Strengths(Arc<MoveStrengths>),
    /// A network, which says also who wins.
    Net {
        /// The network.
        net: Arc<BoardNet>,
        /// How much its word on the winner counts.
        word: Word,
    },
}

/// How much a network's word on the winner counts beside a playout.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Word {
    /// How much it counts as long as it counts in full.
    pub weight: Weight,
    /// Whether it counts less as the board fills. The network sees fights that playouts get wrong, but
    /// cannot count: late in the game playouts tell a point more from a point less.
    pub fades: bool,
}

/// The part of a value that is the network's.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Weight {
    /// From 0 to 1, on all boards.
    Fixed(f32),
    /// What did best against GNU Go: the larger the board, the less a playout knows.
    BySize,
}

impl Weight {
    /// On a board of this size.
    fn on(self, size: usize) -> f32 {
        match self {
            Weight::Fixed(weight) => weight,
            Weight::BySize if size <= 11 => 0.5,
            Weight::BySize => 0.8,
        }
    }
}

impl Word {
    /// With this share of the points empty, or less, a word that fades counts nothing.
    const SETTLED: f32 = 0.2;
    /// With this share or more it counts in full.
    const OPEN: f32 = 0.6;

    /// A word that never counts.
    const NONE: Word = Word { weight: Weight::Fixed(0.0), fades: false };

    /// What is left of it in `position`, from 0 to 1.
    fn left(self, position: &Go) -> f32 {
        if !self.fades {
            return 1.0;
        }
        let board = position.board();
        let empty = board.empties().len() as f32 / (board.size() * board.size()) as f32;
        ((empty - Self::SETTLED) / (Self::OPEN - Self::SETTLED)).clamp(0.0, 1.0)
    }
}

impl Learned {
    /// What is known of a move that is made with this probability: so many won visits, but not as
    /// few for a doubtful move as the probability itself would give (a form of Pachi's).
    fn prior(&self, probability: f32) -> Prior {
        let worth = probability.sqrt();
        match self.visits {
            0.0 => Prior { value: 2.0 * worth - 1.0, visits: 0.0 },
            visits => Prior { value: 1.0, visits: visits * worth },
        }
    }
}

/// What the network says of a winner.
struct Said {
    /// From -1 to 1 for the side to move.
    value: f32,
    /// The part of a simulation's value that it is.
    weight: f32,
    /// What is left of its word as the board fills.
    left: f32,
}

/// A guide that has learned something.
pub struct LearnedGuide {
    base: GoGuide,
    learned: Option<Learned>,
    /// The network, if that is what has learned.
    oracle: Option<Oracle>,
    word: Word,
    /// How likely the moves at hand are.
    chances: Vec<f32>,
}

impl LearnedGuide {
    /// The playouts and priors of `base` with what was `learned`, if anything.
    pub fn new(base: GoGuide, learned: Option<Learned>) -> LearnedGuide {
        let (oracle, word) = match learned.as_ref().map(|learned| &learned.likely) {
            Some(Likely::Net { net, word }) => (Some(Oracle::new(Arc::clone(net))), *word),
            _ => (None, Word::NONE),
        };
        LearnedGuide { base, learned, oracle, word, chances: Vec::new() }
    }

    /// What the network says of the winner, how much that counts, and what is left of its word, if
    /// that counts at all.
    fn winner(&mut self, position: &Go) -> Option<Said> {
        let left = self.word.left(position);
        let weight = self.word.weight.on(position.board().size()) * left;
        let value = self.oracle.as_mut().filter(|_| weight > 0.0)?.value(position)?;
        Some(Said { value, weight, left })
    }

    /// Finds out how likely moves are; false if nobody can say.
    fn find_chances(&mut self, position: &Go, moves: &[Move]) -> bool {
        let Some(learned) = &self.learned else { return false };
        match (&learned.likely, &mut self.oracle) {
            (Likely::Strengths(strengths), _) => {
                strengths.of_moves(position, moves, &mut self.chances);
            }
            (Likely::Net { .. }, Some(oracle)) => {
                oracle.chances(position, moves, &mut self.chances);
            }
            (Likely::Net { .. }, None) => return false,
        }
        let sum: f32 = self.chances.iter().sum();
        self.chances.iter_mut().for_each(|chance| *chance /= sum);
        true
    }
}

/// Two opinions of one move. One that is worth no visits counts only beside another such.
fn joined(one: Prior, other: Prior) -> Prior {
    let visits = one.visits + other.visits;
    let value = match visits {
        0.0 => other.value,
        _ => (one.value * one.visits + other.value * other.visits) / visits,
    };
    Prior { value, visits }
}

impl LeafEvaluator<Go> for LearnedGuide {
    fn simulate(&mut self, position: &Go, random: &mut Random, playout: &mut Playout<Move>) -> f32 {
        let played = self.base.simulate(position, random, playout);
        match self.winner(position) {
            Some(said) => played + said.weight * (said.value - played),
            None => played,
        }
    }

    fn moves(&mut self, position: &Go, out: &mut Vec<Move>) {
        self.base.moves(position, out);
    }

    fn priors(&mut self, position: &Go, moves: &[Move], out: &mut Vec<Prior>) {
        let first = out.len();
        self.base.priors(position, moves, out);
        if !self.find_chances(position, moves) {
            return;
        }
        out.resize(first + moves.len(), Prior { value: 0.0, visits: 0.0 });
        let priors = &mut out[first..];
        if let Some(said) = self.winner(position) {
            // A move that nothing else is known of is as good as the position.
            priors.iter_mut().for_each(|prior| prior.value = said.value * said.left);
        }
        let Some(learned) = &self.learned else { return };
        for (prior, chance) in priors.iter_mut().zip(&self.chances) {
            *prior = joined(*prior, learned.prior(*chance));
        }
    }

    fn biases(&mut self, position: &Go, moves: &[Move], out: &mut Vec<f32>) {
        if self.find_chances(position, moves) {
            out.extend(&self.chances);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{Notation, Options, Position};
    use ludus_games::go::{move_features::MoveFeatures, policy::Policy, priors::Priors};

    fn start() -> Go {
        let options = Options::parse("go:size=9,komi=6.5", Go::OPTIONS).unwrap();
        Go::start(&options).unwrap()
    }

    fn base() -> GoGuide {
        GoGuide::new(Policy::strong(), Priors::none())
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
            let likely = Likely::Strengths(Arc::clone(&strengths));
            let mut guide = LearnedGuide::new(base(), Some(Learned { likely, visits }));
            guide.priors(&position, &moves, &mut priors);
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
        LearnedGuide::new(base(), None).priors(&position, &moves, &mut priors);
        assert!(priors.is_empty(), "nobody knows anything");
    }

    #[test]
    fn opinions_are_joined_by_their_visits() {
        let [one, other] = [(1.0, 9.0), (-0.5, 3.0)].map(|(value, visits)| Prior { value, visits });
        assert_eq!(joined(one, other), Prior { value: 0.625, visits: 12.0 });
        let none = |value| Prior { value, visits: 0.0 };
        assert_eq!((joined(one, none(-1.0)), joined(none(0.0), none(0.5))), (one, none(0.5)));
    }

    #[test]
    fn a_network_says_who_wins_and_what_is_likely() {
        let net = Arc::new(BoardNet::new(1, &mut Random::new(1)));
        let guide = |weight| {
            let word = Word { weight: Weight::Fixed(weight), fades: true };
            let likely = Likely::Net { net: Arc::clone(&net), word };
            LearnedGuide::new(base(), Some(Learned { likely, visits: 100.0 }))
        };
        let (position, mut moves) = (start(), Vec::new());
        position.legal_moves(&mut moves);
        let value = |weight| {
            guide(weight).simulate(&position, &mut Random::new(2), &mut Playout::default())
        };
        let (played, said) = (value(0.0), Oracle::new(Arc::clone(&net)).value(&position).unwrap());
        assert_ne!(played, said);
        assert_eq!(value(1.0), said);
        assert!((value(0.25) - (0.75 * played + 0.25 * said)).abs() < 1e-6);
        let options = Options::parse("go:size=9,komi=0.5", Go::OPTIONS).unwrap();
        let other = Go::start(&options).unwrap();
        assert_eq!(Oracle::new(Arc::clone(&net)).value(&other), None, "it knows one komi");
        let (mut biases, mut priors) = (Vec::new(), Vec::new());
        guide(0.5).biases(&position, &moves, &mut biases);
        assert!((biases.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        guide(0.5).priors(&position, &moves, &mut priors);
        for (prior, chance) in priors.iter().zip(&biases) {
            assert!((prior.visits - 100.0 * chance.sqrt()).abs() < 1e-3);
        }
    }

    #[test]
    fn a_word_fades_as_the_board_fills() {
        let [fades, stays] = [true, false].map(|fades| Word { weight: Weight::BySize, fades });
        assert_eq!(
            [9, 11, 12, 13, 19].map(|size| stays.weight.on(size)),
            [0.5, 0.5, 0.8, 0.8, 0.8]
        );
        let mut position = start();
        let mut lefts = Vec::new();
        for row in 1..=9 {
            lefts.push([fades.left(&position), stays.left(&position)]);
            for column in ["A", "C", "D", "E", "F", "G", "H"] {
                position.play(position.parse_move(&format!("{column}{row}")).unwrap());
                position.play(Move::Pass);
            }
        }
        assert!(lefts.iter().all(|left| left[1] == 1.0));
        assert!(lefts.is_sorted_by(|one, other| one[0] >= other[0]));
        assert_eq!((lefts[0][0], lefts[4][0]), (1.0, 1.0), "28 of 81 points are taken");
        assert!((lefts[6][0] - (39.0 / 81.0 - 0.2) / 0.4).abs() < 1e-5, "{lefts:?}");
    }
}
