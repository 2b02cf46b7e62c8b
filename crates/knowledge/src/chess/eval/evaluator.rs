//! The evaluation as searches use it: the same sum as [`LinearEvaluator`]'s, faster.
//!
//! Pawns and kings move seldom, so the terms that depend on them alone are kept in a pawn hash
//! table (as in Crafty and most programs since).

use super::{
    SideViews,
    bitboards::PawnStructure,
    counter::{PackedWeights, WeightSum},
};
use crate::chess::ChessKnowledge;
use cozy_chess::{BitBoard, Color, Piece, Square};
use ludus_core::{
    Evaluator, HandcraftedEval, Position, Score,
    eval::EvalPart,
    linear::{LinearEval, LinearEvaluator, Weights, WithWeights, pack, unpack},
};
use ludus_games::chess::Chess;
use std::sync::Arc;

/// The handcrafted evaluation of chess with its weights and a pawn hash table; equal to
/// [`LinearEvaluator`] with the same weights.
pub struct ChessEval {
    linear: LinearEvaluator<ChessKnowledge>,
    weights: Arc<PackedWeights>,
    /// Allocated at the first evaluation: many evaluators are only used to explain.
    pawn_table: Option<Box<PawnTable>>,
}

/// The clone starts with an empty pawn hash table.
impl Clone for ChessEval {
    fn clone(&self) -> ChessEval {
        let (linear, weights) = (self.linear.clone(), Arc::clone(&self.weights));
        ChessEval { linear, weights, pawn_table: None }
    }
}

impl ChessEval {
    /// Creates the evaluation with these weights, one for each term.
    pub fn new(weights: &Weights) -> ChessEval {
        let linear = LinearEvaluator::new(weights);
        let mut packed = [0; _];
        for (packed, &weight) in packed.iter_mut().zip(&weights.terms) {
            *packed = pack(weight);
        }
        ChessEval { linear, weights: Arc::new(packed), pawn_table: None }
    }
}

impl WithWeights for ChessEval {
    fn with_weights(weights: &Weights) -> ChessEval {
        ChessEval::new(weights)
    }

    fn weights(&self) -> Weights {
        self.linear.weights()
    }
}

impl Evaluator<Chess> for ChessEval {
    #[inline]
    fn evaluate(&mut self, position: &Chess) -> Score {
        let pawn_table = self.pawn_table.get_or_insert_with(empty_pawn_table);
        let key = PawnKey::of(position);
        let entry = &mut pawn_table[key.slot()];
        // The entry is fetched from memory while the bitboards are built.
        let known = (entry.pawns, entry.kings) == (key.pawns, key.kings);
        let board = SideViews::of(position);
        if !known {
            *entry = pawn_entry(key, &board, &self.weights);
        }
        let (pawn_structures, sum) = (entry.pawn_structures(), entry.sum);
        let mut counter = WeightSum { weights: &self.weights, sum };
        board.pieces(&pawn_structures, &mut counter);
        let value = unpack(counter.sum).at(ChessKnowledge::phase(position));
        let value = ChessKnowledge::scale_drawish(position, value);
        Score::evaluation(value * position.turn().sign())
    }
}

impl HandcraftedEval<Chess> for ChessEval {
    #[inline]
    fn phase(&self, position: &Chess) -> i32 {
        ChessKnowledge::phase(position)
    }

    fn explain(&self, position: &Chess) -> Vec<EvalPart> {
        self.linear.explain(position)
    }
}

/// Entries of one cache line each, 128 KiB in all: the table fits into the second-level cache.
const PAWN_TABLE_BITS: u32 = 11;

type PawnTable = [PawnEntry; 1 << PAWN_TABLE_BITS];

/// Pawns and kings as White sees them.
#[derive(Copy, Clone)]
struct PawnKey {
    pawns: [BitBoard; 2],
    kings: [Square; 2],
}

#[derive(Copy, Clone)]
#[repr(align(64))]
struct PawnEntry {
    // The key.
    pawns: [BitBoard; 2],
    kings: [Square; 2],
    open_files: [u8; 2],
    passed: [BitBoard; 2],
    outposts: [BitBoard; 2],
    sum: i64,
}

const _: () = assert!(size_of::<PawnEntry>() == 64);

fn empty_pawn_table() -> Box<PawnTable> {
    // No board has both kings on one square.
    let (kings, none) = ([Square::A1; 2], [BitBoard::EMPTY; 2]);
    let nothing =
        PawnEntry { pawns: none, kings, open_files: [0; 2], passed: none, outposts: none, sum: 0 };
    let pawn_table = vec![nothing; 1 << PAWN_TABLE_BITS].into_boxed_slice();
    pawn_table.try_into().unwrap_or_else(|_| unreachable!("the slice has this length"))
}

impl PawnKey {
    #[inline(always)]
    fn of(position: &Chess) -> PawnKey {
        let board = position.board();
        let sides = [Color::White, Color::Black];
        PawnKey {
            pawns: sides.map(|colour| board.colored_pieces(colour, Piece::Pawn)),
            kings: sides.map(|colour| board.king(colour)),
        }
    }

    #[inline(always)]
    fn slot(self) -> usize {
        let [white, black] = self.pawns;
        let kings = (self.kings[0] as u64) << 6 | self.kings[1] as u64;
        let mixed = (white.0.wrapping_mul(0x9E37_79B9_7F4A_7C15))
            .wrapping_add(black.0.wrapping_mul(0xC2B2_AE3D_27D4_EB4F))
            .wrapping_add(kings.wrapping_mul(0xD6E8_FEB8_6659_FD93));
        (mixed >> (u64::BITS - PAWN_TABLE_BITS)) as usize
    }
}

impl PawnEntry {
    #[inline(always)]
    fn pawn_structures(&self) -> [PawnStructure; 2] {
        [0, 1].map(|side| PawnStructure {
            passed: self.passed[side],
            outposts: self.outposts[side],
            open_files: i32::from(self.open_files[side]),
        })
    }
}

#[cold]
#[inline(never)]
fn pawn_entry(key: PawnKey, board: &SideViews, weights: &PackedWeights) -> PawnEntry {
    let mut counter = WeightSum { weights, sum: 0 };
    let [white, black] = board.pawn_structures(&mut counter);
    PawnEntry {
        pawns: key.pawns,
        kings: key.kings,
        open_files: [white.open_files as u8, black.open_files as u8],
        passed: [white.passed, black.passed],
        outposts: [white.outposts, black.outposts],
        sum: counter.sum,
    }
}
