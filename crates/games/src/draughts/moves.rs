//! Moves, and where the generators put them.

use std::fmt;

/// A move: start, end and captured pieces, in eight bytes.
///
/// ```text
/// bits 0-5 start · bits 6-11 end · bits 12 and up: captured pieces, from bit 4 of the board on
/// ```
///
/// The outer rows cannot be captured, so the lowest four squares need no bit here. Paths with the
/// same start, end and captured pieces are the same move.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Move(u64);

impl Move {
    #[inline]
    pub(super) fn quiet(from: u32, to: u32) -> Move {
        Move(u64::from(from | to << 6))
    }

    #[inline]
    pub(super) fn capture(from: u32, to: u32, captured: u64) -> Move {
        debug_assert!(captured & 15 == 0 && captured >> 52 == 0, "an outer row was captured");
        Move(captured << 8 | u64::from(from | to << 6))
    }

    /// The bit it starts from.
    #[inline]
    pub(super) fn from(self) -> u32 {
        (self.0 & 63) as u32
    }

    /// The bit it ends on.
    #[inline]
    pub(super) fn to(self) -> u32 {
        (self.0 >> 6 & 63) as u32
    }

    /// The squares of the captured pieces.
    #[inline]
    pub(super) fn captured(self) -> u64 {
        self.0 >> 8 & !15
    }

    /// How many pieces it captures.
    #[inline]
    pub fn captures(self) -> u32 {
        self.captured().count_ones()
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Move({}, {}, {:#x})", self.from(), self.to(), self.captured())
    }
}

/// A move by the numbers of its squares, as other programs want to hear it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveSquares {
    /// Where it starts.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// The captured pieces, in ascending order.
    pub captured: Vec<u32>,
}

/// Where a generator puts captures.
pub(super) trait Sink {
    /// Takes a complete capture of `length` pieces.
    fn add(&mut self, mv: Move, length: u32);

    /// The capturing piece lands on `square`.
    #[inline]
    fn enter(&mut self, _square: u32) {}

    /// It goes back to where it stood before, to try another way.
    #[inline]
    fn leave(&mut self) {}
}

/// Counts captures. Those of `LOOP` or more pieces may repeat and are counted once; under a
/// `MAJORITY` rule only the longest count.
#[derive(Default)]
pub(super) struct Count<const LOOP: u32, const MAJORITY: bool> {
    pub(super) count: usize,
    best: u32,
    /// The captures long enough to repeat.
    long: Vec<Move>,
}

impl<const LOOP: u32, const MAJORITY: bool> Sink for Count<LOOP, MAJORITY> {
    #[inline]
    fn add(&mut self, mv: Move, length: u32) {
        if MAJORITY && length != self.best {
            if length < self.best {
                return;
            }
            self.best = length;
            self.count = 0;
            self.long.clear();
        }
        if length >= LOOP {
            if self.long.contains(&mv) {
                return;
            }
            self.long.push(mv);
        }
        self.count += 1;
    }
}

/// Lists what [`Count`] counts.
pub(super) struct List<'a, const LOOP: u32, const MAJORITY: bool> {
    out: &'a mut Vec<Move>,
    base: usize,
    best: u32,
}

impl<const LOOP: u32, const MAJORITY: bool> List<'_, LOOP, MAJORITY> {
    #[inline]
    pub(super) fn new(out: &mut Vec<Move>) -> List<'_, LOOP, MAJORITY> {
        List { base: out.len(), out, best: 0 }
    }
}

impl<const LOOP: u32, const MAJORITY: bool> Sink for List<'_, LOOP, MAJORITY> {
    #[inline]
    fn add(&mut self, mv: Move, length: u32) {
        if MAJORITY && length != self.best {
            if length < self.best {
                return;
            }
            self.best = length;
            self.out.truncate(self.base);
        }
        if length < LOOP || !self.out[self.base..].contains(&mv) {
            self.out.push(mv);
        }
    }
}

/// A capture and the squares it visits: start, landing squares, end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Path {
    pub(super) mv: Move,
    pub(super) squares: Vec<u32>,
}

/// Lists every path, repeated moves included.
#[derive(Default)]
pub(super) struct Paths {
    pub(super) found: Vec<Path>,
    landings: Vec<u32>,
}

impl Paths {
    /// Keeps only the longest captures.
    pub(super) fn keep_longest(&mut self) {
        let best = self.found.iter().map(|path| path.mv.captures()).max();
        self.found.retain(|path| Some(path.mv.captures()) == best);
    }
}

impl Sink for Paths {
    #[inline]
    fn add(&mut self, mv: Move, _length: u32) {
        let squares = std::iter::once(mv.from()).chain(self.landings.iter().copied()).collect();
        self.found.push(Path { mv, squares });
    }

    #[inline]
    fn enter(&mut self, square: u32) {
        self.landings.push(square);
    }

    fn leave(&mut self) {
        self.landings.pop();
    }
}
