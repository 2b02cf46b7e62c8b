//! The position and how moves change it.

use super::{
    board::{
        BoardGeometry, Eight, all_squares, bits, crowning, crowning_captures, directions, rotated,
        row,
    },
    draw_rules, generator,
    moves::{CapturePath, DraughtsMove, MoveSquares},
    rollout,
    rules::{Colour, Rules},
    squares,
};
use ludus_core::{EndReason, Outcome, Position, Random, Side, position::mix};

/// A position of any rule set.
#[derive(Copy, Clone, Debug)]
pub struct Draughts {
    /// Pieces of the side to move.
    pub(super) own: u64,
    /// Pieces of the other side.
    pub(super) other: u64,
    /// The kings of both.
    pub(super) kings: u64,
    /// The colour to move.
    pub(super) colour: Colour,
    pub(super) rules: Rules,
    /// Plies since the last capture or move of a man. Outside `Eq` and key.
    pub(super) quiet_plies: u8,
    /// Plies since the present balance of few pieces arose (see `draw_rules`). Outside `Eq` and
    /// key.
    pub(super) balance_plies: u8,
    /// Plies, modulo 256: a hint for caches. Outside `Eq` and key.
    pub(super) ply: u8,
}

impl Draughts {
    /// The starting position of a rule set.
    pub fn new(rules: Rules) -> Draughts {
        let width = rules.width();
        let black = (0..width - 1).map(|index| row(width, index)).sum();
        let white = rotated(rules, black);
        Draughts::with(rules, rules.first(), [black, white], 0)
    }

    /// A position in the middle of a game; `pieces` are by colour.
    pub fn with(rules: Rules, colour: Colour, pieces: [u64; 2], kings: u64) -> Draughts {
        let own = pieces[colour as usize];
        let other = pieces[!colour as usize];
        Draughts { own, other, kings, colour, rules, quiet_plies: 0, balance_plies: 0, ply: 0 }
    }

    /// The rule set.
    #[inline]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The colour to move.
    #[inline]
    pub fn colour(&self) -> Colour {
        self.colour
    }

    /// The numbers of the squares of `mv`.
    pub fn move_squares(&self, mv: DraughtsMove) -> MoveSquares {
        let number = |bit| squares::number(self.rules, bit);
        let mut captured: Vec<u32> = bits(mv.captured()).map(number).collect();
        captured.sort_unstable();
        MoveSquares { from: number(mv.from()), to: number(mv.to()), captured }
    }

    /// The legal move with these squares, captured ones in ascending order.
    pub fn move_by_squares(&self, squares: &MoveSquares) -> Option<DraughtsMove> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.into_iter().find(|&mv| self.move_squares(mv) == *squares)
    }

    /// The pieces of `colour`.
    #[inline]
    pub fn pieces(&self, colour: Colour) -> u64 {
        if colour == self.colour { self.own } else { self.other }
    }

    /// The colour of the piece on `square`, and whether it is a king.
    pub(super) fn piece(&self, square: u32) -> Option<(Colour, bool)> {
        let bit = 1 << square;
        let colour = [Colour::Black, Colour::White]
            .into_iter()
            .find(|&colour| self.pieces(colour) & bit != 0)?;
        Some((colour, self.kings & bit != 0))
    }

    /// The pieces of the side to move.
    #[inline]
    pub fn own(&self) -> u64 {
        self.own
    }

    /// The pieces of the other side.
    #[inline]
    pub fn other(&self) -> u64 {
        self.other
    }

    /// The kings of both sides.
    #[inline]
    pub fn kings(&self) -> u64 {
        self.kings
    }

    /// The number of plies modulo 256: a hint for caches.
    #[inline]
    pub fn ply(&self) -> u8 {
        self.ply
    }

    /// Whether the side to move can capture, found without a move list.
    #[inline]
    pub fn can_capture(&self) -> bool {
        generator::can_capture(self)
    }

    /// Every legal capture by every path; empty if there is nothing to capture.
    pub(super) fn capture_paths(&self) -> Vec<CapturePath> {
        generator::paths(self).found
    }

    /// Whether a piece of the side to move has an empty square to step to, capture or not.
    #[inline]
    fn can_step(&self) -> bool {
        let empty = all_squares(self.rules) & !(self.own | self.other);
        let [down_left, down_right, up_right, up_left] = directions(self.rules);
        let down = empty.rotate_right(down_left) | empty.rotate_right(down_right);
        let up = empty.rotate_right(up_right) | empty.rotate_right(up_left);
        let (ahead, back) = match self.colour {
            Colour::Black => (down, up),
            Colour::White => (up, down),
        };
        self.own & (ahead | back & self.kings) != 0
    }

    /// Finishes the position after `mv`: crowning and balance.
    fn finished(mut self, before: Draughts, mv: DraughtsMove) -> Draughts {
        let to = 1 << mv.to();
        self.kings |= to & crowning(before.rules, before.colour);
        if mv.captured() & crowning_captures(before.rules, before.colour) != 0 {
            self.kings |= to;
        }
        self.balance_plies = draw_rules::next_balance(&before, &self);
        self
    }

    /// The rest of what `Eq` compares, in the bits above the 54 of the large board:
    ///
    /// ```text
    /// bits 62-63 lowest two bits of the rule set · bit 61 colour · bits 54-60 its other bits
    /// ```
    #[inline]
    fn tag(&self) -> u64 {
        const { assert!(Rules::ALL.len() <= 4 << 7) };
        let rules = self.rules as u64;
        rules << 62 | (self.colour as u64) << 61 | (rules >> 2) << 54
    }
}

