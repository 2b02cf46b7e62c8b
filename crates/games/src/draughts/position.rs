//! The position and how moves change it.

use super::{
    board::{crowning, crowning_captures, row},
    english,
    moves::Move,
    rules::{Colour, Rules},
};
use ludus_core::{Outcome, Position, Side, position::mix};

/// A position of any rule set.
#[derive(Copy, Clone, Debug)]
pub struct Draughts {
    /// Pieces of the side to move.
    pub(super) own: u64,
    /// Pieces of the other side.
    pub(super) other: u64,
    /// The crowned ones of both.
    pub(super) kings: u64,
    /// The colour to move.
    pub(super) colour: Colour,
    pub(super) rules: Rules,
    /// Plies since the last capture or move of a man.
    pub(super) quiet: u8,
    /// Plies since the present balance of few pieces.
    pub(super) balance: u8,
}

impl Draughts {
    pub fn new(rules: Rules) -> Draughts {
        let width = if rules == Rules::International { 5 } else { 4 };
        let rows = width - 1;
        let black: u64 = (0..rows).map(|index| row(width, index)).sum();
        let white: u64 = (0..rows).map(|index| row(width, 2 * width - 1 - index)).sum();
        let colour = rules.first();
        let (own, other) = if colour == Colour::Black { (black, white) } else { (white, black) };
        Draughts { own, other, kings: 0, colour, rules, quiet: 0, balance: 0 }
    }
}

impl PartialEq for Draughts {
    fn eq(&self, with: &Draughts) -> bool {
        self.own == with.own
            && self.other == with.other
            && self.kings == with.kings
            && self.colour == with.colour
            && self.rules == with.rules
    }
}

impl Eq for Draughts {}

impl Position for Draughts {
    type Move = Move;

    #[inline]
    fn turn(&self) -> Side {
        self.rules.side(self.colour)
    }

    #[inline]
    fn legal_moves(&self, out: &mut Vec<Move>) {
        match (self.rules, self.colour) {
            (_, Colour::Black) => english::list::<true>(self, out),
            (_, Colour::White) => english::list::<false>(self, out),
        }
    }

    #[inline]
    fn count_moves(&self) -> usize {
        match (self.rules, self.colour) {
            (_, Colour::Black) => english::count::<true>(self),
            (_, Colour::White) => english::count::<false>(self),
        }
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        let from = 1u64 << mv.from();
        let to = 1u64 << mv.to();
        let captured = mv.captured();
        let crowned = to & crowning(self.rules, self.colour)
            | if captured & crowning_captures(self.rules, self.colour) != 0 { to } else { 0 };
        let king = self.kings >> mv.from() & 1;
        let own = self.own ^ from | to;
        self.own = self.other & !captured;
        self.other = own;
        self.kings = self.kings & !(from | captured) | king << mv.to() | crowned;
        self.quiet = if captured == 0 && king != 0 { self.quiet.saturating_add(1) } else { 0 };
        self.colour = !self.colour;
    }

    fn outcome(&self) -> Option<Outcome> {
        (self.count_moves() == 0).then(|| Outcome::Win(!self.turn()))
    }

    #[inline]
    fn key(&self) -> u64 {
        mix(self.own ^ mix(self.other ^ mix(self.kings ^ 0x1234)))
    }
}
