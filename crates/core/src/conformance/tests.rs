//! The kit on a small game with faults: every one of them must be found, and named.

use super::{check, check_leaf_evaluator};
use crate::{
    LeafEvaluator, Notation, Options, Outcome, Playout, Position, Prior, Random, Side, TextError,
    position::mix,
};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Cells of the ring.
const CELLS: u8 = 5;

/// Two tokens on a ring; a side moves its own by one cell, and wins on that of the other.
/// `FAULT` is the fault of the game, 0 for none.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Ring<const FAULT: u8> {
    tokens: [u8; 2],
    turn: Side,
}

const INDEX_TOO_GREAT: u8 = 1;
const SHARED_INDEX: u8 = 2;
const NO_REVERSIBLE_PLIES: u8 = 3;
const MARGIN_OF_THE_OTHER: u8 = 4;
const ROLLOUT_OF_THE_OTHER: u8 = 5;
const ROLLOUT_WITH_A_GAP: u8 = 6;
const TAGS_OF_NOTHING: u8 = 7;
const ROLLOUT_CUT: u8 = 8;
const INDEX_CHANGES: u8 = 9;

impl<const FAULT: u8> Position for Ring<FAULT> {
    /// 0 for back, 1 for forth.
    type Move = u8;

    fn turn(&self) -> Side {
        self.turn
    }

    fn legal_moves(&self, out: &mut Vec<u8>) {
        if self.outcome().is_none() {
            out.extend([0, 1]);
        }
    }

    fn play(&mut self, mv: u8) {
        let token = &mut self.tokens[self.turn.index()];
        *token = (*token + if mv == 1 { 1 } else { CELLS - 1 }) % CELLS;
        self.turn = !self.turn;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.tokens[0] == self.tokens[1]).then_some(Outcome::Win(!self.turn))
    }

    fn key(&self) -> u64 {
        let [first, second] = self.tokens.map(u64::from);
        mix(1 + self.turn.index() as u64 + 2 * first + 16 * second)
    }

    fn reversible_plies(&self) -> usize {
        if FAULT == NO_REVERSIBLE_PLIES { 0 } else { usize::MAX }
    }

    fn margin(&self) -> Option<f32> {
        let sign = if FAULT == MARGIN_OF_THE_OTHER { -3.0 } else { 3.0 };
        self.outcome().map(|outcome| sign * outcome.value(Side::First))
    }

    fn recorded_rollout(
        &self,
        random: &mut Random,
        moves: &mut Vec<u8>,
        played: &mut Vec<u8>,
    ) -> Outcome {
        let mut position = *self;
        while position.outcome().is_none() {
            moves.clear();
            position.legal_moves(moves);
            let mv = random.pick(moves).expect("a game that goes on has moves");
            position.play(mv);
            played.push(mv);
        }
        let outcome = position.outcome().expect("the game is over");
        match FAULT {
            ROLLOUT_OF_THE_OTHER => Outcome::Win(position.turn()),
            ROLLOUT_WITH_A_GAP => {
                played.push(0);
                outcome
            }
            ROLLOUT_CUT => {
                played.clear();
                outcome
            }
            _ => outcome,
        }
    }

    fn move_count(&self) -> usize {
        2
    }

    fn move_index(&self, mv: u8) -> usize {
        match FAULT {
            INDEX_TOO_GREAT => usize::from(mv) + 1,
            SHARED_INDEX => 0,
            INDEX_CHANGES => usize::from(mv ^ self.turn.index() as u8),
            _ => usize::from(mv),
        }
    }
}

impl<const FAULT: u8> Notation for Ring<FAULT> {
    const ID: &'static str = "ring";

    fn start(_: &Options) -> Result<Self, TextError> {
        Ok(Ring { tokens: [0, 2], turn: Side::First })
    }

    fn parse(_: &Options, text: &str) -> Result<Self, TextError> {
        let cell = |byte: u8| byte.checked_sub(b'0').filter(|&cell| cell < CELLS);
        let read = || match *text.as_bytes() {
            [first, second, turn @ (b'a' | b'b')] => Some(Ring {
                tokens: [cell(first)?, cell(second)?],
                turn: Side::BOTH[usize::from(turn - b'a')],
            }),
            _ => None,
        };
        read().ok_or_else(|| TextError::whole("ring", text, "two cells and the side to move"))
    }