impl PartialEq for Draughts {
    #[inline]
    fn eq(&self, with: &Draughts) -> bool {
        (self.own, self.other, self.kings, self.tag())
            == (with.own, with.other, with.kings, with.tag())
    }
}

impl Eq for Draughts {}

impl Position for Draughts {
    type Move = DraughtsMove;

    const REPETITION_LIMIT: Option<usize> = Some(3);

    #[inline]
    fn turn(&self) -> Side {
        self.rules.side(self.colour)
    }

    #[inline]
    fn legal_moves(&self, out: &mut Vec<DraughtsMove>) {
        generator::list(self, out);
    }

    #[inline(always)] // into perft's loop, where the position is still in registers
    fn count_moves(&self) -> usize {
        generator::count(self)
    }

    #[inline]
    fn play(&mut self, mv: DraughtsMove) {
        *self = self.after(mv);
    }

    /// Builds a new value rather than changing a copy: the position then stays in registers, which
    /// doubles the speed of perft.
    #[inline]
    fn after(&self, mv: DraughtsMove) -> Draughts {
        let Draughts { own, other, kings, colour, rules, quiet_plies, ply, .. } = *self;
        let from = 1u64 << mv.from();
        let to = 1u64 << mv.to();
        let captured = mv.captured();
        debug_assert!(own & from != 0, "nothing to move: {mv:?}");
        debug_assert!(other & captured == captured, "nothing to capture: {mv:?}");
        let king = kings >> mv.from() & 1;
        let kings = kings & !(from | captured) | king << mv.to();
        let quiet_plies =
            if captured == 0 && king != 0 { quiet_plies.saturating_add(1) } else { 0 };
        let (own, other, colour) = (other & !captured, own ^ from | to, !colour);
        let ply = ply.wrapping_add(1);
        if rules == Rules::WITH_ONE_WAY_MEN {
            // Same result as below: no balance counts, and no man comes back to its own
            // first row, so either outer row crowns. It keeps the position in registers.
            let kings = kings | to & Eight::OUTER;
            return Draughts {
                own,
                other,
                kings,
                colour,
                rules,
                quiet_plies,
                balance_plies: 0,
                ply,
            };
        }
        let next =
            Draughts { own, other, kings, colour, rules, quiet_plies, balance_plies: 0, ply };
        next.finished(*self, mv)
    }

    /// The side to move has lost if it cannot move.
    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        (!self.can_step() && !self.can_capture()).then(|| Outcome::Win(!self.turn()))
    }

    #[inline]
    fn key(&self) -> u64 {
        let own = mix(self.own ^ 0x9E37_79B9_7F4A_7C15);
        let other = mix(self.other ^ 0xD1B5_4A32_D192_ED03).rotate_left(21);
        mix(own.wrapping_add(other) ^ mix(self.kings | self.tag()).rotate_left(42))
    }

    #[inline]
    fn verification_key(&self) -> u32 {
        let own = self.own.wrapping_mul(0xA24B_AED4_963E_E407);
        let other = self.other.wrapping_mul(0x9FB2_1C65_1E98_DF25).rotate_left(23);
        let kings = (self.kings | self.tag()).wrapping_mul(0xC2B2_AE3D_27D4_EB4F).rotate_left(41);
        let word = own ^ other.wrapping_add(kings);
        ((word ^ word >> 31).wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 32) as u32
    }

    /// The board rotated by 180 degrees with the colours exchanged.
    fn colour_flipped(&self) -> Option<Draughts> {
        let [own, other, kings] =
            [self.own, self.other, self.kings].map(|set| rotated(self.rules, set));
        Some(Draughts { own, other, kings, colour: !self.colour, ..*self })
    }

    fn other_to_move(&self) -> Option<Draughts> {
        Some(Draughts { own: self.other, other: self.own, colour: !self.colour, ..*self })
    }

    #[inline]
    fn rule_draw(&self) -> Option<EndReason> {
        draw_rules::draw_by_counters(self)
    }

    #[inline]
    fn reversible_plies(&self) -> usize {
        usize::from(self.quiet_plies)
    }

    fn terminal_reason(&self) -> EndReason {
        if self.own == 0 { EndReason::NoPieces } else { EndReason::NoMoves }
    }

    fn rollout(&self, random: &mut Random, moves: &mut Vec<DraughtsMove>) -> Outcome {
        rollout::rollout(self, random, moves)
    }

    #[inline]
    fn move_count(&self) -> usize {
        let squares = self.rules.squares() as usize;
        squares * squares
    }

    /// Start and end; captures between the same squares share an index.
    #[inline]
    fn move_index(&self, mv: DraughtsMove) -> usize {
        let [from, to] = [mv.from(), mv.to()].map(|bit| squares::index(self.rules, bit) as usize);
        from * self.rules.squares() as usize + to
    }
}
