//! The evaluation as searches use it: the same sum as [`Linear`]'s, faster.
//!
//! Pawns and kings move seldom, so what depends on them alone is remembered (a pawn hash table, as
//! in Crafty and most programs since).

use super::{
    Board,
    ledger::{PackedWeights, Sum},
    men::Skeleton,
};
use crate::chess::position::Chess;
use cozy_chess::{BitBoard, Color, Piece, Square};
use ludus_core::{
    Evaluator, HandcraftedEval, Position, Score,
    eval::Part,
    linear::{Linear, LinearEval, Weights, WithWeights, pack, unpack},
};
use std::sync::Arc;

/// The hand evaluation of chess with its weights and a memory for pawns; equal to [`Linear`] with
/// the same weights.
pub struct ChessHand {
    linear: Linear<Chess>,
    weights: Arc<PackedWeights>,
    /// Made at the first evaluation: many hands are only asked to explain.
    memory: Option<Box<Memory>>,
}

/// The clone remembers nothing yet.
impl Clone for ChessHand {
    fn clone(&self) -> ChessHand {
        let (linear, weights) = (self.linear.clone(), Arc::clone(&self.weights));
        ChessHand { linear, weights, memory: None }
    }
}

impl ChessHand {
    /// The evaluation with these weights, one for each term.
    pub fn new(weights: &Weights) -> ChessHand {
        let linear = Linear::new(weights);
        let mut packed = [0; _];
        for (packed, &weight) in packed.iter_mut().zip(&weights.terms) {
            *packed = pack(weight);
        }
        ChessHand { linear, weights: Arc::new(packed), memory: None }
    }
}

impl WithWeights for ChessHand {
    fn with_weights(weights: &Weights) -> ChessHand {
        ChessHand::new(weights)
    }

    fn weights(&self) -> Weights {
        self.linear.weights()
    }
}

impl Evaluator<Chess> for ChessHand {
    #[inline]
    fn evaluate(&mut self, position: &Chess) -> Score {
        let memory = self.memory.get_or_insert_with(empty_memory);
        let key = Key::of(position);
        let entry = &mut memory[key.slot()];
        // What is remembered is on its way while the men are gathered.
        let known = (entry.pawns, entry.kings) == (key.pawns, key.kings);
        let board = Board::of(position);
        if !known {
            *entry = counted(key, &board, &self.weights);
        }
        let (skeletons, sum) = (entry.skeletons(), entry.sum);
        let mut ledger = Sum { weights: &self.weights, sum };
        board.pieces(&skeletons, &mut ledger);
        let value = position.damp(unpack(ledger.sum).at(position.phase()));
        Score::evaluation(value * position.turn().sign())
    }
}

impl HandcraftedEval<Chess> for ChessHand {
    #[inline]
    fn phase(&self, position: &Chess) -> i32 {
        position.phase()
    }

    fn explain(&self, position: &Chess) -> Vec<Part> {
        self.linear.explain(position)
    }
}

/// One cache line each, an eighth of a megabyte in all: it shares the second-level cache.
const MEMORY_BITS: u32 = 11;

type Memory = [Remembered; 1 << MEMORY_BITS];

/// Pawns and kings as White sees them.
#[derive(Copy, Clone)]
struct Key {
    pawns: [BitBoard; 2],
    kings: [Square; 2],
}

#[derive(Copy, Clone)]
#[repr(align(64))]
struct Remembered {
    /// The key's.
    pawns: [BitBoard; 2],
    kings: [Square; 2],
    open_files: [u8; 2],
    passed: [BitBoard; 2],
    outposts: [BitBoard; 2],
    sum: i64,
}

const _: () = assert!(size_of::<Remembered>() == 64);

fn empty_memory() -> Box<Memory> {
    // No board has both kings on one square.
    let (kings, none) = ([Square::A1; 2], [BitBoard::EMPTY; 2]);
    let nothing =
        Remembered { pawns: none, kings, open_files: [0; 2], passed: none, outposts: none, sum: 0 };
    let memory = vec![nothing; 1 << MEMORY_BITS].into_boxed_slice();
    memory.try_into().unwrap_or_else(|_| unreachable!("the slice has this length"))
}

impl Key {
    #[inline(always)]
    fn of(position: &Chess) -> Key {
        let board = &position.board;
        let sides = [Color::White, Color::Black];
        Key {
            pawns: sides.map(|color| board.colored_pieces(color, Piece::Pawn)),
            kings: sides.map(|color| board.king(color)),
        }
    }

    #[inline(always)]
    fn slot(self) -> usize {
        let [white, black] = self.pawns;
        let kings = (self.kings[0] as u64) << 6 | self.kings[1] as u64;
        let mixed = (white.0.wrapping_mul(0x9E37_79B9_7F4A_7C15))
            .wrapping_add(black.0.wrapping_mul(0xC2B2_AE3D_27D4_EB4F))
            .wrapping_add(kings.wrapping_mul(0xD6E8_FEB8_6659_FD93));
        (mixed >> (u64::BITS - MEMORY_BITS)) as usize
    }
}

impl Remembered {
    #[inline(always)]
    fn skeletons(&self) -> [Skeleton; 2] {
        [0, 1].map(|side| Skeleton {
            passed: self.passed[side],
            outposts: self.outposts[side],
            open_files: i32::from(self.open_files[side]),
        })
    }
}

#[cold]
#[inline(never)]
fn counted(key: Key, board: &Board, weights: &PackedWeights) -> Remembered {
    let mut ledger = Sum { weights, sum: 0 };
    let [white, black] = board.skeletons(&mut ledger);
    Remembered {
        pawns: key.pawns,
        kings: key.kings,
        open_files: [white.open_files as u8, black.open_files as u8],
        passed: [white.passed, black.passed],
        outposts: [white.outposts, black.outposts],
        sum: ledger.sum,
    }
}