    fn text(&self) -> String {
        let [first, second] = self.tokens;
        format!("{first}{second}{}", ["a", "b"][self.turn.index()])
    }

    fn move_text(&self, mv: u8) -> String {
        ["back", "forth"][usize::from(mv)].to_owned()
    }

    fn record_tags(options: &Options) -> Vec<(&'static str, String)> {
        if FAULT == TAGS_OF_NOTHING { Vec::new() } else { vec![("Game", options.to_string())] }
    }
}

/// The message of the first violation that `check` finds.
fn violation(check: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(check)).expect_err("the fault must be found");
    match panic.downcast::<String>() {
        Ok(message) => *message,
        Err(panic) => panic.downcast::<&str>().expect("a message").to_string(),
    }
}

#[test]
fn faults_of_a_game_are_found() {
    fn found<const FAULT: u8>(expected: &str) {
        let message = violation(|| check::<Ring<FAULT>>("ring", 100));
        assert!(message.contains(expected), "fault {FAULT}: {message}");
    }
    check::<Ring<0>>("ring", 100);
    found::<INDEX_TOO_GREAT>("index 2 of forth is not below 2");
    found::<SHARED_INDEX>("share an index");
    found::<INDEX_CHANGES>("the index of back changed");
    found::<NO_REVERSIBLE_PLIES>("from before an irreversible move");
    found::<MARGIN_OF_THE_OTHER>("margin");
    found::<ROLLOUT_OF_THE_OTHER>("are judged rightly");
    found::<ROLLOUT_WITH_A_GAP>("playout move 0");
    found::<ROLLOUT_CUT>("led to an end");
    found::<TAGS_OF_NOTHING>("name no game");
}

/// A leaf evaluator with these moves, priors for each move and value.
struct Leaf {
    moves: Vec<u8>,
    priors: Vec<Prior>,
    biases: Vec<f32>,
    value: f32,
    playout: Vec<u8>,
}

impl LeafEvaluator<Ring<0>> for Leaf {
    fn simulate(&mut self, _: &Ring<0>, _: &mut Random, playout: &mut Playout<u8>) -> f32 {
        playout.moves.clone_from(&self.playout);
        self.value
    }

    fn moves(&mut self, _: &Ring<0>, out: &mut Vec<u8>) {
        out.extend(&self.moves);
    }

    fn priors(&mut self, _: &Ring<0>, _: &[u8], out: &mut Vec<Prior>) {
        out.extend(&self.priors);
    }

    fn biases(&mut self, _: &Ring<0>, _: &[u8], out: &mut Vec<f32>) {
        out.extend(&self.biases);
    }
}

#[test]
fn faults_of_leaf_evaluators_are_found() {
    let sound = || Leaf {
        moves: vec![1, 0],
        priors: vec![Prior { value: -1.0, visits: 0.0 }; 2],
        biases: vec![0.5, 1.0],
        value: 1.0,
        playout: vec![1],
    };
    let found = |leaf: Leaf, expected: &str| {
        let message = violation(|| check_leaf_evaluator("ring", 20, leaf));
        assert!(message.contains(expected), "{message}");
    };
    check_leaf_evaluator("ring", 20, sound());
    found(Leaf { moves: Vec::new(), ..sound() }, "no move of the tree");
    found(Leaf { moves: vec![2], ..sound() }, "illegal");
    found(Leaf { moves: vec![1, 1], ..sound() }, "twice");
    found(Leaf { moves: vec![1], ..sound() }, "2 priors, 1 moves");
    let prior = Prior { value: 0.0, visits: -1.0 };
    found(Leaf { priors: vec![prior; 2], ..sound() }, "visits: -1.0");
    found(Leaf { biases: vec![0.0], ..sound() }, "1 biases, 2 moves");
    found(Leaf { biases: vec![0.0, f32::NAN], ..sound() }, "NaN");
    found(Leaf { value: 1.1, ..sound() }, "the expected result is 1.1");
    found(Leaf { playout: vec![2], ..sound() }, "playout move 2");
}
