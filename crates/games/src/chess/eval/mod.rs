//! The evaluation, in hundredths of a pawn: linear in the weights of `data/hand/chess.txt`.
//!
//! One walk over the board counts everything for one side and then for the other, each side seeing
//! the board from its own edge; [`chances`] scales the sum down in endings that are hard to win.

mod chances;
mod hand;
mod king;
mod ledger;
mod men;
mod pawns;
mod pieces;
mod terms;
mod threats;

use super::position::Chess;
use cozy_chess::{BoardBuilder, Color, Piece, Square};
use ledger::{Ledger, Signed};
use ludus_core::{
    HasEval,
    eval::PHASES,
    linear::{Group, LinearEval, TermSink, Weights},
};
use men::{Men, Reach, Skeleton, View};
use std::sync::OnceLock;

pub use hand::ChessHand;

/// The weights in use.
const WEIGHTS: &str = include_str!("../../../../../data/hand/chess.txt");

/// Both sides' men, as each side sees them: White's view first.
struct Board {
    own: [Men; 2],
    enemy: [Men; 2],
    /// To castle long and short.
    rights: [(bool, bool); 2],
    to_move: [bool; 2],
}

impl Board {
    #[inline(always)]
    fn of(position: &Chess) -> Board {
        let board = &position.board;
        let own = [Men::of(board, Color::White), Men::of(board, Color::Black)];
        let enemy = [own[1].turned(), own[0].turned()];
        let rights = |color| {
            let rights = board.castle_rights(color);
            (rights.long.is_some(), rights.short.is_some())
        };
        let rights = [rights(Color::White), rights(Color::Black)];
        let white = board.side_to_move() == Color::White;
        Board { own, enemy, rights, to_move: [white, !white] }
    }

    /// Counts what depends on nothing but pawns and kings.
    fn skeletons(&self, ledger: &mut impl Ledger) -> [Skeleton; 2] {
        [0, 1].map(|side| {
            let (own, enemy) = (&self.own[side], &self.enemy[side]);
            let skeleton = Skeleton {
                passed: pawns::structure(own, enemy, ledger),
                outposts: pieces::outposts(own, enemy),
                open_files: king::shelter(own, enemy, ledger),
            };
            ledger.turn();
            skeleton
        })
    }

    #[inline(always)]
    fn walk(&self, side: usize, skeletons: &[Skeleton; 2], ledger: &mut impl Ledger) -> Reach {
        let (own, enemy) = (&self.own[side], &self.enemy[side]);
        let may_castle = self.rights[side].0 || self.rights[side].1;
        let reach = pieces::walk(own, enemy, skeletons[side].outposts, may_castle, ledger);
        ledger.turn();
        reach
    }

    /// Counts everything else.
    #[inline(always)]
    fn pieces(&self, skeletons: &[Skeleton; 2], ledger: &mut impl Ledger) {
        let walked = [self.walk(0, skeletons, ledger), self.walk(1, skeletons, ledger)];
        let seen = [walked[1].turned(), walked[0].turned()];
        for side in [0, 1] {
            let view = View {
                own: &self.own[side],
                enemy: &self.enemy[side],
                reach: &walked[side],
                enemy_reach: &seen[side],
                skeleton: &skeletons[side],
                to_move: self.to_move[side],
            };
            ledger.when(self.rights[side].0, terms::CASTLING);
            ledger.when(self.rights[side].1, terms::CASTLING + 1);
            ledger.when(view.to_move, terms::THE_MOVE);
            pawns::passers(&view, ledger);
            king::danger(&view, ledger);
            threats::threats(&view, ledger);
            pieces::space(view.own, view.enemy, view.enemy_reach.any, ledger);
            ledger.turn();
        }
    }
}

impl LinearEval for Chess {
    const GROUPS: &'static [Group] = terms::GROUPS;

    #[inline]
    fn tally(&self, tally: &mut impl TermSink) {
        let mut ledger = Signed { tally, sign: 1 };
        let board = Board::of(self);
        let skeletons = board.skeletons(&mut ledger);
        board.pieces(&skeletons, &mut ledger);
    }

    /// By the pieces that are gone: a minor counts one, a rook two, a queen four, of 24 in all.
    #[inline]
    fn phase(&self) -> i32 {
        let left = |piece, weight| weight * men::len(self.board.pieces(piece));
        let left = left(Piece::Knight, 1)
            + left(Piece::Bishop, 1)
            + left(Piece::Rook, 2)
            + left(Piece::Queen, 4);
        (24 - left).max(0) * PHASES / 24
    }

    #[inline]
    fn damp(&self, sum: i32) -> i32 {
        let strong = if sum > 0 { Color::White } else { Color::Black };
        sum * chances::winning_chances(&self.board, strong) / 100
    }
}

impl HasEval for Chess {
    type Hand = ChessHand;

    fn hand() -> ChessHand {
        static HAND: OnceLock<ChessHand> = OnceLock::new();
        let read = || {
            let weights = Weights::parse(WEIGHTS, terms::GROUPS);
            ChessHand::new(&weights.expect("the weights of chess fit its terms"))
        };
        HAND.get_or_init(read).clone()
    }

    /// By the count every player knows: pawn 1, knight and bishop 3, rook 5, queen 9.
    fn material(&self) -> Option<i32> {
        const WORTH: [(Piece, i32); 5] = [
            (Piece::Pawn, 100),
            (Piece::Knight, 300),
            (Piece::Bishop, 300),
            (Piece::Rook, 500),
            (Piece::Queen, 900),
        ];
        let of = |color| -> i32 {
            let worth =
                |(piece, worth)| self.board.colored_pieces(color, piece).len() as i32 * worth;
            WORTH.into_iter().map(worth).sum()
        };
        Some(of(Color::White) - of(Color::Black))
    }

    /// Turned upside down, the colours exchanged.
    fn swapped(&self) -> Option<Chess> {
        let builder = BoardBuilder::from_board(&self.board);
        let mut swapped = builder.clone();
        for square in Square::ALL {
            let man = builder.square(square).map(|(piece, color)| (piece, !color));
            *swapped.square_mut(square.flip_rank()) = man;
        }
        swapped.side_to_move = !builder.side_to_move;
        swapped.castle_rights.reverse();
        swapped.en_passant = builder.en_passant.map(Square::flip_rank);
        swapped.build().ok().map(|board| Chess { board })
    }
}
