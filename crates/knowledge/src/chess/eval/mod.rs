//! The evaluation, in hundredths of a pawn: linear in the weights of `data/hand/chess.txt`.
//!
//! One pass over the board counts everything for one side and then for the other, each side seeing
//! the board from its own edge; [`scale`] scales the sum down in endings that are hard to win.

mod bitboards;
mod counter;
mod evaluator;
mod king;
mod pawns;
mod pieces;
mod scale;
mod terms;
mod threats;

use super::ChessKnowledge;
use bitboards::{Attacks, PawnStructure, SidePieces, SideView};
use counter::{SignedCounter, TermCounter};
use cozy_chess::{Color, Piece};
use ludus_core::{
    HasEval,
    eval::MAX_PHASE,
    linear::{Group, LinearEval, TermSink, Weights},
};
use ludus_games::chess::Chess;
use std::sync::OnceLock;

pub use evaluator::ChessEval;

/// Both sides' pieces as each side sees them, White's view first.
struct SideViews {
    own: [SidePieces; 2],
    enemy: [SidePieces; 2],
    /// Castling rights: long, short.
    rights: [(bool, bool); 2],
    to_move: [bool; 2],
}

impl SideViews {
    #[inline(always)]
    fn of(position: &Chess) -> SideViews {
        let board = &position.board();
        let own = [SidePieces::of(board, Color::White), SidePieces::of(board, Color::Black)];
        let enemy = [own[1].turned(), own[0].turned()];
        let rights = |colour| {
            let rights = board.castle_rights(colour);
            (rights.long.is_some(), rights.short.is_some())
        };
        let rights = [rights(Color::White), rights(Color::Black)];
        let white = board.side_to_move() == Color::White;
        SideViews { own, enemy, rights, to_move: [white, !white] }
    }

    /// Counts the terms that depend on pawns and kings alone: the ones the pawn hash table keeps.
    fn pawn_structures(&self, counter: &mut impl TermCounter) -> [PawnStructure; 2] {
        [0, 1].map(|side| {
            let (own, enemy) = (&self.own[side], &self.enemy[side]);
            let pawn_structure = PawnStructure {
                passed: pawns::structure(own, enemy, counter),
                outposts: pieces::outposts(own, enemy),
                open_files: king::shelter(own, enemy, counter),
            };
            counter.turn();
            pawn_structure
        })
    }

    #[inline(always)]
    fn count_pieces(
        &self,
        side: usize,
        pawn_structures: &[PawnStructure; 2],
        counter: &mut impl TermCounter,
    ) -> Attacks {
        let (own, enemy) = (&self.own[side], &self.enemy[side]);
        let may_castle = self.rights[side].0 || self.rights[side].1;
        let attacks =
            pieces::count_pieces(own, enemy, pawn_structures[side].outposts, may_castle, counter);
        counter.turn();
        attacks
    }

    /// Counts all other terms.
    #[inline(always)]
    fn pieces(&self, pawn_structures: &[PawnStructure; 2], counter: &mut impl TermCounter) {
        let attacks_by_side = [
            self.count_pieces(0, pawn_structures, counter),
            self.count_pieces(1, pawn_structures, counter),
        ];
        let attacks_on_side = [attacks_by_side[1].turned(), attacks_by_side[0].turned()];
        for side in [0, 1] {
            let view = SideView {
                own: &self.own[side],
                enemy: &self.enemy[side],
                attacks: &attacks_by_side[side],
                enemy_attacks: &attacks_on_side[side],
                pawn_structure: &pawn_structures[side],
                to_move: self.to_move[side],
            };
            counter.when(self.rights[side].0, terms::CASTLING);
            counter.when(self.rights[side].1, terms::CASTLING + 1);
            counter.when(view.to_move, terms::THE_MOVE);
            pawns::passers(&view, counter);
            king::danger(&view, counter);
            threats::threats(&view, counter);
            pieces::space(view.own, view.enemy, view.enemy_attacks.any, counter);
            counter.turn();
        }
    }
}

impl LinearEval for ChessKnowledge {
    type Position = Chess;

    const GROUPS: &'static [Group] = terms::GROUPS;

    #[inline]
    fn count_terms(position: &Chess, sink: &mut impl TermSink) {
        let mut counter = SignedCounter { sink, sign: 1 };
        let board = SideViews::of(position);
        let pawn_structures = board.pawn_structures(&mut counter);
        board.pieces(&pawn_structures, &mut counter);
    }

    /// Phase by the pieces that are gone: a minor piece counts one, a rook two, a queen four, of
    /// 24.
    #[inline]
    fn phase(position: &Chess) -> i32 {
        let left = |piece, weight| weight * bitboards::len(position.board().pieces(piece));
        let left = left(Piece::Knight, 1)
            + left(Piece::Bishop, 1)
            + left(Piece::Rook, 2)
            + left(Piece::Queen, 4);
        (24 - left).max(0) * MAX_PHASE / 24
    }

    #[inline]
    fn scale_drawish(position: &Chess, sum: i32) -> i32 {
        let strong = if sum > 0 { Color::White } else { Color::Black };
        sum * scale::scale_factor(position.board(), strong) / 100
    }
}

impl HasEval<Chess> for ChessKnowledge {
    type Handcrafted = ChessEval;

    fn handcrafted() -> ChessEval {
        static HAND: OnceLock<ChessEval> = OnceLock::new();
        let read = || {
            let weights = Weights::parse(ludus_data::hand::CHESS, terms::GROUPS);
            ChessEval::new(&weights.expect("the weights of chess fit its terms"))
        };
        HAND.get_or_init(read).clone()
    }

    /// The beginner's count: pawn 1, knight and bishop 3, rook 5, queen 9.
    fn material(position: &Chess) -> Option<i32> {
        const WORTH: [(Piece, i32); 5] = [
            (Piece::Pawn, 100),
            (Piece::Knight, 300),
            (Piece::Bishop, 300),
            (Piece::Rook, 500),
            (Piece::Queen, 900),
        ];
        let of = |colour| -> i32 {
            let worth = |(piece, worth)| {
                position.board().colored_pieces(colour, piece).len() as i32 * worth
            };
            WORTH.into_iter().map(worth).sum()
        };
        Some(of(Color::White) - of(Color::Black))
    }
}
