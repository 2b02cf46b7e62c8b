//! A network that looks at positions of Go, as knowledge of a search: where to look, and who wins.

use crate::settings::{self, text};
use ludus_core::{OptionSpec, Options, Position, TextError, position::mix};
use ludus_games::go::{
    Go, Move,
    planes::{move_number, planes},
};
use ludus_models::board_net::{BoardNet, Evaluation, Evaluator};
use std::{
    collections::HashMap,
    ops::RangeInclusive,
    sync::{Arc, LazyLock},
};

const BUILT_IN: &[u8] = include_bytes!("../../../data/go/go.net");

/// The option for the network.
pub const NET: OptionSpec =
    text("net", "on", "the network that looks at positions: on, off, or a file from ludus train");

/// The network that the option `net` asks for, if any.
///
/// # Errors
/// If the file cannot be read.
pub fn of_options(options: &Options) -> Result<Option<Arc<BoardNet>>, TextError> {
    static READ: LazyLock<Result<Arc<BoardNet>, TextError>> =
        LazyLock::new(|| BoardNet::from_bytes(BUILT_IN, "the built-in network").map(Arc::new));
    match options.text("net") {
        "off" => Ok(None),
        "on" => READ.clone().map(Some),
        file => {
            let bytes = settings::read_bytes("net", file)?;
            BoardNet::from_bytes(&bytes, file).map(|net| Some(Arc::new(net)))
        }
    }
}

/// What was said of a position.
#[derive(Clone)]
struct Said {
    /// The chance of the side to move to win.
    winner: f32,
    /// Numbers of moves.
    logits: Box<[f32]>,
}

/// Bytes for what was said, more than a search of a few seconds needs.
const ROOM: usize = 64 << 20;
/// Bytes of a position beside the numbers of its moves.
const EACH: usize = 64;

/// The komi for which networks are taught, give or take a little.
const KOMI: RangeInclusive<f32> = 5.0..=8.0;

/// All that a network sees: the last moves too, which are no part of a position's own key. So what was
/// said before never changes what is said.
fn key(position: &Go) -> u64 {
    let number = |last| move_number(position, Move::Play(last)) as u64;
    let last = position.last_moves().map(|last| last.map_or(u64::MAX, number));
    last.into_iter().fold(position.key(), |key, last| mix(key ^ last))
}

/// A network that remembers what it said.
pub struct Oracle {
    net: Arc<BoardNet>,
    evaluator: Evaluator,
    evaluation: Evaluation,
    planes: Vec<u32>,
    said: HashMap<u64, Said>,
}

impl Oracle {
    /// One that has said nothing yet.
    pub fn new(net: Arc<BoardNet>) -> Oracle {
        Oracle {
            net,
            evaluator: Evaluator::new(),
            evaluation: Evaluation::default(),
            planes: Vec::new(),
            said: HashMap::new(),
        }
    }

    /// What it says of a position, which it looks at if it has not before.
    fn ask(&mut self, position: &Go) -> &Said {
        let points = position.board().size() * position.board().size();
        if self.said.len() >= ROOM / (size_of::<f32>() * points + EACH) {
            self.said.clear();
        }
        let Oracle { net, evaluator, evaluation, planes: seen, said } = self;
        said.entry(key(position)).or_insert_with(|| {
            planes(position, seen);
            evaluator.evaluate(net, position.board().size(), seen, evaluation);
            Said { winner: evaluation.winner, logits: evaluation.logits.as_slice().into() }
        })
    }

    /// The expected result in `[-1, 1]` for the side to move; `None` with a komi of which it has never
    /// heard.
    pub fn value(&mut self, position: &Go) -> Option<f32> {
        let is_known = KOMI.contains(&position.rules().komi());
        is_known.then(|| 2.0 * self.ask(position).winner - 1.0)
    }

    /// The chances of moves to be made.
    pub fn chances(&mut self, position: &Go, moves: &[Move], out: &mut Vec<f32>) {
        let said = self.ask(position);
        out.clear();
        out.extend(moves.iter().map(|&mv| said.logits[move_number(position, mv)]));
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
    fn what_was_said_before_does_not_change_what_is_said() {
        let net = Arc::new(BoardNet::new(1, &mut Random::new(1)));
        // The same stones, other last moves.
        let [one, other] =
            [["D4", "F6", "E3", "C7"], ["E3", "F6", "D4", "C7"]].map(|it| after(&it));
        assert_eq!(one.key(), other.key());
        let fresh = Oracle::new(Arc::clone(&net)).value(&other);
        let mut oracle = Oracle::new(net);
        oracle.value(&one);
        assert_eq!(oracle.value(&other), fresh);
    }

    #[test]
    fn what_is_built_in_sees_captures_and_who_wins() {
        let net = Arc::new(BoardNet::from_bytes(BUILT_IN, "built in").unwrap());
        // White's two stones have one liberty left.
        let position = after(&["D4", "D5", "C5", "E5", "D6", "A1", "E6", "A2", "F5", "A3"]);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let mut chances = Vec::new();
        let mut oracle = Oracle::new(net);
        oracle.chances(&position, &moves, &mut chances);
        let capture = position.parse_move("E4").unwrap();
        let at = moves.iter().position(|&mv| mv == capture).unwrap();
        assert!(chances[at] > 2.0 / moves.len() as f32, "{}", chances[at]);
        assert!(oracle.value(&position).unwrap() > 0.7, "White has nothing");
    }
}
