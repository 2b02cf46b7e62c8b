//! What a search may know of a game besides its rules.

use crate::{Outcome, Position};

/// What can be said of a move without playing it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct MoveHint {
    /// [`SearchHints::slot`].
    pub slot: u16,
    /// Whether [`SearchHints::gain`] is zero.
    pub is_quiet: bool,
    /// [`SearchHints::presses`].
    pub presses: bool,
    /// [`SearchHints::preference`] of a quiet move, [`SearchHints::urgency`] of any other.
    pub promise: i32,
}

/// Hints for depth-first searches. Every method has a default that knows nothing, so that a new
/// game starts with `impl SearchHints for Mine {}`.
///
/// None of them changes the rules: a wrong hint makes a search slower or weaker, never illegal.
pub trait SearchHints: Position {
    /// How many numbers [`slot`](SearchHints::slot) uses, at most 8,192.
    const SLOTS: usize = 1;

    /// A small number for `mv`, the same for moves that are alike in different positions (such as a
    /// piece and where it goes): what history tables are indexed by.
    #[inline]
    fn slot(&self, _mv: Self::Move) -> usize {
        0
    }

    /// What `mv` wins at first sight, in hundredths of the game's unit: captured pieces, promotions.
    /// Zero for a quiet move. Cheap: it is asked for every move.
    #[inline]
    fn gain(&self, _mv: Self::Move) -> i32 {
        0
    }

    /// The order of moves with a gain: greater first.
    #[inline]
    fn urgency(&self, mv: Self::Move) -> i32 {
        self.gain(mv)
    }

    /// What speaks for a quiet move nothing else is known of, in the scale of history scores: some
    /// hundreds.
    #[inline]
    fn preference(&self, _mv: Self::Move) -> i32 {
        0
    }

    /// Whether `mv` leaves the other side [pressed](SearchHints::is_pressed), as far as that is seen at
    /// a glance. Such moves are not given up for looking hopeless.
    #[inline]
    fn presses(&self, _mv: Self::Move) -> bool {
        false
    }

    /// The sketch of `mv`.
    #[inline]
    fn sketch(&self, mv: Self::Move) -> MoveHint {
        let is_quiet = self.gain(mv) == 0;
        let promise = if is_quiet { self.preference(mv) } else { self.urgency(mv) };
        MoveHint { slot: self.slot(mv) as u16, is_quiet, presses: self.presses(mv), promise }
    }

    /// Sketches `moves` in their order. Overridden where what many moves have in common is worth
    /// looking up once: a search spends much of its time here.
    #[inline]
    fn sketches(&self, moves: &[Self::Move], mut each: impl FnMut(MoveHint)) {
        for &mv in moves {
            each(self.sketch(mv));
        }
    }

    /// Sketches those of `moves`, with their places, that gain something or have one of these slots.
    /// A search often needs no others. Overridden where they are told from the others by less than a
    /// sketch.
    #[inline]
    fn promising(
        &self,
        moves: &[Self::Move],
        slots: [u16; 3],
        mut each: impl FnMut(usize, MoveHint),
    ) {
        let mut place = 0;
        self.sketches(moves, |sketch| {
            if !sketch.is_quiet
                || slots.iter().fold(false, |any, &slot| any | (slot == sketch.slot))
            {
                each(place, sketch);
            }
            place += 1;
        });
    }

    /// Whether the exchange that `mv` starts on its target square wins at least `threshold`
    /// hundredths, with best play there by both sides.
    #[inline]
    fn exchange_wins(&self, mv: Self::Move, threshold: i32) -> bool {
        self.gain(mv) >= threshold
    }

    /// Whether the side to move must answer something now (a check, a capture it has to make), so
    /// that the static evaluation says little and standing still is no option.
    #[inline]
    fn is_pressed(&self) -> bool {
        false
    }

    /// Appends the moves quiescence search looks at: every legal move when
    /// [pressed](SearchHints::is_pressed), else the legal captures and promotions. Appending none means
    /// the position is quiet. A game without captures leaves it empty.
    #[inline]
    fn noisy_moves(&self, _out: &mut Vec<Self::Move>) {}

    /// The position with the turn passed on, where the rules of thumb behind null-move pruning
    /// hold: not pressed, and the side to move is not likely to be in zugzwang.
    #[inline]
    fn passed(&self) -> Option<Self> {
        None
    }

    /// How many plies deeper a position with so many legal moves should be searched.
    #[inline]
    fn extension(&self, replies: usize) -> i32 {
        i32::from(replies == 1)
    }

    /// The outcome, as far as a fast search cares where it stops to look: overridden by games in
    /// which the full answer is dear and an ending missed there is rare.
    #[inline]
    fn horizon_outcome(&self) -> Option<Outcome> {
        self.outcome()
    }
}
