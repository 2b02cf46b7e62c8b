//! The network on a toy game: two sides put stones on sixteen squares and take them off again.

use ludus_core::{Eval, Evaluator, NnueInputs, Outcome, Position, Random, Score, Side};
use ludus_models::nnue::{
    CorrectedEval, Net, NnueEvaluator, NnueSamples, NnueSchedule, NnueTrainer, NnueTrainerState,
    Shape,
};
use std::sync::Arc;

const SQUARES: usize = 16;

/// The sets of both sides, and who is to move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Stones {
    planes: [u64; 2],
    moves: usize,
}

impl Position for Stones {
    type Move = u8;
    fn turn(&self) -> Side {
        Side::BOTH[self.moves % 2]
    }
    fn legal_moves(&self, out: &mut Vec<u8>) {
        out.extend(0..SQUARES as u8);
    }
    /// Puts a stone of the mover on the square, or clears it.
    fn play(&mut self, square: u8) {
        let (own, bit) = (self.moves % 2, 1 << square);
        if (self.planes[0] | self.planes[1]) & bit == 0 {
            self.planes[own] |= bit;
        } else {
            self.planes = self.planes.map(|plane| plane & !bit);
        }
        self.moves += 1;
    }
    fn outcome(&self) -> Option<Outcome> {
        None
    }
    fn key(&self) -> u64 {
        self.planes[0] << 32 | self.planes[1] << 1 | (self.moves as u64 & 1)
    }
}

impl NnueInputs for Stones {
    type Position = Stones;
    type Planes = [u64; 2];
    const INPUTS: usize = 2 * SQUARES;
    const ORIENTATIONS: usize = 2;
    const OUTPUT_BUCKETS: usize = 2;
    const EMPTY: [u64; 2] = [0; 2];

    /// Long games have rules of their own.
    fn has_nnue_inputs(position: &Stones) -> bool {
        position.moves < 1000
    }
    fn planes(position: &Stones) -> [u64; 2] {
        position.planes
    }
    /// The board is turned round for a side with a stone on the first square.
    fn orientation(position: &Stones, side: Side) -> usize {
        (position.planes[side.index()] & 1) as usize
    }
    fn input(side: Side, orientation: usize, plane: usize, square: usize) -> usize {
        let square = if orientation == 0 { square } else { SQUARES - 1 - square % SQUARES };
        (plane ^ side.index()) * SQUARES + square % SQUARES
    }
    fn output_bucket(position: &Stones) -> usize {
        usize::from((position.planes[0] | position.planes[1]).count_ones() > 6)
    }
    fn ply_hint(position: &Stones) -> usize {
        position.moves
    }
}

/// Stones in the middle count for their side, those near the edges against it.
fn truth(position: &Stones) -> f32 {
    let count = |plane: u64| plane.count_ones() as f32;
    let worth = |plane: u64| count(plane & 0x0FF0) - count(plane & 0xF00F);
    let [first, second] = position.planes.map(worth);
    let ahead = (first - second) * position.turn().sign() as f32;
    1.0 / (1.0 + (-0.5 * ahead).exp())
}

fn walk(random: &mut Random, steps: usize) -> Vec<Stones> {
    let mut position = Stones { planes: [0; 2], moves: random.below(40) };
    let step = |_| {
        position.play(random.below(SQUARES) as u8);
        position
    };
    (0..steps).map(step).collect()
}

fn samples(seed: u64, count: usize) -> NnueSamples {
    let mut samples = NnueSamples::new::<Stones>();
    for position in walk(&mut Random::new(seed), count) {
        samples.push::<Stones>(&position, truth(&position), 0.0);
    }
    samples
}

const SHAPE: Shape = Shape { inputs: Stones::INPUTS, output_buckets: Stones::OUTPUT_BUCKETS };
const SCHEDULE: NnueSchedule = NnueSchedule { epochs: 6, batch: 100, rate: 0.01, decay: 0.0 };

fn trained(threads: usize) -> (NnueTrainer, NnueTrainerState) {
    let trainer = NnueTrainer::new(SHAPE, SCHEDULE, 5, threads);
    let data = samples(1, 5000);
    let mut state = trainer.begin();
    for _ in 0..SCHEDULE.epochs {
        trainer.epoch(&mut state, &data);
    }
    (trainer, state)
}

#[test]
fn it_learns_what_stones_are_worth() {
    let (trainer, state) = trained(2);
    let unseen = samples(2, 1000);
    let before = trainer.error(&trainer.begin(), &unseen);
    let after = trainer.error(&state, &unseen);
    assert!(after < before / 20.0 && after < 0.002, "{before} -> {after}");
    let rounded = trainer.error(&trainer.rounded(&state), &unseen);
    assert!((rounded - after).abs() < 0.0005, "{after} -> {rounded} in integers");
}

