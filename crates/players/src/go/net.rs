//! The policy and value network of Go, as knowledge of a search.

use crate::settings::{self, text};
use ludus_core::{OptionSpec, Options, Position, TextError, position::mix};
use ludus_games::go::{Go, GoMove};
use ludus_knowledge::go::planes::{planes, policy_index};
use ludus_models::board_net::{BoardNet, BoardNetEvaluator, BoardNetOutput};
use std::{
    collections::HashMap,
    ops::RangeInclusive,
    sync::{Arc, LazyLock},
};

/// The option for the network.
pub const NET: OptionSpec =
    text("net", "on", "policy and value network: on, off, or a file from ludus train");

/// The network that the option `net` asks for, if any.
///
/// # Errors
/// If the file cannot be read.
pub fn of_options(options: &Options) -> Result<Option<Arc<BoardNet>>, TextError> {
    static READ: LazyLock<Result<Arc<BoardNet>, TextError>> = LazyLock::new(|| {
        BoardNet::from_bytes(ludus_data::go::NET, "the built-in network").map(Arc::new)
    });
    match options.text("net") {
        "off" => Ok(None),
        "on" => READ.clone().map(Some),
        file => {
            let bytes = settings::read_bytes("net", file)?;
            BoardNet::from_bytes(&bytes, file).map(|net| Some(Arc::new(net)))
        }
    }
}

/// The output of the network for a position.
#[derive(Clone)]
struct NetOutput {
    /// Probability that the side to move wins.
    win_probability: f32,
    /// Logits of the moves, by move number.
    logits: Box<[f32]>,
}

/// Bytes of the cache, more than a search of a few seconds needs.
const CACHE_BYTES: usize = 64 << 20;
/// Bytes of a cache entry besides its logits.
const ENTRY_OVERHEAD_BYTES: usize = 64;

/// Komi the networks are trained for, with some tolerance.
const TRAINED_KOMI: RangeInclusive<f32> = 5.0..=8.0;

/// A key of all the network's inputs, including the last moves, which are no part of a position's own
/// key. So the cache never changes an output.
fn cache_key(position: &Go) -> u64 {
    let number = |last| policy_index(position, GoMove::Play(last)) as u64;
    let last = position.last_moves().map(|last| last.map_or(u64::MAX, number));
    last.into_iter().fold(position.key(), |key, last| mix(key ^ last))
}

/// The network with a cache of its outputs.
pub struct CachedNet {
    net: Arc<BoardNet>,
    evaluator: BoardNetEvaluator,
    evaluation: BoardNetOutput,
    planes: Vec<u32>,
    cache: HashMap<u64, NetOutput>,
}

impl CachedNet {
    /// The network with an empty cache.
    pub fn new(net: Arc<BoardNet>) -> CachedNet {
        CachedNet {
            net,
            evaluator: BoardNetEvaluator::new(),
            evaluation: BoardNetOutput::default(),
            planes: Vec::new(),
            cache: HashMap::new(),
        }
    }

    /// The output for a position, from the cache if it is there.
    fn output(&mut self, position: &Go) -> &NetOutput {
        let points = position.board().size() * position.board().size();
        if self.cache.len() >= CACHE_BYTES / (size_of::<f32>() * points + ENTRY_OVERHEAD_BYTES) {
            self.cache.clear();
        }
        let CachedNet { net, evaluator, evaluation, planes: inputs, cache } = self;
        cache.entry(cache_key(position)).or_insert_with(|| {
            planes(position, inputs);
            evaluator.evaluate(net, position.board().size(), inputs, evaluation);
            NetOutput {
                win_probability: evaluation.winner,
                logits: evaluation.logits.as_slice().into(),
            }
        })
    }

    /// The expected result in `[-1, 1]` for the side to move; `None` if the network was not trained for
    /// the komi.
    pub fn value(&mut self, position: &Go) -> Option<f32> {
        let is_trained = TRAINED_KOMI.contains(&position.rules().komi());
        is_trained.then(|| 2.0 * self.output(position).win_probability - 1.0)
    }

    /// The policy: the probabilities of `moves`.
    pub fn policy(&mut self, position: &Go, moves: &[GoMove], out: &mut Vec<f32>) {
        let output = self.output(position);
        out.clear();
        out.extend(moves.iter().map(|&mv| output.logits[policy_index(position, mv)]));
        ludus_models::board_net::to_chances(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ludus_core::{Notation, Random};

    fn after(moves: &[&str]) -> Go {
        let options = Options::parse("go:size=9,komi=6.5", Go::OPTIONS).unwrap();
        let mut position = Go::start(&options).unwrap();
        for text in moves {
            position.play(position.parse_move(text).unwrap());
        }
        position
    }

    #[test]
    fn the_cache_does_not_change_an_output() {
        let net = Arc::new(BoardNet::new(1, &mut Random::new(1)));
        // The same stones, other last moves.
        let [one, other] =
            [["D4", "F6", "E3", "C7"], ["E3", "F6", "D4", "C7"]].map(|it| after(&it));
        assert_eq!(one.key(), other.key());
        let fresh = CachedNet::new(Arc::clone(&net)).value(&other);
        let mut cached = CachedNet::new(net);
        cached.value(&one);
        assert_eq!(cached.value(&other), fresh);
    }

    #[test]
    fn the_built_in_network_sees_captures_and_the_winner() {
        let net = Arc::new(BoardNet::from_bytes(ludus_data::go::NET, "built in").unwrap());
        // White's two stones have one liberty left.
        let position = after(&["D4", "D5", "C5", "E5", "D6", "A1", "E6", "A2", "F5", "A3"]);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut probabilities = Vec::new();
        let mut cached = CachedNet::new(net);
        cached.policy(&position, &moves, &mut probabilities);
        let capture = position.parse_move("E4").unwrap();
        let at = moves.iter().position(|&mv| mv == capture).unwrap();
        assert!(probabilities[at] > 2.0 / moves.len() as f32, "{}", probabilities[at]);
        assert!(cached.value(&position).unwrap() > 0.7, "White is losing");
    }
}
