//! The evaluation, in hundredths of a pawn: linear in the weights of `data/hand/chess.txt`.
//!
//! One walk over the board counts everything for one side and then for the other, each side seeing
//! the board from its own edge; [`chances`] scales the sum down in endings that are hard to win.

mod chances;
mod king;
mod men;
mod pawns;
mod pieces;
mod terms;
mod threats;

use super::position::Chess;
use cozy_chess::{BoardBuilder, Color, Piece, Square};
use ludus_core::{
    Judged,
    eval::PHASES,
    linear::{Group, Linear, LinearlyJudged, Tally, Weights},
};
use men::{Men, Reach, Side, View};
use std::sync::OnceLock;

/// The weights in use.
const WEIGHTS: &str = include_str!("../../../../../data/hand/chess.txt");

impl LinearlyJudged for Chess {
    const GROUPS: &'static [Group] = terms::GROUPS;

    #[inline]
    fn tally(&self, tally: &mut impl Tally) {
        let colors = [Color::White, Color::Black];
        let own = colors.map(|color| Men::of(&self.board, color));
        let enemy = [own[1].turned(), own[0].turned()];
        let rights = colors.map(|color| {
            let rights = self.board.castle_rights(color);
            (rights.long.is_some(), rights.short.is_some())
        });
        let signs = [1, -1];
        let walked: [Reach; 2] = [0, 1].map(|side| {
            let may_castle = rights[side].0 || rights[side].1;
            let mut tally = Side { tally: &mut *tally, sign: signs[side] };
            pieces::walk(&own[side], &enemy[side], may_castle, &mut tally)
        });
        let seen = [walked[1].turned(), walked[0].turned()];
        for side in [0, 1] {
            let mut tally = Side { tally: &mut *tally, sign: signs[side] };
            let passed = pawns::structure(&own[side], &enemy[side], &mut tally);
            let view = View {
                own: &own[side],
                enemy: &enemy[side],
                reach: &walked[side],
                enemy_reach: &seen[side],
                passed,
                to_move: self.board.side_to_move() == colors[side],
            };
            pawns::passers(&view, &mut tally);
            king::safety(&view, rights[side], &mut tally);
            threats::threats(&view, &mut tally);
            pieces::space(view.own, view.enemy, view.enemy_reach.any, &mut tally);
            tally.when(view.to_move, terms::THE_MOVE);
        }
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

impl Judged for Chess {
    type Hand = Linear<Chess>;

    fn hand() -> Linear<Chess> {
        static HAND: OnceLock<Linear<Chess>> = OnceLock::new();
        let read = || {
            let weights = Weights::parse(WEIGHTS, terms::GROUPS);
            Linear::new(&weights.expect("the weights of chess fit its terms"))
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
