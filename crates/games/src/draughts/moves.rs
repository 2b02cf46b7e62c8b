//! Moves, and the sinks that move generators write them to.

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
pub struct DraughtsMove(u64);

impl DraughtsMove {
    #[inline]
    pub fn quiet(from: u32, to: u32) -> DraughtsMove {
        DraughtsMove(u64::from(from | to << 6))
    }

    #[inline]
    pub fn capture(from: u32, to: u32, captured: u64) -> DraughtsMove {
        debug_assert!(captured & 15 == 0 && captured >> 52 == 0, "an outer row was captured");
        DraughtsMove(captured << 8 | u64::from(from | to << 6))
    }

    /// The start, as a bit number.
    #[inline]
    pub fn from(self) -> u32 {
        (self.0 & 63) as u32
    }

    /// The end, as a bit number.
    #[inline]
    pub fn to(self) -> u32 {
        (self.0 >> 6 & 63) as u32
    }

    /// The squares of the captured pieces.
    #[inline]
    pub fn captured(self) -> u64 {
        self.0 >> 8 & !15
    }

    /// The number of pieces captured.
    #[inline]
    pub fn captures(self) -> u32 {
        self.captured().count_ones()
    }
}

impl fmt::Debug for DraughtsMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Move({}, {}, {:#x})", self.from(), self.to(), self.captured())
    }
}

/// A move by the numbers of its squares, as protocols for engines write it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveSquares {
    /// The start.
    pub from: u32,
    /// The end.
    pub to: u32,
    /// The captured pieces, in ascending order.
    pub captured: Vec<u32>,
}

/// A receiver of captures from a move generator.
pub trait CaptureSink {
    /// Takes a complete capture of `length` pieces, of a rank by the preferences of the rule set.
    fn add(&mut self, mv: DraughtsMove, length: u32, rank: u64);

    /// The capturing piece lands on `square`.
    #[inline]
    fn enter(&mut self, _square: u32) {}

    /// The capturing piece goes back to its last square, to try another path.
    #[inline]
    fn leave(&mut self) {}
}

/// Counts captures. Those of `MIN_LOOP_CAPTURES` or more pieces may repeat and are counted once; if
/// the rule set `PREFERS` captures to others, only those of the highest rank count.
#[derive(Default)]
pub struct CaptureCounter<const MIN_LOOP_CAPTURES: u32, const PREFERS: bool> {
    pub count: usize,
    best: u64,
    /// Captures long enough to be found by several paths.
    loops: Vec<DraughtsMove>,
}

impl<const MIN_LOOP_CAPTURES: u32, const PREFERS: bool> CaptureSink
    for CaptureCounter<MIN_LOOP_CAPTURES, PREFERS>
{
    #[inline]
    fn add(&mut self, mv: DraughtsMove, length: u32, rank: u64) {
        if PREFERS && rank != self.best {
            if rank < self.best {
                return;
            }
            self.best = rank;
            self.count = 0;
            self.loops.clear();
        }
        if length >= MIN_LOOP_CAPTURES {
            if self.loops.contains(&mv) {
                return;
            }
            self.loops.push(mv);
        }
        self.count += 1;
    }
}

/// Lists the captures that [`CaptureCounter`] counts.
pub struct CaptureList<'a, const MIN_LOOP_CAPTURES: u32, const PREFERS: bool> {
    out: &'a mut Vec<DraughtsMove>,
    base: usize,
    best: u64,
}

impl<const MIN_LOOP_CAPTURES: u32, const PREFERS: bool>
    CaptureList<'_, MIN_LOOP_CAPTURES, PREFERS>
{
    #[inline]
    pub fn new(out: &mut Vec<DraughtsMove>) -> CaptureList<'_, MIN_LOOP_CAPTURES, PREFERS> {
        CaptureList { base: out.len(), out, best: 0 }
    }
}

impl<const MIN_LOOP_CAPTURES: u32, const PREFERS: bool> CaptureSink
    for CaptureList<'_, MIN_LOOP_CAPTURES, PREFERS>
{
    #[inline]
    fn add(&mut self, mv: DraughtsMove, length: u32, rank: u64) {
        if PREFERS && rank != self.best {
            if rank < self.best {
                return;
            }
            self.best = rank;
            self.out.truncate(self.base);
        }
        if length < MIN_LOOP_CAPTURES || !self.out[self.base..].contains(&mv) {
            self.out.push(mv);
        }
    }
}

/// A capture and the squares it visits: start, landing squares, end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapturePath {
    pub mv: DraughtsMove,
    pub squares: Vec<u32>,
}

/// Lists every path of a legal capture, repeated moves included.
#[derive(Default)]
pub struct CapturePaths {
    pub found: Vec<CapturePath>,
    best: u64,
    landings: Vec<u32>,
}

impl CaptureSink for CapturePaths {
    #[inline]
    fn add(&mut self, mv: DraughtsMove, _length: u32, rank: u64) {
        if rank < self.best {
            return;
        }
        if rank > self.best {
            self.best = rank;
            self.found.clear();
        }
        let squares = std::iter::once(mv.from()).chain(self.landings.iter().copied()).collect();
        self.found.push(CapturePath { mv, squares });
    }

    #[inline]
    fn enter(&mut self, square: u32) {
        self.landings.push(square);
    }

    fn leave(&mut self) {
        self.landings.pop();
    }
}