#[test]
fn neither_threads_nor_interruptions_change_anything() {
    let (trainer, state) = trained(1);
    assert_eq!(trained(3).1, state);
    let data = samples(1, 5000);
    let mut pieces = trainer.begin();
    for _ in 0..SCHEDULE.epochs {
        let bytes = pieces.bytes(SHAPE);
        pieces = NnueTrainerState::from_bytes(&bytes, SHAPE).unwrap();
        trainer.epoch(&mut pieces, &data);
        for damaged in [&bytes[..bytes.len() - 1], &bytes[1..], &[]] {
            assert_eq!(NnueTrainerState::from_bytes(damaged, SHAPE), None);
        }
        let mut flipped = bytes.clone();
        flipped[bytes.len() / 2] ^= 1;
        assert_eq!(NnueTrainerState::from_bytes(&flipped, SHAPE), None);
        let other = Shape { output_buckets: 3, ..SHAPE };
        assert_eq!(NnueTrainerState::from_bytes(&bytes, other), None);
    }
    assert_eq!(pieces, state);
    let goes_on = trainer.begin_from(&state);
    let unseen = samples(3, 500);
    assert_eq!(trainer.error(&goes_on, &unseen), trainer.error(&state, &unseen));
}

#[test]
fn sums_brought_up_to_date_equal_sums_made_anew() {
    let trainer = NnueTrainer::new(SHAPE, SCHEDULE, 9, 1);
    let net = Arc::new(trainer.net(&trainer.begin(), 100));
    let mut evaluator = NnueEvaluator::<Stones>::new(net);
    let mut random = Random::new(4);
    let mut different = 0;
    for _ in 0..200 {
        // As a search does: deeper, back, and into other lines.
        for position in walk(&mut random, 12).into_iter().step_by(3) {
            let score = evaluator.evaluate(&position);
            assert_eq!(evaluator.clone().evaluate(&position), score, "{position:?}");
            different += usize::from(score.0 != 0);
        }
    }
    assert!(different > 100, "the network says something");
}

#[test]
fn what_is_judged_is_what_was_learned() {
    let (trainer, state) = trained(2);
    let mut evaluator = NnueEvaluator::<Stones>::new(Arc::new(trainer.net(&state, 100)));
    for position in walk(&mut Random::new(6), 300) {
        let mut one = NnueSamples::new::<Stones>();
        one.push::<Stones>(&position, 0.0, 0.0);
        // The error against 0 is the expected result squared.
        let expected = trainer.error(&trainer.rounded(&state), &one).sqrt();
        let score = f64::from(evaluator.evaluate(&position).0) / 100.0;
        let judged = 1.0 / (1.0 + (-score).exp());
        assert!((expected - judged).abs() < 0.005, "{position:?}: {expected} {judged}");
    }
}

#[test]
fn a_network_corrects_only_what_is_in_doubt() {
    let (trainer, state) = trained(2);
    let net = NnueEvaluator::<Stones>::new(Arc::new(trainer.net(&state, 100)));
    let position = *walk(&mut Random::new(8), 10).last().unwrap();
    let mut alone = net.clone();
    for base in [0, 150, -300] {
        let constant = move |_: &Stones| Score(base);
        let mut both = CorrectedEval { base: constant, net: net.clone() };
        assert_eq!(both.evaluate(&position).0, base + alone.evaluate(&position).0);
    }
    let mut sure = CorrectedEval { base: |_: &Stones| Score(1500), net: net.clone() };
    assert_eq!(sure.evaluate(&position).0, 1500);
    let mut other_rules = CorrectedEval { base: |_: &Stones| Score(150), net: net.clone() };
    let position_of_them = Stones { moves: 1000, ..position };
    assert_ne!(other_rules.evaluate(&position).0, 150);
    assert_eq!(other_rules.evaluate(&position_of_them).0, 150);
    let whole = Eval::Exact(Score(150));
    assert_eq!(other_rules.evaluate_within(&position_of_them, 500, 600), whole);
    // A window far from the base spares the network.
    let mut both = CorrectedEval { base: |_: &Stones| Score(200), net };
    let whole = Eval::Exact(both.evaluate(&position));
    assert_eq!(both.evaluate_within(&position, 150, 151), whole);
    assert_eq!(both.evaluate_within(&position, -200, 0), Eval::OutsideWindow(Score(200)));
    assert_eq!(both.evaluate_within(&position, 500, 600), Eval::OutsideWindow(Score(200)));
}

#[test]
fn files_come_back_and_wrong_ones_are_named() {
    let (trainer, state) = trained(1);
    let net = trainer.net(&state, 180);
    let bytes = net.to_bytes("made by a test\non two lines");
    let read = |bytes: &[u8]| Net::from_bytes(bytes, "toy.net", SHAPE);
    assert!(Net::is_one(&bytes) && !Net::is_one(b"[material]\n1/2"));
    assert_eq!(read(&bytes).unwrap(), net);
    let refused = |bytes: &[u8], part: &str| {
        let error = read(bytes).unwrap_err().to_string();
        assert!(error.contains("toy.net") && error.contains(part), "{error}");
    };
    refused(b"", "begins with");
    refused(b"ludus net 1 many\n", "begins with");
    refused(&bytes[..bytes.len() - 3], "bytes after the first line");
    refused(b"ludus net 1 32 7 2 100\n", "width 64");
    refused(b"ludus net 1 32 64 2 100\n", "bytes after the first line");
    refused(b"ludus net 1 32 64 2 0\n12345678", "a scale");
    let mut flipped = bytes.clone();
    let middle = bytes.len() / 2;
    flipped[middle] ^= 4;
    refused(&flipped, "damaged");
    let other = Net::from_bytes(&bytes, "toy.net", Shape { inputs: 768, output_buckets: 8 })
        .unwrap_err()
        .to_string();
    assert!(other.contains("768 inputs"), "{other}");
}
