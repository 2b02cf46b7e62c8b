//! Moves, and where generators put them.

use std::fmt;

/// A move: start, end and captured pieces, in eight bytes.
///
/// ```text
/// bits 0-5 start · bits 6-11 end · bits 12 and up: captured pieces, from bit 4 of the board on
/// ```
///
/// The outer rows cannot be captured, so the lowest four squares need no bit here.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Move(u64);

impl Move {
    #[inline]
    pub(super) fn quiet(from: u32, to: u32) -> Move {
        Move(u64::from(from | to << 6))
    }

    #[inline]
    pub(super) fn capture(from: u32, to: u32, captured: u64) -> Move {
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

    /// Whether it captures anything.
    #[inline]
    pub fn is_capture(self) -> bool {
        self.0 >> 12 != 0
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Move({}, {}, {:#x})", self.from(), self.to(), self.captured())
    }
}

/// Where captures go.
pub(super) trait Sink {
    /// Takes the capture of `length` pieces.
    fn add(&mut self, mv: Move, length: u32);
}

/// Fewer jumps than this never lead to the same end by two paths with short kings.
const LOOP: u32 = 4;

/// Counts distinct captures of short-king rules.
#[derive(Default)]
pub(super) struct Count {
    pub(super) count: usize,
    /// The captures long enough to have a double.
    long: Vec<Move>,
}

impl Sink for Count {
    #[inline]
    fn add(&mut self, mv: Move, length: u32) {
        if length >= LOOP {
            if self.long.contains(&mv) {
                return;
            }
            self.long.push(mv);
        }
        self.count += 1;
    }
}

/// Lists distinct captures of short-king rules.
pub(super) struct List<'a> {
    pub(super) out: &'a mut Vec<Move>,
    pub(super) base: usize,
}

impl Sink for List<'_> {
    #[inline]
    fn add(&mut self, mv: Move, length: u32) {
        if length < LOOP || !self.out[self.base..].contains(&mv) {
            self.out.push(mv);
        }
    }
}
