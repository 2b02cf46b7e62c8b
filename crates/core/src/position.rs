//! The game interface of search algorithms.

use crate::{EndReason, History, Outcome, Random, Side};
use std::fmt::Debug;

/// A playable position, with the rules of its game. Positions are values: playing a move changes a
/// copy, nothing is undone.
///
/// Sides strictly alternate: a pass is a move and a multi-jump is one move, so a negamax search
/// needs no special case.
///
/// A game must implement the [rules](Position::legal_moves): [`Move`](Position::Move),
/// [`turn`](Position::turn), [`legal_moves`](Position::legal_moves), [`play`](Position::play),
/// [`outcome`](Position::outcome) and [`key`](Position::key). The rest has defaults:
///
/// - **symmetries**, for evaluations: no game is taken to have any;
/// - **endings** that the board alone does not show, for games with draws by rule or repetition;
/// - **playouts**: uniformly random games, for games that can play them faster;
/// - **move indices**, for policies and RAVE.
pub trait Position: Clone + Eq + Send + Sync + 'static {
    /// Small and `Copy`; a pass is a move like any other.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;

    /// Whether published perft tables of this game count a game that ended before the last ply as one
    /// leaf (Reversi's do, those of most games do not).
    const PERFT_COUNTS_ENDED_GAMES: bool = false;

    /// The side to move.
    fn turn(&self) -> Side;

    /// Appends every legal move once, in a fixed order. Appends none if and only if the board
    /// itself ends the game. Existing elements of `out` are kept.
    fn legal_moves(&self, out: &mut Vec<Self::Move>);

    /// Number of legal moves; overridden where counting is
    /// cheaper than listing.
    fn count_moves(&self) -> usize {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.len()
    }

    /// Plays `mv`, which must be legal; this may be debug-asserted. Untrusted text goes through
    /// [`Notation::parse_move`](crate::Notation::parse_move) first.
    fn play(&mut self, mv: Self::Move);

    /// The position after `mv`.
    #[inline]
    fn after(&self, mv: Self::Move) -> Self {
        let mut next = self.clone();
        next.play(mv);
        next
    }

    /// The outcome, as far as the board alone shows it: `Some` if and only if there is no legal
    /// move. [`ending`](Position::ending) adds draws by rule and by repetition.
    fn outcome(&self) -> Option<Outcome>;

    /// Hash key: a 64-bit hash of everything `Eq` compares.
    fn key(&self) -> u64;

    /// A second, independent hash with which transposition tables verify their entries. The default
    /// derives it from [`key`](Position::key) and suits only games whose key cannot collide.
    fn verification_key(&self) -> u32 {
        (self.key().wrapping_mul(0x9E6C_63D0_876A_3F6B) >> 32) as u32
    }

    // Symmetries.

    /// The position with colours flipped: sides exchanged and the board turned to match, in games
    /// that have this symmetry.
    fn colour_flipped(&self) -> Option<Self> {
        None
    }

    /// The same board with the other side to move, in games in which every board allows that and the
    /// moves of both sides differ. Mobility evaluations use it.
    fn other_to_move(&self) -> Option<Self> {
        None
    }

    // Endings. The defaults suit a game that always ends on the board.

    /// Number of occurrences of a position that make a draw, if the game has that rule.
    const REPETITION_LIMIT: Option<usize> = None;

    /// A draw by rule although legal moves remain, as far as this position shows it: insufficient
    /// material, or a no-progress counter kept beside the board, outside `Eq` and key. Playouts call
    /// it at every ply, so it must be cheap.
    #[inline]
    fn rule_draw(&self) -> Option<EndReason> {
        None
    }

    /// Plies since the last irreversible move: no position further back equals this one or any that
    /// can follow.
    #[inline]
    fn reversible_plies(&self) -> usize {
        usize::MAX
    }

    /// The reason for the end, at a position that has an outcome.
    fn terminal_reason(&self) -> EndReason {
        EndReason::Board
    }

    /// The outcome of the game and the reason, or `None` while it is unfinished.
    fn ending(game: &History<Self>) -> Option<(Outcome, EndReason)> {
        let position = game.last();
        if let Some(outcome) = position.outcome() {
            return Some((outcome, position.terminal_reason()));
        }
        if let Some(reason) = position.rule_draw() {
            return Some((Outcome::Draw, reason));
        }
        let repeated = Self::REPETITION_LIMIT.is_some_and(|limit| game.repetitions() >= limit);
        repeated.then_some((Outcome::Draw, EndReason::Repetition))
    }

    /// Final score difference, first side minus second side, in games that count points.
    fn margin(&self) -> Option<f32> {
        None
    }

    // Playouts. The defaults work for every game; games override them with faster code, or where
    // uniformly random moves would not end the game (filling own eyes in Go).

    /// Plays random moves until the game ends and returns the result: a rollout. `moves` is the
    /// caller's buffer, so that rollouts do not allocate.
    fn rollout(&self, random: &mut Random, moves: &mut Vec<Self::Move>) -> Outcome {
        let mut position = self.clone();
        loop {
            moves.clear();
            position.legal_moves(moves);
            let Some(mv) = random.pick(moves) else { break };
            if position.rule_draw().is_some() {
                return Outcome::Draw;
            }
            position.play(mv);
        }
        position.outcome().expect("a position without moves has an outcome")
    }

    /// A rollout, slower, that appends its moves to `played`.
    fn recorded_rollout(
        &self,
        random: &mut Random,
        moves: &mut Vec<Self::Move>,
        played: &mut Vec<Self::Move>,
    ) -> Outcome {
        let mut position = self.clone();
        loop {
            moves.clear();
            position.legal_moves(moves);
            let Some(mv) = random.pick(moves) else { break };
            if position.rule_draw().is_some() {
                return Outcome::Draw;
            }
            played.push(mv);
            position.play(mv);
        }
        position.outcome().expect("a position without moves has an outcome")
    }

    // Move indices. By default all moves share one, which leaves RAVE without effect.

    /// Number of move indices, the same in every position of one game.
    fn move_count(&self) -> usize {
        1
    }

    /// The index of `mv`, the same in every position of one game. Legal moves of one position have
    /// different indices unless they start and end on the same cells.
    fn move_index(&self, _mv: Self::Move) -> usize {
        0
    }
}

/// Bit mixer (the finaliser of splitmix64): a bijection, so distinct values stay distinct.
///
/// Bitboard games compute their key from a few words with it on demand, which is cheaper than updating
/// a Zobrist key with every move.
#[inline]
pub const fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}
